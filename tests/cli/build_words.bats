# tamis build --kmer: sequences in, a filter of k-mers out; tamis info shows it, and what else takes it or not.
load common

field() { "$TAMIS" info --json "$2" | sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\).*/\1/p"; }

sequences() {
    printf '>a one\nACGTTGCAAACCGGTTTAGCATCGACTTACGGACGACTACG\nACGGGACTTTCAGC\n>b\nACGTNACGTNACGTNACGTNACGTN\n>c\nacgttgcaaaccggtttagcatc\n>d\n'
}

@test "k-mers of FASTA: those with other letters are left out, lower case counts" {
    sequences >in.fa
    expect 0 "$TAMIS" build --kmer 21 -o f.tms in.fa
    out_is ''
    grep -Eqx 'tamis build: 38 k-mers of 21 bases, both strands, m = [0-9]+ bits \([0-9.]+ a k-mer\), k = 2, false-positive rate [0-9.e-]+, [0-9.]+ s' err
    expect 0 "$TAMIS" info f.tms
    grep -qx 'layout      words' out
    grep -qx 'w           21 letters, both strands; s-mers of 18, minimizers of 14' out
    grep -qx 'n           38 k-mers' out
    [ "$(field word_size f.tms)" = 21 ]
    [ "$(field subword_size f.tms)" = 18 ]
    [ "$(field minimizer_size f.tms)" = 14 ]
    [ "$(field is_stranded f.tms)" = false ]
}

@test "the same filter from FASTQ, compressed files, standard input, several files, and any number of threads" {
    sequences >in.fa
    awk '/^>/ { if (s != "") print s "\n+\n" s; print "@" substr($0, 2); s = ""; next } { s = s $0 } END { print "\n+\n" }' in.fa >in.fq
    head -n 3 in.fa >1.fa
    tail -n +4 in.fa >2.fa
    gzip -c in.fa >in.fa.gz
    "$TAMIS" build -q --kmer 11 -o f.tms in.fa
    "$TAMIS" build -q --kmer 11 -o 1.tms --threads 3 in.fq
    "$TAMIS" build -q --kmer 11 -o 2.tms in.fa.gz
    "$TAMIS" build -q --kmer 11 -o 3.tms <in.fa
    "$TAMIS" build -q --kmer 11 -o 4.tms 1.fa 2.fa
    "$TAMIS" build -q --kmer 11 -o 5.tms --expected 55 in.fa
    for i in 1 2 3 4 5; do cmp f.tms $i.tms; done
    "$TAMIS" build -q --kmer 11 --stranded -o s.tms in.fa
    [ "$(field is_stranded s.tms)" = true ]
}

@test "--mask: k-mers of low complexity, or of lower case, are left out by half" {
    # 100 of 500 letters in lower case, 40 at a record's end, 9 at another's beginning
    awk 'function some(k,  r) { for (r = ""; k > 0; k--) r = r substr("ACGT", 1 + int(rand() * 4), 1); return r }
         BEGIN { srand(7); a = some(300); b = some(100); c = some(300); d = some(200); e = some(40); f = some(9)
                 print ">one\n" a tolower(b) c "\n>two\n" d tolower(e) "\n>three\n" tolower(f) d > "low.fa"
                 # w = 21: the last k-mer before has 10 masked letters, the first one after as well
                 print ">1\n" a substr(b, 1, 10) "\n>2\n" substr(b, 91) c "\n>3\n" d substr(e, 1, 10) "\n>4\n" f d > "left.fa"
                 run = sprintf("%80s", ""); gsub(" ", "A", run)
                 print ">x\n" a run c > "run.fa"; print ">r\n" run > "a.fa"; print ">s\n" a "\n>t\n" c > "flanks.fa" }'
    "$TAMIS" build -q --kmer 21 --mask lower -o low.tms low.fa
    "$TAMIS" build -q --kmer 21 -o left.tms left.fa
    cmp low.tms left.tms
    "$TAMIS" build -q --kmer 21 --mask dust -o run.tms run.fa
    "$TAMIS" build -q --kmer 21 -o all.tms run.fa
    [ "$(field n all.tms)" -ge "$(($(field n run.tms) + 70))" ]
    "$TAMIS" classify -q -f all.tms -o - a.fa >out.tsv
    [ "$(tail -n 1 out.tsv | cut -f 2)" = match ]
    "$TAMIS" classify -q -f run.tms -o - a.fa >out.tsv
    [ "$(tail -n 1 out.tsv | cut -f 2)" = none ]
    "$TAMIS" classify -q -f run.tms -o - flanks.fa >out.tsv
    [ "$(cut -f 5 out.tsv | tail -n 2 | sort -n | head -n 1)" -ge 270 ]
    gzip -c low.fa >low.fa.gz
    "$TAMIS" build -q --kmer 21 --mask lower --threads 3 -o gz.tms low.fa.gz
    cmp gz.tms low.tms
    expect 2 "$TAMIS" build --mask dust -o x.tms low.fa
    err_has 'tamis build: --mask needs --kmer'
}

