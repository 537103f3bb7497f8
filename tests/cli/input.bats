# Input: what a line is, and every kind of file, whole and damaged.
load common

# round FILE: a filter of the file's lines lets all of them through; with --tsv they come out byte for byte.
round() {
    "$TAMIS" build -q --fpr 1e-6 -o r.tms "$@"
    expect 0 "$TAMIS" query r.tms "$@"
}

n_of() { "$TAMIS" info --json "$1" | sed -n 's/^  "n": \([0-9]*\).*/\1/p'; }

@test "empty input makes a filter that answers no" {
    for size in "" "--fpr 0.01" "--expected 100" "--bits-per-key 10" "-m 1000" "-m 1000 -k 3" "--layout classic" \
        "--layout classic --hash ap"; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" build -o f.tms $size /dev/null
        err_is 'tamis build: no keys: the filter answers no to everything\n'
        [ "$(n_of f.tms)" = 0 ]
        printf 'a\n\nb\n' >in
        expect 1 "$TAMIS" query f.tms in
    done
    : | gzip -n >empty.gz
    expect 0 "$TAMIS" build -q -o f.tms empty.gz
    [ "$(n_of f.tms)" = 0 ]
}

@test "one empty line is one key" {
    printf '\n' >in
    round in
    out_is '\n'
    [ "$(n_of r.tms)" = 1 ]
    printf 'a\n\nb\n' >other
    expect 0 "$TAMIS" query r.tms other
    out_is '\n'
}

@test "a last line without a line feed" {
    printf 'a\nb' >in
    round in
    out_is 'a\nb\n'
    [ "$(n_of r.tms)" = 2 ]
    printf 'a\nb\n' | "$TAMIS" build -q --fpr 1e-6 -o s.tms
    cmp r.tms s.tms
    round in in
    out_is 'a\nb\na\nb\n'
}

@test "NUL bytes and all other bytes" {
    for i in $(seq 0 255); do
        # shellcheck disable=SC2059
        [ "$i" -eq 10 ] || printf "x\\$(printf %03o "$i")y\n"
    done >in
    round in
    cmp in out
    [ "$(n_of r.tms)" = 255 ]
    printf 'a\0b\n' >in
    round in
    printf 'a\n' | expect 1 "$TAMIS" query r.tms
    printf 'a\0c\n' | expect 1 "$TAMIS" query r.tms
}

@test "CR LF: part of the key without --crlf, not with it" {
    printf 'one\r\ntwo\r\n' >dos
    printf 'one\ntwo\n' >unix
    "$TAMIS" build -q --fpr 1e-6 -o dos.tms dos
    "$TAMIS" build -q --fpr 1e-6 -o unix.tms unix
    "$TAMIS" build -q --fpr 1e-6 --crlf -o crlf.tms dos
    cmp crlf.tms unix.tms
    run ! cmp -s dos.tms unix.tms
    expect 1 "$TAMIS" query unix.tms dos
    expect 0 "$TAMIS" query --crlf unix.tms dos
    out_is 'one\ntwo\n'
    expect 0 "$TAMIS" query dos.tms dos
    out_is 'one\r\ntwo\r\n'
    printf 'one\r\r\nx\ry\n\r\n' >odd
    expect 1 "$TAMIS" query --crlf --tsv unix.tms odd
    out_is 'one\r\t0\nx\ry\t0\n\t0\n'
}

@test "a 100 MB line" {
    [ "$(free_mib .)" -ge 1500 ] || skip "1.5 GB of disk and memory are not free"
    { printf 'short\n'; head -c 100000000 /dev/zero | tr '\0' x; printf '\nlast\n'; } >in
    round in
    cmp in out
    [ "$(n_of r.tms)" = 3 ]
    { head -c 99999999 /dev/zero | tr '\0' x; printf 'y\n'; } >other
    expect 1 "$TAMIS" query r.tms other
}

@test "gzip, several members, padding" {
    words 3000 >in
    gzip -nc in >in.gz
    round in.gz
    cmp in out
    { head -n 1000 in | gzip -n; : | gzip -n; tail -n +1001 in | gzip -n9; } >members.gz
    round members.gz
    cmp in out
    { cat members.gz; head -c 5000 /dev/zero; } >padded
    round padded
    cmp in out
    expect 0 "$TAMIS" query r.tms <members.gz
    cmp in out
    { head -c 5 in | gzip -n; tail -c +6 in | gzip -n; } >split.gz # a line goes across members
    round split.gz
    cmp in out
}

