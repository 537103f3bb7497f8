# tamis seeds: all exact matches of w bases, against a search in awk.
load common

# brute QUERY SUBJECT W [STRAND]: the seeds of two FASTA files, by the definition.
brute() {
    awk -v w="$3" -v strand="${4:-both}" '
        function complement(word,    i, out) {
            for (i = length(word); i >= 1; i--) out = out substr("TGCA", index("ACGT", substr(word, i, 1)), 1)
            return out
        }
        FNR == 1 { file++ }
        /^>/ { n[file]++; name[file, n[file]] = substr($1, 2); next }
        { seq[file, n[file]] = seq[file, n[file]] toupper($0) }
        END {
            for (r = 1; r <= n[1]; r++)
                for (i = 1; i + w - 1 <= length(seq[1, r]); i++) {
                    word = substr(seq[1, r], i, w)
                    if (word ~ /[^ACGT]/) continue
                    if (strand != "minus") places[word] = places[word] ";" name[1, r] "\t" i "\tplus"
                    if (strand != "plus") { word = complement(word); places[word] = places[word] ";" name[1, r] "\t" i "\tminus" }
                }
            for (r = 1; r <= n[2]; r++)
                for (i = 1; i + w - 1 <= length(seq[2, r]); i++) {
                    m = split(places[substr(seq[2, r], i, w)], place, ";")
                    for (j = 2; j <= m; j++) {
                        split(place[j], part, "\t")
                        print part[1] "\t" part[2] "\t" name[2, r] "\t" i "\t" part[3]
                    }
                }
        }' "$1" "$2"
}

# genome SEED N PREFIX: N records of related sequences: all are pieces of a few blocks, some reversed, with N and lower case inside.
genome() {
    awk -v x="$1" -v n="$2" -v prefix="$3" '
        function random(m) { x = (x * 16807) % 2147483647; return int(x / 2147483647 * m) }
        function complement(word,    i, out) {
            for (i = length(word); i >= 1; i--) out = out substr("TGCA", index("ACGT", substr(word, i, 1)), 1)
            return out
        }
        BEGIN {
            keep = x; x = 1 # the blocks are the same for every seed
            for (b = 0; b < 6; b++) for (i = 0; i < 60; i++) block[b] = block[b] substr("ACGT", random(4) + 1, 1)
            block[1] = substr(block[1], 1, 20) "ACGTACGTACGTACGTACGTACGTACGTACGT" substr(block[1], 21)
            block[2] = substr(block[2], 1, 20) "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT" substr(block[2], 21)
            x = keep; for (i = 0; i < 10; i++) random(2)
            for (r = 1; r <= n; r++) {
                seq = ""
                for (k = random(5); k >= 0; k--) {
                    piece = block[random(6)]
                    piece = substr(piece, 1 + random(20), 15 + random(length(piece)))
                    if (random(3) == 0) piece = complement(piece)
                    if (random(3) == 0) piece = tolower(piece)
                    if (random(4) == 0) piece = piece substr("NNNNNNNN", 1, 1 + random(8))
                    if (random(5) == 0) piece = piece "R"
                    seq = seq piece
                }
                if (random(6) == 0) seq = substr(seq, 1, 5) # shorter than a word
                print ">" prefix r (random(2) ? " some words" : "")
                for (; length(seq) > 33; seq = substr(seq, 34)) print substr(seq, 1, 33)
                print seq
            }
        }'
}

# seeds [OPTION...]: of q.fa and s.fa, without a word.
seeds() {
    "$TAMIS" seeds -q -query q.fa -subject s.fa "$@"
}

@test "a match on each strand, by hand" {
    printf '>q1 first record\nAAACCCGGTTCA\n>q2\nGATTACAGA\n' >q.fa
    printf '>s1 text\nNNAAACCCGGTT\n>s2\nTGAACCGGGAnTCTGTAATC\n' >s.fa
    expect 0 seeds -word_size 8
    out_is 'q1\t1\ts1\t3\tplus\nq1\t2\ts1\t4\tplus\nq1\t3\ts1\t5\tplus\nq1\t5\ts2\t1\tminus\nq1\t4\ts2\t2\tminus\n'\
'q2\t2\ts2\t12\tminus\nq2\t1\ts2\t13\tminus\n'
    brute q.fa s.fa 8 | cmp - out
    err_is ''
}

@test "the same as a search by the definition: words, strands, repeats, palindromes, N, short records" {
    for seed in 1 2 3; do
        genome $seed 12 q >q.fa
        genome 7$seed 15 s >s.fa
        for w in 8 9 11 12 16 17 20 31 32; do
            for strand in both plus minus; do
                in_sample || continue
                brute q.fa s.fa $w $strand >want
                expect 0 seeds -word_size $w -strand $strand
                cmp want out || { echo "seed $seed w $w $strand"; return 1; }
            done
        done
        brute q.fa s.fa 8 | grep -q plus
        brute q.fa s.fa 16 | grep -q minus
        [ "$(brute q.fa s.fa 8 | cut -f1-4 | uniq -d | wc -l)" -gt 0 ] # palindromes: both strands at one place
    done
    [ "$(brute q.fa s.fa 32 | wc -l)" -gt 0 ]
}

