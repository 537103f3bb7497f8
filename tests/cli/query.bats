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
    expect 0 "$TAMIS" query --count -v f.tms in in
    out_is '4\n'
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
    out_is 'x\nx\n'
    expect 0 "$TAMIS" query f.tms 2 1 2
    out_is 'b\na\nb\n'
    expect 0 bash -c "{ printf a; sleep 0.1; printf '\\nb\\nc'; } | '$TAMIS' query --tsv f.tms"
    out_is 'a\t1\nb\t1\nc\t0\n'
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

@test "the 2.45 M word list against itself" {
    list=${TAMIS_DATA:-$BATS_TEST_DIRNAME/../../../shared/data}/strings/words_2.45M.txt.gz
    [ -r "$list" ] || skip "no $list"
    "$TAMIS" build -q -o f.tms --fpr 1e-6 "$list"
    "$TAMIS" query f.tms "$list" >got
    gzip -dc "$list" | cmp - got
    [ "$("$TAMIS" query -c f.tms "$list")" -eq 2453160 ]
    expect 1 "$TAMIS" query -v f.tms "$list"
    "$TAMIS" query -c -v f.tms "${list%/*}/urls_32k.txt.gz" >got
    [ "$(cat got)" -gt 32000 ]
}

# grows COMMAND...: prints line for line while the pipe that it reads stays open. The filter has a, b and c.
grows() {
    mkfifo pipe
    "$@" pipe >out &
    exec 7>pipe
    for line in a b c; do
        printf 'absent\n%s\nabs' $line >&7
        echo $line >>want
        for _ in $(seq 1 250); do
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
