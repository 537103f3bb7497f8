# tamis info, and every fault of a filter file.
load common

@test "text, line by line" {
    words 1000 | "$TAMIS" build -q -o f.tms --layout classic -m 10000 -k 7 --seed 5
    expect 0 "$TAMIS" info f.tms
    err_is ''
    sed -e 's/0x[0-9a-f]\{16\}$/SUM/' -e 's/, [0-9]* bytes/, SIZE bytes/' -e 's/^\(fill  *\)0\.[0-9]* ([0-9]* ones)/\1FILL/' \
        -e 's/rate 0\.00[0-9]*/rate RATE/' out >masked
    cat >want <<'END'
file        f.tms, SIZE bytes, checksum SUM
layout      classic
hash        xxh3, seed 5 (0x5)
m           10000 bits
k           7 bits a key
n           1000 keys
bits/key    10.000
fill        FILL
expected    false-positive rate RATE
actual      false-positive rate RATE
END
    diff want masked
    [ "$(sed -n 's/.*, \([0-9]*\) bytes,.*/\1/p' out)" -eq "$(stat -c %s f.tms)" ]
}

@test "a blocked filter says what classic would need" {
    words 1000 | "$TAMIS" build -q -o f.tms --fpr 1e-4
    expect 0 "$TAMIS" info f.tms
    tail -n 1 out | grep -Eqx 'For this false-positive rate the classic layout would need 19\.[0-9]+ bits a key instead of [0-9.]+: [0-9]+ % of the bits\.'
}

@test "JSON" {
    words 1000 | "$TAMIS" build -q -o f.tms --layout classic -m 10000 -k 7 --seed 18446744073709551615
    expect 0 "$TAMIS" info --json f.tms
    err_is ''
    for line in '"file": "f.tms",' '"layout": "classic",' '"hash": "xxh3",' '"seed": "18446744073709551615",' \
        '"seed_hex": "0xffffffffffffffff",' '"m": 10000,' '"k": 7,' '"n": 1000,' '"bits_per_key": 10.0,' \
        "\"bytes\": $(stat -c %s f.tms),"; do
        grep -qxF "  $line" out || { echo "$line"; cat out; return 1; }
    done
    if command -v python3 >/dev/null; then
        python3 - <<'END'
import json
i = json.load(open("out"))
assert abs(i["fill"] - i["ones"] / i["m"]) < 1e-9
assert abs(i["actual_fpr"] - i["fill"] ** 7) < 1e-9
assert abs(i["expected_fpr"] / 0.00819 - 1) < 0.01, i["expected_fpr"]
END
    fi
}

@test "a probabilistic filter, line by line" {
    words 1000 | "$TAMIS" build -q -o f.tms --layout probabilistic -m 1000000 -k 500 -p 0.01 --seed 5
    expect 0 "$TAMIS" info f.tms
    err_is ''
    sed -e 's/0x[0-9a-f]\{16\}$/SUM/' -e 's/, [0-9]* bytes/, SIZE bytes/' -e 's/^\(fill  *\)0\.0[0-9]* ([0-9]* ones)/\1FILL/' \
        -e '/^resolves/s/\([ a]\) [0-9][0-9.]* to [0-9][0-9.]*/\1 F/' -e '/^resolves/s/from [0-9.]* to [0-9.]* /from L to H /' \
        -e '/^resolves/s/best [0-9.]* % near f = [0-9.]*$/best E % near f = F/' out >masked
    cat >want <<'END'
file        f.tms, SIZE bytes, checksum SUM
layout      probabilistic
hash        xxh3, seed 5 (0x5)
m           1000000 bits
k           500 bits a key
p           0.01, geometric sampling
n           1000 insertions
fill        FILL
resolves    f from L to H within 25 % (95 % confidence), best E % near f = F
END
    diff want masked
    # for large k and without other keys the best is 1.24 z / sqrt(k) = 10.9 %, at f |ln(1 - p)| = 1.59, which is f = 158
    sed -n 's/^resolves .*best \([0-9.]*\) % near f = \([0-9.]*\)/\1 \2/p' out |
        awk '{ exit !($1 > 10.9 && $1 < 13 && $2 > 125 && $2 < 165) }'
}

@test "a probabilistic filter that resolves nothing" {
    words 10 | "$TAMIS" build -q -o f.tms --layout probabilistic -m 1000 -k 5 -p 0.1
    "$TAMIS" info f.tms >out
    grep -Eqx 'resolves    no f within 25 % \(95 % confidence\), best [0-9]+ % near f = [0-9.]+' out
    words 1000 | "$TAMIS" build -q -o f.tms --layout probabilistic -m 64 -k 5 -p 0.5
    "$TAMIS" info f.tms >out
    grep -qx 'resolves    no f: 100 % of the bits are set' out
    words 10 | "$TAMIS" build -q -o f.tms --layout probabilistic -m 1000 -k 5 -p 1
    "$TAMIS" info f.tms >out
    grep -qx 'resolves    no f: with p = 1 the first insertion sets all bits of a key' out
}