@test "sizes" {
    sequences >in.fa
    "$TAMIS" build -q --kmer 31 -m 10000 -o f.tms in.fa
    [ "$(field m f.tms)" = 10240 ]
    "$TAMIS" build -q --kmer 31 --bits-per-key 100 -k 3 -o f.tms in.fa
    [ "$(field m f.tms)" = 2560 ]
    [ "$(field k f.tms)" = 3 ]
    "$TAMIS" build -q --kmer 31 --fpr 1/n -o f.tms in.fa
    expect 2 "$TAMIS" build --kmer 15 -m 256 --fpr 1e-6 -o g.tms in.fa
    err_has 'tamis build: m = 256 bits and k = 8 give 50 keys a false-positive rate of 0.157, not 1e-06: m = 3584 bits (k = 8) would do'
    [ ! -e g.tms ]
}

@test "more than expected came, and a filter too full to classify by: both are said" {
    awk 'BEGIN { srand(3); for (i = 0; i < 20000; i++) s = s substr("ACGT", 1 + int(rand() * 4), 1); print ">r\n" s }' >l.fa
    expect 0 "$TAMIS" build --kmer 31 --expected 100 -o f.tms l.fa
    grep -Eqx 'tamis build: 19970 k-mers instead of the 100 expected: the false-positive rate is 1 instead of [0-9.e-]+' err
    err_has 'tamis build: so many random k-mers are hits that no read of 150 bases can match in tamis classify: use a lower --fpr'
    expect 0 "$TAMIS" build --kmer 31 --fpr 0.2 -o f.tms --force l.fa
    grep -Eqx 'tamis build: so many random k-mers are hits that a read of 150 bases needs [0-9]+ of its 120 to match: use a lower --fpr' err
    expect 0 "$TAMIS" build --kmer 8 -o f.tms --force l.fa
    grep -Eqx 'tamis build: so many random k-mers are hits that a read of 150 bases needs [0-9]+ of its 143 to match: use longer k-mers' err
    expect 0 "$TAMIS" build --kmer 31 -o f.tms --force l.fa
    [ "$(wc -l <err)" -eq 1 ]
}

@test "a filter without a k-mer is an error, and not written" {
    printf '>a\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQMKLVAAWWPQ\n' >prot.fa
    printf '>a\nACGT\n' >short.fa
    for file in prot.fa short.fa; do
        expect 2 "$TAMIS" build --kmer 31 -o f.tms $file
        err_is 'tamis build: no k-mers: no record has 31 consecutive bases A, C, G or T; are these proteins?\n'
        [ ! -e f.tms ]
    done
}

