# tamis heavy: each heavy line once, where its f_min first reaches N.
load common

# stream N [KEYS]: N lines over KEYS (default 40) keys, of which the first come most often.
stream() {
    awk -v n="$1" -v keys="${2:-40}" 'BEGIN {
        x = 1
        for (i = 0; i < n; i++) { x = (x * 75 + 74) % 65537; u = x / 65537; print "key" int(1 + keys * u * u * u) }
    }'
}

@test "the same as asking after every line" {
    # so many draws an insertion that none is without one
    params="-k 256 -p 0.15 -m 100000"
    stream 220 8 >in
    # shellcheck disable=SC2086
    expect 0 "$TAMIS" heavy --min 10 $params in
    err_is ''
    [ "$(wc -l <out)" -ge 4 ]
    for line in $(seq 1 220); do
        head -n "$line" in >head
        # shellcheck disable=SC2086
        "$TAMIS" build -q --layout probabilistic $params -o f.tms head
        tail -n 1 head | "$TAMIS" freq --min 10 f.tms | sed "s/^/$line\t/" || true
    done | awk -F'\t' '!seen[$2]++' >want
    cmp want out
}

@test "lines that come often are found, once each, and others are not" {
    words 100000 rare >rare
    { yes often | head -n 3000; yes seldom | head -n 100; yes sometimes | head -n 1500; } >some
    awk 'NR == FNR { some[NR] = $0; next } { print } FNR % 20 == 0 && ++i in some { print some[i] }' some rare >in
    sort in | uniq -c | awk '$1 > 1 { print $1, $2 }' >counts
    [ "$(wc -l <counts)" -ge 3 ]
    expect 0 "$TAMIS" heavy --min 1000 in
    err_is ''
    [ "$(cut -f2 out)" = "$(printf 'often\nsometimes')" ]
    # the line number is a line with that key, at which it has come about as often as f says: f_min <= count <= f_max
    while IFS=$'\t' read -r line key _ _ f_min f_max; do
        [ "$(sed -n "${line}p" in)" = "$key" ]
        count=$(head -n "$line" in | grep -cx "$key")
        awk -v c="$count" -v a="$f_min" -v b="$f_max" 'BEGIN { exit !(a >= 1000 && a <= c && c <= b) }'
    done <out
    expect 1 "$TAMIS" heavy --min 10K in
    out_is ''
    err_is ''
}

@test "the same for any threads and batch, from a file, pipes and several files" {
    stream 30000 >in
    params="--min 200 -k 128 -p 0.01 -m 500000"
    # shellcheck disable=SC2086
    "$TAMIS" heavy $params in >want
    [ "$(wc -l <want)" -ge 10 ]
    [ "$(cut -f2 want | sort | uniq -d)" = '' ]
    cut -f1 want | sort -nc
    for how in "--threads 1" "--threads 2" "--threads 3" "--batch 1" "--batch 7 --threads 2" "--batch 1000" \
        "--batch 1000 --threads 3"; do
        # shellcheck disable=SC2086
        "$TAMIS" heavy $params $how in >got
        cmp want got || { echo "$how"; return 1; }
    done
    head -n 12345 in >1
    tail -n +12346 in | gzip -n >2
    # shellcheck disable=SC2086
    "$TAMIS" heavy $params 1 - <2 | cmp - want
}

@test "--save is the filter of build with the same parameters, byte for byte" {
    stream 5000 >in
    for params in "-k 128 -p 0.01 -m 100001" "-k 50 -p 0.02 -m 1Mi --hash ap --seed 9" "-k 1000 -p 1/1000 -m 64Ki --hash murmur3"; do
        # shellcheck disable=SC2086
        "$TAMIS" build -q --layout probabilistic $params -o want.tms in
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" heavy -q --min 100 $params --save got.tms in
        cmp want.tms got.tms
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" heavy -q --min 100 $params --save got.tms --threads 2 --batch 33 in
        cmp want.tms got.tms
    done
    # also where nothing was found
    expect 1 "$TAMIS" heavy -q --min 1M -k 100 -p 1e-6 -m 1000 --save got.tms in
    "$TAMIS" build -q --layout probabilistic -k 100 -p 1e-6 -m 1000 -o want.tms in
    cmp want.tms got.tms
}

