# tamis freq: what is printed, that the numbers are right, and the exit codes.
load common

p=(--layout probabilistic)

# stream N: N lines over 40 keys, of which the first come most often.
stream() {
    awk -v n="$1" 'BEGIN { x = 1; for (i = 0; i < n; i++) { x = (x * 75 + 74) % 65537; u = x / 65537; print "key" int(1 + 40 * u * u * u) } }'
}

# estimate K P FILL CONFIDENCE: "ones f f_min f_max" for the ones on standard input, by bisection over sums of binomial terms.
estimate() {
    awk -v k="$1" -v p="$2" -v b="$3" -v confidence="$4" '
        function term(i, q) { return exp(choose[i] + i * log(q) + (k - i) * log(1 - q)) }
        function at_most(x, q,   i, sum) { for (i = 0; i <= x; i++) sum += term(i, q); return sum }
        function at_least(x, q,   i, sum) { for (i = x; i <= k; i++) sum += term(i, q); return sum }
        function f_of(q,   f) { if (q >= 1) return "inf"; f = log((1 - q) / (1 - b)) / log(1 - p); return f > 0 ? f : 0 }
        function limit(x, upper,   lo, hi, q, i, t) {
            if (upper ? x == k : x == 0) return upper ? 1 : 0
            lo = 0; hi = 1
            for (i = 0; i < 60; i++) {
                q = (lo + hi) / 2
                t = upper ? at_most(x, q) > (1 - confidence) / 2 : at_least(x, q) < (1 - confidence) / 2
                if (t) lo = q; else hi = q
            }
            return (lo + hi) / 2
        }
        BEGIN { for (i = 1; i <= k; i++) choose[i] = choose[i - 1] + log((k - i + 1) / i) }
        { print $1, f_of($1 / k), f_of(limit($1, 0)), f_of(limit($1, 1)) }'
}

# check_numbers K P FILL CONFIDENCE: all of ./out agree with estimate().
check_numbers() {
    cut -f2 out | estimate "$@" | tr ' ' '\t' >want
    [ -s out ]
    cut -f2- out | paste want - | awk -F'\t' '
        function far(a, b) { return a == "inf" || b == "inf" ? a != b : (a > b ? a - b : b - a) > 1e-4 * a + 1e-6 }
        far($2, $6) || far($3, $7) || far($4, $8) { print "want, then got: " $0; bad = 1 }
        END { exit bad }'
}

fill_of() { "$TAMIS" info --json "$1" | sed -n 's/^  "fill": \([^,]*\).*/\1/p'; }

@test "every line, in input order, with the right numbers" {
    stream 2000 >in
    "$TAMIS" build -q "${p[@]}" -k 100 -p 0.02 -m 20000 -o f.tms in
    { seq -f key%.0f 1 40; words 20; echo key1; } >keys
    expect 0 "$TAMIS" freq f.tms keys
    err_is ''
    cut -f1 out | cmp - keys
    [ "$(awk -F'\t' 'NF != 5' out)" = '' ]
    check_numbers 100 0.02 "$(fill_of f.tms)" 0.95
    expect 0 "$TAMIS" freq --confidence 0.5 f.tms keys
    check_numbers 100 0.02 "$(fill_of f.tms)" 0.5
    expect 0 "$TAMIS" freq --no-background f.tms keys
    check_numbers 100 0.02 0 0.95
}

@test "the interval holds the true frequency of most keys" {
    stream 20000 >in
    sort in | uniq -c | awk '{ print $2 "\t" $1 }' >counts
    "$TAMIS" build -q "${p[@]}" -k 500 -p 0.001 -m 1Mi -o f.tms in
    cut -f1 counts | "$TAMIS" freq f.tms | paste - counts >both
    [ "$(wc -l <both)" -eq 40 ]
    # 95 % of 40 is 38; fewer than 33 has a probability below 1 in 10000
    [ "$(awk -F'\t' '$4 <= $7 && $7 <= $5' both | wc -l)" -ge 33 ]
    awk -F'\t' '$1 != $6' both | cmp - /dev/null
}

@test "--header" {
    build f.tms 'a\na\nb\n' "${p[@]}" -k 50 -p 0.1 -m 10000
    expect 0 "$TAMIS" freq --header f.tms - < <(printf 'a\n')
    [ "$(head -n 1 out)" = "$(printf 'key\tones\tf\tf_min\tf_max')" ]
    tail -n +2 out >body
    printf 'a\n' | "$TAMIS" freq f.tms | cmp - body
    expect 1 "$TAMIS" freq --header f.tms /dev/null
    out_is 'key\tones\tf\tf_min\tf_max\n'
    expect 2 "$TAMIS" freq --header --json f.tms /dev/null
    err_has "give one of them"
}

