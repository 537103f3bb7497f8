# tamis classify: which reads belong where, what is written of them, and that nothing is written by half.
load common

# Two references with 500 letters in common, as filters of 16-mers, and reads of them: a.fa, b.fa, a.tms, b.tms. A read's name begins
# with a, b, c (in both references) or n (in none). r1.fq and r2.fq have the mates of pairs, il.fq has them one after the other.
samples() {
    awk -v n="${1:-60}" '
        function some(k,  r) { for (r = ""; k > 0; k--) r = r substr("ACGT", 1 + int(rand() * 4), 1); return r }
        function quality(k,  r) { for (r = ""; k > 0; k--) r = r substr("!I5@+>", 1 + int(rand() * 6), 1); return r }
        BEGIN {
            srand(5)
            of["a"] = some(3000); of["b"] = some(3000); of["c"] = some(500)
            print ">a\n" of["a"] of["c"] > "a.fa"
            print ">b\n" of["b"] of["c"] > "b.fa"
            split("0 10 60 100", lengths, " ")
            for (i = 0; i < n; i++) {
                kind = substr("abcn", 1 + int(rand() * 4), 1)
                from = kind == "n" ? some(500) : of[kind]
                for (mate = 1; mate <= 2; mate++) {
                    size = lengths[1 + int(rand() * 4)]
                    s = substr(from, 1 + int(rand() * (length(from) - size)), size)
                    record = "@" kind i "/" mate " a  comment\t" i "\n" (i % 3 ? s : tolower(s)) "\n+" (i % 5 ? "" : kind i) "\n" quality(size) "\n"
                    printf "%s", record > ("r" mate ".fq")
                    printf "%s", record > "il.fq"
                }
            }
        }'
    "$TAMIS" build -q --kmer 16 -o a.tms a.fa
    "$TAMIS" build -q --kmer 16 -o b.tms b.fa
}

# verdicts FILE...: id and kind of each read (one file) or pair (two), by its name: a, b, c: ambiguous, n: none, also if it has no k-mer.
verdicts() {
    awk -v files=$# '
        FNR % 4 == 1 { id = substr($1, 2); if (files == 2) sub("/.*", "", id); if (!(id in size)) ids[++n] = id; size[id] += 0 }
        FNR % 4 == 2 && length($0) >= 16 { size[id] += length($0) }
        END { for (i = 1; i <= n; i++) print ids[i] "\t" (size[ids[i]] ? substr(ids[i], 1, 1) : "n") }' "$@"
}

# pick KINDS FILE: the records of FILE of units of these kinds; the verdicts are in ./verdicts.
pick() {
    awk -v kinds="$1" -F'\t' '
        NR == FNR { if (index(kinds, $2)) wanted[$1]; next }
        FNR % 4 == 1 { split($0, words, " "); id = substr(words[1], 2); base = id; sub("/.*", "", base); p = id in wanted || base in wanted }
        p' verdicts "$2"
}

@test "the table: a line a read, a line a pair" {
    samples
    expect 0 "$TAMIS" classify -f a.tms -f b.tms r1.fq
    err_is ''
    head -n 1 out | cmp - <(printf 'id\tverdict\treference\tscore\thits\tk_mers\ta\tb\n')
    verdicts r1.fq >verdicts
    awk -F'\t' -v OFS='\t' 'NR > 1 { print $1, $2 == "none" ? "n" : $2 == "ambiguous" ? "c" : $3 }' out | cmp - verdicts
    # of a whole read every k-mer is there
    awk -F'\t' 'NR > 1 && $2 != "none" && ($4 != "1.0000" || $5 != $6) || NF != 8' out | cmp - /dev/null
    awk -F'\t' 'NR > 1 && $2 == "ambiguous" && ($3 != "a,b" || $7 != "1.0000" || $8 != "1.0000")' out | cmp - /dev/null
    for n in 0 10 60 100; do
        awk -v n=$n 'NR % 4 == 1 { id = substr($1, 2) } NR % 4 == 2 && length($0) == n { print id }' r1.fq >ids
        [ "$(grep -wFf ids out | cut -f 6 | sort -u)" = $((n < 16 ? 0 : n - 15)) ]
    done
    cp out single
    expect 0 "$TAMIS" classify -f a.tms -f b.tms -o table.tsv r1.fq
    cmp single table.tsv
    expect 0 "$TAMIS" classify -f a.tms -f b.tms r1.fq r2.fq
    verdicts r1.fq r2.fq >verdicts
    awk -F'\t' -v OFS='\t' 'NR > 1 { print $1, $2 == "none" ? "n" : $2 == "ambiguous" ? "c" : $3 }' out | cmp - verdicts
    cp out pairs
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --interleaved il.fq
    cmp pairs out
    # a name in the table is the first word of the header
    expect 0 "$TAMIS" classify -f a.tms <(printf '>x y\nAC\n>\nAC\n> z\n')
    [ "$(cut -f 1 out | tr '\n' ,)" = 'id,x,,,' ]
}

@test "--keep and --remove: records as they stand" {
    samples
    verdicts r1.fq >verdicts
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --remove -o out.fq r1.fq
    out_is ''
    pick n r1.fq | cmp - out.fq
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --keep r1.fq
    pick abc r1.fq | cmp - out
    [ -s out ] && [ -s out.fq ]
    expect 0 "$TAMIS" classify -f a.tms --keep r1.fq
    pick ac r1.fq | cmp - out
    # pairs
    verdicts r1.fq r2.fq >verdicts
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --remove -o o1.fq -O o2.fq r1.fq r2.fq
    pick n r1.fq | cmp - o1.fq
    pick n r2.fq | cmp - o2.fq
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --remove r1.fq r2.fq
    pick n il.fq | cmp - out
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --remove --interleaved il.fq
    pick n il.fq | cmp - out
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --keep --interleaved -o o3.fq --out2 o4.fq il.fq
    pick abc r1.fq | cmp - o3.fq
    pick abc r2.fq | cmp - o4.fq
}

