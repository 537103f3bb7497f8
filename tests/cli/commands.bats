# The command itself: help, version, unknown words, doctor.
load common

@test "every help is complete, on standard output, and succeeds" {
    for words in "--help" "help" "-h" "build --help" "query --help" "freq --help" "heavy --help" "info --help" "merge --help" \
        "doctor --help" "build -h" "help build" "help query" "help freq" "help heavy" "help info" "help merge" "help classify" "help dbinfo" "help links" "help doctor" "help model" "model --help" "help model predict" \
        "model tune --help"; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" $words
        err_is ''
        grep -q '^Usage: tamis' out
        [ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' out)" -le 100 ]
    done
    expect 0 "$TAMIS" --help
    for command in build query freq heavy info merge classify dbinfo links model doctor; do grep -q "^  $command " out; done
}

@test "every option of freq and heavy is in its help" {
    "$TAMIS" freq --help >help
    for option in --min --confidence --no-background --header --json --crlf --device --threads --batch --quiet --help; do
        grep -q -- "$option" help || { echo "$option"; return 1; }
    done
    "$TAMIS" heavy --help >help
    for option in --min --confidence -k -p -m --hash --seed --save --header --json --crlf --threads --batch --quiet --help; do
        grep -q -- "$option" help || { echo "$option"; return 1; }
    done
}

@test "every option of build is in its help" {
    "$TAMIS" build --help >help
    for option in --fpr -k -m -p --bits-per-key --layout --hash --seed --expected --threads --device --batch --crlf --quiet \
        --output --append --sampling --max-f --error --min-f --confidence --keys --zipf --help; do
        grep -q -- "$option" help || { echo "$option"; return 1; }
    done
}

@test "version" {
    expect 0 "$TAMIS" --version
    grep -Eqx 'tamis [0-9]+\.[0-9]+\.[0-9]+' out
    [ "$(wc -l <out)" -eq 1 ]
}

@test "no command, an unknown one, an unknown option" {
    expect 2 "$TAMIS"
    out_is ''
    expect 2 "$TAMIS" qeury
    out_is ''
    err_is "tamis: no command 'qeury'; did you mean 'query'?\nTry 'tamis --help'.\n"
    expect 2 "$TAMIS" b
    err_is "tamis: no command 'b'; did you mean 'build'?\nTry 'tamis --help'.\n"
    expect 2 "$TAMIS" frobnicate
    err_is "tamis: no command 'frobnicate'\nTry 'tamis --help'.\n"
    expect 2 "$TAMIS" --frobnicate
    err_is "tamis: no option '--frobnicate' before a command\nTry 'tamis --help'.\n"
    expect 2 "$TAMIS" help frobnicate
    for command in build query freq heavy info merge classify doctor; do
        expect 2 "$TAMIS" $command --frobnicate
        err_is "tamis $command: no option '--frobnicate'\nTry 'tamis $command --help'.\n"
        expect 2 "$TAMIS" $command -Z
        err_is "tamis $command: no option '-Z'\nTry 'tamis $command --help'.\n"
    done
    expect 2 "$TAMIS" build --quiet=3
    err_has "option '--quiet' takes no value"
    expect 2 "$TAMIS" build --fpr
    err_has "option '--fpr' needs a value"
}

@test "a program of BLAST+ as a command is answered by what does its work" {
    expect 2 "$TAMIS" makeblastdb -in x
    err_is "tamis: no command 'makeblastdb': 'tamis makedb' does that\nTry 'tamis --help'.\n"
    while read -r program answer; do
        expect 2 "$TAMIS" "$program"
        err_has "no command '$program': $answer"
    done <<'EOF'
blastdbcmd 'tamis dbinfo' does that
dustmasker 'tamis mask -task dust' does that
segmasker 'tamis mask -task seg' does that
megablast 'tamis blastn' does that
EOF
}

@test "every command has --version" {
    "$TAMIS" --version >want
    for command in build query freq heavy info merge classify seeds makedb dbinfo mask doctor model "model predict"; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" $command --version
        err_is ''
        cmp want out
    done
}

@test "one dash before a long name is told, and does not read letters" {
    words 3 >words.txt
    expect 2 "$TAMIS" build -output x.tms words.txt
    err_is "tamis build: no option '-output'; did you mean --output?\nTry 'tamis build --help'.\n"
    [ ! -e utput ]
    expect 2 "$TAMIS" classify -filter x
    err_has "no option '-filter'; did you mean --filter?"
    expect 2 "$TAMIS" model predict -app strings
    err_has "no option '-app'; did you mean --app?"
    expect 2 "$TAMIS" build --kmer31 -o x.tms words.txt
    err_has "no option '--kmer31'; did you mean --kmer 31?"
    expect 1 "$TAMIS" blastp -evlaue 1
    err_has "no option '-evlaue'; did you mean -evalue?"
    expect 1 "$TAMIS" blastp -num 1
    err_has "option '-num' is ambiguous: -num_descriptions, -num_alignments or -num_threads"
}

@test "doctor works with and without a GPU" {
    expect 0 "$TAMIS" doctor
    err_is ''
    for word in tamis system cpu threads simd memory; do grep -q "^$word " out; done
    expect 2 "$TAMIS" doctor extra
    expect 0 "$TAMIS" doctor --json
    err_is ''
    for key in version cpu processors threads simd cpu_features memory_bytes cuda built_in present runtime driver gpus; do
        grep -q "\"$key\":" out
    done
    if command -v python3 >/dev/null; then python3 -m json.tool out >/dev/null; fi
    TAMIS_SIMD=scalar expect 0 "$TAMIS" doctor --json
    grep -q '"simd": "scalar"' out
    expect 0 "$TAMIS" doctor --json --threads 1
    grep -q '"threads": 1' out
}

@test "TAMIS_TUNE that is neither on nor off is refused" {
    for value in on off ''; do
        echo a | TAMIS_TUNE=$value expect 0 "$TAMIS" build -q --force -o tune.tms -
    done
    TAMIS_TUNE=maybe expect 2 "$TAMIS" doctor
    err_is "tamis doctor: the environment variable TAMIS_TUNE must be 'on' or 'off', not 'maybe'\n"
}

@test "TAMIS_SIMD that is no instruction set is refused by every command" {
    printf '>a\nACGT\n' >a.fa
    build f.tms 'a\nb\n'
    for words in "doctor" "query f.tms a.fa" "build -o g.tms a.fa" "seeds -query a.fa -subject a.fa -out g.tsv" "mask -task dust -in a.fa" "info f.tms"; do
        # shellcheck disable=SC2086
        TAMIS_SIMD=foo expect 2 "$TAMIS" $words
        out_is ''
        err_is "tamis ${words%% *}: the environment variable TAMIS_SIMD must be 'scalar', 'avx2' or 'avx512', not 'foo'\n"
        [ ! -e g.tms ] && [ ! -e g.tsv ]
    done
    for simd in '' scalar avx2 avx512; do
        TAMIS_SIMD=$simd expect 0 "$TAMIS" doctor
        err_is ''
    done
    TAMIS_SIMD=foo expect 0 "$TAMIS" --help
}

@test "a filter cannot come from standard input, and no message calls that -" {
    build f.tms 'a\nb\n'
    for words in "info -" "info --json -" "query - f.tms" "freq - f.tms" "merge -o g.tms f.tms -"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" $words <f.tms
        out_is ''
        err_is "tamis ${words%% *}: the filter must be a file: tamis maps it, so it cannot come from standard input\nTry 'tamis ${words%% *} --help'.\n"
        [ ! -e g.tms ]
    done
}

@test "doctor without a GPU says why" {
    gpu_usable && skip "a GPU is usable here"
    expect 0 "$TAMIS" doctor
    grep -q '^gpu  ' out
}

@test "a full disk as standard output is exit code 6" {
    [ -c /dev/full ] || skip "no /dev/full"
    build f.tms 'a\nb\n'
    for words in "--help" "--version" "build --help" "info f.tms" "info --json f.tms" "doctor" "doctor --json"; do
        got=0
        # shellcheck disable=SC2086
        "$TAMIS" $words >/dev/full 2>err || got=$?
        [ "$got" -eq 6 ] || { echo "$words: $got"; return 1; }
        err_has "standard output: cannot be written: No space left on device"
    done
}

@test "--device cuda without a usable GPU is exit code 4, auto is silent" {
    gpu_usable && skip "a GPU is usable here"
    words 10 >in
    expect 4 "$TAMIS" build --device cuda -o f.tms in
    out_is ''
    [ -s err ]
    [ ! -e f.tms ]
    expect 0 "$TAMIS" build -q --device auto -o f.tms in
    err_is ''
    expect 4 "$TAMIS" query --device cuda:0 f.tms in
    expect 4 "$TAMIS" query --device cuda:7 f.tms in
    expect 0 "$TAMIS" query --device auto f.tms in
    err_is ''
    expect 0 "$TAMIS" query --device cpu f.tms in
    cmp in out
}