@test "defaults: k = 128, m = 64 Mi, p for --min" {
    printf 'a\n' >in
    expect 1 "$TAMIS" heavy --min 100 --save f.tms in
    "$TAMIS" info f.tms >info
    grep -qx 'k           128 bits a key' info
    grep -qx 'm           67108864 bits' info
    grep -qx 'p           0\.0157742[0-9]*, geometric sampling' info # 1 - exp(-0.0159)
    grep -qx 'hash        xxh3, seed 0 (0x0)' info
}

@test "--header and --json" {
    yes a | head -n 50 >in
    expect 0 "$TAMIS" heavy --header --min 5 -k 100 -p 0.1 -m 100000 in
    [ "$(head -n 1 out)" = "$(printf 'line\tkey\tones\tf\tf_min\tf_max')" ]
    tail -n 1 out >tsv
    [ "$(wc -l <out)" -eq 2 ]
    expect 0 "$TAMIS" heavy --json --min 5 -k 100 -p 0.1 -m 100000 in
    awk -F'\t' '{ printf "{\"line\": %s, \"key\": \"%s\", \"ones\": %s, \"f\": %s, \"f_min\": %s, \"f_max\": %s}\n", $1, $2, $3, $4, $5, $6 }' tsv |
        cmp - out
    expect 1 "$TAMIS" heavy --header --min 5 /dev/null
    out_is 'line\tkey\tones\tf\tf_min\tf_max\n'
    yes "$(printf '\377')" | head -n 50 | "$TAMIS" heavy --json --min 5 -k 100 -p 0.1 -m 100000 >out
    grep -q '"key": null, "key_hex": "ff", "ones"' out
    expect 2 "$TAMIS" heavy --header --json --min 5 in
}

@test "a log that grows is reported while it is open, without --batch" {
    mkfifo pipe
    "$TAMIS" heavy --min 5 pipe >out &
    exec 7>pipe
    yes a | head -n 100 >&7
    for _ in $(seq 1 1500); do
        [ -s out ] && break
        sleep 0.05
    done
    seen=$(cut -f2 out)
    exec 7>&-
    wait
    [ "$seen" = a ]
}

@test "the pipeline of the help text and the man page" {
    need stdbuf
    "$TAMIS" heavy --help | grep -F 'tail -f' | sed 's/^ *//; s/ tamis / "$TAMIS" /; s/--min 100/--min 5/' >pipeline
    if [ -n "${TAMIS_SOURCE:-}" ]; then
        grep -F 'tail -f' "$TAMIS_SOURCE/doc/man/tamis-heavy.1.scd" |
            sed 's/^[ \t]*//; s/ tamis / "$TAMIS" /; s/--min 100/--min 5/' | cmp - pipeline
    fi
    : >access.log
    setsid bash -c "$(cat pipeline)" >out 2>err &
    pid=$!
    yes 'a b c' | head -n 100 >>access.log
    for _ in $(seq 1 1500); do
        [ -s out ] && break
        sleep 0.05
    done
    seen=$(cut -f2 out)
    kill -- -$pid
    wait $pid || true
    [ "$seen" = a ]
}

# stopped SIGNAL FILE...: heavy --save of them, with lines at hand, ended by the signal; its exit code in ./code
stopped() {
    local signal=$1 pid code=0
    shift
    env --default-signal=INT,TERM "$TAMIS" heavy --min 5 -k 100 -p 0.1 -m 100000 --save f.tms "$@" >out 2>err &
    pid=$!
    for _ in $(seq 1 1500); do
        [ "$(wc -l <out)" -ge 1 ] && break
        sleep 0.02
    done
    kill -s "$signal" $pid
    wait $pid || code=$?
    echo $code >code
}