@test "--split" {
    samples
    verdicts r1.fq >verdicts
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --split d/s r1.fq # it makes the directory
    out_is ''
    [ "$(ls d | tr '\n' ' ')" = 's.a.fq s.ambiguous.fq s.b.fq s.unmatched.fq ' ]
    pick a r1.fq | cmp - d/s.a.fq
    pick b r1.fq | cmp - d/s.b.fq
    pick c r1.fq | cmp - d/s.ambiguous.fq
    pick n r1.fq | cmp - d/s.unmatched.fq
    rm d/*
    verdicts r1.fq r2.fq >verdicts
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --split d/s -o table r1.fq r2.fq
    [ "$(ls d | wc -l)" -eq 8 ]
    for m in 1 2; do
        pick a r$m.fq | cmp - d/s.a_R$m.fq
        pick b r$m.fq | cmp - d/s.b_R$m.fq
        pick c r$m.fq | cmp - d/s.ambiguous_R$m.fq
        pick n r$m.fq | cmp - d/s.unmatched_R$m.fq
    done
    "$TAMIS" classify -f a.tms -f b.tms r1.fq r2.fq | cmp - table
    rm d/*
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --split d/ --interleaved il.fq
    [ "$(ls d | tr '\n' ' ')" = 'a.fq ambiguous.fq b.fq unmatched.fq ' ]
    pick a il.fq | cmp - d/a.fq
    pick n il.fq | cmp - d/unmatched.fq
    # FASTA, and both kinds of files as mates
    awk 'NR % 4 == 1 { print ">" substr($0, 2) } NR % 4 == 2' r2.fq >r2.fa
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --split d/t r1.fq r2.fa
    pick b r1.fq | cmp - d/t.b_R1.fq
    pick b r2.fq | awk 'NR % 4 == 1 { print ">" substr($0, 2) } NR % 4 == 2' | cmp - d/t.b_R2.fa
}

@test "compressed input and output" {
    samples
    need zstd
    verdicts r1.fq >verdicts
    pick a r1.fq >want
    gzip -n <r1.fq >r.gz
    zstd -q <r1.fq >r.zst
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --split x r.gz
    [ "$(ls x.* | tr '\n' ' ')" = 'x.a.fq.gz x.ambiguous.fq.gz x.b.fq.gz x.unmatched.fq.gz ' ]
    gzip -t x.*.gz
    gzip -dc x.a.fq.gz | cmp - want
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --split y r.zst
    zstd -q -t y.*.zst
    zstd -dc y.a.fq.zst | cmp - want
    for how in "none .fq cat" "gz .fq.gz gzip" "bgz .fq.gz gzip" "zst .fq.zst zstd"; do
        # shellcheck disable=SC2086
        set -- $how
        expect 0 "$TAMIS" classify -f a.tms -f b.tms --compress "$1" --split z r.gz
        if [ "$3" = cat ]; then cmp want z.a$2; else "$3" -dc <z.a$2 | cmp - want; fi
        rm z.*
    done
    # by the output's own name
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --keep -o k.fq.gz r1.fq
    gzip -dc k.fq.gz | cmp - <(pick abc r1.fq)
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --keep -o k.fq r.gz
    pick abc r1.fq | cmp - k.fq
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --keep --compress zst r.gz
    zstd -dc <out | cmp - k.fq
    expect 0 "$TAMIS" classify -f a.tms -f b.tms -o t.tsv.gz r.gz
    gzip -dc t.tsv.gz | cmp - <("$TAMIS" classify -f a.tms -f b.tms r1.fq)
    # what bgzip's index and others need: the mark of the end
    tail -c 28 x.b.fq.gz | od -An -tx1 | tr -d ' \n' | grep -qx 1f8b08040000000000ff0600424302001b0003000000000000000000
}

@test "input through a pipe, and by every compressor" {
    samples
    "$TAMIS" classify -f a.tms -f b.tms r1.fq >want
    for tool in cat gzip bgzip zstd xz bzip2; do
        command -v $tool >/dev/null || continue
        if [ $tool = cat ]; then cp r1.fq in; else $tool -c <r1.fq >in; fi
        "$TAMIS" classify -f a.tms -f b.tms in | cmp - want
        "$TAMIS" classify -f a.tms -f b.tms <in | cmp - want
        cat in | "$TAMIS" classify -f a.tms -f b.tms - | cmp - want
    done
    "$TAMIS" classify -f a.tms -f b.tms r1.fq r2.fq >want
    "$TAMIS" classify -f a.tms -f b.tms - r2.fq <r1.fq | cmp - want
    "$TAMIS" classify -f a.tms -f b.tms r1.fq - <r2.fq | cmp - want
}

@test "FASTA in lines, carriage returns, blanks and no end of the last line are kept" {
    samples
    seq=$(sed -n 2p a.fa)
    printf '>x 1\r\n%s\r\n\r\n%s  \r\n>n\r\nACGT\r\n>y\t2 \n%s' "${seq:0:70}" "${seq:70:20}" "${seq:100:50}" >in.fa
    expect 0 "$TAMIS" classify -f a.tms --keep in.fa
    printf '>x 1\r\n%s\r\n\r\n%s  \r\n>y\t2 \n%s\n' "${seq:0:70}" "${seq:70:20}" "${seq:100:50}" | cmp - out
    expect 0 "$TAMIS" classify -f a.tms --remove in.fa
    out_is '>n\r\nACGT\r\n'
    printf '>x\r%s\r%s\r>y\rACGT\r' "${seq:0:70}" "${seq:70:20}" >mac.fa
    expect 0 "$TAMIS" classify -f a.tms --keep mac.fa
    printf '>x\r%s\r%s\r' "${seq:0:70}" "${seq:70:20}" | cmp - out
    # two files that end without a line's end become one
    printf '@x/1\nAC\n+\nII' >m1.fq
    printf '@x/2\nACG\n+\nII@' >m2.fq
    expect 0 "$TAMIS" classify -f a.tms --remove m1.fq m2.fq
    out_is '@x/1\nAC\n+\nII\n@x/2\nACG\n+\nII@\n'
    # nor do records run together where a file of CR LF lost its last byte
    for kind in 'x/1\r\nAC\r\n>y/1\r\nAC' 'x/2\r\nACG\r\n>y/2'; do # of the second the header is the last line
        # shellcheck disable=SC2059
        printf ">$kind\r" >"m${kind:2:1}.fa"
    done
    expect 0 "$TAMIS" classify -f a.tms --remove m1.fa m2.fa
    out_is '>x/1\r\nAC\r\n>x/2\r\nACG\r\n>y/1\r\nAC\r\n>y/2\r\n'
    expect 0 "$TAMIS" classify -f a.tms --remove -o o1.fa -O o2.fa m1.fa m2.fa
    printf '\n' | cat m1.fa - | cmp - o1.fa
    printf '\n' | cat m2.fa - | cmp - o2.fa
    # letters that are none of ACGT are in no k-mer, and are written
    printf '@x\n%sN-*%s\n+\n%053d\n' "${seq:0:25}" "${seq:25:25}" 0 >odd.fq
    expect 0 "$TAMIS" classify -f a.tms odd.fq
    [ "$(tail -n 1 out | cut -f 2,5,6)" = "$(printf 'match\t20\t20')" ]
    expect 0 "$TAMIS" classify -f a.tms --keep odd.fq
    cmp odd.fq out
}

@test "a long read beside short ones" {
    samples
    awk 'BEGIN { srand(9); for (i = 0; i < 25000; i++) { s = ""; for (j = 0; j < 25; j++) s = s substr("ACGT", 1 + int(rand() * 4), 1); printf "%s", s } }' >once
    for _ in $(seq 16); do cat once; done >random
    { cat a.fa; printf '>long\n'; fold -w 80 random; printf '\n'; sed 's/>a/>again/' a.fa; } >in.fa
    [ "$(wc -c <in.fa)" -gt 10000000 ]
    expect 0 "$TAMIS" classify -f a.tms --split s -o table in.fa
    [ "$(cut -f 1,2 table | tr '\t\n' ' ,')" = 'id verdict,a match,long none,again match,' ]
    [ "$(sed -n 3p table | cut -f 6)" = 9999985 ]
    { cat a.fa; sed 's/>a/>again/' a.fa; } | cmp - s.a.fa
    { printf '>long\n'; fold -w 80 random; printf '\n'; } | cmp - s.unmatched.fa
    [ ! -s s.ambiguous.fa ]
    expect 0 "$TAMIS" classify -f a.tms --remove -o out.fa.gz in.fa
    gzip -dc out.fa.gz | cmp - s.unmatched.fa
}

# long_records MIB NAME...: FASTA, a record of so many letters for each name, all on one line: a name that begins with a has a.fa's sequence
# over and over again.
long_records() {
    local size=$1 name line
    shift
    for name in "$@"; do
        case $name in
        a*) line=$(sed -n 2p a.fa) ;;
        *) line=ACCTGTTGACAGTACCATTG ;;
        esac
        printf '>%s\n' "$name"
        yes "$line" | tr -d '\n' | head -c $((size << 20))
        printf '\n'
    done
}

@test "records that are too long for memory" {
    samples
    mkdir tmp
    export TMPDIR=$PWD/tmp
    { long_records 11 a1 n1; cat a.fa; long_records 10 n2 a2; } >in.fa
    expect 0 "$TAMIS" classify -f a.tms -o table --split s in.fa
    [ "$(cut -f 1,2 table | tr '\t\n' ' ,')" = 'id verdict,a1 match,n1 none,a match,n2 none,a2 match,' ]
    { long_records 11 a1; cat a.fa; long_records 10 a2; } | cmp - s.a.fa
    { long_records 11 n1; long_records 10 n2; } | cmp - s.unmatched.fa
    # mates: a long one and a short one, either first, in two files or in one
    { printf '>x/1\nACGT\n'; long_records 9 a/1 n/1; } >m1.fa
    { long_records 9 x/2; printf '>a/2\nAC\n>n/2\nA'; } >m2.fa
    { printf '>x/1\nACGT\n'; long_records 9 x/2 a/1; printf '>a/2\nAC\n'; long_records 9 n/1; printf '>n/2\nA'; } >il.fa
    expect 0 "$TAMIS" classify -f a.tms --remove -o o1.fa -O o2.fa m1.fa m2.fa
    { printf '>x/1\nACGT\n'; long_records 9 n/1; } | cmp - o1.fa
    { long_records 9 x/2; printf '>n/2\nA\n'; } | cmp - o2.fa
    expect 0 "$TAMIS" classify -f a.tms --keep --interleaved il.fa
    { long_records 9 a/1; printf '>a/2\nAC\n'; } | cmp - out
    [ -z "$(ls -A tmp)" ]
    # what is wrong with them
    sed 's/^>n.2/>other/' m2.fa >other.fa
    expect 2 "$TAMIS" classify -f a.tms --keep -o o m1.fa other.fa
    err_is "tamis classify: m1.fa: record 3 is 'n/1', but its mate, record 3 of other.fa, is 'other': their names must agree; --no-name-check does not compare them\n"
    { cat il.fa; printf '\n'; long_records 9 y/1; } >odd.fa
    expect 2 "$TAMIS" classify -f a.tms --keep -o o --interleaved odd.fa
    err_is "tamis classify: odd.fa: the last read, record 7, has no mate\n"
    { printf '@x\n'; head -c 9000000 /dev/zero | tr '\0' A; printf '\n+\n'; head -c 8999999 /dev/zero | tr '\0' I; } >cut.fq
    expect 2 "$TAMIS" classify -f a.tms --keep -o o cut.fq
    err_is 'tamis classify: cut.fq:4: the sequence has 9000000 characters, but its quality has only 8999999\n'
    export TMPDIR=$PWD/nowhere
    expect 6 "$TAMIS" classify -f a.tms --remove -o o in.fa
    err_is "tamis classify: $TMPDIR: a temporary file for a long record cannot be created: No such file or directory; TMPDIR may name another directory\n"
    expect 0 "$TAMIS" classify -f a.tms -o table2 in.fa
    cmp table table2
    [ ! -e o ]
}

@test "memory does not depend on the lengths of records" {
    (ulimit -v 4000000; "$TAMIS" --version >/dev/null 2>&1) || skip "a sanitizer takes terabytes of addresses, and much memory"
    need python3
    samples
    mkdir tmp
    export TMPDIR=$PWD/tmp
    mkfifo p1 p2
    long_records 40 n1 a2 n3 >p1 &
    long_records 36 n1 a2 n3 >p2 &
    cat >peak.py <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
END
    expect 0 python3 peak.py "$TAMIS" classify -f a.tms --remove -o o1.fa -O o2.fa p1 p2
    wait
    long_records 40 n1 n3 | cmp - o1.fa
    long_records 36 n1 n3 | cmp - o2.fa
    [ "$(cat out)" -lt 180 ] # MiB; it takes 100. Whole, the mates at hand and those that are read would be 300 and more
    [ -z "$(ls -A tmp)" ]
}

@test "filters so full that no read can match are an error, not an answer" {
    awk 'BEGIN { srand(3); for (i = 0; i < 20000; i++) s = s substr("ACGT", 1 + int(rand() * 4), 1); print ">r\n" s
         for (i = 0; i < 50; i++) print ">r" i "\n" substr(s, 1 + 300 * i, 150) > "r.fa"
         print ">short\n" substr(s, 1, 33) > "r2.fa"; print ">long\n" substr(s, 1, 150) > "r2.fa"; print ">none\nACGT" > "r2.fa" }' >l.fa
    "$TAMIS" build -q --kmer 31 --expected 100 -o full.tms l.fa
    expect 2 "$TAMIS" classify -q -f full.tms --remove -o clean.fa r.fa
    err_has 'tamis classify: no read can match: random k-mers are hits in full.tms at a rate of 1, so all 120 k-mers of a read could be hits by chance (--max-false): build the filter with a lower --fpr, or longer k-mers; or give --min-hits'
    [ ! -e clean.fa ]
    expect 0 "$TAMIS" classify -q -f full.tms --remove --min-hits 100 -o clean.fa r.fa
    [ ! -s clean.fa ]
    # of which 1 in 1: all random reads match, and the total is no -0
    expect 0 "$TAMIS" classify -f full.tms --min-hits 1 --summary - r.fa
    [ "$(cut -f 4 out | sed -n '2p;5p' | tr '\n' ' ')" = '1e+06 1e+06 ' ]
    "$TAMIS" build -q --kmer 31 -o good.tms l.fa
    expect 2 "$TAMIS" classify -f good.tms --min-hits 150 r.fa
    err_has 'tamis classify: no read can match: --min-hits is 150, and no read has more than 120 k-mers'
    # a filter of a fifth still does for reads of 150; of shorter ones it is said
    "$TAMIS" build -q --kmer 31 --fpr 0.2 -o f.tms l.fa
    expect 0 "$TAMIS" classify -q -f f.tms --summary - r.fa
    [ "$(sed -n 2p out | cut -f 2)" -eq 50 ]
    expect 0 "$TAMIS" classify -f f.tms --summary - r2.fa
    [ "$(sed -n 2p out | cut -f 2)" -eq 1 ]
    err_has 'tamis classify: 1 of 3 reads are too short to match: all of their k-mers could be hits by chance (--max-false, --min-hits)'
}

@test "--summary and --json" {
    samples
    verdicts r1.fq r2.fq >verdicts
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --summary s.tsv --json x_mqc.json r1.fq r2.fq
    out_is ''
    err_is ''
    awk -F'\t' '{ n[$2]++ } END {
        printf "reference\tpairs\tfraction\n"
        printf "a\t%d\t%.6f\nb\t%d\t%.6f\n", n["a"], n["a"] / NR, n["b"], n["b"] / NR
        printf "unmatched\t%d\t%.6f\nambiguous\t%d\t%.6f\ntotal\t%d\t1.000000\n", n["n"], n["n"] / NR, n["c"], n["c"] / NR, NR }' verdicts >want
    cut -f 1-3 s.tsv | cmp - want
    [ "$(cut -f 4 s.tsv | sed -n '1p;4,5p' | tr '\n' ' ')" = 'chance_per_million - - ' ]
    [ "$(cut -f 4 s.tsv | sed -n '2,3p;6p' | grep -Ecx '[0-9.e+-]+')" -eq 3 ]
    need python3
    python3 - <<'END'
import csv, json
report = json.load(open("x_mqc.json"))
rows = {row["reference"]: row for row in csv.DictReader(open("s.tsv"), delimiter="\t")}
assert report["id"] == "tamis_classify" and report["plot_type"] == "bargraph" and report["pconfig"]["ylab"] == "Pairs"
assert report["data"] == {"r1": {name: int(rows[name]["pairs"]) for name in ("a", "b", "ambiguous", "unmatched")}}
assert list(report["data"]["r1"]) == ["a", "b", "ambiguous", "unmatched"]
assert report["tamis"]["pairs"] == 60 and report["tamis"]["kmer"] == 16 and report["tamis"]["rule"] == "default"
assert [r["name"] for r in report["tamis"]["references"]] == ["a", "b"]
END
    # beside what is written of reads, and alone on standard output
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --summary s2.tsv --keep -o k.fq r1.fq
    [ -s k.fq ]
    [ "$(head -n 1 s2.tsv | cut -f 2)" = reads ]
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --summary - r1.fq
    cmp out s2.tsv
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --json - --sample one r1.fq
    grep -q '^    "one": {$' out
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --json - <r1.fq
    grep -q '^    "stdin": {$' out
    cp b.tms "$(printf '\344b.tms')"
    expect 0 "$TAMIS" classify -f a.tms -f "$(printf '\344b.tms')" --json - --sample "$(printf 'x\377')" r1.fq
    grep -q '^    "x?": {$' out
    grep -q '^      "?b": ' out
    expect 0 "$TAMIS" classify -f a.tms --json report.json r1.fq
    err_is 'tamis classify: report.json: MultiQC looks for files whose names end in _mqc.json\n'
}

@test "empty input gives every output, empty" {
    samples 1
    : >e.fq
    gzip -n <e.fq >e.fa.gz
    printf '\n\n' >blank
    for in in e.fq blank /dev/null; do
        expect 0 "$TAMIS" classify -f a.tms --keep -o k.fq --force --summary s.tsv $in
        [ -f k.fq ] && [ ! -s k.fq ]
        [ "$(cut -f 1-3 s.tsv | sed 1d | tr '\t\n' ' ,')" = 'a 0 0.000000,unmatched 0 0.000000,ambiguous 0 0.000000,total 0 0.000000,' ]
        rm s.tsv
    done
    expect 0 "$TAMIS" classify -f a.tms e.fq
    out_is 'id\tverdict\treference\tscore\thits\tk_mers\ta\n'
    expect 0 "$TAMIS" classify -f a.tms --split x e.fq e.fa.gz
    [ "$(ls x.* | tr '\n' ' ')" = 'x.a_R1.fq x.a_R2.fa.gz x.ambiguous_R1.fq x.ambiguous_R2.fa.gz x.unmatched_R1.fq x.unmatched_R2.fa.gz ' ]
    gzip -t x.*.gz
    [ "$(cat x.*.fq | wc -c)" -eq 0 ]
    [ "$(gzip -dc x.*.gz | wc -c)" -eq 0 ]
    expect 0 "$TAMIS" classify -f a.tms --keep -o k.zst --interleaved e.fq
    ! command -v zstd >/dev/null || [ "$(zstd -dc k.zst | wc -c)" -eq 0 ]
    printf '@a\nACG\n+\nIII\n' >short.fq
    expect 0 "$TAMIS" classify -f a.tms short.fq
    err_is 'tamis classify: nothing can match, because no read has 16 consecutive bases A, C, G or T\n'
}

# fails MESSAGE OPTION...: exit code 2, the message, and no output.
fails() {
    local message=$1
    shift
    mkdir -p o
    expect 2 "$TAMIS" classify -f a.tms --split o/s --summary o/t "$@"
    out_is ''
    err_is "tamis classify: $message\n"
    [ -z "$(ls -A o)" ]
}

@test "input that is damaged or no pairs: nothing is written" {
    samples
    head -c 1000 r1.fq >cut.fq
    n=$(wc -l <cut.fq)
    expect 2 "$TAMIS" classify -f a.tms cut.fq
    grep -Eq "^tamis classify: cut.fq:$((n + 1)): the (file ends before the record's quality|sequence has )" err || {
        cat err
        return 1
    }
    printf '@a\nACGT\n+\nII\n' >q.fq
    fails "q.fq:4: the sequence has 4 characters, but its quality has only 2" q.fq
    head -n 8 r1.fq >two.fq
    fails "two.fq: ends after 2 records, but r2.fq has more: each read needs its mate" two.fq r2.fq
    fails "two.fq: ends after 2 records, but r1.fq has more: each read needs its mate" r1.fq two.fq
    : >e.fq
    fails "e.fq: ends after 0 records, but r1.fq has more: each read needs its mate" r1.fq e.fq
    head -n 12 il.fq >odd.fq
    fails "odd.fq: the last read, record 3, has no mate" --interleaved odd.fq
    head -n 4 il.fq >odd.fq
    fails "odd.fq: the last read, record 1, has no mate" --interleaved odd.fq
    { head -n 8 il.fq; printf '@x/1\nAC\n'; } >odd.fq
    fails "odd.fq:10: the file ends before the record's quality" --interleaved odd.fq
    sed '9s/.*/@other\/2 x/' r2.fq >other.fq
    name=$(sed -n '9s/ .*//;9s/^@//p' r1.fq)
    fails "r1.fq: record 3 is '$name', but its mate, record 3 of other.fq, is 'other/2': their names must agree; --no-name-check does not compare them" r1.fq other.fq
    sed '5s/.*/@other/' il.fq >other.fq
    name=$(sed -n '1s/ .*//;1s/^@//p' il.fq)
    fails "other.fq: record 1 is '$name', but its mate, record 2 of other.fq, is 'other': their names must agree; --no-name-check does not compare them" --interleaved other.fq
    fails "a.tms: a tamis filter, not FASTA or FASTQ" a.tms
    fails "nowhere: No such file or directory" nowhere
    gzip -n <r1.fq | head -c 500 >cut.gz
    expect 2 "$TAMIS" classify -f a.tms --split o/s cut.gz
    [ -z "$(ls -A o)" ]
    # names that agree up to the mate's number, or up to the first blank
    printf '@x/1\nAC\n+\nII\n@y 1:N\nA\n+\nI\n@z/2\nA\n+\nI\n' >m1.fq
    printf '@x/2\nAC\n+\nII\n@y 2:N\nA\n+\nI\n@z/1\nA\n+\nI\n' >m2.fq
    expect 0 "$TAMIS" classify -q -f a.tms m1.fq m2.fq
    [ "$(cut -f 1 out | tr '\n' ,)" = id,x,y,z, ]
}

