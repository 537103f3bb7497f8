# What is made from the tables of options: help, completions, man pages.
load common

commands="build query freq heavy info merge classify seeds makedb dbinfo mask plan links doctor"
verbs="calibrate predict tune check plot report" # of tamis model

# complete_line WORD...: what bash completes the last word to, one a line, sorted.
complete_line() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _tamis
    [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}" | sort
}

# offers WANT WORD...: that is just these, in this order.
offers() {
    local want=$1
    shift
    complete_line "$@" | tr '\n' ' ' >got
    [ "$(cat got)" = "$want${want:+ }" ] || {
        echo "$*: $(cat got)"
        return 1
    }
}

@test "bash completes commands, options, values and files" {
    # shellcheck disable=SC1090
    source <("$TAMIS" generate bash)
    compopt() { :; } # bash allows it only while it completes
    offers 'query' tamis q
    offers 'heavy help' tamis he
    offers '--no-filename --no-remarks' tamis query --no
    offers '--quiet' tamis query f.tms --qu
    offers '-word_size' tamis seeds -w
    offers '--threads' tamis seeds --th
    offers '-num_threads' tamis seeds -nu
    offers 'blocked classic probabilistic' tamis build --layout ''
    offers 'classic' tamis build --layout = c
    offers 'blocked classic probabilistic' tamis build --layout =
    offers 'xxh3 xxh3-square' tamis build --hash x
    offers 'xxh3' tamis seeds --hash x
    offers 'auto cpu cuda' tamis freq --device ''
    offers 'calibrate check' tamis model c
    offers '--help' tamis model --
    offers '--max-bytes --max-fpr' tamis model tune --max
    offers 'bank classify random strings' tamis model predict --app ''
    offers 'classic' tamis model predict --layout = c
    offers '' tamis build -k ''
    : >'a file'
    mkdir adir
    [ "$(complete_line tamis build -o a)" = $'a file\nadir' ]
    [ "$(complete_line tamis query a)" = $'a file\nadir' ]
}

# rows COMMAND [VERB]: all ways to write its options, one a line, sorted.
rows() {
    "$TAMIS" generate man "$@" | grep '^\*-' | grep -o '\*-[^*]*\*' | tr -d '*' | sort
}

# same "COMMAND [VERB]" WHAT: what comes in on standard input are the command's options.
same() {
    sort >got
    # shellcheck disable=SC2086
    rows $1 | diff - got || {
        echo "$1: < is not in $2, > is no option"
        return 1
    }
}

@test "completions have every option, and the shells can read them" {
    "$TAMIS" generate zsh >_tamis
    "$TAMIS" generate fish >tamis.fish
    for command in $commands; do
        sed -n "/^    $command)/,/;;/s/^ *'\**\(-[-A-Za-z0-9_]*\).*/\1/p" _tamis | same "$command" zsh
        grep "__fish_seen_subcommand_from $command'" tamis.fish | sed "s/ -d '.*//" | grep -oE -- ' -[slo] [^ ]+' |
            sed 's/ -l /--/; s/ -[so] /-/' | same "$command" fish
    done
    for verb in $verbs; do
        sed -n "/^    'model $verb')/,/;;/s/^ *'\**\(-[-A-Za-z0-9_]*\).*/\1/p" _tamis | same "model $verb" zsh
        grep "from model; and __fish_seen_subcommand_from $verb'" tamis.fish | sed "s/ -d '.*//" | grep -oE -- ' -[slo] [^ ]+' |
            sed 's/ -l /--/; s/ -[so] /-/' | same "model $verb" fish
    done
    ! command -v zsh >/dev/null || zsh -n _tamis
    ! command -v fish >/dev/null || fish -n tamis.fish
    expect 2 "$TAMIS" generate ksh
    expect 2 "$TAMIS" generate man
    expect 2 "$TAMIS" generate man frobnicate
}

# defined FILE: the options that have an entry in a page, one a line.
defined() {
    awk '/^\t/ && entry ~ /^\*-/ { print entry } { entry = $0 }' "$1" | grep -o '\*--*[A-Za-z][^*]*\*' | tr -d '*' | sort -u
}

@test "every option has an entry in its man page, and every entry is an option" {
    for command in $commands model; do
        "$TAMIS" generate man "$command" >skeleton
        defined skeleton >want
        defined "$TAMIS_SOURCE/doc/man/tamis-$command.1.scd" >got
        diff want got || {
            echo "tamis-$command(1): < has no entry, > is no option"
            return 1
        }
    done
}

@test "the skeleton of a man page is one" {
    need scdoc
    for command in $commands model; do
        "$TAMIS" generate man "$command" | scdoc >page
        grep -q '^\.SH OPTIONS' page
    done
}

@test "every help has the options of the tables, in at most 80 columns" {
    for command in $commands; do
        "$TAMIS" "$command" --help >help
        [ "$(wc -L <help)" -le 80 ]
        sed -n 's/^  *\(-.*\)/\1/p' help | sed 's/  .*//' | tr -d , | tr ' ' '\n' | grep '^-' | same "$command" help
    done
    for verb in $verbs; do
        "$TAMIS" model "$verb" --help >help
        [ "$(wc -L <help)" -le 80 ]
        sed -n 's/^  *\(-.*\)/\1/p' help | sed 's/  .*//' | tr -d , | tr ' ' '\n' | grep '^-' | same "model $verb" help
    done
}

@test "the words of a choice stand for what the library calls by them" {
    shown() { "$TAMIS" info --json f.tms | grep -q "\"$1\": \"$2\""; }
    for layout in blocked classic; do
        build f.tms 'a\nb\n' --layout "$layout"
        shown layout "$layout"
    done
    for hash in xxh3 xxh3-square murmur3 ap; do
        build f.tms 'a\nb\n' --layout classic --hash "$hash"
        shown hash "$hash"
    done
    for sampling in geometric plain; do
        build f.tms 'a\nb\n' --layout probabilistic -k 8 -p 0.5 -m 1Ki --sampling "$sampling"
        shown layout probabilistic
        shown sampling "$sampling"
    done
    printf '>a\nACGTACGTTGCATTGCATGGATTTGACCA\n' >a.fa
    for words in "strand both" "strand plus" "strand minus" "hash h3" "hash xxh3" "schedule shared" "schedule interleaved" \
        "schedule bitmap"; do
        "$TAMIS" seeds -q -query a.fa -subject a.fa -word_size 8 --filter bloom --force --stats stats.json \
            "-${words% *}" "${words#* }" >out 2>err ||
            "$TAMIS" seeds -q -query a.fa -subject a.fa -word_size 8 --force --stats stats.json "-${words% *}" "${words#* }" >out
        grep -q "\"${words% *}\": \"${words#* }\"" stats.json
    done
}

@test "a letter in a cluster that is no option is named, not the word before" {
    build f.tms 'a\n'
    expect 2 "$TAMIS" query --tsv -Zn f.tms
    err_is "tamis query: no option '-Z'\nTry 'tamis query --help'.\n"
}

@test "doctor takes no files" {
    expect 2 "$TAMIS" doctor x
    err_is "tamis doctor: 'x': doctor takes no files\nTry 'tamis doctor --help'.\n"
}
