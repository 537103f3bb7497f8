# tamis tblastn, as its user meets it. tests/identity/ compares what it finds with NCBI's program.
load common
load bases
load blast
load translated
gene=$(the_gene)

# A protein, and sequences that have its gene behind two bases.
files() {
    printf '>q1 one\nMKRISTTWHYDEQLPRCFKNVAMSDEPWYHKLRTGCQNVF\n' >p.fa
    gene_files s
}

@test "help, as text, and the version that it is" {
    describes_itself tblastn -task -db_gencode
}

@test "frames and bases: of both strands, of a part, in tables, text, XML and JSON" {
    files
    columns="6 qstart qend sstart send slen frames qframe sframe length qcovs sstrand"
    expect 0 "$TAMIS" tblastn -query p.fa -subject s.fa -outfmt "$columns" -evalue 1e-5
    out_is '1\t40\t3\t122\t122\t0/3\t0\t3\t40\t100\tN/A\n'
    expect 0 "$TAMIS" tblastn -query p.fa -subject minus.fa -outfmt "$columns" -evalue 1e-5
    out_is '1\t40\t120\t1\t122\t0/-3\t0\t-3\t40\t100\tN/A\n'
    expect 0 "$TAMIS" tblastn -query p.fa -subject s.fa -outfmt "$columns" -evalue 1e-5 -subject_loc 3-122
    out_is '1\t40\t3\t122\t122\t0/3\t0\t3\t40\t100\tN/A\n'
    expect 0 "$TAMIS" tblastn -query p.fa -subject minus.fa
    grep -q '^ Frame = -3$' out
    grep -q '^Sbjct  120  MKRISTT' out
    expect 0 "$TAMIS" tblastn -query p.fa -subject minus.fa -outfmt 5
    grep -q '<Hsp_hit-from>1<' out
    grep -q '<Hsp_hit-frame>-3<' out
    expect 0 "$TAMIS" tblastn -query p.fa -subject minus.fa -outfmt 15
    grep -q '"hit_frame": -3' out
    grep -q '"db_gencode": 1' out
}

@test "sframe is -1 in a table without a column that needs the alignment, as in NCBI's programs" {
    files
    for column in qstart qend qseq sstart send sseq length pident nident mismatch positive gapopen gaps ppos qframe btop sstrand; do
        expect 0 "$TAMIS" tblastn -query p.fa -subject s.fa -outfmt "6 sframe $column" -evalue 1e-5
        [ "$(cut -f 1 out)" = 3 ]
    done
    for columns in '6 sframe' '7 qseqid sframe saccver' '10 sframe qlen slen evalue bitscore score' '6 sframe stitle qcovs qcovhsp' '6 sframe nident'; do
        expect 0 "$TAMIS" tblastn -query p.fa -subject s.fa -outfmt "$columns" -evalue 1e-5
        cp out have
        if ! command -v tblastn >/dev/null || [ -n "${TAMIS_SANITIZED:-}" ]; then continue; fi
        expect 0 tblastn -query p.fa -subject s.fa -outfmt "$columns" -evalue 1e-5
        cmp out have
    done
    expect 0 "$TAMIS" tblastn -query p.fa -subject s.fa -outfmt '6 sframe' -evalue 1e-5
    [ "$(cat out)" = -1 ]
    expect 0 "$TAMIS" tblastn -query p.fa -subject s.fa -outfmt '6 frames' -evalue 1e-5
    out_is '0/3\n'
}

@test "-use_sw_tback with IDENTITY is exit status 3, also if nothing would be aligned" {
    files
    for evalue in 10 1e-300; do
        expect 3 "$TAMIS" tblastn -query p.fa -subject s.fa -matrix IDENTITY -comp_based_stats 0 -use_sw_tback -outfmt 6 -evalue $evalue
        err_has 'IDENTITY has none'
        if command -v tblastn >/dev/null && [ -z "${TAMIS_SANITIZED:-}" ]; then
            expect 3 tblastn -query p.fa -subject s.fa -matrix IDENTITY -comp_based_stats 0 -use_sw_tback -outfmt 6 -evalue $evalue
        fi
    done
}

@test "formats 1 to 4: rows of subjects count bases, down on a minus frame" {
    files
    sed 's/DEQLP/DEVVQLP/; s/^MKR/MLR/' p.fa >inserted.fa
    expect 0 "$TAMIS" tblastn -query inserted.fa -subject minus.fa -evalue 1e-5 -outfmt 3 -line_length 20
    sed -n '/^Query_1/,/^Lambda/p' out | cmp - <(
        cat <<'EOF'
Query_1    1    MLRISTTWHYDEVVQLPRCF  20
Subject_1  120  .K..........--......  67

Query_1    21   KNVAMSDEPWYHKLRTGCQN  40
Subject_1  66   ....................  7

Query_1    41   VF  42
Subject_1  6    ..  1


Lambda      K        H        a         alpha
EOF
    )
}

