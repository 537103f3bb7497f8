# tamis query: what is printed, in which order, and the exit codes.
load common

@test "lines in the set, in input order" {
    build f.tms 'one\ntwo\nthree\n' --fpr 1e-6
    printf 'zero\nthree\nfour\none\none\nfive\n' >in
    expect 0 "$TAMIS" query f.tms in
    out_is 'three\none\none\n'
    err_is ''
}

@test "-v, -c, -vc, --tsv" {
    build f.tms 'one\ntwo\nthree\n' --fpr 1e-6
    printf 'zero\nthree\nfour\none\n' >in
    expect 0 "$TAMIS" query -v f.tms in
    out_is 'zero\nfour\n'
    expect 0 "$TAMIS" query --invert-match f.tms in
    out_is 'zero\nfour\n'
    expect 0 "$TAMIS" query -c f.tms in
    out_is '2\n'
    expect 0 "$TAMIS" query --count -v f.tms in
    out_is '2\n'
    expect 0 "$TAMIS" query --tsv f.tms in
    out_is 'zero\t0\nthree\t1\nfour\t0\none\t1\n'
    expect 2 "$TAMIS" query --tsv -v f.tms in
    expect 2 "$TAMIS" query --tsv -c f.tms in
}

@test "exit code 1 when nothing is selected" {
    build f.tms 'one\n' --fpr 1e-6
    printf 'two\n' >in
    expect 1 "$TAMIS" query f.tms in
    out_is ''
    err_is ''
    expect 1 "$TAMIS" query -c f.tms in
    out_is '0\n'
    expect 1 "$TAMIS" query --tsv f.tms in
    out_is 'two\t0\n'
    expect 0 "$TAMIS" query -v f.tms in
    printf 'one\n' >in
    expect 1 "$TAMIS" query -v f.tms in
    out_is ''
    expect 1 "$TAMIS" query f.tms /dev/null
    out_is ''
}

@test "standard input, -, several files" {
    build f.tms 'a\nb\n' --fpr 1e-6
    printf 'a\nx' >1
    printf 'b' >2
    expect 0 "$TAMIS" query f.tms <1
    out_is 'a\n'
    expect 0 "$TAMIS" query f.tms - <2
    out_is 'b\n'
    expect 0 "$TAMIS" query -v f.tms 1 - 2 <1
    out_is '1:x\n(standard input):x\n'
    expect 0 "$TAMIS" query -h f.tms 2 1 2
    out_is 'b\na\nb\n'
    expect 0 bash -c "{ printf a; sleep 0.1; printf '\\nb\\nc'; } | '$TAMIS' query --tsv f.tms"
    out_is 'a\t1\nb\t1\nc\t0\n'
}

# as_grep OPTIONS FILE...: `tamis query` prints what `grep` prints, and exits as it does; the set has the lines of ./set.
as_grep() {
    local want=0 got=0
    grep -Fx -f set "$@" >want 2>/dev/null || want=$?
    "$TAMIS" query "${@:1:$#-$n_files}" f.tms "${@:$#-$n_files+1}" >out 2>err || got=$?
    cmp want out && [ "$got" -eq "$want" ] || {
        echo "$* ($want, $got)"
        cat err
        return 1
    }
}

@test "-n, -H, -h, -c, -q and several files, as grep" {
    words 500 >set
    "$TAMIS" build -q -o f.tms --fpr 1e-9 set
    words 3000 >a
    { words 40 other; words 700; } >b
    printf 'word1' >c
    : >empty
    words 10 other >none
    gzip -n <b >b.gz
    for o in "" -n -H -h -c -v -nv -nH -nh -cH -ch -cn -cv -cvh -q -qv -qc -qn -Hh -hH -hn; do
        n_files=1
        for file in a b c empty none; do
            # shellcheck disable=SC2086
            as_grep $o -- $file
        done
        n_files=6
        # shellcheck disable=SC2086
        as_grep $o -- a empty c b none empty
        n_files=2
        # shellcheck disable=SC2086
        as_grep $o -- empty none
    done
    n_files=2
    as_grep --line-number --with-filename -- a b
    as_grep --no-filename --line-number -- a b
    as_grep --silent -- a none
    as_grep --quiet -- none none
    # many batches, an input that is compressed, standard input
    for batch in 1 7 300 1000; do
        n_files=3
        "$TAMIS" query -n --batch $batch f.tms a b c >out
        grep -nFx -f set a b c | cmp - out
        "$TAMIS" query -c --batch $batch f.tms a none b >out
        grep -cFx -f set a none b | cmp - out
    done
    "$TAMIS" query -n f.tms b.gz none | sed 's/^b.gz:/b:/' >out
    grep -nFx -f set b none | cmp - out
    "$TAMIS" query -n f.tms c - <b >out
    grep -nFx -f set c - <b | cmp - out
    "$TAMIS" query -nH f.tms <b >out
    grep -nHFx -f set <b | cmp - out
    "$TAMIS" query -n --crlf f.tms <(sed 's/$/\r/' a) >out
    grep -nFx -f set a | cmp - out
}