@test "the same for any chunk, threads, filter and schedule" {
    genome 4 20 q >q.fa
    genome 5 25 s >s.fa
    for w in 8 11 16 29; do
        brute q.fa s.fa $w >want
        [ "$(wc -l <want)" -gt 20 ]
        for how in "--batch 1" "--batch 7" "--batch 33 --threads 2" "--batch 1000" "--threads 1" "--threads 2" "-num_threads 3" \
            "--filter bloom" "--filter bloom --hash xxh3 --seed 0xfeed" "--schedule shared" "--schedule interleaved" \
            "--schedule shared --sub-query 50 -m 1Ki -k 3" "--schedule interleaved --sub-query 7 -m 128 -k 2 --batch 100" \
            "--sub-query 1 -m 64" "--sub-query 33 -m 1000 -k 16 --hash xxh3" "-m 64 -k 1" "-k 16" "--seed 5 --filter bloom"; do
            in_sample || continue
            # shellcheck disable=SC2086
            expect 0 seeds -word_size $w $how
            cmp want out || { echo "w $w $how"; return 1; }
            # shellcheck disable=SC2086
            [ "$(seeds -word_size $w $how --count)" -eq "$(wc -l <want)" ]
        done
        for simd in scalar avx2 avx512; do
            TAMIS_SIMD=$simd seeds -word_size $w --filter bloom | cmp want - || { echo "w $w $simd"; return 1; }
        done
        for how in "" "--sub-query 10" "--batch 9 --threads 2"; do
            [ $w -le 11 ] || continue
            in_sample || continue
            # shellcheck disable=SC2086
            expect 0 seeds -word_size $w --schedule bitmap $how
            cmp want out || { echo "w $w bitmap $how"; return 1; }
        done
    done
}

@test "more seeds than a buffer holds, long names, long numbers" {
    # one word at every place of both: 3,000 seeds a hit, so that a slice is larger than its thread's buffer
    { printf '>%s x\n' "a_name_that_is_longer_than_others"; head -c 3007 /dev/zero | tr '\0' A; echo; } >q.fa
    { printf '>s\n'; head -c 507 /dev/zero | tr '\0' a; echo; } >s.fa
    awk 'BEGIN { for (s = 1; s <= 500; s++) for (q = 1; q <= 3000; q++)
        print "a_name_that_is_longer_than_others\t" q "\ts\t" s "\tplus" }' >want
    for threads in 1 2 4; do
        seeds -word_size 8 --threads $threads | cmp want -
    done
    # names of 3,000 letters, which come when buffers for short ones are there
    name=$(head -c 3000 /dev/zero | tr '\0' n)
    printf '>q\nAAAACCCC\n>%s\nAAAACCCC\n' "$name" >q.fa
    printf '>s\nAAAACCCC\n>%s 2\nAAAACCCC\n' "$name" >s.fa
    brute q.fa s.fa 8 >want
    [ "$(wc -l <want)" -eq 4 ]
    for batch in 8 100; do
        seeds -word_size 8 --batch $batch | cmp want -
    done
    # positions of one to eight digits
    printf '>q\nTTGACCATTGCAGGTA\n' >q.fa
    : >want
    at=1
    for n in 0 7 70 700 7000 70000 700000 7000000 12345678; do
        head -c $n /dev/zero | tr '\0' N >>letters
        printf 'TTGACCATTGCAGGTA' >>letters
        printf 'q\t1\ts\t%d\tplus\n' $((at + n)) >>want
        at=$((at + n + 16))
    done
    { echo '>s'; cat letters; echo; } >s.fa
    expect 0 seeds
    cmp want out
    expect 0 seeds --batch 50000 --threads 2
    cmp want out
    expect 0 "$TAMIS" seeds -q -query s.fa -subject q.fa
    awk '{ print "s\t" $4 "\tq\t1\tplus" }' want | cmp - out
}

@test "FASTQ, gzip, zstd, standard input" {
    genome 8 20 q >q.fa
    genome 9 20 s >s.fa
    brute q.fa s.fa 12 >want
    [ -s want ]
    gzip -n <q.fa >q.gz
    expect 0 "$TAMIS" seeds -q -query q.gz -subject s.fa -word_size 12
    cmp want out
    expect 0 "$TAMIS" seeds -q -query q.fa -subject - -word_size 12 <s.fa
    cmp want out
    gzip -n <q.fa | expect 0 "$TAMIS" seeds -q -subject s.fa -query - -word_size 12
    cmp want out
    awk '/^>/ { if (s != "") print s; s = ""; print; next } { s = s $0 } END { print s }' s.fa |
        awk '/^>/ { print "@" substr($0, 2); next } { print; print "+"; gsub(/./, "I"); print }' >s.fq
    expect 0 "$TAMIS" seeds -q -query q.fa -subject s.fq -word_size 12 --batch 100
    cmp want out
    if command -v zstd >/dev/null; then
        zstd -q <s.fq >s.zst
        expect 0 "$TAMIS" seeds -q -query q.fa -subject s.zst -word_size 12
        cmp want out
    fi
}

