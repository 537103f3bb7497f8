# Input: what a line is, and every kind of file, whole and damaged.
load common

# round FILE: a filter of the file's lines lets all of them through; with --tsv they come out byte for byte.
round() {
    "$TAMIS" build -q --fpr 1e-6 -o r.tms "$@"
    expect 0 "$TAMIS" query -h r.tms "$@"
}

n_of() { "$TAMIS" info --json "$1" | sed -n 's/^  "n": \([0-9]*\).*/\1/p'; }

@test "empty input makes a filter that answers no" {
    for size in "" "--fpr 0.01" "--expected 100" "--bits-per-key 10" "-m 1000" "-m 1000 -k 3" "--layout classic" \
        "--layout classic --hash ap"; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" build -o f.tms $size /dev/null
        err_is 'tamis build: no keys: the filter answers no to every query\n'
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

# bgzf FILE [END]: a BGZF block of it and, with END, the empty block that ends a BGZF file
bgzf_end='\037\213\010\004\0\0\0\0\0\377\006\0BC\002\0\033\0\003\0\0\0\0\0\0\0\0\0'
bgzf() {
    local size
    size=$(($(gzip -nc "$1" | wc -c) + 7))
    printf '\037\213\010\004\0\0\0\0\0\377\006\0BC\002\0'
    # shellcheck disable=SC2059
    printf "$(printf '\\%03o\\%03o' $((size % 256)) $((size / 256)))"
    gzip -nc "$1" | tail -c +11
    # shellcheck disable=SC2059
    [ $# -lt 2 ] || printf "$bgzf_end"
}

@test "a bgzip file that ends after a whole block, without the empty one, is truncated" {
    words 3000 >in
    bgzf in end >whole.gz
    gzip -dc whole.gz | cmp - in
    round whole.gz
    cmp in out
    bgzf in >cut.gz
    cp r.tms want.tms
    for command in "build -o r.tms" "query want.tms" "query -c want.tms" "heavy --min 5 --save r.tms"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" $command cut.gz
        err_is "tamis ${command%% *}: cut.gz: bgzip stream is truncated: it ends at byte $(stat -c %s cut.gz), after a whole block but without the empty block that ends every bgzip file; 'gzip -dc' reads what there is\n"
    done
    cmp r.tms want.tms
    expect 2 "$TAMIS" query want.tms - <cut.gz
    cmp in out # lines before the damage
    build f.tms 'a\n' --layout probabilistic -k 10 -p 0.1 -m 1000
    expect 2 "$TAMIS" freq f.tms cut.gz
    err_has "cut.gz: bgzip stream is truncated"

    { printf '>a\n'; head -c 500 /dev/zero | tr '\0' A; echo; } >in.fa
    bgzf in.fa end >whole.fa.gz
    bgzf in.fa >cut.fa.gz
    expect 2 "$TAMIS" seeds -query whole.fa.gz -subject cut.fa.gz
    err_has "cut.fa.gz: bgzip stream is truncated"
    expect 2 "$TAMIS" seeds -query cut.fa.gz -subject whole.fa.gz
    err_has "cut.fa.gz: bgzip stream is truncated"
}

@test "bgzip files one after the other, also with plain gzip" {
    words 1500 >1
    words 1500 b >2
    cat 1 2 >in
    { bgzf 1 end; bgzf 2 end; } >both
    { bgzf 1; bgzf 2 end; } >blocks
    { bgzf 1 end; gzip -nc 2; } >then_gzip
    { gzip -nc 1; bgzf 2 end; } >after_gzip
    { bgzf 1 end; bgzf 2 end; head -c 100 /dev/zero; } >padded
    for file in both blocks then_gzip after_gzip padded; do
        round $file
        cmp in out
    done
    { bgzf 1 end; bgzf 2; } >cut
    { bgzf 1; gzip -nc 2; } >cut_then_gzip
    { gzip -nc 1; bgzf 2; } >cut_after_gzip
    for file in cut cut_then_gzip cut_after_gzip; do
        expect 2 "$TAMIS" build -o f.tms $file
        err_has "$file: bgzip stream is truncated"
    done
}

@test "xz, several streams, padding" {
    need xz
    words 3000 >in
    xz -c in >in.xz
    round in.xz
    cmp in out
    {
        head -n 1000 in | xz -c --check=crc32
        : | xz -c
        head -c 400 /dev/zero
        tail -n +1001 in | head -n 1000 | xz -c --check=sha256
        tail -n +2001 in | xz -c9 --block-size=2000
        head -c 4 /dev/zero
    } >streams
    xz -dc <streams | cmp - in
    round streams
    cmp in out
    expect 0 "$TAMIS" query r.tms <streams
    cmp in out
    { printf '>a\n'; head -c 500 /dev/zero | tr '\0' A; echo; } >in.fa
    xz -c in.fa >in.fa.xz
    "$TAMIS" seeds -q -query in.fa -subject in.fa >want
    "$TAMIS" seeds -q -query in.fa.xz -subject in.fa.xz >got
    cmp want got
}

@test "bzip2, several streams" {
    need bzip2
    words 3000 >in
    bzip2 -c in >in.bz2
    round in.bz2
    cmp in out
    { head -n 1000 in | bzip2 -c1; : | bzip2 -c; tail -n +1001 in | bzip2 -c; } >streams
    round streams
    cmp in out
    expect 0 "$TAMIS" query r.tms <streams
    cmp in out
    printf 'BZh91AY\nBZh9\n' >text
    round text
    cmp text out
}

@test "truncated and corrupt xz and bzip2 are exit code 2 with file and place" {
    words 2000 >in
    for kind in xz bzip2; do
        command -v $kind >/dev/null || continue
        $kind -c in >whole
        size=$(stat -c %s whole)
        for n in 12 20 $((size / 2)) $((size - 4)) $((size - 1)); do
            head -c "$n" whole >cut
            expect 2 "$TAMIS" build -o f.tms cut
            err_is "tamis build: cut: $kind stream is truncated: it ends at byte $n, inside the part that starts at byte 0\n"
            [ ! -e f.tms ]
        done
        { cat whole; head -c 50 whole; } >cut
        expect 2 "$TAMIS" build -o f.tms cut
        err_is "tamis build: cut: $kind stream is truncated: it ends at byte $((size + 50)), inside the part that starts at byte $size\n"
        { cat whole; printf 'garbage garbage'; } >bad
        expect 2 "$TAMIS" build -o f.tms bad
        err_is "tamis build: bad: bytes that are not $kind follow the $kind stream at byte $size\n"
        cp whole bad
        printf 'garbage' | dd of=bad bs=1 seek=$((size / 2)) conv=notrunc status=none
        expect 2 "$TAMIS" build -o f.tms bad
        err_has "bad: $kind stream is corrupt at byte"
    done
}

@test "what is no list of lines is refused by name" {
    build f.tms 'a\nb\n'
    build p.tms 'a\nb\n' --layout probabilistic -k 10 -p 0.1 -m 1000
    cp f.tms g.tms
    for command in "build -o new.tms" "build --append g.tms" "query f.tms" "query -v f.tms" "query --tsv f.tms" "freq p.tms" "heavy --min 5"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" $command f.tms
        err_is "tamis ${command%% *}: f.tms: a tamis filter, not a list of lines\n"
        out_is ''
        [ ! -e new.tms ]
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" $command - <f.tms
        err_is "tamis ${command%% *}: standard input: a tamis filter, not a list of lines\n"
    done
    cmp f.tms g.tms
    printf '>a\nACGT\n' >in.fa
    gzip -nc f.tms >f.tms.gz
    expect 2 "$TAMIS" build -o new.tms f.tms.gz
    err_is 'tamis build: f.tms.gz: a tamis filter, not a list of lines\n'
    printf 'BAM\1\0\0\0\0' >bam
    bgzf bam end >in.bam
    expect 2 "$TAMIS" build -o new.tms in.bam
    err_is "tamis build: in.bam: a BAM file, not a list of lines; try 'samtools fasta'\n"
    tar -cf in.tar in.fa
    gzip -nc in.tar >in.tar.gz
    for file in in.tar in.tar.gz; do
        expect 2 "$TAMIS" build -o new.tms $file
        err_is "tamis build: $file: a tar archive, not a list of lines; try 'tar -xO'\n"
    done
    printf '\377\376a\0\n\0' >utf16
    expect 2 "$TAMIS" build -o new.tms utf16
    err_is "tamis build: utf16: text in UTF-16, not a list of lines; try 'iconv -f UTF-16 -t UTF-8'\n"
    printf '\135\0\0\200\0\377\377\377\377\377\377\377\377\0' >in.lzma
    expect 2 "$TAMIS" build -o new.tms in.lzma
    err_is "tamis build: in.lzma: an .lzma file, not a list of lines; try 'xz -dc'\n"
    printf 'PK\3\4rest' >in.zip
    expect 2 "$TAMIS" query f.tms in.zip
    err_is "tamis query: in.zip: a zip archive, not a list of lines; try 'unzip -p'\n"
    expect 2 "$TAMIS" build -o new.tms "$TAMIS"
    err_has "an ELF program or library, not a list of lines"
    gzip -nc in.fa | gzip -n >twice.gz
    expect 2 "$TAMIS" build -o new.tms twice.gz
    err_has "twice.gz: gzip data inside a compressed file, not a list of lines; try 'gzip -dc'"
    # lines that only begin alike, or that another program means
    printf '@HD\tVN:1.6\n##fileformat=VCFv4.2\n' >in
    round in
    cmp in out
    printf 'PK\nBAM\n%%PDF\nCRAM\nTAMIS\n7z\nBZh9\n' >in
    round in
    cmp in out
}

@test "what is no file of sequences is refused by name" {
    build f.tms 'a\nb\n'
    printf '>a\nACGT\n' >in.fa
    printf 'BAM\1\0\0\0\0' >bam
    bgzf bam end >in.bam
    for file in f.tms in.bam; do
        name="a tamis filter, not FASTA or FASTQ"
        [ $file = f.tms ] || name="a BAM file, not FASTA or FASTQ; try 'samtools fastq'"
        expect 2 "$TAMIS" seeds -query $file -subject in.fa
        err_is "tamis seeds: $file: $name\n"
        expect 2 "$TAMIS" seeds -q -query in.fa -subject $file
        err_is "tamis seeds: $file: $name\n"
    done
}

@test "a byte order mark and CR LF get a remark, and are as they are" {
    cr='lines end in a carriage return, which counts as part of each line; --crlf removes it'
    bom="begins with a UTF-8 byte order mark, which counts as part of its first line; sed '1s/^\\\\xef\\\\xbb\\\\xbf//' removes it"
    printf 'one\ntwo\r\n' >unix
    printf 'one\r\ntwo\r\n' >dos
    printf '\357\273\277one\ntwo\n' >bom
    printf '\357\273\277one\r\ntwo' >mixed
    "$TAMIS" build -q --fpr 1e-6 -o f.tms unix dos bom 2>err
    err_is ''
    expect 0 "$TAMIS" query f.tms unix
    err_is ''
    expect 0 "$TAMIS" query -h f.tms unix dos dos bom
    err_is "tamis query: bom: $bom\ntamis query: dos: $cr\n"
    cat unix dos dos bom | cmp - out
    printf 'one\r\ntwo' >open # the last line without an end
    expect 0 "$TAMIS" query f.tms open
    err_is "tamis query: open: $cr\n"
    printf 'one\r' >open
    expect 0 "$TAMIS" query f.tms open
    err_is ''
    for batch in 1 2 3; do
        expect 0 "$TAMIS" query --batch $batch f.tms dos
        err_is "tamis query: dos: $cr\n"
    done
    expect 0 "$TAMIS" query f.tms <mixed
    err_is "tamis query: standard input: $bom\ntamis query: standard input: $cr\n"
    expect 0 "$TAMIS" query --no-remarks f.tms dos bom
    err_is ''
    expect 0 "$TAMIS" query --crlf f.tms dos
    err_is ''
    expect 0 "$TAMIS" build -o g.tms dos bom
    err_has "tamis build: dos: $cr"
    err_has 'tamis build: bom: begins with a UTF-8 byte order mark'
    expect 1 "$TAMIS" heavy --min 5 dos
    err_is "tamis heavy: dos: $cr\n"
    build p.tms 'a\nb\n' --layout probabilistic -k 10 -p 0.1 -m 1000
    expect 0 "$TAMIS" freq p.tms dos
    err_is "tamis freq: dos: $cr\n"
    # what it says does it
    sed '1s/^\xef\xbb\xbf//' bom | cmp - <(printf 'one\ntwo\n')
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