@test "JSON of a probabilistic filter" {
    words 1000 | "$TAMIS" build -q -o f.tms --layout probabilistic -m 1000000 -k 500 -p 0.01 --sampling plain
    expect 0 "$TAMIS" info --json f.tms
    err_is ''
    for line in '"layout": "probabilistic",' '"m": 1000000,' '"k": 500,' '"n": 1000,' '"p": 0.01,' '"sampling": "plain",' \
        '"is_union": false,' '"resolves": {' '  "error": 0.25,' '  "confidence": 0.95,'; do
        grep -qxF "  $line" out || { echo "$line"; cat out; return 1; }
    done
    [ "$(grep -c 'fpr\|bits_per_key' out)" -eq 0 ]
    if command -v python3 >/dev/null; then
        python3 - <<'END'
import json, math
i = json.load(open("out"))
r = i["resolves"]
assert abs(i["fill"] - (1 - math.exp(-500 / 1000000 * 1000 * 0.01))) < 0.0005, i["fill"]
assert 1 < r["f_low"] < r["best_f"] < r["f_high"] < 1000, r
assert 0.109 < r["best_error"] < 0.13, r
END
    fi
    words 1000 | "$TAMIS" build -q -o f.tms --layout probabilistic -m 64 -k 5 -p 0.5
    "$TAMIS" info --json f.tms >out
    for name in f_low f_high best_error; do grep -qx "    \"$name\": null," out; done
    grep -qx '    "best_f": null' out
}

@test "usage" {
    build f.tms 'a\n'
    expect 2 "$TAMIS" info
}

@test "several filters: a block or a line for each, and the worst exit code" {
    build a.tms 'a\n'
    build b.tms 'a\nb\n' --layout classic --fpr 0.1
    build p.tms 'a\n' --layout probabilistic -m 1000 -k 5 -p 0.1
    printf 'hello' >text
    for f in a b p; do "$TAMIS" info $f.tms >$f.txt; done
    expect 0 "$TAMIS" info a.tms b.tms p.tms
    err_is ''
    { cat a.txt; echo; cat b.txt; echo; cat p.txt; } | cmp - out
    grep '^file ' out | sed 's/,.*//; s/.* //' | tr '\n' ' ' | grep -qx 'a.tms b.tms p.tms '
    # those that are bad are named, and no part of the output
    expect 3 "$TAMIS" info text a.tms nowhere b.tms text
    { cat a.txt; echo; cat b.txt; } | cmp - out
    [ "$(wc -l <err)" -eq 3 ]
    [ "$(grep -c '^tamis info: text: ' err)" -eq 2 ]
    err_has 'tamis info: nowhere: No such file or directory'
    expect 3 "$TAMIS" info --json text nowhere
    out_is ''
    # JSON: an object a line; one alone is as ever
    expect 3 "$TAMIS" info --json a.tms text p.tms
    [ "$(wc -l <out)" -eq 2 ]
    sed -n 1p out | grep -q '^{"file":"a.tms",.*}$'
    sed -n 2p out | grep -q '^{"file":"p.tms",.*}$'
    if command -v python3 >/dev/null; then
        "$TAMIS" info --json a.tms >a.json
        "$TAMIS" info --json p.tms >p.json
        python3 - <<'END'
import json
lines = [json.loads(line) for line in open("out")]
assert lines == [json.load(open("a.json")), json.load(open("p.json"))]
END
    fi
    if [ -c /dev/full ]; then
        got=0
        "$TAMIS" info a.tms text b.tms >/dev/full 2>err || got=$?
        [ "$got" -eq 6 ]
        err_has 'standard output: cannot be written'
    fi
}

@test "files that are not filters are exit code 3" {
    : >empty
    printf 'hello world' >text
    head -c 100000 /dev/zero >zeros
    mkdir dir
    for file in empty text zeros dir nowhere /dev/null; do
        for command in "info $file" "query $file /dev/null" "merge -o out.tms $file $file"; do
            # shellcheck disable=SC2086
            expect 3 "$TAMIS" $command
            out_is ''
            err_has ": $file: "
        done
    done
    [ ! -e out.tms ]
}

@test "truncation at any length is exit code 3" {
    words 20 | "$TAMIS" build -q -o f.tms -m 512 -k 4
    size=$(stat -c %s f.tms)
    for n in $(seq 1 7 $((size - 1))) $((size - 1)); do
        head -c "$n" f.tms >cut.tms
        expect 3 "$TAMIS" query cut.tms /dev/null
        err_has ": cut.tms: "
    done
    { cat f.tms; printf x; } >long.tms
    expect 3 "$TAMIS" info long.tms
}

@test "any changed byte is exit code 3" {
    words 20 | "$TAMIS" build -q -o f.tms -m 512 -k 4
    size=$(stat -c %s f.tms)
    for at in $(seq 0 5 $((size - 1))) $((size - 1)); do
        cp f.tms bad.tms
        printf '\252' | dd of=bad.tms bs=1 seek="$at" conv=notrunc status=none
        cmp -s f.tms bad.tms && printf '\125' | dd of=bad.tms bs=1 seek="$at" conv=notrunc status=none
        expect 3 "$TAMIS" info bad.tms || { echo "byte $at"; return 1; }
        out_is ''
    done
}

@test "another version is exit code 3 and says so" {
    words 20 | "$TAMIS" build -q -o f.tms -m 512 -k 4
    printf '\143' | dd of=f.tms bs=1 seek=8 conv=notrunc status=none
    expect 3 "$TAMIS" info f.tms
    err_is 'tamis info: f.tms: filter format version 99; this tamis reads versions 1 to 3\n'
}

@test "a filter is read by a user who cannot write it" {
    build f.tms 'a\n'
    chmod 400 f.tms
    expect 0 "$TAMIS" info f.tms
    chmod 000 f.tms
    expect 3 as_user "$TAMIS" info f.tms
}