@test "filters that do not do" {
    samples
    expect 2 "$TAMIS" classify r1.fq
    err_has 'which references?'
    expect 3 "$TAMIS" classify -f nowhere.tms r1.fq
    err_is 'tamis classify: nowhere.tms: No such file or directory\n'
    expect 3 "$TAMIS" classify -f r1.fq r1.fq
    build lines.tms 'x\ny\n'
    expect 2 "$TAMIS" classify -f a.tms -f lines.tms r1.fq
    err_is "tamis classify: lines.tms: a filter of lines (layout blocked), not of a reference: 'tamis build --kmer' makes filters of references\n"
    mkdir d
    cp a.tms d
    expect 2 "$TAMIS" classify -f a.tms -f d/a.tms r1.fq
    err_is "tamis classify: a.tms and d/a.tms: two references would have the name 'a': give one of the files another name\n"
    cp a.tms unmatched.tms
    expect 2 "$TAMIS" classify -f unmatched.tms r1.fq
    err_is "tamis classify: unmatched.tms: 'unmatched' cannot be a reference's name, because reports have a line of this name: give the filter's file another name\n"
    # of 16 letters, as tamis made it when it still wrote filters without a k-mer
    base64 -d >n.tms <<'EOF'
VEFNSVNGTFQBAAAAgAAAAAQAAAABAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAACAAAAAAAAAAgAAAAAAAAAJ3JcZAcJ1egAAAAAAAAAAAAAAAAAAAAABAAAAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1LY5ReWlIwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
EOF
    expect 2 "$TAMIS" classify -f a.tms -f n.tms r1.fq
    err_is 'tamis classify: n.tms: has no k-mers, so no read can match: what was it built from?\n'
    "$TAMIS" build -q --kmer 17 -o w.tms b.fa
    expect 2 "$TAMIS" classify -f a.tms -f w.tms r1.fq
    err_is 'tamis classify: a.tms has k-mers of 16 bases, but w.tms of 17: all references of a run must have the same size\n'
    "$TAMIS" build -q --kmer 16 --stranded -o s.tms b.fa
    expect 2 "$TAMIS" classify -f s.tms -f a.tms r1.fq
    err_is 'tamis classify: a.tms has both strands, but s.tms one (--stranded): all references of a run must have the same strands\n'
    expect 2 "$TAMIS" classify -f a.tms -f s.tms r1.fq
    err_is 'tamis classify: a.tms has both strands, but s.tms one (--stranded): all references of a run must have the same strands\n'
}

