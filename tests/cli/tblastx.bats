# tamis tblastx, as its user meets it. tests/identity/ compares what it finds with NCBI's program.
load common
load translated
gene=$(the_gene)

# q.fa with the gene, minus.fa with its reverse complement; s.fa with the gene between other bases.
files() {
    gene_files q
    printf '>s1 first\nC%sA\n>s2 other\nACGTTGCAATCGATCGGATTACAGATTACACCGGT\n' "$gene" >s.fa
}

@test "help, as text, and the version that it is" {
    describes_itself tblastx -strand -query_gencode -db_gencode
    run ! grep -qe -gapopen out
}

@test "frames and bases: of both strands, of parts, in tables, text, XML and JSON" {
    files
    columns="6 qstart qend qlen sstart send slen frames qframe sframe length qcovs qcovhsp sstrand score"
    best() { "$TAMIS" tblastx -outfmt "$columns" -evalue 1e-5 -seg no "$@" | sort -t $'\t' -k 14,14nr | head -1; }
    [ "$(best -query q.fa -subject s.fa)" = "$(printf '3\t122\t122\t2\t121\t122\t3/2\t3\t2\t40\t99\t33\tN/A\t233')" ]
    [ "$(best -query minus.fa -subject s.fa)" = "$(printf '120\t1\t122\t2\t121\t122\t-3/2\t-3\t2\t40\t99\t33\tN/A\t233')" ]
    [ "$(best -query q.fa -subject s.fa -query_loc 3-122 -subject_loc 2-121 | cut -f 1,2,4,5,7)" = "$(printf '3\t122\t2\t121\t3/2')" ]
    [ "$(best -query q.fa -subject s.fa -strand minus | cut -f 8)" -lt 0 ]
    expect 0 "$TAMIS" tblastx -query minus.fa -subject s.fa
    grep -q '^ Frame = -3/+2$' out
    grep -q '^Query  120  MKRISTT' out
    grep -q 'Value  N$' out
    run ! grep -q 'Gap Penalties' out
    expect 0 "$TAMIS" tblastx -query minus.fa -subject s.fa -outfmt 5
    grep -q '<Hsp_query-frame>-3<' out
    grep -q '<Hsp_hit-frame>2<' out
    expect 0 "$TAMIS" tblastx -query minus.fa -subject s.fa -outfmt 15
    grep -q '"query_frame": -3' out
    grep -q '"hit_frame": 2' out
    grep -q '"query_gencode": 1' out
    grep -q '"db_gencode": 1' out
}

@test "-sorthits: the share of identities is that of bases, a third" {
    files
    expect 0 "$TAMIS" tblastx -query q.fa -subject s.fa -seg no -sorthits 0
    grep -q 'NIdent' out
    grep -qE '^s1 first .* 33% +$' out
    grep -q 'Identities = 40/40 (100%)' out
}

@test "genetic codes of queries and of a database" {
    files
    printf '>w\nGA%s\n' "${gene/TGGCAT/TGACAT}" >w.fa # TGA is W in code 4
    "$TAMIS" makedb -in w.fa -dbtype nucl -out w >/dev/null
    longest() { sort -n out | tail -1; }
    expect 0 "$TAMIS" tblastx -query w.fa -subject q.fa -outfmt "6 score" -query_gencode 4
    cp out want
    expect 0 "$TAMIS" tblastx -query q.fa -db w -outfmt "6 score" -db_gencode 4
    [ "$(longest)" = "$(sort -n want | tail -1)" ]
    best=$(longest)
    expect 0 "$TAMIS" tblastx -query q.fa -db w -outfmt "6 score"
    [ "$(longest)" -lt "$best" ]
    takes_codes tblastx -query q.fa -subject s.fa -db_gencode
    takes_codes tblastx -query q.fa -subject s.fa -query_gencode
}

@test "what is not there is refused by name, before anything is written" {
    files
    echo before >hits
    refuses() {
        expect 1 "$TAMIS" tblastx -query q.fa -out hits "${@:2}"
        err_has "$1"
        [ "$(cat hits)" = before ]
    }
    refuses '-max_intron_length has no meaning' -subject s.fa -max_intron_length 300
    refuses gapopen -subject s.fa -gapopen 9
    refuses comp_based_stats -subject s.fa -comp_based_stats 0
    refuses SAM -subject s.fa -outfmt 17
    refuses '-word_size takes a number of residues from 2 to 5, not '"'6'" -subject s.fa -word_size 6
    printf '>p\n%s\n' "$(the_protein)" >p.fa
    "$TAMIS" makedb -in p.fa -dbtype prot -out proteins >/dev/null
    expect 2 "$TAMIS" tblastx -query q.fa -db proteins
}

@test "sequences that are not there, or are proteins" {
    files
    no_sequences tblastx q.fa s.fa
    printf '>p\n%s\n' "$(the_protein)" >p.fa
    for words in '-query p.fa -subject s.fa' '-query q.fa -subject p.fa'; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" tblastx $words -outfmt 6
        out_is ''
        err_is 'FASTA-Reader: Ignoring invalid residues at position(s): On line 2: 4, 12-15, 18, 26-27, 32, 37, 40\n'
    done
}

@test "-sorthits: the summary's identity is a share of bases, as NCBI's" {
    files
    for sort in 0 1 2 3 4; do
        expect 0 "$TAMIS" tblastx -query q.fa -subject s.fa -evalue 1e-5 -sorthits $sort
        grep -qE '^s1 first .* 1 +33% ' out
    done
}

@test "parts and archives give the report of one run; --stats" {
    files
    cat q.fa minus.fa q.fa >many.fa
    cat s.fa s.fa | awk '/^>/ { $1 = $1 "_" ++n } 1' >all.fa
    same_in_parts tblastx many.fa all.fa nucl
}

@test "the report of an archive has the chains of the run, also where HSPs of several frames have the same positions" {
    local unit=GATC flank=ATGCCAAGGACGTTGAGATCCCGTGGAGCCCTGTTCCTCGCCCGAACA
    # times N: the unit N times
    times() { printf "$unit%.0s" $(seq "$1"); }
    printf '>q\n%s\n' "$(times 9)TGTGACTAAACC$flank$(times 3)" >q.fa
    printf '>s\n%s\n' "$(times 5)$flank$(times 6)" >s.fa
    expect 0 "$TAMIS" tblastx -query q.fa -subject s.fa -seg no -outfmt 6
    [ "$(wc -l <out)" = 174 ]
    cp out want
    expect 0 "$TAMIS" tblastx -query q.fa -subject s.fa -seg no --archive all.part
    expect 0 "$TAMIS" report all.part -outfmt 6
    cmp out want
}

@test "--resume after a file became full: the file is the same" {
    files
    resumes_when_full tblastx q.fa s.fa
}

@test "without linking, -evalue is compared with each HSP; masks by lower case are those of bases" {
    files
    expect 0 "$TAMIS" tblastx -query q.fa -subject s.fa -outfmt "6 evalue" -sum_stats false -seg no
    [ -s out ] && awk '$1 > 10 { bad = 1 } END { exit bad }' out
    expect 0 "$TAMIS" tblastx -query q.fa -subject s.fa -sum_stats false
    run ! grep -q 'Value  N$' out
    printf '>q1\nGA%s\n' "$(printf %s "$gene" | tr ACGT acgt)" >lower.fa
    expect 0 "$TAMIS" tblastx -query lower.fa -subject s.fa -outfmt 6 -lcase_masking
    out_is ''
    expect 0 "$TAMIS" tblastx -query lower.fa -subject s.fa -outfmt 6
    [ -s out ]
}