@test "SIGINT and SIGTERM end the input: --save has what was counted, and the status is the signal's" {
    env --default-signal=INT true 2>/dev/null || skip "this env has no --default-signal"
    yes a | head -n 100 >in
    "$TAMIS" build -q --layout probabilistic -k 100 -p 0.1 -m 100000 -o want.tms in
    mkfifo pipe
    for signal in INT TERM; do
        exec 8<>pipe
        { cat in; printf half; } >&8
        stopped $signal pipe
        exec 8>&-
        [ "$(cat code)" -eq $((128 + $(kill -l $signal))) ]
        cmp f.tms want.tms # not the line that is not whole
        [ "$(cut -f2 out)" = a ]
        err_is 'tamis heavy: stopped by a signal after 100 lines: f.tms is saved\n'
        [ "$(ls -A | grep -c '^\.f\.tms')" -eq 0 ]
        rm f.tms
    done
    # a file: it ends soon, and what is saved is a filter
    yes a | head -n 20000000 >long
    stopped INT -q long
    [ "$(cat code)" -eq 130 ]
    err_is ''
    n=$("$TAMIS" info --json f.tms | sed -n 's/^  "n": \([0-9]*\).*/\1/p')
    [ "$n" -gt 0 ]
    [ "$n" -lt 20000000 ]
    head -n "$n" long | "$TAMIS" build -q --layout probabilistic -k 100 -p 0.1 -m 100000 -o want.tms
    cmp f.tms want.tms
    rm long f.tms
    # what cannot be saved is an error all the same
    exec 8<>pipe
    cat in >&8
    mkdir d
    env --default-signal=INT "$TAMIS" heavy --min 5 --save d/f.tms pipe >out 2>err &
    pid=$!
    for _ in $(seq 1 1500); do
        [ "$(wc -l <out)" -ge 1 ] && break
        sleep 0.02
    done
    rmdir d
    kill -s INT $pid
    code=0
    wait $pid || code=$?
    exec 8>&-
    [ "$code" -eq 6 ]
    err_has 'd/f.tms: cannot be written'
}

@test "without --save a signal kills at once" {
    env --default-signal=INT true 2>/dev/null || skip "this env has no --default-signal"
    mkfifo pipe
    env --default-signal=INT "$TAMIS" heavy --min 5 pipe >out 2>err &
    pid=$!
    exec 8>pipe # waits until the command has opened it
    kill -s INT $pid
    code=0
    wait $pid || code=$?
    exec 8>&-
    [ "$code" -eq 130 ]
    err_is ''
}

@test "a filter that is too full says so" {
    words 20000 >in
    expect 1 "$TAMIS" heavy --min 50 -k 100 -p 0.03 -m 50000 in
    grep -Eqx 'tamis heavy: [0-9]+ % of the 50000 bits are set: lines are reported late or not at all; a larger -m would help' err
    expect 1 "$TAMIS" heavy -q --min 50 -k 100 -p 0.03 -m 50000 in
    err_is ''
}

@test "a frequency that no number of ones tells" {
    printf 'a\n' >in
    expect 2 "$TAMIS" heavy --min 1000 -k 10 -p 0.5 -m 1000 --save f.tms in
    out_is ''
    err_has 'k = 17 with p = 0.00159 would do'
    [ ! -e f.tms ]
    expect 1 "$TAMIS" heavy --min 1000 -k 17 -p 0.00159 -m 1000 in # and it does
    expect 2 "$TAMIS" heavy --min 0.04 in
    err_has 'from 1 to 2^50'
}

@test "damaged input: what was found before is printed, the status is 2, and nothing is saved" {
    yes a | head -n 1000 >in
    { gzip -nc in; gzip -nc in | head -c 20; } >bad.gz
    expect 2 "$TAMIS" heavy --min 5 --batch 100 --save f.tms bad.gz
    err_has truncated
    [ "$(cut -f2 out)" = a ]
    [ ! -e f.tms ]
}

@test "outputs that cannot be written are exit code 6" {
    yes a | head -n 1000 >in
    expect 6 "$TAMIS" heavy --min 5 --save nowhere/f.tms in
    err_is 'tamis heavy: nowhere/f.tms: cannot be written: No such file or directory\n'
    [ -c /dev/full ] || skip "no /dev/full"
    expect 6 "$TAMIS" heavy --min 5 --save /dev/full in
    for words in "" "--json" "--header"; do
        got=0
        # shellcheck disable=SC2086
        "$TAMIS" heavy --min 5 --save f.tms $words in >/dev/full 2>err || got=$?
        [ "$got" -eq 6 ]
        err_is 'tamis heavy: standard output: cannot be written: No space left on device\n'
        [ -e f.tms ] # what was counted is saved all the same
    done
}