@test "-db: a BLAST database is searched like the file that it was made of" {
    genome 8 20 q >q.fa
    { genome 9 20 s; printf '>none\n>short\nACG\n>odd some title\nacgtNNNNNNNNNNNNNNNNNNNNRYACGTUKMS\n'; genome 10 9 t; } >s.fa
    grep -v '^>none' s.fa >held.fa # a database has no empty sequence
    "$TAMIS" makedb -in s.fa -dbtype nucl -out db/s >log
    "$TAMIS" makedb -in held.fa -dbtype nucl -out db/cut -max_file_sz 400 >log
    [ -e db/cut.nal ]
    for how in "-word_size 12" "-word_size 9 --bed" "-word_size 12 --batch 1" "-word_size 12 --batch 50 --threads 1" \
        "-word_size 10 --stage filter --sub-query 60" "-word_size 11 --count"; do
        # shellcheck disable=SC2086
        "$TAMIS" seeds -q -query q.fa -subject held.fa $how >want
        [ -s want ]
        for db in db/s db/cut; do
            # shellcheck disable=SC2086
            expect 0 "$TAMIS" seeds -q -query q.fa -db $db $how
            cmp want out || { echo "$db $how"; return 1; }
        done
    done
    "$TAMIS" makedb -in q.fa -dbtype nucl -out db/q >log
    cat q.fa held.fa >both.fa
    "$TAMIS" seeds -q -query q.fa -subject both.fa -word_size 12 >want
    BLASTDB=$PWD/db expect 0 "$TAMIS" seeds -q -query q.fa -db 'q s' -word_size 12
    cmp want out
    expect 0 "$TAMIS" seeds -q -query q.fa -db db/s --count --stats stats.json
    tr -d ' \n' <stats.json | grep -qF '"subject":{"db":"db/s","records":31,'
}

@test "-db: what is no database of nucleotides" {
    genome 8 2 q >q.fa
    printf '>p\nMKLVAAARNDCQEGHILKMFPSTWYV\n' >p.fa
    "$TAMIS" makedb -in q.fa -dbtype nucl -out q >log
    "$TAMIS" makedb -in p.fa -dbtype prot -out p >log
    refused 'which subject? Give -subject FILE or -db NAME' -query q.fa
    refused '-subject names files and -db a database' -query q.fa -subject q.fa -db q
    refused 'No alias or index file found for nucleotide database [nothing]' -query q.fa -db nothing
    refused 'No alias or index file found for nucleotide database [p]' -query q.fa -db p
    head -c 10 q.nsq >cut && mv cut q.nsq
    refused 'q.nsq' -query q.fa -db q
}

# joined W: what --bed prints, from lines of seeds: those on one diagonal that overlap or abut are one match.
joined() {
    awk -F '\t' -v OFS='\t' -v w="$1" '
        {
            diagonal = $5 == "plus" ? $4 - $2 : $4 + $2
            key = $1 SUBSEP $3 SUBSEP $5 SUBSEP diagonal
            if (key in open && $4 - last[open[key]] <= w) { last[open[key]] = $4; q_last[open[key]] = $2; next }
            open[key] = ++n
            q[n] = $1; s[n] = $3; strand[n] = $5; first[n] = last[n] = $4; q_first[n] = q_last[n] = $2
        }
        END {
            for (i = 1; i <= n; i++) {
                length_bp = last[i] - first[i] + w
                from = strand[i] == "plus" ? q_first[i] : q_last[i]
                print s[i], first[i] - 1, first[i] - 1 + length_bp, q[i] ":" from "-" from + length_bp - 1,
                    length_bp < 1000 ? length_bp : 1000, strand[i] == "plus" ? "+" : "-"
            }
        }'
}

@test "--bed: by hand" {
    printf '>q1 first record\nAAACCCGGTTCA\n>q2\nGATTACAGA\n' >q.fa
    printf '>s1 text\nNNAAACCCGGTT\n>s2\nTGAACCGGGAnTCTGTAATC\n' >s.fa
    expect 0 seeds -word_size 8 --bed
    out_is 's1\t2\t12\tq1:1-10\t10\t+\ns2\t0\t9\tq1:4-12\t9\t-\ns2\t11\t20\tq2:1-9\t9\t-\n'
    err_is ''
    seeds -word_size 8 | joined 8 | cmp - out
}

@test "--bed: the same as the seeds, joined in awk, for any chunk and threads" {
    for seed in 1 2; do
        genome $seed 12 q >q.fa
        genome 7$seed 15 s >s.fa
        cat q.fa >>s.fa # long matches too
        for w in 8 11 16 32; do
            for strand in both plus minus; do
                in_sample || continue
                seeds -word_size $w -strand $strand >plain
                joined $w <plain >want
                expect 0 seeds -word_size $w -strand $strand --bed
                cmp want out || { echo "seed $seed w $w $strand"; return 1; }
                awk -v w=$w '{ n += $3 - $2 - w + 1 } END { print n }' out >n
                [ "$(cat n)" -eq "$(wc -l <plain)" ]
            done
        done
        seeds -word_size 11 | joined 11 >want
        [ "$(grep -c -- '-$' want)" -gt 3 ]
        for how in "--batch 1" "--batch 2 --threads 2" "--batch 31" "--batch 100 --threads 2" "--batch 1000" "--threads 3" \
            "--schedule shared --sub-query 50 -m 1Ki -k 3"; do
            in_sample || continue
            # shellcheck disable=SC2086
            expect 0 seeds -word_size 11 --bed $how
            cmp want out || { echo "seed $seed $how"; return 1; }
            # shellcheck disable=SC2086
            [ "$(seeds -word_size 11 --bed --count $how)" -eq "$(wc -l <want)" ]
        done
    done
    # sorted, as bedtools wants it: subjects in the order of the input, starts that do not fall
    awk '$1 != name { if ($1 in seen) exit 1; seen[$1]; name = $1; start = 0 } $2 < start { exit 1 } { start = $2 }' want
    expect 0 "$TAMIS" seeds -query q.fa -subject s.fa -word_size 11 --bed
    err_has "tamis seeds: $(wc -l <want) matches of 11 bases or more, joined from $(seeds -word_size 11 --count) seeds: of "
}

