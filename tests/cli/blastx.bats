# tamis blastx, as its user meets it. tests/identity/ compares what it finds with NCBI's program.
load common
load blast
load translated
gene=$(the_gene)

# A protein, and a query that has its gene behind two bases.
files() {
    printf '>p1 one\nMKRISTTWHYDEQLPRCFKNVAMSDEPWYHKLRTGCQNVF\n>p2 two\nMAAWWPPHHKKLLMMNNRRSSTTVVYYFFGGEEDDCCQQI\n' >p.fa
    gene_files q
}

@test "help, as text, and the version that it is" {
    describes_itself blastx -task -query_gencode -strand
}

@test "frames and bases: of both strands, of a part, in tables, text, XML and JSON" {
    files
    columns="6 qstart qend sstart send frames qframe sframe length qcovs qcovhsp"
    expect 0 "$TAMIS" blastx -query q.fa -subject p.fa -outfmt "$columns" -evalue 1e-5
    out_is '3\t122\t1\t40\t3/0\t3\t0\t40\t98\t33\n'
    expect 0 "$TAMIS" blastx -query minus.fa -subject p.fa -outfmt "$columns" -evalue 1e-5
    out_is '120\t1\t1\t40\t-3/0\t-3\t0\t40\t98\t33\n'
    expect 0 "$TAMIS" blastx -query q.fa -subject p.fa -outfmt "$columns" -evalue 1e-5 -query_loc 3-122
    out_is '3\t122\t1\t40\t3/0\t3\t0\t40\t100\t33\n'
    expect 0 "$TAMIS" blastx -query minus.fa -subject p.fa
    grep -q '^ Frame = -3$' out
    grep -q '^Query  120  MKRISTT' out
    expect 0 "$TAMIS" blastx -query minus.fa -subject p.fa -outfmt 5
    grep -q '<Hsp_query-from>1<' out
    grep -q '<Hsp_query-frame>-3<' out
    expect 0 "$TAMIS" blastx -query minus.fa -subject p.fa -outfmt 15
    grep -q '"query_frame": -3' out
    grep -q '"query_gencode": 1' out
}

@test "formats 1 to 4: each frame has its own rows" {
    files
    printf '>q1\nGA%s%s\n' "$gene" "$(printf %s "$gene" | rev | tr ACGT TGCA)" >both.fa
    for format in 1 3; do
        expect 0 "$TAMIS" blastx -query both.fa -subject p.fa -evalue 1e-5 -outfmt $format
        sed -n '/^For/,/^Lambda/p' out | cmp - <(
            cat <<'EOF'
For reading frame +3 of query sequence:

Query_1    3    MKRISTTWHYDEQLPRCFKNVAMSDEPWYHKLRTGCQNVF  122
Subject_1  1    ........................................  40

For reading frame -1 of query sequence:

Query_1    242  MKRISTTWHYDEQLPRCFKNVAMSDEPWYHKLRTGCQNVF  123
Subject_1  1    ........................................  40


Lambda      K        H        a         alpha
EOF
        )
    done
    expect 0 "$TAMIS" blastx -query q.fa -subject p.fa -evalue 1e-5 -outfmt 2
    run ! grep -q '^For reading frame' out
}

@test "strands and genetic codes" {
    files
    expect 0 "$TAMIS" blastx -query q.fa -subject p.fa -outfmt 6 -strand minus -evalue 1e-5
    out_is ''
    expect 0 "$TAMIS" blastx -query q.fa -subject p.fa -outfmt "6 qframe" -strand plus -evalue 1e-5
    out_is '3\n'
    printf '>q2\nGA%s\n' "${gene/TGGCAT/TGACAT}" >w.fa # TGA is W in code 4
    expect 0 "$TAMIS" blastx -query w.fa -subject p.fa -outfmt "6 pident" -query_gencode 4 -evalue 1e-5
    out_is '100.000\n'
    takes_codes blastx -query q.fa -subject p.fa -query_gencode
}