# usage MESSAGE OPTION...: exit code 2, the message, and that there is help.
usage() {
    local message=$1
    shift
    expect 2 "$TAMIS" classify -f a.tms "$@"
    out_is ''
    err_is "tamis classify: $message\nTry 'tamis classify --help'.\n"
}

@test "options that do not go together" {
    samples 1
    why='one run writes either the reads that match, or those that do not, or all'
    expect 2 "$TAMIS" classify -f a.tms --keep --remove r1.fq
    err_has "$why"
    expect 2 "$TAMIS" classify -f a.tms --keep --split x r1.fq
    err_has "$why"
    expect 2 "$TAMIS" classify -f a.tms --split x --remove r1.fq
    err_has "$why"
    expect 2 "$TAMIS" classify -f a.tms -o x -O y r1.fq r2.fq
    err_has '-O is for the second mates of reads'
    expect 2 "$TAMIS" classify -f a.tms --sample x r1.fq
    err_has '--sample names the bar of --json'
    expect 2 "$TAMIS" classify -f a.tms --min-hits 2 --max-false 2 r1.fq
    err_has 'both set how many k-mers a match needs'
    usage '-O is for the second mates of pairs, but there is one file: give two, or --interleaved' --keep -o x -O y r1.fq
    usage '-O names a file for the second mates: give -o, for the first mates, too' --keep -O y r1.fq r2.fq
    usage "3 files: give one, or two with the mates of pairs; -1 and -2 take lists of files" r1.fq r1.fq r2.fq
    usage '--interleaved means that one file has both mates, but there are two files' --interleaved r1.fq r2.fq
    usage 'r1.fq: is given twice; the second file must contain the mates' r1.fq r1.fq
    usage '--min-hits is an option of --rule default' --rule facs --min-hits 3 r1.fq
    usage '--max-false is an option of --rule default' --rule facs-perl --max-false 3 r1.fq
    usage "-t takes a number above 0 and up to 1, such as 0.4, not '2'" -t 2 r1.fq
    usage "--rule takes 'default', 'facs' or 'facs-perl', not 'x'" --rule x r1.fq
    for device in auto cpu; do expect 0 "$TAMIS" classify -q -f a.tms --device $device r1.fq; done
    set --
    for i in $(seq 65); do set -- "$@" -f "f$i.tms"; done
    expect 2 "$TAMIS" classify "$@" r1.fq
    err_has '65 references: one run takes 64 at most'
}

