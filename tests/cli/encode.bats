# tamis encode.
load common

# What the header, one block and the end block take together.
FRAME=112

@test "the summary, and the size of the file" {
    printf '>one first\nACGTACGTNN\nACGTACGTAC\n>two\nTTTTTTTTTTTTTTTTTNNN\n>none\n' >in.fa
    expect 0 "$TAMIS" encode -o out.t2b in.fa
    out_is ''
    # two words of codes, three parts, two runs, names of ten letters
    size=$((FRAME + 16 + 3 * 24 + 2 * 8 + 10))
    err_is "tamis encode: 3 records, 40 bases (5 letters other than ACGT), $size bytes\n"
    [ "$(stat -c %s out.t2b)" = $size ]
    expect 0 "$TAMIS" encode -q -o out.t2b in.fa
    out_is ''
    err_is ''
    printf '>x\nA' | expect 0 "$TAMIS" encode -o one.t2b
    err_is "tamis encode: 1 record, 1 base (0 letters other than ACGT), $((FRAME + 8 + 24 + 1)) bytes\n"
}

@test "the bytes of the file" {
    printf '>ab\nACGTNa\n' | "$TAMIS" encode -q -o out.t2b
    # codes 0 1 2 3 0 0, lowest bits first; a run of one base at 4
    {
        printf 'TAMIST2B\001\0\0\0\040\0\0\0\0\0\0\0\0\0\0\0'
        dd if=out.t2b bs=1 skip=24 count=8
        printf 'BLCK\006\0\0\0\001\0\0\0\001\0\0\0\002\0\0\0\0\0\0\0'
        dd if=out.t2b bs=1 skip=56 count=16
        printf '\344\0\0\0\0\0\0\0'
        printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\006\0\0\0\002\0\0\0'
        printf '\004\0\0\0\001\0\0\0ab'
        printf 'END.\0\0\0\0\001\0\0\0\0\0\0\0\006\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0'
        tail -c 8 out.t2b
    } >want 2>/dev/null
    cmp want out.t2b
}

@test "plain, gzip, bgzip's members, zstd, standard input, FASTQ, lower case, CR LF: the same file" {
    printf '>r1 x\nACGTNACGTACGTAACC\nGGTT\n>r2\nTTTTGRYKA\n' >in.fa
    "$TAMIS" encode -q -o want.t2b in.fa
    same() {
        expect 0 "$TAMIS" encode -q -o got.t2b "$@"
        cmp want.t2b got.t2b
    }
    gzip -nc in.fa >in.gz
    same in.gz
    { head -c 20 in.fa | gzip -n; tail -c +21 in.fa | gzip -n; } >members.gz
    same members.gz
    if command -v zstd >/dev/null; then
        zstd -qc in.fa >in.zst
        same in.zst
    fi
    same - <in.fa
    same <in.fa
    sed '/^>/!y/ACGTNRYK/acgtnryk/' in.fa >lower.fa
    same lower.fa
    sed 's/$/\r/' in.fa >crlf.fa
    same crlf.fa
    printf '>r1\nACGTNACGTACGTAACCGGTT\n>r2\nTTTTGRYKA' >line.fa
    same line.fa
    printf '@r1\nACGTNACGTACGTAACC\nGGTT\n+\n@@@@@@@@@@\n+++++++++++\n@r2\nTTTTGRYKA\n+r2\nIIIIIIIII\n' >in.fq
    same in.fq
    same want.t2b
    gzip -nc want.t2b >want.t2b.gz
    same want.t2b.gz
    expect 0 "$TAMIS" encode -q -o - in.fa
    cmp want.t2b out
    err_is ''
    TAMIS_SIMD=scalar same in.fa
}

@test "files are joined; the output may be an input" {
    printf '>a\nACGT\n' >a.fa
    printf '@b\nNNNN\n+\nIIII\n' >b.fq
    printf '>\nTT\n' >c.fa
    cat a.fa - c.fa >all.fa <<<$'>b\nNNNN'
    "$TAMIS" encode -q -o want.t2b all.fa
    "$TAMIS" encode -q -o a.t2b a.fa
    expect 0 "$TAMIS" encode -o a.t2b a.t2b b.fq c.fa
    err_has '3 records, 10 bases (4 letters other than ACGT)'
    cmp want.t2b a.t2b
}

@test "an excerpt of a genome comes back the same from its own file" {
    excerpt=$BATS_TEST_DIRNAME/../data/genomes/ecoli_o157_excerpt.fa.gz
    expect 0 "$TAMIS" encode -o a.t2b "$excerpt"
    err_has '3 records, 60000 bases'
    expect 0 "$TAMIS" encode -q -o again.t2b a.t2b
    cmp a.t2b again.t2b
    [ "$(stat -c %s a.t2b)" -lt 15500 ]
}