@test "all k ones: infinite, never a made-up number" {
    yes a | head -n 1000 | "$TAMIS" build -q "${p[@]}" -k 8 -p 0.1 -m 1000 -o f.tms
    printf 'a\n' >in
    expect 0 "$TAMIS" freq f.tms in
    grep -Eqx $'a\t8\tinf\t[0-9.]+\tinf' out
    expect 0 "$TAMIS" freq --json f.tms in
    grep -Eqx '\{"key": "a", "ones": 8, "f": null, "f_min": [0-9.]+, "f_max": null\}' out
    # p = 1: a single insertion sets all
    build f.tms 'a\n' "${p[@]}" -k 8 -p 1 -m 1000
    expect 0 "$TAMIS" freq f.tms in
    grep -Eqx $'a\t8\tinf\t[0-9.]+\tinf' out
    # a full filter tells nothing
    words 200 | "$TAMIS" build -q "${p[@]}" -k 8 -p 1 -m 16 -o f.tms
    expect 0 "$TAMIS" freq f.tms in
    out_is 'a\t8\t0\t0\tinf\n'
}

@test "a filter without keys" {
    "$TAMIS" build -q "${p[@]}" -k 100 -p 0.1 -m 1000 -o f.tms /dev/null
    printf 'a\n\n' >in
    expect 0 "$TAMIS" freq f.tms in
    # no ones: f_max is where (1 - p)^(k f) is 2.5 %
    out_is 'a\t0\t0\t0\t0.35012\n\t0\t0\t0\t0.35012\n'
}

@test "--json is the same, an object a line" {
    stream 500 >in
    yes often | head -n 500 >>in
    "$TAMIS" build -q "${p[@]}" -k 30 -p 0.05 -m 5000 -o f.tms in
    printf 'key1\noften\nkey7\nnone\n\n' >keys
    "$TAMIS" freq f.tms keys >tsv
    expect 0 "$TAMIS" freq --json f.tms keys
    awk -F'\t' '{ gsub("inf", "null"); printf "{\"key\": \"%s\", \"ones\": %s, \"f\": %s, \"f_min\": %s, \"f_max\": %s}\n", $1, $2, $3, $4, $5 }' tsv |
        cmp - out
    grep -q null out
}