@test "FASTA and FASTQ taken as lines: a warning names --kmer" {
    sequences >in.fa
    printf '@a\nACGT\n+\nIIII\n' >in.fq
    printf '>a\r\nACGT\r\n' >crlf.fa
    for file in in.fa in.fq crlf.fa; do
        expect 0 "$TAMIS" build -o f.tms $file
        err_has "$file: looks like FAST"
        err_has 'use --kmer 31 to insert the k-mers of its sequences, or --force-lines'
        expect 0 "$TAMIS" build -o f.tms --force-lines $file
        [ "$(grep -c 'looks like' err)" -eq 0 ]
        expect 0 "$TAMIS" build -q -o f.tms $file
        err_is ''
    done
    expect 0 "$TAMIS" build -o f.tms - <in.fa
    err_has 'standard input: looks like FASTA'
    expect 0 "$TAMIS" build -o g.tms --layout classic -m 1Ki -k 3 in.fa
    err_has 'in.fa: looks like FASTA'
    printf '>\n>\n' >lines
    printf '@home\nsweet\nhome\n!\n' >>lines
    expect 0 "$TAMIS" build -o f.tms lines
    [ "$(grep -c 'looks like' err)" -eq 0 ]
    expect 2 "$TAMIS" build -k 31 -o f.tms in.fa
    err_has 'for k-mers of 31 bases use --kmer 31'
}

@test "what is not sequences is refused, with its place, and nothing is written" {
    printf 'hello\n' >in.txt
    expect 2 "$TAMIS" build --kmer 31 -o f.tms in.txt
    err_has "tamis build: in.txt:1: neither FASTA ('>') nor FASTQ ('@')"
    [ ! -e f.tms ]
    printf '@a\nACGT\n+\nII\n' >in.fq
    expect 2 "$TAMIS" build --kmer 31 -o f.tms in.fq
    grep -q '^tamis build: in.fq:4: ' err
    [ ! -e f.tms ]
}

@test "options of other filters are refused" {
    sequences >in.fa
    for options in '--layout classic' '--hash ap' '--blocks 2' '--crlf' '--batch 10' '-p 0.1' '--max-f 10' '-k 9' '--append f.tms'; do
        # shellcheck disable=SC2086 # several words
        expect 2 "$TAMIS" build --kmer 31 -o f.tms $options in.fa
        grep -q -e '--kmer' err || { echo "$options"; cat err; return 1; }
    done
    expect 2 "$TAMIS" build --stranded -o f.tms in.fa
    head -n 1 err | grep -qx 'tamis build: --stranded needs --kmer'
    for w in 7 256 x; do
        expect 2 "$TAMIS" build --kmer $w -o f.tms in.fa
        head -n 1 err | grep -qx "tamis build: --kmer takes a number from 8 to 255, such as 31 or 21, not '$w'"
    done
}

@test "lines are not for filters of k-mers" {
    sequences >in.fa
    "$TAMIS" build -q --kmer 31 -o f.tms in.fa
    expect 2 "$TAMIS" query f.tms in.fa
    err_has "tamis query: f.tms: a filter of k-mers takes sequences, not lines: use 'tamis classify'"
    expect 2 "$TAMIS" freq f.tms in.fa
    err_has "tamis freq: f.tms: a filter of k-mers takes sequences, not lines: use 'tamis classify'"
    expect 2 "$TAMIS" build --append f.tms in.fa
    err_has 'tamis build: f.tms: lines cannot be added to a filter of k-mers; build another one with --kmer, and merge the two'
}

@test "a union has the k-mers of both" {
    sequences >in.fa
    head -n 3 in.fa >1.fa
    tail -n +4 in.fa >2.fa
    "$TAMIS" build -q --kmer 11 -m 8192 -o f.tms in.fa
    "$TAMIS" build -q --kmer 11 -m 8192 -o 1.tms 1.fa
    "$TAMIS" build -q --kmer 11 -m 8192 -o 2.tms 2.fa
    "$TAMIS" merge -q -o u.tms 1.tms 2.tms
    cmp f.tms u.tms
    "$TAMIS" build -q --kmer 12 -m 8192 -o 3.tms 1.fa
    expect 2 "$TAMIS" merge -o v.tms 1.tms 3.tms
    grep -q 'the k-mers differ: 11 and 12 bases' err
}