@test "usage" {
    for words in "--min 0" "--min -5" "--min x" "--min 5 -k 0" "--min 5 -k 65537" "--min 5 -p 0" "--min 5 -p 1.5" \
        "--min 5 -p x" "--min 5 -m 0" "--min 5 --confidence 1" "--min 5 --hash x" "--min 5 --seed x" \
        "--min 5 --threads 0" "--min 5 --batch 0" "--min 5 --save -" "--min 5 --device cpu" "--min 5 --layout classic"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" heavy $words /dev/null || { echo "$words"; return 1; }
        out_is ''
        grep -q '^tamis heavy: ' err
    done
    expect 2 "$TAMIS" heavy /dev/null
    err_is "tamis heavy: which frequency? Give --min N\nTry 'tamis heavy --help'.\n"
    expect 2 "$TAMIS" heavy --min 5 nowhere
    err_is 'tamis heavy: nowhere: No such file or directory\n'
    expect 1 "$TAMIS" heavy --min 5 /dev/null
    out_is ''
    err_is ''
}

# some_times A B: 200 keys that come A times and 200 that come B times, mixed
some_times() {
    awk -v a="$1" -v b="$2" 'BEGIN {
        for (i = 0; i < b; i++)
            for (key = 0; key < 200; key++) {
                if (i < a) print "n" key
                print "more" key
            }
    }'
}

@test "--by: what is found of lines that come N times, and 1.6 or 0.64 N times" {
    some_times 250 400 >in
    expect 0 "$TAMIS" heavy --min 250 in # 2.5 % of the first at most, 97.5 % of the others
    [ "$(cut -f2 out | grep -c ^n)" -le 8 ]
    [ "$(cut -f2 out | grep -c ^more)" -ge 190 ]
    cp out by_default
    expect 0 "$TAMIS" heavy --min 250 --by f_min in
    cmp by_default out
    expect 0 "$TAMIS" heavy --min 250 --by f in
    n=$(cut -f2 out | grep -c ^n)
    [ "$n" -ge 70 ] && [ "$n" -le 140 ]
    awk -F'\t' '$4 < 250 { exit 1 }' out
    expect 0 "$TAMIS" heavy --min 250 --by f_max in
    [ "$(cut -f2 out | grep -c ^n)" -ge 190 ]
    awk -F'\t' '$6 < 250 { exit 1 }' out
    some_times 160 250 >in
    expect 0 "$TAMIS" heavy --min 250 --by f_max in
    [ "$(cut -f2 out | grep -c ^n)" -le 10 ]
    # the same from the filter, all at once
    "$TAMIS" build -q --layout probabilistic -k 128 -p 0.00634 -m 64Mi -o f.tms in
    sort -u in >keys
    expect 0 "$TAMIS" freq --min 250 --by f_max f.tms keys
    [ "$(cut -f1 out | grep -c ^more)" -ge 190 ]
    [ "$(cut -f1 out | grep -c ^n)" -le 10 ]
    expect 0 "$TAMIS" freq --min 250 f.tms keys
    [ "$(cut -f1 out | grep -c ^more)" -le 8 ]
}

@test "--min far below what the filter resolves gets a remark" {
    printf 'a\n' >in
    expect 1 "$TAMIS" heavy --min 100 -k 128 -p 1e-6 in
    grep -Eqx 'tamis heavy: --min 100 is far below what this filter resolves: f from [0-9]+ to [0-9]+ within 50 % \(95 % confidence\), best .*' err
    expect 1 "$TAMIS" heavy -q --min 100 -k 128 -p 1e-6 in
    err_is ''
    expect 1 "$TAMIS" heavy --min 1M -k 128 -p 1e-6 in
    err_is ''
}

@test "a suggestion does" {
    printf 'a\n' >in
    expect 2 "$TAMIS" heavy --min 9157 -k 15 -p 0.372 --confidence 0.999889 in
    err_has 'k = 44 with p = 0.000174 would do'
    expect 1 "$TAMIS" heavy --min 9157 -k 44 -p 0.000174 --confidence 0.999889 in
    expect 2 "$TAMIS" heavy --min 9157 -k 43 -p 0.000174 --confidence 0.999889 in
}