@test "real genomes come back the same from their own file" {
    [ -r "$TAMIS_DATA/genomes/yeast_s288c.fa.gz" ] || skip "no $TAMIS_DATA/genomes"
    expect 0 "$TAMIS" encode -o yeast.t2b "$TAMIS_DATA/genomes/yeast_s288c.fa.gz"
    err_has '12071326 bases'
    expect 0 "$TAMIS" encode -q -o again.t2b yeast.t2b
    cmp yeast.t2b again.t2b
    # three blocks: 2^22 bases each
    zcat "$TAMIS_DATA/genomes/yeast_s288c.fa.gz" | tr acgt ACGT | "$TAMIS" encode -q -o upper.t2b
    [ "$(stat -c %s yeast.t2b)" -lt $((12071326 / 4 + 10000)) ]
}

# fails CODE MESSAGE ARGUMENT...: and there is no output.
fails() {
    local code=$1 message=$2
    shift 2
    expect "$code" "$TAMIS" encode -o got.t2b "$@"
    out_is ''
    err_is "tamis encode: $message\n"
    [ ! -e got.t2b ]
}

@test "what is no sequence is exit code 2, with file and line" {
    printf '>p\nMTKV\nACGTEYK\n' >protein.fa
    fails 2 "protein.fa:3: 'E' is not a nucleotide; is this protein?" protein.fa
    printf '>a\nAC-GT\n' >gap.fa
    fails 2 "gap.fa:2: '-' is not a nucleotide: gaps are not allowed here" gap.fa
    printf '>a\nAC1\n' >digit.fa
    fails 2 "digit.fa:2: '1' is not a nucleotide" digit.fa
    printf 'hello\n>a\nACGT\n' >text
    fails 2 "text:1: neither FASTA ('>') nor FASTQ ('@') nor .t2b" text
    fails 2 "standard input:1: neither FASTA ('>') nor FASTQ ('@') nor .t2b" <text
    : >empty
    fails 2 "empty: no sequence: the file is empty" empty
    : | gzip -n >empty.gz
    fails 2 "empty.gz: no sequence: the file is empty" empty.gz
    printf '>a\n>b\n\n' >names.fa
    fails 2 "names.fa: no sequence: there are names, but no bases" names.fa
    printf '@a\nACGT\n+\nIII\n' >short.fq
    fails 2 "short.fq:4: the sequence has 4 letters and its quality only 3 characters" short.fq
    fails 2 "nowhere.fa: No such file or directory" nowhere.fa
    printf '>a\nACGT\n' >good.fa
    fails 2 "empty: no sequence: the file is empty" good.fa empty
    mkdir dir
    fails 2 "dir: is a directory" dir
}

@test "a .t2b or gzip file that is cut or corrupt is exit code 2" {
    printf '>a\nACGTACGT\n' >good.fa
    "$TAMIS" encode -q -o good.t2b good.fa
    head -c 80 good.t2b >cut.t2b
    fails 2 "cut.t2b: truncated .t2b: it ends in block 0" cut.t2b
    head -c -40 good.t2b >noend.t2b
    fails 2 "noend.t2b: truncated .t2b: it ends in block 1" noend.t2b
    { head -c 72 good.t2b; printf 'x'; tail -c +74 good.t2b; } >flip.t2b
    fails 2 "flip.t2b: corrupt .t2b: checksum in block 0" flip.t2b
    { head -c 8 good.t2b; printf '\002'; tail -c +10 good.t2b; } >version.t2b
    fails 2 "version.t2b: .t2b format version 2; this program reads version 1" version.t2b
    cat good.t2b good.t2b >two.t2b
    fails 2 "two.t2b: bytes follow the end of the .t2b: to join files, give them to tamis encode" two.t2b
    gzip -nc good.fa | head -c -3 >cut.gz
    expect 2 "$TAMIS" encode -o got.t2b cut.gz
    err_has 'tamis encode: cut.gz: '
    err_has 'truncated'
    [ ! -e got.t2b ]
}

@test "an old file stays when the new one fails" {
    printf '>a\nACGT\n' | "$TAMIS" encode -q -o keep.t2b
    cp keep.t2b copy.t2b
    printf '>a\nACGTE\n' | expect 2 "$TAMIS" encode -o keep.t2b
    cmp keep.t2b copy.t2b
    [ "$(ls -A | grep -c keep)" = 1 ]
}

@test "an output that cannot be written is exit code 6" {
    printf '>a\nACGT\n' >in.fa
    expect 6 "$TAMIS" encode -o /nowhere/out.t2b in.fa
    err_is 'tamis encode: /nowhere/out.t2b: cannot be written: No such file or directory\n'
    [ -w /dev/full ] || skip "no /dev/full"
    expect 6 "$TAMIS" encode -o /dev/full in.fa
    err_is 'tamis encode: /dev/full: cannot be written: No space left on device\n'
}

@test "usage" {
    expect 2 "$TAMIS" encode in.fa
    err_is "tamis encode: where should the sequences go? Give -o OUT.t2b\nTry 'tamis encode --help'.\n"
    expect 2 "$TAMIS" encode -o
    err_is "tamis encode: option '-o' needs a value\nTry 'tamis encode --help'.\n"
    expect 2 "$TAMIS" encode --bad -o out.t2b
    expect 2 "$TAMIS" encode -o out.t2b - -
    err_is 'tamis encode: standard input (-) is named twice; it can be read once\n'
    expect 0 "$TAMIS" encode --help
    grep -q '^Usage: tamis encode -o OUT.t2b' out
    err_is ''
}