@test "outputs that would destroy something" {
    samples
    cp r1.fq before
    for how in "--keep -o r1.fq" "-o r1.fq" "--summary r1.fq" "--json ./r1.fq" "--keep -o r1.fq --force"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" classify -f a.tms $how r1.fq
        err_has 'the output would replace the input r1.fq: give it another name'
    done
    cmp r1.fq before
    expect 2 "$TAMIS" classify -f a.tms --keep -o a.tms --force r1.fq
    err_has 'the output would replace the input a.tms: give it another name'
    printf 'mine\n' >x.fq
    expect 2 "$TAMIS" classify -f a.tms --keep -o x.fq r1.fq
    err_is 'tamis classify: x.fq: already exists and is not empty: --force replaces it\n'
    expect 2 "$TAMIS" classify -f a.tms --split x r1.fq --compress none -o x.a.fq
    err_is 'tamis classify: x.a.fq: two outputs have this name: give each its own\n'
    expect 2 "$TAMIS" classify -f a.tms --keep -o y --summary ./y r1.fq
    err_is 'tamis classify: ./y: two outputs have this name: give each its own\n'
    expect 2 "$TAMIS" classify -f a.tms --keep --summary - r1.fq
    err_is 'tamis classify: standard output: two outputs have this name: give each its own\n'
    [ "$(cat x.fq)" = mine ]
    [ "$(ls -A | grep -c '^[xy.]')" -eq 1 ]
    expect 0 "$TAMIS" classify -f a.tms --keep -o x.fq --force r1.fq
    "$TAMIS" classify -f a.tms --keep r1.fq | cmp - x.fq
}