@test "--save saves what was counted when the reader of the output goes away" {
    stream 300000 20000 >in # more than a pipe holds
    for reader in "head -n 1" true; do
        rm -f f.tms
        run bash -c "set -o pipefail; '$TAMIS' heavy -q --min 2 --batch 100 --save f.tms in | $reader"
        [ "$status" = 141 ]
        [ "$("$TAMIS" info f.tms | awk '$1 == "n" { print $2 }')" -ge 100 ]
    done
    if [ -c /dev/full ]; then
        rm -f f.tms
        run bash -c "'$TAMIS' heavy -q --min 2 --save f.tms in >/dev/full"
        [ "$status" = 6 ]
        [ "$("$TAMIS" info f.tms | awk '$1 == "n" { print $2 }')" -ge 100 ]
    fi
}

# top FILE: its lines by how often they come, the most frequent first.
top() { sort "$1" | uniq -c | sort -k1,1nr -k2 | awk '{ print $2 "\t" $1 }'; }

@test "--final and --top: at the end, in order, with what the lines came to" {
    stream 200000 300 >in
    top in | head -n 5 >want
    expect 0 "$TAMIS" heavy --min 500 --top 5 --header in
    err_is ''
    [ "$(head -n 1 out)" = "$(printf 'line\tkey\tones\tf\tf_min\tf_max')" ]
    sed 1d out >lines
    cut -f2 lines | cmp <(cut -f1 want) -
    cut -f4 lines | sort -c -g -r
    # the interval is that of a frequency near 500, and has the true one
    paste want lines | awk -F'\t' '!($7 <= $2 && $2 <= $8 && $8 - $7 < 500) { print; bad = 1 } END { exit bad }'
    "$TAMIS" heavy --min 500 in >passing
    "$TAMIS" heavy --min 500 --final in >all
    head -n 5 all | cmp lines -
    cut -f1-3 all | sort -n | cmp <(cut -f1-3 passing) -
    for how in "--threads 1" "--threads 3 --batch 777"; do
        # shellcheck disable=SC2086
        "$TAMIS" heavy --min 500 --final $how in | cmp all -
    done
    head -n 20000 in >few
    "$TAMIS" heavy --min 500 --final few >all
    [ -s all ]
    "$TAMIS" heavy --min 500 --final --batch 1 few | cmp all -
    "$TAMIS" heavy --min 500 --top 1 --json in | grep -q '^{"line": [0-9]*, "key": "key1", "ones": '
    expect 1 "$TAMIS" heavy --min 1M --top 3 in
    out_is ''
    expect 2 "$TAMIS" heavy --min 500 --top 0 in
}

@test "--top: Ctrl-C ends the input, and what was found is printed" {
    env --default-signal=INT true 2>/dev/null || skip "this env has no --default-signal"
    stream 20000 >in
    mkfifo pipe
    # One signal, as a second one kills. Nothing shows that the lines have been read, so a signal that comes too early is tried again.
    for pause in 0.1 0.5 2 5 10; do
        env --default-signal=INT "$TAMIS" heavy --min 500 --top 2 pipe >out 2>err &
        pid=$!
        exec 7>pipe
        cat in >&7
        sleep $pause
        kill -INT $pid
        code=0
        wait $pid || code=$?
        exec 7>&-
        ! grep -q 'after 20000 lines' err || break
    done
    [ "$code" -eq 130 ]
    [ "$(cut -f2 out)" = "$(top in | head -n 2 | cut -f1)" ]
    grep -q '^tamis heavy: stopped by a signal after 20000 lines$' err
}

@test "freq and heavy: an input that is refused gets no header" {
    words 100 | tr -d '\n' | gzip -n | head -c 60 >cut.gz # one line, whose end is missing: no line is complete
    [ "$(gzip -dc cut.gz 2>/dev/null | head -c 5)" = word1 ]
    expect 2 "$TAMIS" heavy --min 5 --header cut.gz
    out_is ''
    echo a | "$TAMIS" build -q --layout probabilistic -k 100 -p 0.1 -m 100000 -o f.tms
    expect 2 "$TAMIS" freq --header f.tms cut.gz
    out_is ''
    expect 1 "$TAMIS" heavy --min 5 --header /dev/null
    out_is 'line\tkey\tones\tf\tf_min\tf_max\n'
}