@test "--bed: a match over many chunks, and records that end with one" {
    awk 'BEGIN { srand(3); print ">q"; for (i = 0; i < 30000; i++) printf "%s", substr("ACGT", int(rand() * 4) + 1, 1); print "" }' >q.fa
    { sed 's/q/s1/' q.fa; sed 's/q/s2/' q.fa; printf '>s3\n'
        tail -n 1 q.fa | awk '{ for (i = length; i > 0; i--) printf "%s", substr($0, i, 1); print "" }' | tr ACGT TGCA; } >s.fa
    printf 's%d\t0\t30000\tq:1-30000\t1000\t%s\n' 1 + 2 + 3 - >want
    for batch in 100 3000 30000 30001 4Mi; do
        expect 0 seeds --bed --batch $batch
        awk '$3 - $2 > 100' out | cmp want - || { echo "$batch"; return 1; }
    done
    # what is not one match: a base that differs, and another letter, right where chunks meet
    sed 's/q/s1/' q.fa | awk 'NR == 2 { $0 = substr($0, 1, 999) "N" substr($0, 1001, 999) substr($0, 2001) } 1' >s.fa
    seeds | joined 16 >want
    [ "$(awk '$3 - $2 > 900' want | wc -l)" -eq 3 ]
    for batch in 999 1000 1001 1999 2000 100; do
        expect 0 seeds --bed --batch $batch
        cmp want out || { echo "$batch"; return 1; }
    done
}

@test "-out FILE: whole or not at all" {
    genome 22 20 q >q.fa
    genome 23 60 s >s.fa
    for how in "" "--bed" "--count" "--header" "--stage filter" "--bed --count"; do
        # shellcheck disable=SC2086
        seeds $how >want
        rm -f file
        # shellcheck disable=SC2086
        expect 0 seeds $how -out file
        out_is ''
        cmp want file
        # shellcheck disable=SC2086
        expect 0 seeds $how -out -
        cmp want out
    done
    # what is there is replaced with --force only; q.fa copied may be somebody's genome
    cp q.fa victim.fa
    expect 2 seeds -out victim.fa
    err_has 'victim.fa: already exists and is not empty: --force replaces it'
    cmp q.fa victim.fa
    expect 0 seeds -out victim.fa --force
    seeds | cmp - victim.fa
    : >file
    expect 0 seeds -out file
    # nothing found: an empty file
    rm file
    printf '>s\nACGTACGTTGCATTGCATGGA\n' >t.fa
    expect 0 "$TAMIS" seeds -q -query q.fa -subject t.fa -out file
    [ -e file ] && [ ! -s file ]
    # an input that is damaged: the old file stays
    echo old >file
    gzip -n <s.fa | head -c 1000 >cut.gz
    expect 2 "$TAMIS" seeds -q -query q.fa -subject cut.gz --batch 100 --force -out file
    [ "$(cat file)" = old ]
    expect 2 "$TAMIS" seeds -q -query q.fa -subject cut.gz --batch 100 --bed -out new
    [ ! -e new ]
    [ -z "$(find . -name '.*.??????')" ]
    expect 6 seeds -out no/such/file
    err_has 'no/such/file: cannot be written'
    if [ -c /dev/full ]; then
        expect 6 seeds -out /dev/full
        err_has '/dev/full: cannot be written'
    fi
    expect 0 seeds --force -out file --stats stats.json
    seeds | cmp - file
    [ -s stats.json ]
}

@test "several -query and -subject: as one file of all records" {
    genome 24 8 a >a.fa
    genome 25 8 b >b.fa
    genome 26 8 c >c.fa
    genome 27 8 d >d.fa
    cat a.fa b.fa >q.fa
    cat c.fa d.fa a.fa >s.fa
    gzip -n <b.fa >b.gz
    for how in "-word_size 9" "-word_size 12 --bed" "-word_size 12 --batch 50" "-word_size 10 --stage filter --sub-query 60"; do
        # shellcheck disable=SC2086
        seeds $how >want
        [ -s want ]
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" seeds -q -query a.fa -query b.gz -subject c.fa --subject d.fa -subject=a.fa $how
        cmp want out || { echo "$how"; return 1; }
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" seeds -q -subject c.fa -query a.fa -query - -subject d.fa -subject a.fa $how <b.gz
        cmp want out || { echo "$how"; return 1; }
    done
    expect 0 "$TAMIS" seeds -q -query a.fa -query b.gz -subject c.fa -subject d.fa --count --stats stats.json
    tr -d ' \n' <stats.json | grep -qF '"query":{"file":["a.fa","b.gz"],"records":16,'
    tr -d ' \n' <stats.json | grep -qF '"subject":{"file":["c.fa","d.fa"],"records":16,'
    refused 'standard input (-) is named twice' -query - -query - -subject a.fa
    refused 'standard input can be the query or the subject, not both' -query a.fa -query - -subject b.fa -subject -
    refused 'nothing.fa' -query a.fa -query nothing.fa -subject a.fa
    refused 'd.fa: the output would replace the input d.fa' -query a.fa -subject c.fa -subject d.fa -out d.fa
    refused 'a.fa: the output would replace the input a.fa' -query b.gz -query a.fa -subject c.fa --stats a.fa
}