@test "-sorthits: an ambiguous codon of the query is X, though it is shown as B" {
    printf '>q\n%sRAY%s\n' "${gene:0:30}" "${gene:33}" >q.fa
    for residue in B X; do printf '>s%s\n%s%s%s\n' $residue "$(the_protein | cut -c 1-10)" $residue "$(the_protein | cut -c 12-)"; done >s.fa
    expect 0 "$TAMIS" blastx -query q.fa -subject s.fa -sorthits 3 -comp_based_stats 0
    [ "$(awk '/^s[BX] / { print $1, $NF }' out)" = $'sX 100%\nsB 98%' ]
    grep -q '^Query  1    MKRISTTWHYBEQ' out
}

@test "-ungapped: HSPs without gaps, linked by either rule, and only without composition" {
    files
    shifted_gene q1
    while IFS=: read -r words want; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" blastx -query shifted.fa -subject p.fa -ungapped -comp_based_stats F $words -outfmt "6 qstart qend sstart send qframe score evalue"
        out_is "$want"
    done <<'EOF'
:58\t123\t19\t40\t1\t119\t5.74e-27\n3\t62\t1\t20\t3\t117\t5.74e-27\n
-max_intron_length 30:58\t123\t19\t40\t1\t119\t2.30e-26\n3\t62\t1\t20\t3\t117\t2.30e-26\n
-sum_stats false:58\t123\t19\t40\t1\t119\t9.60e-15\n3\t62\t1\t20\t3\t117\t1.75e-14\n
EOF
    expect 0 "$TAMIS" blastx -query shifted.fa -subject p.fa -ungapped -comp_based_stats F
    grep -q '^Sequences producing .*  N$' out
    grep -q 'Expect(2) = 6e-27' out
    expect 1 "$TAMIS" blastx -query shifted.fa -subject p.fa -ungapped
    err_has 'tamis blastx: -ungapped cannot use composition-based statistics: give -comp_based_stats F too'
}

@test "SAM, a database of the other kind, and IDENTITY with gaps are refused" {
    files
    expect 1 "$TAMIS" blastx -query q.fa -subject p.fa -outfmt 17
    err_has SAM
    "$TAMIS" makedb -in q.fa -dbtype nucl -out bases >/dev/null
    expect 2 "$TAMIS" blastx -query q.fa -db bases
    err_has 'tamis blastx: bases is a nucleotide database, and blastx searches protein databases'
    expect 1 "$TAMIS" blastx -query q.fa -subject p.fa -matrix identity
    err_has 'tamis blastx: -matrix IDENTITY needs -ungapped'
    expect 0 "$TAMIS" blastx -query q.fa -subject p.fa -matrix IDENTITY -ungapped -comp_based_stats 0 -outfmt "6 pident"
    out_is '100.000\n'
}

@test "sequences that are not there, or are of the other kind" {
    files
    no_sequences blastx q.fa p.fa
    expect 0 "$TAMIS" blastx -query p.fa -subject p.fa -outfmt 6
    out_is ''
    err_has 'FASTA-Reader: Ignoring invalid residues at position(s): On line 2: 4, 12-15, 18, 26-27, 32, 37, 40'
    err_has "tamis blastx: p.fa: looks like proteins: blastx translates queries; 'tamis blastp'"
    expect 0 "$TAMIS" blastx -query q.fa -subject q.fa -outfmt 6
    err_has "tamis blastx: q.fa: looks like DNA: blastx searches in proteins; 'tamis tblastx'"
    expect 0 "$TAMIS" blastx -query q.fa -subject p.fa -outfmt 6 # queries are DNA
    err_is ''
}

@test "queries in FASTQ, from standard input, and compressed" {
    files
    "$TAMIS" blastx -query q.fa -subject p.fa -outfmt 6 >want
    printf '@q1 first\nGA%s\n+\nII%s\n' "$gene" "${gene//?/I}" | gzip >q.fq.gz
    expect 0 "$TAMIS" blastx -query q.fq.gz -subject p.fa -outfmt 6
    cmp out want
    expect 0 "$TAMIS" blastx -subject p.fa -outfmt 6 <q.fa
    cmp out want
}

@test "parts and archives give the report of one run; --stats" {
    files
    cat q.fa minus.fa q.fa >many.fa
    same_in_parts blastx many.fa p.fa prot
}

@test "--resume after a file became full: the file is the same" {
    files
    resumes_when_full blastx q.fa p.fa
}