@test "-q ends at the first selected line, and prints nothing" {
    build f.tms 'a\n' --fpr 1e-6
    for how in "" -v -c -n --tsv; do
        # an input that never ends, and that is damaged after a batch
        # shellcheck disable=SC2086
        expect 0 timeout 20 bash -c "{ printf 'a\nb\n'; yes c; } | '$TAMIS' query -q $how f.tms"
        out_is ''
        err_is ''
    done
    printf 'b\nc\n' >in
    expect 1 "$TAMIS" query -q f.tms in
    out_is ''
    expect 1 "$TAMIS" query -q --tsv f.tms in
    out_is ''
    expect 2 "$TAMIS" query -q f.tms nowhere
    err_is 'tamis query: nowhere: No such file or directory\n'
    # no remarks, but output: --no-remarks
    expect 1 "$TAMIS" query --no-remarks --tsv f.tms in
    out_is 'b\t0\nc\t0\n'
}

@test "--tsv has a column of names only with -H, and of numbers with -n" {
    build f.tms 'a\n' --fpr 1e-6
    printf 'a\nb\n' >1
    printf 'c\na\n' >2
    expect 0 "$TAMIS" query --tsv f.tms 1 2
    out_is 'a\t1\nb\t0\nc\t0\na\t1\n'
    expect 0 "$TAMIS" query --tsv -H f.tms 1 2
    out_is '1\ta\t1\n1\tb\t0\n2\tc\t0\n2\ta\t1\n'
    expect 0 "$TAMIS" query --tsv -n f.tms 1 2
    out_is '1\ta\t1\n2\tb\t0\n1\tc\t0\n2\ta\t1\n'
    expect 0 "$TAMIS" query --tsv -nH f.tms - <2
    out_is '(standard input)\t1\tc\t0\n(standard input)\t2\ta\t1\n'
}

@test "a damaged file: lines before the damage, and counts of the files before it" {
    words 30000 >a
    "$TAMIS" build -q -o f.tms --fpr 1e-9 a
    gzip -n <a | head -c 20000 >cut.gz
    for damaged in cut.gz empty.gz; do
        gzip -n </dev/null | head -c 15 >empty.gz
        expect 2 "$TAMIS" query -c f.tms a $damaged a
        out_is 'a:30000\n'
        err_has $damaged
        expect 2 "$TAMIS" query -n f.tms a $damaged a
        grep -n '' a | sed 's/^/a:/' >want
        head -n 30000 out | cmp - want
        [ "$(grep -cv "^a:" out)" -eq "$(grep -c "^$damaged:" out)" ]
    done
    [ "$(grep -c "^cut.gz:" out)" -eq 0 ]
    "$TAMIS" query -n f.tms a cut.gz >out 2>err || [ $? -eq 2 ]
    sed -n 's/^cut.gz://p' out >got
    [ -s got ]
    grep -n '' a | head -n "$(wc -l <got)" | cmp - got
}

@test "-h alone is help, and so is --help" {
    expect 0 "$TAMIS" query -h
    grep -q '^Usage: tamis query ' out
    expect 0 "$TAMIS" query --help
    grep -q '^Usage: tamis query ' out
    expect 0 "$TAMIS" query --hel
    expect 2 "$TAMIS" query -hv
    err_has 'which filter?'
}

@test "a filter that is -, missing or not named" {
    expect 2 "$TAMIS" query
    expect 2 "$TAMIS" query - /dev/null
    expect 3 "$TAMIS" query nowhere.tms /dev/null
    err_is 'tamis query: nowhere.tms: No such file or directory\n'
    expect 2 bash -c "printf 'a\n' | '$TAMIS' build -q -o f.tms && '$TAMIS' query f.tms nowhere"
    err_is 'tamis query: nowhere: No such file or directory\n'
}

@test "/dev/full as standard output is exit code 6" {
    [ -c /dev/full ] || skip "no /dev/full"
    words 100000 >in
    "$TAMIS" build -q -o f.tms in
    for words in "f.tms in" "-c f.tms in" "--tsv f.tms in"; do
        got=0
        # shellcheck disable=SC2086
        "$TAMIS" query $words >/dev/full 2>err || got=$?
        [ "$got" -eq 6 ]
        err_is 'tamis query: standard output: cannot be written: No space left on device\n'
    done
}

@test "a reader that goes away ends the command by SIGPIPE, silently" {
    words 400000 >in
    "$TAMIS" build -q -o f.tms in
    "$TAMIS" query f.tms in 2>err | head -n 1 >out; code=${PIPESTATUS[0]}
    [ "$code" -eq 141 ]
    out_is 'word1\n'
    err_is ''
    (trap '' PIPE; got=0; "$TAMIS" query f.tms in 2>err || got=$?; echo "$got" >code) | head -n 1 >out
    [ "$(cat code)" -eq 141 ]
    err_is ''
}