@test "--json with keys of any bytes" {
    build f.tms 'a\n' "${p[@]}" -k 10 -p 0.1 -m 100000
    printf 'quote " backslash \\ tab \t\nnul\0x\n\303\244\n\377\0\n\355\240\200\n' >keys
    expect 0 "$TAMIS" freq --json f.tms keys
    [ "$(wc -l <out)" -eq 5 ]
    cut -d, -f1 out >names
    cat >want <<'END'
{"key": "quote \" backslash \\ tab \t"
{"key": "nul\u0000x"
{"key": "ä"
{"key": null
{"key": null
END
    cmp names want
    grep -qF '{"key": null, "key_hex": "ff00", "ones": ' out
    grep -qF '{"key": null, "key_hex": "eda080", "ones": ' out
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys
for line in open("out", encoding="utf-8"): json.loads(line)'
    fi
}

@test "--min prints the lines whose f_min is at least that, and only them" {
    stream 3000 >in
    "$TAMIS" build -q "${p[@]}" -k 200 -p 0.01 -m 100000 -o f.tms in
    seq -f key%.0f 1 40 >keys
    "$TAMIS" freq f.tms keys >all
    for min in 25 40 55.5 100 0.1K; do
        awk -F'\t' -v min="${min/0.1K/100}" '$4 >= min + 0' all >want
        [ -s want ]
        [ "$(wc -l <want)" -lt 40 ]
        expect 0 "$TAMIS" freq --min "$min" f.tms keys
        cmp want out
        "$TAMIS" freq --min "$min" --json f.tms keys | wc -l >n
        [ "$(cat n)" -eq "$(wc -l <want)" ]
    done
    expect 1 "$TAMIS" freq --min 1M f.tms keys # not because nothing came so often
    out_is ''
    err_has 'no line can reach an f_min of 1000000: it is at most 395.0'
    expect 1 "$TAMIS" freq -q --min 1M f.tms keys
    err_is ''
}

@test "--by prints the lines whose f_min, f or f_max is at least that, and only them" {
    stream 3000 >in
    "$TAMIS" build -q "${p[@]}" -k 200 -p 0.01 -m 100000 -o f.tms in
    seq -f key%.0f 1 40 >keys
    "$TAMIS" freq f.tms keys >all
    column=4
    for by in f_min f f_max; do
        case $by in f_min) column=4 ;; f) column=3 ;; f_max) column=5 ;; esac
        awk -F'\t' -v c=$column '$c == "inf" || $c >= 60' all >want-$by
        [ -s want-$by ]
        expect 0 "$TAMIS" freq --min 60 --by $by f.tms keys
        cmp want-$by out
    done
    [ "$(wc -l <want-f_min)" -lt "$(wc -l <want-f)" ]
    [ "$(wc -l <want-f)" -lt "$(wc -l <want-f_max)" ]
    expect 2 "$TAMIS" freq --by f_max f.tms keys
    err_has '--by names the value that --min limits'
    expect 2 "$TAMIS" freq --min 60 --by x f.tms keys
    err_has "--by takes 'f_min', 'f' or 'f_max', not 'x'"
}

@test "no exponents, and no more digits than are known" {
    build f.tms 'a\n' "${p[@]}" -k 10 -p 1e-7 -m 100000
    printf 'b\n' >in
    expect 0 "$TAMIS" freq f.tms in
    out_is 'b\t0\t0\t0\t3688879\n' # -ln(0.025) / 10 / 1e-7
    expect 0 "$TAMIS" freq --json f.tms in
    out_is '{"key": "b", "ones": 0, "f": 0, "f_min": 0, "f_max": 3688879}\n'
    expect 2 "$TAMIS" build "${p[@]}" --max-f 52018.6 --min-f 60000 --error 0.1 -o g.tms in
    err_is 'tamis build: min_f = 60000: the least frequency must lie between 1 and max_f = 52018.6\n'
}

@test "--min far below what the filter resolves gets a remark" {
    build f.tms 'a\n' "${p[@]}" -k 2000 -p 1e-5 -m 100000
    printf 'a\n' >in
    expect 1 "$TAMIS" freq --min 5 f.tms in
    grep -Eqx 'tamis freq: --min 5 is far below what this filter resolves: f from [0-9]+ to [0-9]+ within 50 % \(95 % confidence\), best .*' err
    low=$(sed 's/.*f from \([0-9]*\) to.*/\1/' err)
    expect 1 "$TAMIS" freq --min $((low + 1)) f.tms in
    err_is ''
    expect 1 "$TAMIS" freq -q --min 5 f.tms in
    err_is ''
}

@test "exit code 1 when there is no line" {
    build f.tms 'a\n' "${p[@]}" -k 10 -p 0.1 -m 1000
    expect 1 "$TAMIS" freq f.tms /dev/null
    out_is ''
    err_is ''
}

@test "other layouts are refused, and query refuses this one" {
    printf 'a\n' >in
    for layout in blocked classic; do
        build f.tms 'a\n' --layout $layout -m 1024 -k 4
        expect 2 "$TAMIS" freq f.tms in
        out_is ''
        err_is "tamis freq: f.tms: a filter of the $layout layout shows whether a line occurred, not how often: use 'tamis query', or build one with --layout probabilistic\n"
    done
    build f.tms 'a\n' "${p[@]}" -k 4 -p 0.1 -m 1024
    expect 2 "$TAMIS" query f.tms in
    out_is ''
    err_is "tamis query: f.tms: a probabilistic filter estimates how often a line occurred: use 'tamis freq'\n"
}

@test "same answers for any threads and batch" {
    stream 30000 >in
    "$TAMIS" build -q "${p[@]}" -k 70 -p 0.01 -m 100000 -o f.tms in
    "$TAMIS" freq f.tms in >want
    for how in "--threads 1" "--threads 2" "--threads 7" "--batch 1000" "--batch 33 --threads 2" "--device cpu"; do
        # shellcheck disable=SC2086
        "$TAMIS" freq $how f.tms in | cmp - want
    done
    for simd in scalar avx2 avx512; do TAMIS_SIMD=$simd "$TAMIS" freq f.tms in | cmp - want; done
    "$TAMIS" freq --batch 1 f.tms <in | cmp - want
}

@test "lines: several files, standard input, no last line feed, --crlf, tabs, empty" {
    build f.tms 'a\nb\n' "${p[@]}" -k 10 -p 1 -m 100000
    printf 'a\nx y' >1
    printf 'b\tc\n\n' >2
    expect 0 "$TAMIS" freq f.tms 1 - 2 < <(printf 'b')
    cut -f1 out >keys
    printf 'a\nx y\nb\nb\n\n' | cmp - keys
    grep -Pq '^b\tc\t0\t0\t0\t' out
    grep -Pq '^a\t10\tinf\t' out
    printf 'a\r\nb\r\n' >3
    expect 0 "$TAMIS" freq --crlf f.tms 3
    printf 'a\nb\n' | "$TAMIS" freq f.tms | cmp - out
    expect 0 "$TAMIS" freq f.tms 3
    grep -Pq '^a\r\t0\t' out
}

@test "a line longer than the output buffer" {
    build f.tms 'a\n' "${p[@]}" -k 10 -p 0.1 -m 1000
    { head -c 700000 /dev/zero | tr '\0' x; echo; echo a; } >in
    expect 0 "$TAMIS" freq f.tms in
    cut -f1 out | cmp - in
}

@test "a union says so, unless quiet" {
    build a.tms 'a\n' "${p[@]}" -k 10 -p 0.1 -m 1000
    build b.tms 'b\n' "${p[@]}" -k 10 -p 0.1 -m 1000
    "$TAMIS" merge -q --union-as-presence -o u.tms a.tms b.tms
    printf 'a\n' >in
    expect 0 "$TAMIS" freq u.tms in
    err_is "tamis freq: u.tms is a union: a line's frequency lies between the largest of its filters and their sum\n"
    cp out loud
    expect 0 "$TAMIS" freq -q u.tms in
    err_is ''
    cmp loud out
}

@test "damaged input: the lines before it are printed, and the status is 2" {
    words 2000 >in
    "$TAMIS" build -q "${p[@]}" -k 20 -p 0.1 -m 100000 -o f.tms in
    { gzip -nc in; gzip -nc in | head -c 100; } >bad.gz
    expect 2 "$TAMIS" freq --batch 100 f.tms bad.gz
    err_has truncated
    "$TAMIS" freq f.tms in >want
    head -n 2000 out | cmp - want
}

@test "/dev/full, and a reader that goes away" {
    words 400000 >in
    "$TAMIS" build -q "${p[@]}" -k 10 -p 0.1 -m 1Mi -o f.tms in
    if [ -c /dev/full ]; then
        for words in "" "--json" "--header"; do
            got=0
            # shellcheck disable=SC2086
            "$TAMIS" freq $words f.tms in >/dev/full 2>err || got=$?
            [ "$got" -eq 6 ]
            err_is 'tamis freq: standard output: cannot be written: No space left on device\n'
        done
    fi
    "$TAMIS" freq f.tms in 2>err | head -n 1 >out; code=${PIPESTATUS[0]}
    [ "$code" -eq 141 ]
    err_is ''
}

@test "usage" {
    build f.tms 'a\n' "${p[@]}" -k 10 -p 0.1 -m 1000
    for words in "--min 0" "--min -1" "--min x" "--min inf" "--confidence 0" "--confidence 1" "--confidence 95" \
        "--confidence x" "--threads 0" "--batch 0" "--device x" "-k 3"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" freq $words f.tms /dev/null || { echo "$words"; return 1; }
        out_is ''
        grep -q '^tamis freq: ' err
    done
    expect 2 "$TAMIS" freq
    err_has "which filter?"
    expect 2 "$TAMIS" freq - /dev/null
    err_has "the filter must be a file"
    expect 2 "$TAMIS" freq f.tms nowhere
    err_is 'tamis freq: nowhere: No such file or directory\n'
    expect 3 "$TAMIS" freq nowhere.tms /dev/null
    err_is 'tamis freq: nowhere.tms: No such file or directory\n'
    head -c 100 f.tms >cut.tms
    expect 3 "$TAMIS" freq cut.tms /dev/null
}

@test "a list of real words, and one word that comes 300 times more" {
    list=$(data examples/data/words.txt.gz strings/words_2.45M.txt.gz)
    yes tamis-itself | head -n 300 >more
    "$TAMIS" build -q "${p[@]}" -k 256 -p 0.005 -m 64Mi -o f.tms "$list" more
    expect 0 "$TAMIS" freq --min 100 f.tms "$list" more
    [ "$(cut -f1 out | sort | uniq -c | awk '{ print $1, $2 }')" = '300 tamis-itself' ]
    awk -F'\t' '!($4 <= 300 && 300 <= $5)' out | cmp - /dev/null
}

@test "a log that grows is answered while it is open" {
    yes a | head -n 50 | "$TAMIS" build -q --layout probabilistic -k 100 -p 0.1 -m 100000 -o f.tms
    mkfifo pipe
    "$TAMIS" freq --header f.tms pipe >out &
    exec 7>pipe
    for n in 1 2 3; do
        printf 'a\na' >&7
        for _ in $(seq 1 1500); do
            [ "$(wc -l <out)" -lt $((2 * n)) ] || break
            sleep 0.02
        done
        wc -l <out >>seen
        printf '\n' >&7
        for _ in $(seq 1 1500); do
            [ "$(wc -l <out)" -le $((2 * n)) ] || break
            sleep 0.02
        done
    done
    exec 7>&-
    wait
    [ "$(tr -d ' ' <seen | tr '\n' ' ')" = "2 4 6 " ]
}