@test "outputs that cannot be written: none appears" {
    [ -c /dev/full ] || skip "no /dev/full"
    samples
    expect 6 "$TAMIS" classify -f a.tms --summary s --keep -o /dev/full r1.fq
    err_is 'tamis classify: /dev/full: cannot be written: No space left on device\n'
    got=0
    "$TAMIS" classify -f a.tms --summary s r1.fq -o - >/dev/full 2>err || got=$?
    [ "$got" -eq 6 ]
    err_is 'tamis classify: standard output: cannot be written: No space left on device\n'
    expect 6 "$TAMIS" classify -f a.tms --summary s --split r1.fq/no/x r1.fq
    err_is 'tamis classify: r1.fq/no: cannot be created: Not a directory\n'
    [ ! -e s ]
    for i in $(seq 40); do cat r1.fq; done >many.fq
    for i in $(seq 40); do cat many.fq; done >in.fq
    mkdir d
    expect 6 bash -c 'ulimit -f 100; exec "$TAMIS" classify -q -f a.tms --split d/x --compress none --summary d/s in.fq'
    [ -z "$(ls -A d)" ]
    # the reader of a pipe goes away
    "$TAMIS" classify -f a.tms in.fq 2>err | head -n 1 >out; code=${PIPESTATUS[0]}
    [ "$code" -eq 141 ]
    err_is ''
}

@test "a run that is killed leaves nothing" {
    samples
    for i in $(seq 40); do cat r1.fq; done >many.fq
    mkdir d
    for signal in INT TERM HUP; do
        mkfifo pipe
        env --default-signal=INT "$TAMIS" classify -q -f a.tms --split d/x --summary d/s pipe &
        pid=$!
        exec 7>pipe
        for i in $(seq 40); do cat many.fq; done >&7
        kill -"$signal" "$pid"
        got=0
        wait "$pid" || got=$?
        exec 7>&-
        [ "$got" -gt 128 ]
        [ -z "$(ls -A d)" ]
        rm pipe
    done
}