@test "bgzip: members with an extra field" {
    words 3000 >in
    member() { { printf '\037\213\010\004\0\0\0\0\0\377\006\0BC\002\0\033\0'; gzip -nc | tail -c +11; }; }
    { head -n 1500 in | member; tail -n +1501 in | member; : | member; } >in.bgz
    gzip -dc in.bgz | cmp - in
    round in.bgz
    cmp in out
    if command -v bgzip >/dev/null; then
        bgzip -c in >real.gz
        round real.gz
        cmp in out
    fi
}

@test "zstd, several frames" {
    need zstd
    words 3000 >in
    zstd -qc in >in.zst
    round in.zst
    cmp in out
    { head -n 1000 in | zstd -qc; : | zstd -qc; tail -n +1001 in | zstd -qc19; } >frames
    round frames
    cmp in out
    { printf '\120\052\115\030\004\0\0\0skip'; cat frames; } >skippable
    round skippable
    cmp in out
    zstd -qc --long=30 in >long.zst
    round long.zst
    cmp in out
}

@test "kinds are mixed and told by content, not by name" {
    words 10 >a.gz
    words 10 b | gzip -n >b.txt
    words 10 c >c
    files=(a.gz b.txt c)
    if command -v zstd >/dev/null; then
        words 10 d | zstd -qc >d.gz
        files+=(d.gz)
    fi
    round "${files[@]}"
    for prefix in word b c d; do words 10 $prefix; done | head -n $((10 * ${#files[@]})) | cmp - out
}

@test "truncated gzip is exit code 2 with file and place, at any length" {
    words 2000 | gzip -n >in.gz
    size=$(stat -c %s in.gz)
    for n in 2 3 9 10 11 100 $((size / 2)) $((size - 9)) $((size - 8)) $((size - 4)) $((size - 1)); do
        head -c "$n" in.gz >cut.gz
        expect 2 "$TAMIS" build -o f.tms cut.gz
        err_is "tamis build: cut.gz: gzip stream is truncated: it ends at byte $n, inside the part that starts at byte 0\n"
        [ ! -e f.tms ]
    done
    { cat in.gz; head -c 50 in.gz; } >cut.gz
    expect 2 "$TAMIS" build -o f.tms - <cut.gz
    err_is "tamis build: standard input: gzip stream is truncated: it ends at byte $((size + 50)), inside the part that starts at byte $size\n"
}

@test "truncated zstd is exit code 2 with file and place" {
    need zstd
    words 2000 | zstd -qc >in.zst
    size=$(stat -c %s in.zst)
    for n in 4 5 6 20 $((size / 2)) $((size - 4)) $((size - 1)); do
        head -c "$n" in.zst >cut.zst
        expect 2 "$TAMIS" build -o f.tms cut.zst
        err_is "tamis build: cut.zst: zstd stream is truncated: it ends at byte $n, inside the part that starts at byte 0\n"
    done
}

@test "corrupt streams are exit code 2" {
    words 2000 | gzip -n >in.gz
    size=$(stat -c %s in.gz)
    for at in $((size - 8)) $((size - 1)); do # checksum, length
        cp in.gz bad.gz
        printf '\377' | dd of=bad.gz bs=1 seek="$at" conv=notrunc status=none
        cmp -s in.gz bad.gz && printf '\376' | dd of=bad.gz bs=1 seek="$at" conv=notrunc status=none
        expect 2 "$TAMIS" build -o f.tms bad.gz
        err_has "bad.gz: gzip stream is corrupt"
    done
    { cat in.gz; printf 'garbage'; } >bad.gz
    expect 2 "$TAMIS" build -o f.tms bad.gz
    err_is "tamis build: bad.gz: bytes that are not gzip follow the gzip stream at byte $size\n" || err_has "truncated"
    build f.tms 'word1\n'
    expect 2 "$TAMIS" query f.tms bad.gz
    need zstd
    words 2000 | zstd -qc >bad.zst
    printf '\377\377\377\377' | dd of=bad.zst bs=1 seek=$(($(stat -c %s bad.zst) - 4)) conv=notrunc status=none
    expect 2 "$TAMIS" build -o g.tms bad.zst
    err_has "bad.zst: zstd stream is corrupt at byte"
}

@test "query prints what came before the damage, then fails" {
    words 2000 >in
    "$TAMIS" build -q -o f.tms in
    { gzip -nc in; gzip -nc in | head -c 100; } >bad.gz
    expect 2 "$TAMIS" query --batch 100 f.tms bad.gz
    head -n 2000 out | cmp - in
    err_has truncated
}

@test "a reader that is slow" {
    words 2000 | gzip -n >in.gz
    words 2000 >in
    "$TAMIS" build -q -o want.tms in
    { head -c 7 in.gz; sleep 0.05; tail -c +8 in.gz | head -c 1000; sleep 0.05; tail -c +1008 in.gz; } |
        "$TAMIS" build -q -o got.tms
    cmp want.tms got.tms
}