@test "genetic codes: of a database; a file is searched by the standard code, and shown by the one that is given" {
    files
    printf '>s2\nGA%s\n' "${gene/TGGCAT/TGACAT}" >w.fa # TGA is W in code 4
    "$TAMIS" makedb -in w.fa -dbtype nucl -out w >/dev/null
    expect 0 "$TAMIS" tblastn -query p.fa -db w -outfmt "6 pident score" -db_gencode 4 -evalue 1e-5
    one=$(cut -f 2 out)
    grep -q '^100.000' out
    expect 0 "$TAMIS" tblastn -query p.fa -subject w.fa -outfmt "6 pident score" -db_gencode 4 -evalue 1e-5
    grep -q '^100.000' out
    [ "$(cut -f 2 out)" -lt "$one" ]
    takes_codes tblastn -query p.fa -subject s.fa -db_gencode
}

@test "-sorthits: identities are those of the alignment's code, which composition-based statistics count again" {
    files
    printf '>w\nGA%s\n' "${gene/TGGCAT/TGACAT}" >w.fa # TGA is W in code 4
    for options in '0 98%' '2 100%'; do
        expect 0 "$TAMIS" tblastn -query p.fa -subject w.fa -db_gencode 4 -seg no -sorthits 0 -comp_based_stats "${options% *}"
        grep -qE "^w .* ${options#* } +\$" out
    done
}

@test "-sorthits 3: of subjects with equal identities, the one with the least E-value, of any HSP" {
    back=$(fold -w 3 <<<"$gene" | tac | tr -d '\n')
    printf '>q\n%s%s\n' "$(the_protein)" "$(the_protein | rev)" >p.fa
    printf '>x\n%s\n' "${gene:0:72}" >s.fa
    printf '>y\n%sGA%sCATTGACCATGGTTAG%s\n' "$(rev <<<"${gene:0:69}" | tr ACGT TGCA)" "${back:0:57}" "${back:60}" >>s.fa
    expect 0 "$TAMIS" tblastn -query p.fa -subject s.fa -seg no -comp_based_stats 0 -sorthits 3
    [ "$(grep -E '^[xy] ' out | tr -s ' ')" = $'y 54.7 152 77% 3e-17 100% \nx 56.2 56.2 30% 1e-17 100% ' ]
}

@test "best hits, culling, and Smith-Waterman" {
    files
    printf '>s2\n%s%sGA%s\n' "$gene" AAAA "$(printf %s "$gene" | rev | tr ACGT TGCA)" >twice.fa
    minus='1\t40\t246\t127\t-1\n' plus='1\t40\t1\t120\t1\n'
    while IFS=: read -r words want; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" tblastn -query p.fa -subject twice.fa -outfmt "6 qstart qend sstart send sframe" -evalue 1e-5 $words
        out_is "$want"
    done <<EOF
-use_sw_tback:$minus$plus
-subject_besthit:$minus
-culling_limit 1:$plus
-best_hit_overhang 0.1 -best_hit_score_edge 0.1:$minus$plus
EOF
}

@test "-ungapped: HSPs without gaps, linked by either rule" {
    files
    shifted_gene s1
    while IFS=: read -r words want; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" tblastn -query p.fa -subject shifted.fa -ungapped -comp_based_stats F $words -outfmt "6 qstart qend sstart send sframe score evalue"
        out_is "$want"
    done <<'EOF'
:19\t40\t58\t123\t1\t119\t7.81e-28\n1\t20\t3\t62\t3\t117\t7.81e-28\n
-max_intron_length 30:19\t40\t58\t123\t1\t119\t2.35e-27\n1\t20\t3\t62\t3\t117\t2.35e-27\n
-sum_stats false:19\t40\t58\t123\t1\t119\t2.27e-15\n1\t20\t3\t62\t3\t117\t4.34e-15\n
EOF
}

@test "-html: links lead to pages of nucleotides" {
    files
    printf '>ref|NM_000001.2| a\n%s\n' "$gene" >n.fa
    expect 0 "$TAMIS" tblastn -query p.fa -subject n.fa -parse_deflines -html
    grep -qF 'href="https://www.ncbi.nlm.nih.gov/nucleotide/NM_000001.2?report=genbank&log$=nucltop&blast_rank=1&RID="' out
    grep -qF 'href="https://www.ncbi.nlm.nih.gov/nucleotide/NM_000001.2?report=genbank&log$=nuclalign&blast_rank=1&RID=0"' out
    run ! grep -q /protein/ out
}

@test "a list of ids: the total of bases is NCBI's, which is not exact" {
    files
    for k in 0 1 2 3; do printf '>r%s\n%s%s\n' $k "$gene" "${gene:0:$((5 + 3 * k))}"; done >r.fa
    "$TAMIS" makedb -in r.fa -dbtype nucl -parse_seqids -out r >/dev/null
    while read -r id space; do
        echo "$id" >ids
        expect 0 "$TAMIS" tblastn -query p.fa -db r -seqidlist ids
        grep -qx "Effective search space used: $space" out
    done <<'EOF'
r0 1640
r1 1720
r2 1720
r3 1800
EOF
}