@test "remarks: names that come twice, and nothing as long as a word" {
    printf '>a x\nACGTACGTTGCATTGCATGGA\n>b\nACGGTTTTGCATTGCATGCCC\n>a y\nACGTACGTTGCATTGCATGGA\n' >q.fa
    printf '>s\nACGTACGTTGCATTGCATGGA\n' >s.fa
    expect 0 "$TAMIS" seeds -query q.fa -subject s.fa
    [ "$(wc -l <err)" -eq 2 ]
    err_has "tamis seeds: query: 1 record has the name of an earlier record, the first 'a': the output cannot tell them apart"
    expect 0 "$TAMIS" seeds -query s.fa -subject q.fa -subject q.fa --batch 10
    err_has "tamis seeds: subject: 4 records have the name of an earlier record, the first 'a': the output cannot tell them apart"
    [ "$(wc -l <err)" -eq 2 ]
    expect 0 "$TAMIS" seeds -q -query q.fa -subject q.fa
    err_is ''
    # 5,000 names, one of them twice
    awk 'BEGIN { for (i = 1; i <= 5000; i++) print ">read" i "\nACGTACGTACGTACGTACGT"; print ">read4321\nACGT" }' >many.fa
    expect 0 "$TAMIS" seeds -query s.fa -subject many.fa --count --batch 1000
    err_has "tamis seeds: subject: 1 record has the name of an earlier record, the first 'read4321': "
    head -n 10000 many.fa >single.fa
    expect 0 "$TAMIS" seeds -query single.fa -subject single.fa --count
    [ "$(wc -l <err)" -eq 1 ]
    # too short, and not too short but for N
    printf '>t\nACGTACG\n>u\nACGTACGTA\n' >t.fa
    expect 0 "$TAMIS" seeds -query t.fa -subject s.fa -word_size 10
    err_has 'tamis seeds: query: nothing can match, because no record has 10 bases (the longest has 9)'
    expect 0 "$TAMIS" seeds -query s.fa -subject t.fa -word_size 10 --batch 2
    err_has 'tamis seeds: subject: nothing can match, because no record has 10 bases (the longest has 9)'
    expect 0 "$TAMIS" seeds -query s.fa -subject t.fa -word_size 9
    [ "$(wc -l <err)" -eq 2 ] # the exact bitmap, and the result
    printf '>n\nACGTACGTNACGTACGTNNNNNN\n' >n.fa
    expect 0 "$TAMIS" seeds -query n.fa -subject s.fa
    err_has 'tamis seeds: query: nothing can match, because no record has 16 consecutive bases A, C, G or T'
    expect 0 "$TAMIS" seeds -query s.fa -subject n.fa --stage filter
    err_has 'tamis seeds: subject: nothing can match, because no record has 16 consecutive bases A, C, G or T'
    expect 0 "$TAMIS" seeds -q -query n.fa -subject n.fa
    err_is ''
}

@test "--header, --count, no seeds at all" {
    printf '>q\nACGTTGCAAC\n' >q.fa
    printf '>s\nACGTTGCAAC\n' >s.fa
    expect 0 seeds -word_size 10 --header
    out_is 'query\tq_start\tsubject\ts_start\tstrand\nq\t1\ts\t1\tplus\n'
    expect 0 seeds -word_size 10 --count
    out_is '1\n'
    expect 0 seeds -word_size 11 # shorter than a word
    out_is ''
    err_is ''
    expect 0 seeds -word_size 11 --count
    out_is '0\n'
    printf '>s\nNNNNNNNNNNNNNNNNNNNNNNNN\n' >s.fa
    expect 0 seeds
    out_is ''
    expect 0 seeds --stage filter --header
    out_is 'subject\ts_start\tsub_query\n'
    expect 0 "$TAMIS" seeds -query s.fa -subject q.fa --count
    out_is '0\n'
    err_has 'tamis seeds: 0 seeds of 16 bases: of 0 w-mers of the subject 0 pass the filter and 0 are in the query'
}

# passes N: what an exact filter for each N bases of q.fa lets pass of s.fa: the definition of --stage filter.
passes() {
    awk -v n="$1" '
        FILENAME == "q.fa" { if (/^>/) { start[substr($1, 2)] = total } else total += length($0); next }
        { sub_query = int((start[$1] + $2 - 1) / n) + 1
          if ($3 "\t" $4 != last) { delete seen; last = $3 "\t" $4 }
          if (!(sub_query in seen)) print last "\t" sub_query
          seen[sub_query] = 1 }' q.fa -
}

@test "--stage filter: all true ones, and with a bitmap only those" {
    genome 10 20 q >q.fa
    genome 11 20 s >s.fa
    for n in 1 10 100 1000 100000; do
        brute q.fa s.fa 9 | passes $n >want
        [ -s want ]
        for how in "" "--batch 1" "--batch 64 --threads 2"; do
            in_sample || continue
            # shellcheck disable=SC2086
            expect 0 seeds -word_size 9 --stage filter --schedule bitmap --sub-query $n $how
            cmp want out || { echo "$n $how"; return 1; }
        done
        [ "$(seeds -word_size 9 --stage filter --schedule bitmap --sub-query $n --count)" -eq "$(wc -l <want)" ]
        seeds -word_size 9 --stage filter --schedule interleaved -m 256 -k 2 --sub-query $n >bloom
        [ "$(wc -l <bloom)" -ge "$(wc -l <want)" ]
        LC_ALL=C sort want >want.sorted
        [ "$(LC_ALL=C sort bloom | comm -23 want.sorted - | wc -l)" -eq 0 ]
        for how in "--schedule shared" "--schedule interleaved --batch 10" "--schedule shared --threads 2 --batch 1000"; do
            in_sample || continue
            # shellcheck disable=SC2086
            expect 0 seeds -word_size 9 --stage filter -m 256 -k 2 --sub-query $n $how
            cmp bloom out || { echo "$n $how"; return 1; }
        done
    done
}