@test "same answers for any threads, batch and SIMD level" {
    words 30000 >in
    words 15000 >half
    "$TAMIS" build -q -o f.tms --fpr 0.01 half
    "$TAMIS" query --tsv f.tms in >want
    [ "$(grep -c '1$' want)" -ge 15000 ]
    for how in "--threads 1" "--threads 2" "--threads 7" "--batch 1000" "--batch 33 --threads 2" "--device cpu"; do
        # shellcheck disable=SC2086
        "$TAMIS" query --tsv $how f.tms in | cmp - want
    done
    for simd in scalar avx2 avx512; do TAMIS_SIMD=$simd "$TAMIS" query --tsv f.tms in | cmp - want; done
    "$TAMIS" query f.tms in >yes
    "$TAMIS" query -v f.tms in >no
    [ "$(cat yes no | wc -l)" -eq 30000 ]
    awk -F'\t' '$2 == 1 { print $1 }' want | cmp - yes
    awk -F'\t' '$2 == 0 { print $1 }' want | cmp - no
}

@test "the false-positive rate is about the requested one" {
    words 20000 >in
    words 200000 other >others
    for layout in blocked classic; do
        "$TAMIS" build -q -o f.tms --layout $layout --fpr 0.01 in
        got=$("$TAMIS" query -c f.tms others)
        [ "$got" -gt 1700 ] && [ "$got" -lt 2300 ] # 2000 expected; six standard deviations
    done
}

@test "a list of real words against itself" {
    list=$(data examples/data/words.txt.gz strings/words_2.45M.txt.gz)
    "$TAMIS" build -q -o f.tms --fpr 1e-6 "$list"
    "$TAMIS" query f.tms "$list" >got
    gzip -dc "$list" | cmp - got
    [ "$("$TAMIS" query -c f.tms "$list")" -eq "$(gzip -dc "$list" | wc -l)" ]
    expect 1 "$TAMIS" query -v f.tms "$list"
    gzip -dcf "$(data examples/data/candidates.txt strings/urls_32k.txt.gz)" | grep -Fxv -f <(gzip -dc "$list") >others
    [ "$(wc -l <others)" -ge 1300 ]
    "$TAMIS" query -v f.tms others | cmp - others
}

# grows COMMAND...: prints line for line while the pipe that it reads stays open. The filter has a, b and c.
grows() {
    mkfifo pipe
    "$@" pipe >out &
    exec 7>pipe
    for line in a b c; do
        printf 'absent\n%s\nabs' $line >&7
        echo $line >>want
        for _ in $(seq 1 1500); do
            [ "$(wc -l <out)" -lt "$(wc -l <want)" ] || break
            sleep 0.02
        done
        cut -f1 out >seen
        printf 'ent\n' >&7
        cmp seen want || break
    done
    exec 7>&-
    wait
    cmp seen want
    rm pipe want
}

@test "a log that grows is answered while it is open" {
    build f.tms 'a\nb\nc\n' --fpr 1e-9
    grows "$TAMIS" query f.tms
    grows "$TAMIS" query --batch 1 f.tms
    grows "$TAMIS" query --batch 2 --threads 1 f.tms
}

@test "one line at a time, as a coprocess" {
    build f.tms 'a\nb\nc\n' --fpr 1e-9
    coproc "$TAMIS" query --tsv f.tms
    for line in a no b other c; do
        echo "$line" >&"${COPROC[1]}"
        read -r -t 10 got <&"${COPROC[0]}"
        [ "$got" = "$(printf '%s\t%d' $line $((${#line} == 1)))" ]
    done
}

@test "-f: a field of each line is asked for, and the line is printed" {
    printf 'k1\nk3\nk5\n' | "$TAMIS" build -q -o f.tms --fpr 1e-9
    printf 'a,k1,x\nb,k2,x\nc,k3\nd\n\n,,k1\nk1\ne,k5' >in
    expect 0 "$TAMIS" query -F , -f 2 f.tms in
    out_is 'a,k1,x\nc,k3\ne,k5\n'
    err_is ''
    expect 0 "$TAMIS" query -v --delimiter=, --field=2 f.tms in
    out_is 'b,k2,x\nd\n\n,,k1\nk1\n'
    expect 0 "$TAMIS" query -F , -f 3 f.tms in
    out_is ',,k1\n'
    expect 0 "$TAMIS" query -F , -f 1 --tsv f.tms <in
    [ "$(grep -c '1$' out)" -eq 1 ]
    expect 0 "$TAMIS" query -c -f 2 f.tms <(tr , '\t' <in)
    out_is '3\n'
    expect 1 "$TAMIS" query -F , -f 9 f.tms in
    # long lines, many batches: as cut and awk do
    awk 'BEGIN { for (i = 0; i < 30000; i++) printf "%d;%s;k%d;%d\n", i, i % 7 ? "" : "text", i % 9, i }' >in
    awk -F';' '$3 == "k1" || $3 == "k3" || $3 == "k5"' in >want
    for how in "--batch 1000" "--threads 1" "--threads 3 --batch 77"; do
        # shellcheck disable=SC2086
        "$TAMIS" query -F ';' -f 3 $how f.tms in | cmp want -
    done
    expect 2 "$TAMIS" query -F ab -f 2 f.tms in
    err_has "-F 'ab': give one character, such as a comma"
    expect 2 "$TAMIS" query -F , f.tms in
    expect 2 "$TAMIS" query -f 0 f.tms in
}