@test "-db_hard_mask: each part of a frame is searched on its own, and masked bases are unknown in alignments" {
    need convert2blastmask
    files
    printf '>s1\n%s%s%s\n' "${gene:0:51}" "$(tr ACGT acgt <<<"${gene:51:15}")" "${gene:66}" >lower.fa
    convert2blastmask -in lower.fa -masking_algorithm repeat -masking_options test -outfmt maskinfo_asn1_bin -out masks
    makeblastdb -in lower.fa -dbtype nucl -mask_data masks -out masked >/dev/null
    columns="6 qstart qend sstart send score"
    expect 0 "$TAMIS" tblastn -query p.fa -db masked -outfmt "$columns" -comp_based_stats 0 -db_hard_mask 40 -seg no
    out_is '1\t40\t1\t120\t203\n' # 233 without masks
    expect 0 "$TAMIS" tblastn -query p.fa -db masked -outfmt "$columns" -comp_based_stats 0 -ungapped -db_hard_mask 40 -seg no
    out_is '23\t40\t67\t120\t108\n1\t17\t1\t51\t100\n'
}

# The last frames of a1 end masked, so NCBI's program keeps what their whole length has left on diagonals, and meets it in b1: there it finds
# nothing near the beginning. Threads that share the frames of a long subject have diagonals of their own, which would not have that.
@test "-db_hard_mask: what a masked frame leaves on diagonals is met in a subject whose frames several threads could scan" {
    need convert2blastmask
    files
    printf '>a1\n%sGA%s\n>b1\n%s%s\n' "$(long_bases 30000 1 | tr ACGT acgt)" "$(long_bases 60 2)" "$gene" "$(long_bases 300000 3)" >s.fa
    convert2blastmask -in s.fa -masking_algorithm repeat -masking_options test -outfmt maskinfo_asn1_bin -out masks
    makeblastdb -in s.fa -dbtype nucl -mask_data masks -out masked >/dev/null
    search=("$TAMIS" tblastn -query p.fa -db masked -seg no -comp_based_stats 0 -evalue 1e-5 -outfmt "6 sseqid qstart qend sstart send")
    expect 0 "${search[@]}"
    out_is 'b1\t1\t40\t1\t120\n'
    for threads in 1 3; do
        expect 0 "${search[@]}" -db_hard_mask 40 -num_threads $threads
        out_is ''
    done
}

@test "SAM, and a database of the other kind, are refused" {
    files
    expect 1 "$TAMIS" tblastn -query p.fa -subject s.fa -outfmt 17
    err_has SAM
    "$TAMIS" makedb -in p.fa -dbtype prot -out proteins >/dev/null
    expect 2 "$TAMIS" tblastn -query p.fa -db proteins
    err_has 'tamis tblastn: proteins is a protein database, and tblastn searches nucleotide databases'
    expect 2 "$TAMIS" tblastn -query p.fa -db s.fa
    err_has 'tamis tblastn: s.fa is FASTA: search in it with -subject'
}

@test "sequences that are not there, or are of the other kind" {
    files
    no_sequences tblastn p.fa s.fa
    expect 0 "$TAMIS" tblastn -query s.fa -subject s.fa -outfmt 6
    err_has "tamis tblastn: s.fa: looks like DNA: tblastn searches with proteins; 'tamis tblastx'"
    expect 0 "$TAMIS" tblastn -query p.fa -subject p.fa -outfmt 6
    out_is ''
    err_is 'FASTA-Reader: Ignoring invalid residues at position(s): On line 2: 4, 12-15, 18, 26-27, 32, 37, 40\n'
}

@test "pyrrolysine in queries: a warning, and its place in XML" {
    files
    sed 's/DEQLP/DEOLP/' p.fa >o.fa
    warning='Query_1 q1 one: One or more O characters replaced by X for alignment score calculations at positions 12 '
    expect 0 "$TAMIS" tblastn -query o.fa -subject s.fa -evalue 1e-5 -outfmt "6 nident"
    out_is '39\n'
    err_is "Warning: [tblastn] $warning\n"
    expect 0 "$TAMIS" tblastn -query o.fa -subject s.fa -outfmt 5
    grep -q "<Iteration_message>Query_1 q1 one:  $warning</Iteration_message>" out
}

@test "position-specific scores, and a search far away, are refused by name" {
    files
    expect 1 "$TAMIS" tblastn -in_pssm x -subject s.fa
    err_has '-in_pssm is not supported'
    expect 1 "$TAMIS" tblastn -query p.fa -db nt -remote
    err_has remote
}

@test "parts and archives give the report of one run; --stats" {
    files
    cat p.fa p.fa >many.fa
    cat s.fa minus.fa s.fa | sed 's/s1/s/' >all.fa
    same_in_parts tblastn many.fa all.fa nucl
}

@test "--resume after a file became full: the file is the same" {
    files
    resumes_when_full tblastn p.fa s.fa
}