# value KEY: of a line of stats.json that has nothing else.
value() {
    sed -n "s/^ *\"$1\": \(.*[^,]\),*\$/\1/p" stats.json
}

@test "--stats" {
    genome 12 20 q >q.fa
    genome 13 20 s >s.fa
    brute q.fa s.fa 16 >want
    how="-word_size 16 -strand both --sub-query 100 -m 1000 -k 3 --seed 18446744073709551615"
    # shellcheck disable=SC2086
    expect 0 "$TAMIS" seeds -query q.fa -subject s.fa $how --stats stats.json
    cmp want out
    [ "$(wc -l <err)" -eq 1 ]
    err_has "tamis seeds: $(wc -l <want) seeds of 16 bases: of "
    [ "$(value word_size)" = 16 ]
    [ "$(value strand)" = '"both"' ]
    [ "$(value hash)" = '"h3"' ]
    [ "$(value m_bits)" = 1024 ]
    [ "$(value m_bits_asked)" = 1000 ]
    [ "$(value k)" = 3 ]
    [ "$(value seed)" = '"18446744073709551615"' ]
    [ "$(value device)" = '"cpu"' ] || gpu_usable
    [ "$(value seeds)" = "$(wc -l <want)" ]
    [ "$(value true)" = "$(cut -f3,4 want | sort -u | wc -l)" ]
    [ "$(value file | tr '\n' ' ')" = '"q.fa" "s.fa" ' ]
    [ "$(value records | tr '\n' ' ')" = '20 20 ' ]
    bases=$(grep -v '>' q.fa | tr -d '\n' | wc -c)
    [ "$(value bases | head -n 1)" = "$bases" ]
    [ "$(value other_letters | head -n 1)" = "$(grep -v '>' q.fa | tr -d 'ACGTacgt\n' | wc -c)" ]
    grep -A 3 '"chosen": \[' stats.json | tr -d ' \n' | grep -qF '"chosen":["schedule"]'
    # the sub-queries: one line each, that add up
    grep '"sub_query": [0-9]*, ' stats.json | tr -d '{},' >subs
    [ "$(wc -l <subs)" -eq $(((bases + 99) / 100)) ]
    [ "$(value n_sub_queries)" -eq "$(wc -l <subs)" ]
    awk -v tested="$(value tested)" -v words="$(value w_mers | head -n 1)" -v bases="$bases" '
        { for (i = 1; i < NF; i += 2) { key = $i; gsub(/[":]/, "", key); v[key] = $(i + 1) }
          if (v["sub_query"] != NR || v["first_base"] != 100 * (NR - 1) + 1 || v["tests"] != tested) bad = 1
          if (v["distinct"] > v["w_mers"] || v["ones"] > 3 * v["distinct"] || v["true"] + v["false_positives"] != v["passed"]) bad = 1
          measured = v["false_positives"] / (v["tests"] - v["true"])
          predicted = (1 - (1 - 1 / 1024) ^ (3 * v["distinct"])) ^ 3
          if ((measured - v["fpr_measured"]) ^ 2 > 1e-18 || (predicted - v["fpr_predicted"]) ^ 2 > 1e-18) bad = 1
          n += v["w_mers"]; b += v["bases"] }
        END { exit bad || n != words || b != bases || n == 0 }' subs
    cp stats.json first.json
    # shellcheck disable=SC2086
    expect 0 seeds $how --stats stats.json --batch 10 --threads 2 --count
    cmp first.json stats.json
    out_is "$(wc -l <want)\n"
    # what passes is what --stage filter prints
    # shellcheck disable=SC2086
    [ "$(seeds $how --stage filter --count)" -eq "$(sed 's/.*"passed" *:* *//' subs | awk '{ n += $1 } END { print n }')" ]
    # shellcheck disable=SC2086
    expect 0 seeds $how --stage filter --stats stats.json
    [ "$(value seeds)" = null ]
    [ "$(grep -c '"sub_query": [0-9]*, ' stats.json)" -eq "$(wc -l <subs)" ]
}

@test "what is left out is chosen, and a bitmap is said" {
    genome 14 20 q >q.fa
    genome 15 20 s >s.fa
    expect 0 "$TAMIS" seeds -query q.fa -subject s.fa -word_size 11 --count --stats stats.json
    err_has 'tamis seeds: w = 11: an exact bitmap of 512 KiB instead of a Bloom filter (--filter bloom forces one)'
    [ "$(value schedule)" = '"bitmap"' ]
    [ "$(value hash)" = null ]
    [ "$(value m_bits)" = 4194304 ]
    [ "$(value m_bits_asked)" = '' ]
    grep -q '"false_positives": 0, "fpr_measured": 0.0, "fpr_predicted": 0.0}' stats.json
    grep -A 5 '"chosen": \[' stats.json | tr -d ' \n' | grep -qF '"chosen":["schedule","sub_query","m_bits","k"]'
    expect 0 "$TAMIS" seeds -query q.fa -subject s.fa -word_size 11 --count --stats stats.json --filter bloom
    [ "$(value schedule)" != '"bitmap"' ]
    [ "$(value hash)" = '"h3"' ]
    [ "$(wc -l <err)" -eq 1 ]
    expect 0 "$TAMIS" seeds -query q.fa -subject s.fa -word_size 11 --count --schedule bitmap
    [ "$(wc -l <err)" -eq 1 ]
}

@test "options with one dash and two, short ones, and short forms" {
    genome 16 10 q >q.fa
    genome 17 10 s >s.fa
    brute q.fa s.fa 12 plus >want
    for how in "-word_size 12 -strand plus" "--word_size 12 --strand plus" "-word_size=12 --strand=plus" "-word 12 -str plus" \
        "-m 256Ki -k 6 -word_size 12 -strand plus" "-m256Ki -k6 -w 12 -strand plus" "-quiet -word_size 12 -strand plus"; do
        # shellcheck disable=SC2086
        expect 0 seeds $how
        cmp want out || { echo "$how"; return 1; }
        err_is ''
    done
    expect 0 "$TAMIS" seeds --query=q.fa --subject=s.fa -word_size 12 -strand plus -q
    cmp want out
    expect 0 "$TAMIS" seeds -h
    grep -q '^Usage: tamis seeds ' out
    expect 0 "$TAMIS" seeds -help
    err_is ''
}

# refused TEXT [OPTION...]: a usage error that says TEXT.
refused() {
    local text=$1
    shift
    expect 2 "$TAMIS" seeds "$@"
    out_is ''
    err_has "$text"
}

@test "usage" {
    genome 18 10 q >q.fa
    genome 19 10 s >s.fa
    both="-query q.fa -subject s.fa"
    refused 'which query? Give -query FILE' -subject s.fa
    refused 'which subject? Give -subject FILE' -query q.fa
    # shellcheck disable=SC2086
    {
        refused "'s.fa': files are named with -query and -subject" $both s.fa
        refused '--bed joins seeds, and --stage filter finds none' $both --bed --stage filter
        refused '--header prints the names of the columns, and BED has no such line' $both --bed --header
        refused 'q.fa: the output would replace the input q.fa' $both -out q.fa
        refused '-out and --stats name the same file' $both -out x --stats x
        refused "-word_size takes a number of bases from 8 to 32, not '7'" $both -word_size 7
        refused "-word_size takes a number of bases from 8 to 32, not '33'" $both -word_size 33
        refused "-word_size takes a number of bases from 8 to 32, not 'x'" $both -word_size x
        refused "-strand takes 'both', 'plus' or 'minus', not 'forward'" $both -strand forward
        refused "--sub-query takes a number of positions from 1 to 2147483647, not '0'" $both --sub-query 0
        refused "-m takes a number of bits from 64 to 4294967296, such as 262144 or 256Ki, not '63'" $both -m 63
        refused "-m takes a number of bits from 64 to 4294967296, such as 262144 or 256Ki, not '8Gi'" $both -m 8Gi
        refused "-k takes a number of hash functions from 1 to 16, not '17'" $both -k 17
        refused "--hash takes 'h3' or 'xxh3', not 'ap'" $both --hash ap
        refused '--seed takes a number from 0 to 2^64 - 1' $both --seed 18446744073709551616
        refused "--filter takes 'bloom', not 'bitmap'" $both --filter bitmap
        refused "--schedule takes 'shared', 'interleaved' or 'bitmap', not 'auto'" $both --schedule auto
        refused "--stage takes 'filter', not 'exact'" $both --stage exact
        refused '--filter bloom excludes a bitmap' $both --filter bloom --schedule bitmap
        refused 'a bitmap has no m' $both -word_size 11 --schedule bitmap -m 1Ki
        refused 'too large' $both -word_size 20 --schedule bitmap
        refused "--batch takes a number of bases from 1 to 2147483616, not '0'" $both --batch 0
        refused '--threads takes a number from 1 to 1024' $both -num_threads 0
        refused '--header names columns, and --count has none' $both --header --count
        refused 'standard output is for the seeds: --stats needs a file' $both --stats -
        refused 'would replace the input q.fa' $both --stats q.fa
        refused "option '-st' is ambiguous: -strand, --stage or --stats" $both -st filter
        refused "option '--s' is ambiguous: " $both --s 1
        refused "no option '-evalue'" $both -evalue 10
        refused "no option '-qx'" $both -qx
        refused "option '--count' takes no value" $both --count=3
        refused "option '--quiet' takes no value" $both --quiet=1
        refused "option '-word_size' needs a value" $both -word_size
        refused "option '-m' needs a value" $both -m
    }
    refused 'standard input can be the query or the subject, not both' -query - -subject -
}

@test "bad input" {
    printf '>q\nACGTACGTTGCATTGCATGGA\n' >q.fa
    refused 'nothing.fa' -query nothing.fa -subject q.fa
    refused 'nothing.fa' -query q.fa -subject nothing.fa
    : >empty
    refused 'empty' -query empty -subject q.fa
    refused 'empty' -query q.fa -subject empty
    printf '>p\nMKVLAAGLLEFQ\n' >protein.fa
    refused 'protein.fa' -query protein.fa -subject q.fa
    refused 'protein.fa' -query q.fa -subject protein.fa
    # what came before the damage is printed
    genome 20 300 s >s.fa
    gzip -n <s.fa >s.gz
    head -c $(($(stat -c %s s.gz) / 2)) s.gz >cut.gz
    cp s.fa all.fa
    head -n 40 s.fa >q.fa
    brute q.fa all.fa 16 >want
    expect 2 "$TAMIS" seeds -q -query q.fa -subject cut.gz --batch 1000 --stats stats.json
    err_has 'cut.gz'
    [ -s out ]
    [ "$(wc -l <out)" -lt "$(wc -l <want)" ]
    head -n "$(wc -l <out)" want | cmp - out
    [ ! -e stats.json ]
    expect 2 "$TAMIS" seeds -q -query cut.gz -subject q.fa
    out_is ''
}

@test "an output that cannot be written" {
    [ -e /dev/full ] || skip 'no /dev/full'
    genome 21 30 q >q.fa
    cp q.fa s.fa
    for how in "" "--count" "--stage filter" "--threads 2 --batch 100" "--header"; do
        # shellcheck disable=SC2086
        { seeds $how >/dev/full; } 2>err && return 1 || [ $? -eq 6 ]
    done
    expect 6 seeds --stats no/such/stats.json
    out_is ''
    # a reader that has seen enough
    seeds -word_size 8 | head -n 1 >one
    [ "$(wc -l <one)" -eq 1 ]
}

# matches_are_right QUERY SUBJECT: every line of matches.bed is a match, and one base more at either end is not.
matches_are_right() {
    command -v python3 >/dev/null || return 0
    python3 - "$1" "$2" <<'END'
import gzip, sys

def read(path):
    records, name = {}, None
    for line in gzip.open(path, "rt"):
        if line[0] == ">":
            name = line[1:].split()[0]
            records[name] = []
        else:
            records[name].append(line.strip().upper())
    return {name: "".join(lines) for name, lines in records.items()}

query, subject = read(sys.argv[1]), read(sys.argv[2])
complement = str.maketrans("ACGT", "TGCA")
for line in open("matches.bed"):
    s_name, start, end, place, score, strand = line.split("\t")
    q_name, place = place.rsplit(":", 1)
    start, end, (first, last) = int(start), int(end), map(int, place.split("-"))
    q, s = query[q_name], subject[s_name]
    a, b = q[first - 1:last], s[start:end]
    before, after = q[first - 2:first - 1] if first > 1 else "", q[last:last + 1]
    if strand == "-\n":
        a, before, after = a.translate(complement)[::-1], after.translate(complement), before.translate(complement)
    assert a == b and len(b) >= 16 and not set(b) - set("ACGT") and int(score) == min(1000, len(b)), line
    s_before, s_after = s[start - 1:start] if start > 0 else "", s[end:end + 1]
    assert not (before == s_before and before in set("ACGT")), line
    assert not (after == s_after and after in set("ACGT")), line
END
}

whole_genomes() {
    genomes=$TAMIS_TEST_DATA/genomes
    k12=$genomes/ecoli_k12_mg1655.fa.gz
    o157=$genomes/ecoli_o157h7_sakai.fa.gz
    expect 0 "$TAMIS" seeds -q -query "$k12" -subject "$o157" -word_size 11 -strand plus --count
    out_is '16950647\n'
    expect 0 "$TAMIS" seeds -q -query "$k12" -subject "$genomes/yeast_s288c.fa.gz" -word_size 11 -strand plus --count --filter bloom
    out_is '16819070\n'
    "$TAMIS" seeds -q -query "$k12" -subject "$o157" --threads 1 | cksum >one
    "$TAMIS" seeds -q -query "$k12" -subject "$o157" --threads 2 --batch 100000 --schedule shared | cksum | cmp one -
    [ "$("$TAMIS" seeds -q -query "$k12" -subject "$o157" | wc -l)" -eq "$("$TAMIS" seeds -q -query "$k12" -subject "$o157" --count)" ]
    # joined: as many seeds as there are
    rm -f matches.bed
    "$TAMIS" seeds -q -query "$k12" -subject "$o157" --bed --batch 100000 -out matches.bed
    [ "$(wc -l <matches.bed)" -eq 121299 ]
    awk '{ n += $3 - $2 - 15 } END { exit n != 3880052 }' matches.bed
    sort -c -s -k1,1 -k2,2n matches.bed
    matches_are_right "$k12" "$o157"
}

@test "excerpts of two genomes, and whole ones where they are: known numbers of seeds" {
    genomes=$BATS_TEST_DIRNAME/../data/genomes
    k12=$genomes/ecoli_k12_excerpt.fa.gz
    o157=$genomes/ecoli_o157_excerpt.fa.gz
    while read -r w plus minus; do # of README.md there
        [ "$("$TAMIS" seeds -q -query "$k12" -subject "$o157" -word_size "$w" -strand plus --count)" -eq "$plus" ]
        [ "$("$TAMIS" seeds -q -query "$k12" -subject "$o157" -word_size "$w" -strand minus --count)" -eq "$minus" ]
        [ "$("$TAMIS" seeds -q -query "$k12" -subject "$o157" -word_size "$w" | wc -l)" -eq $((plus + minus)) ]
    done <<'END'
11 14090 3610
16 11447 1715
24 9968 1266
END
    "$TAMIS" seeds -q -query "$k12" -subject "$o157" --threads 1 --batch 1000 >one
    "$TAMIS" makedb -in "$o157" -dbtype nucl -out s >log
    "$TAMIS" seeds -q -query "$k12" -db s --threads 2 --schedule shared --filter bloom | cmp one -
    "$TAMIS" seeds -q -query "$k12" -subject "$o157" --bed --batch 7000 -out matches.bed
    awk '{ n += $3 - $2 - 15 } END { exit n != 13162 }' matches.bed
    sort -c -s -k1,1 -k2,2n matches.bed
    matches_are_right "$k12" "$o157"
    if [ -n "${TAMIS_TEST_DATA:-}" ] && [ -z "${TAMIS_AGREE_QUICK:-}" ]; then
        whole_genomes
    fi
}