@test "same answers for any threads, whatever the input is cut into" {
    samples 200
    for m in 1 2; do
        for i in $(seq 30); do sed "1~4s/^@\(.*\)\/$m/@\1_$i\/$m/" r$m.fq; done >m$m.fq
        for i in 1 2 3 4 5 6; do cat m$m.fq; done >l$m.fq
        gzip -n <l$m.fq >l$m.fq.gz
    done
    mkdir one
    "$TAMIS" classify --threads 1 -f a.tms -f b.tms --split one/x --summary one/s -o one/t l1.fq.gz l2.fq.gz
    for threads in 2 5; do
        mkdir -p more
        "$TAMIS" classify --threads $threads -f a.tms -f b.tms --split more/x --summary more/s -o more/t l1.fq.gz l2.fq.gz
        diff -r one more
        rm -r more
    done
    # the parts, in the order of the input, are the whole
    for m in 1 2; do
        cut -f 1 one/t | sed 1d | cmp - <(sed -n '1~4s/^@\([^/]*\).*/\1/p' l$m.fq)
        gzip -dc one/x.*_R$m.fq.gz | sort | cmp - <(sort l$m.fq)
    done
    awk -F'\t' -v OFS='\t' 'NR > 1 { print $1, $2 == "none" ? "n" : $2 == "ambiguous" ? "c" : $3 }' one/t | sort -u | cmp - <(verdicts m1.fq m2.fq | sort)
    gzip -dc one/x.a_R2.fq.gz | cmp - <(awk -F'\t' 'NR == FNR { if ($2 == "match" && $3 == "a") wanted[$1]; next }
        FNR % 4 == 1 { id = substr($1, 2); sub("/.*", "", id); p = id in wanted } p' one/t FS=' ' l2.fq)
}

@test "SAM, VCF and BAM are named as what they are" {
    printf '>a\nACGTTGCATGCATTTGACCATGACTTACGTACGATCGATCGAT\n' >a.fa
    "$TAMIS" build -q --kmer 16 -o a.tms a.fa
    printf '@HD\tVN:1.6\n' >a.sam
    printf '##fileformat=VCFv4.2\n' >a.vcf
    printf 'BAM\1\0\0\0\0' >a.bam
    expect 2 "$TAMIS" classify -f a.tms a.sam
    err_is "tamis classify: a.sam: a SAM file, not FASTA or FASTQ; try 'samtools fastq'\n"
    expect 2 "$TAMIS" classify -f a.tms a.vcf
    err_is "tamis classify: a.vcf: a VCF file, not FASTA or FASTQ\n"
    expect 2 "$TAMIS" classify -f a.tms a.bam
    err_is "tamis classify: a.bam: a BAM file, not FASTA or FASTQ; try 'samtools fastq'\n"
}

# named MARK FILE: its reads r1, r2, ... with MARK and the mate's number behind: mates' names of a kind.
named() {
    awk -v mark="$1" 'NR % 4 == 1 { sub("/", mark) } 1' "$2"
}

@test "mates are known by numbers of any kind, and no others are taken for mates" {
    samples
    "$TAMIS" classify -q -f a.tms -f b.tms r1.fq r2.fq >want
    for mark in . _ :; do
        for m in 1 2; do named "$mark" r$m.fq >n$m.fq; done
        named "$mark" il.fq >nil.fq
        expect 0 "$TAMIS" classify -q -f a.tms -f b.tms n1.fq n2.fq
        cmp out want
        expect 0 "$TAMIS" classify -q -f a.tms -f b.tms --interleaved nil.fq
        cmp out want
        # of the first pair on, or not at all; and always the same
        sed '5,$s/^\(@[^ ]*\)[.:_]\([12]\) /\1\/\2 /' n2.fq >mixed.fq
        expect 2 "$TAMIS" classify -q -f a.tms n1.fq mixed.fq
        { printf '@x\nA\n+\nI\n'; cat n1.fq; } >later1.fq
        { printf '@x\nA\n+\nI\n'; cat n2.fq; } >later2.fq
        expect 2 "$TAMIS" classify -q -f a.tms later1.fq later2.fq
        err_has 'record 2 is '
        expect 0 "$TAMIS" classify -q --no-name-check -f a.tms later1.fq later2.fq
    done
    # numbers of reads are none of mates
    for i in 1 2 3 4; do printf '@SRR1.%d\nACGT\n+\nIIII\n' $i; done >s1.fq
    sed 1,4d s1.fq >s2.fq
    sed -i '13,$d' s1.fq
    expect 2 "$TAMIS" classify -q -f a.tms s1.fq s2.fq
    err_is "tamis classify: s1.fq: record 2 is 'SRR1.2', but its mate, record 2 of s2.fq, is 'SRR1.3': their names must agree; --no-name-check does not compare them\n"
    for pair in 'x.1 x.1x' 'x.1 x.3' 'x.1 y.2' 'x-1 x-2' 'x.1 x_2' 'x1 x2' '.1 2'; do
        printf '@%s\nA\n+\nI\n' "${pair% *}" >p1.fq
        printf '@%s\nA\n+\nI\n' "${pair#* }" >p2.fq
        expect 2 "$TAMIS" classify -q -f a.tms p1.fq p2.fq
        expect 0 "$TAMIS" classify -q -f a.tms --no-name-check p1.fq p2.fq
    done
    usage '--no-name-check is for the names of mates, but there is one file: give two, or --interleaved' --no-name-check r1.fq
    # a link, or another name, is the same file
    ln -s r1.fq link.fq
    usage 'r1.fq and link.fq are the same file; the second file must contain the mates' r1.fq link.fq
    usage 'r1.fq and ././r1.fq are the same file; the second file must contain the mates' r1.fq ././r1.fq
    usage 'r1.fq and link.fq are the same file; each lane must have its own files' -1 r1.fq,r2.fq,link.fq
}

@test "lanes: files in a row are as one" {
    samples 200
    n=240
    until sed -n ${n}p r1.fq | grep -q . && sed -n ${n}p r2.fq | grep -q .; do n=$((n - 4)); done
    for m in 1 2; do
        "$TAMIS" classify -q -f a.tms --keep r$m.fq >all$m.fq
        head -n $n r$m.fq | head -c -1 >l1_$m.fq # the last line has no end
        sed -n "$((n + 1)),400p" r$m.fq | gzip -n >l2_$m.fq.gz
        sed 1,400d r$m.fq >l4_$m.fq
        : >l3_$m.fq
    done
    expect 0 "$TAMIS" classify -q -f a.tms --keep -1 l1_1.fq,l2_1.fq.gz -1 l3_1.fq,l4_1.fq
    cmp out all1.fq
    mkdir w
    "$TAMIS" classify -q -f a.tms -f b.tms --split w/x --summary w/s -o w/t r1.fq r2.fq
    for threads in 1 3; do
        mkdir g
        expect 0 "$TAMIS" classify -q -f a.tms -f b.tms --threads $threads --split g/x --summary g/s -o g/t \
            -1 l1_1.fq,l2_1.fq.gz,l3_1.fq,l4_1.fq -2 l1_2.fq,l2_2.fq.gz,l3_2.fq,l4_2.fq
        diff -r w g
        rm -r g
    done
    # pairs end with their files, whatever the names
    expect 2 "$TAMIS" classify -q -f a.tms --no-name-check -1 l1_1.fq,l4_1.fq -2 l4_2.fq,l1_2.fq
    err_is "tamis classify: l1_1.fq: ends after $((n / 4)) records, but l4_2.fq has more: each read needs its mate\n"
    sed 's/^@\([^ ]*\) /@x\1 /' l4_2.fq >other.fq
    expect 2 "$TAMIS" classify -q -f a.tms -1 l1_1.fq,l4_1.fq -2 l1_2.fq,other.fq
    err_has 'l4_1.fq: record 1 is '
    expect 2 "$TAMIS" classify -q -f a.tms --keep -1 l1_1.fq,a.fa
    err_is 'tamis classify: a.fa: is FASTA, and the files before it are FASTQ: all lanes of a run must have the same format\n'
    expect 2 "$TAMIS" classify -q -f a.tms --keep -o r2.fq --force -1 r1.fq,r2.fq
    err_has 'the output would replace the input r2.fq'
    usage '-1 has 2 files, but -2 has 1: each file needs the one with its mates' -1 r1.fq,r2.fq -2 l1_1.fq
    usage "-1 'r1.fq,': a file without a name" -1 r1.fq,
    usage 'r2.fq: give files of reads either as operands or with -1 and -2, not both' -1 r1.fq r2.fq
    usage 'r1.fq: is given twice; each lane must have its own files' -1 r1.fq,r1.fq
}

@test "FASTA as a reference: a filter is made in memory" {
    samples
    gzip -n <b.fa >b.fa.gz
    "$TAMIS" classify -q -f a.tms -f b.tms r1.fq >want
    expect 0 "$TAMIS" classify -f a.tms -f b.fa.gz r1.fq # k-mers as of the filter beside it
    cmp out want
    sed 's/[0-9.]* s;/N s;/' err >said
    printf "tamis classify: b.fa.gz: FASTA, from which a filter was built in memory: 3485 k-mers of 16 bases, both strands, N s; 'tamis build --kmer' keeps one\n" | cmp - said
    expect 0 "$TAMIS" classify -q --kmer 16 -f a.fa -f b.fa r1.fq
    err_is ''
    cmp out want
    "$TAMIS" build -q --kmer 31 -o c.tms a.fa
    "$TAMIS" classify -q -f c.tms r1.fq | sed '1s/\tc$/\ta/;s/\tc\t/\ta\t/' >want
    expect 0 "$TAMIS" classify -q -f a.fa r1.fq
    cmp out want
    "$TAMIS" build -q --kmer 20 --stranded -o s.tms b.fa
    "$TAMIS" build -q --kmer 20 --stranded -o d.tms a.fa
    "$TAMIS" classify -q -f d.tms -f s.tms r1.fq | sed '1s/\td\t/\ta\t/;s/\td\t/\ta\t/;s/\td,/\ta,/' >want
    expect 0 "$TAMIS" classify -q -f a.fa -f s.tms r1.fq
    cmp out want
    # what goes wrong
    expect 2 "$TAMIS" classify -f a.tms --kmer 31 -f b.fa r1.fq
    err_has 'a.tms has k-mers of 16 bases, but b.fa of 31: all references of a run must have the same size'
    printf '>p\nMKVLLQWERTYIPASDFGHKLMKVLLQWERTYIPASDFGHKL\n' >prot.fa
    expect 2 "$TAMIS" classify -f prot.fa r1.fq
    err_is 'tamis classify: prot.fa: no k-mers: no record has 31 consecutive bases A, C, G or T; are these proteins?\n'
    expect 2 "$TAMIS" classify -f a.fa --keep -o a.fa --force r1.fq
    err_has 'the output would replace the input a.fa: give it another name'
    expect 3 "$TAMIS" classify -f r2.fq r1.fq # FASTQ is none
    cp a.tms "$(printf 'tab\tname.tms')"
    expect 2 "$TAMIS" classify -f "$(printf 'tab\tname.tms')" r1.fq
    err_is "tamis classify: a reference is named after its file, and the name of file 1 of -f has byte 0x09, which would break the table: give it another name\n"
}

@test "at the end it is said how many were kept, and removed" {
    samples
    verdicts r1.fq >verdicts
    n=$(cut -f 2 verdicts | grep -vc n)
    percent() { awk -v n="$1" -v of="$2" 'BEGIN { printf "%.1f %%%%", 100 * n / of }'; }
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --keep r1.fq
    err_is "tamis classify: kept $n of 60 reads, removed $((60 - n)) ($(percent $((60 - n)) 60))\n"
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --remove r1.fq
    err_is "tamis classify: kept $((60 - n)) of 60 reads, removed $n ($(percent "$n" 60))\n"
    expect 0 "$TAMIS" classify -q -f a.tms -f b.tms --remove r1.fq
    err_is ''
    verdicts r1.fq r2.fq >verdicts
    m=$(cut -f 2 verdicts | grep -c c) n=$(cut -f 2 verdicts | grep -c '[ab]')
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --split s r1.fq r2.fq
    err_is "tamis classify: split 60 pairs: $n ($(percent "$n" 60)) of 2 references, $m ($(percent "$m" 60)) ambiguous, $((60 - n - m)) ($(percent $((60 - n - m)) 60)) unmatched\n"
    expect 0 "$TAMIS" classify -f a.tms r1.fq
    err_is ''
    expect 0 "$TAMIS" classify -f a.tms --keep /dev/null
    err_is 'tamis classify: kept 0 of 0 reads, removed 0 (0.0 %%)\n'
    usage "--split '': the names of the files begin with this; './' puts them into this directory" --split '' r1.fq
}

@test "samples are called as MultiQC's other modules call them" {
    samples 1
    sample() { # of files...: name
        want=$1
        shift
        for f in "$@"; do
            case $f in *2*) cp r2.fq "$f" ;; *) cp r1.fq "$f" ;; esac
        done
        [ "$#" -lt 4 ] || set -- -1 "$1,$2" -2 "$3,$4"
        expect 0 "$TAMIS" classify -q --no-name-check -f a.tms --json - "$@" || expect 0 "$TAMIS" classify -q -f a.tms --json - "$@"
        [ "$(sed -n '/"data"/{n;s/^ *"\(.*\)": {$/\1/p}' out)" = "$want" ]
    }
    sample x x_1.fastq x_2.fastq
    sample x x_R1.fq x_R2.fq
    sample x.y x.y.R1.fq x.y.R2.fq
    sample x_S1_L001 x_S1_L001_R1_001.fastq x_S1_L001_R2_001.fastq
    sample x_S1 x_S1_L001_R1_001.fastq x_S1_L002_R1_001.fastq x_S1_L001_R2_001.fastq x_S1_L002_R2_001.fastq
    sample x_R1 x_R1.fq # no pair
    sample x_1 x_1.fq y_2.fq
}

@test "--kreport: as Kraken 2 reports" {
    samples
    expect 0 "$TAMIS" classify -f a.tms -f b.tms --kreport k --summary s.tsv r1.fq r2.fq
    out_is ''
    awk -F'\t' 'NR > 1 { n[$1] = $2 }
        function line(clade, own, rest) { printf "%6.2f\t%d\t%d\t%s\n", 100 * clade / n["total"], clade, own, rest }
        END { line(n["unmatched"], n["unmatched"], "U\t0\tunclassified")
              line(n["total"] - n["unmatched"], n["ambiguous"], "R\t1\troot")
              line(n["a"], n["a"], "S\t2026002220\t  a")
              line(n["b"], n["b"], "S\t2076335077\t  b") }' s.tsv | cmp - k
    expect 0 "$TAMIS" classify -f b.tms --kreport - r1.fq # the same number in any run
    [ "$(sed -n 3p out | cut -f 4-)" = "$(sed -n 4p k | cut -f 4-)" ]
    expect 0 "$TAMIS" classify -f b.tms --kreport - /dev/null
    out_is '  0.00\t0\t0\tU\t0\tunclassified\n  0.00\t0\t0\tR\t1\troot\n  0.00\t0\t0\tS\t2076335077\t  b\n'
}
