# tamis blastp beside NCBI's, where its program does what one would not expect: cases that random tests met.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    printf '>s1 one\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQMKLVAAWWCCCCWQRSTGHHILKM\n>s2 two\nMKLVAAWWPQRSTGHHILKMDEAGPCNYTRWQ\n' >s.fa
    printf '>s3 three\nPPAPPTAPAPPSTTPAPPTAPAPPSTTPAPPTAPARSTGHHILKMDEAGPCNYTRWQWWKKRTPAPPSTT\n' >>s.fa
    printf '>q1 first\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ\n>q2 second\nRSTGHHILKMDEAGPCNYTRWQWWKKRTPAPPSTTPAPPTAPAPPSTTPAPPTAPA\n' >q.fa
    if command -v makeblastdb >/dev/null; then makeblastdb -in s.fa -dbtype prot -out db >makeblastdb.log; fi
}

# same_as_ncbi ARGUMENT...: the same bytes and the same exit code.
same_as_ncbi() {
    local code=0
    need blastp
    if only_runs "$TAMIS" blastp "$@"; then return; fi
    blastp "$@" >want 2>want_err </dev/null || code=$?
    expect "$code" "$TAMIS" blastp "$@" </dev/null
    cmp want out
}

files() { cp "$BATS_FILE_TMPDIR"/* .; }

@test "qcovhsp of a single HSP without gaps is of the length that -query_loc has" {
    files
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -ungapped -comp_based_stats F -query_loc 3-100 -outfmt '6 sseqid qstart qend qcovhsp'
    grep -qPx 's1\t3\t32\t100' out # one of several, of the 30 letters that there are
    grep -qPx 's2\t3\t32\t31' out  # a single one, of 98
    for loc in 1-32 3-30 3-100 12-500; do
        for format in '6 std qcovhsp qcovs' '7 std qcovhsp' '10 qcovhsp qcovs'; do
            in_sample || continue
            same_as_ncbi -query q.fa -db db -ungapped -comp_based_stats F -query_loc $loc -outfmt "$format"
            same_as_ncbi -query q.fa -subject s.fa -ungapped -comp_based_stats F -max_hsps 1 -query_loc $loc -outfmt "$format"
            same_as_ncbi -query q.fa -db db -query_loc $loc -outfmt "$format"
        done
    done
}

@test "a last batch without a letter: what was found before is there, and exit status 3" {
    files
    { cat q.fa && printf '>short\nMKLV\n'; } >last.fa
    { cat q.fa && printf '>none\n>nothing\n'; } >empty.fa
    { cat q.fa && printf '>short\nMKLV\n' && cat q.fa; } >middle.fa
    { printf '>ends\nMKLVAAWW\n' && cat q.fa; } >begin.fa
    BATCH_SIZE=5 expect 3 "$TAMIS" blastp -query last.fa -subject s.fa -query_loc 9-99 -outfmt 6
    [ "$(cut -f 1 out | sort -u | tr '\n' ' ')" = 'q1 q2 ' ]
    err_is 'tamis blastp: last.fa: no query of the last batch has a residue; the output has the results of earlier batches\n'
    BATCH_SIZE=5 expect 3 "$TAMIS" blastp -query last.fa -subject s.fa -query_loc 9-99 -outfmt 6 -out written
    cmp <(BATCH_SIZE=5 "$TAMIS" blastp -query q.fa -subject s.fa -query_loc 9-99 -outfmt 6) written
    [ ! -e written.checkpoint ]
    for format in 0 1 5 6 7 15 16; do
        for size in 5 10000; do
            for query in last empty middle begin; do
                ! in_sample || BATCH_SIZE=$size same_as_ncbi -query $query.fa -db db -query_loc 9-99 -outfmt $format
            done
            ! in_sample || BATCH_SIZE=$size same_as_ncbi -query empty.fa -db db -outfmt $format
        done
        ! in_sample || same_as_ncbi -query q.fa -db db -query_loc 900-990 -outfmt $format
    done
}

@test "records that -query_loc leaves out do not fill a batch" {
    files
    { printf '>short\nMKLV\n' && cat q.fa && printf '>short\nMKLV\n'; } >around.fa
    for size in 31 32 33 35 36 87 88 89 91 92; do
        BATCH_SIZE=$size same_as_ncbi -query around.fa -db db -query_loc 9-99 -outfmt 6
    done
}

@test "-seg: numbers that are not above 0 mean the usual ones; formats 5 and 15 show what was typed" {
    files
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -seg '12 2.5 2.2' -outfmt 5
    grep -q '<Parameters_filter>S 12 2.5 2.2;</Parameters_filter>' out
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -seg '12 -1 2' -outfmt 15
    grep -q '"filter": "S 12 -1.0 2.0;"' out
    grep -q query_masking out
    for seg in '12 2.5 2.2' '12 -1 2' '12 0 0' '0 2.2 2.5' '-3 2.2 2.5' '12 2.20 2.50' '12 1e-3 0'; do
        same_as_ncbi -query q.fa -db db -seg "$seg" -outfmt 5
        same_as_ncbi -query q.fa -db db -seg "$seg" -soft_masking true -outfmt 15
    done
}

@test "no queries: from an empty file, a device, or standard input that is one" {
    files
    for format in 0 1 5 6 7 15 16; do
        expect 0 "$TAMIS" blastp -query /dev/null -subject s.fa -outfmt $format
        out_is ''
        err_is 'Warning: [blastp] Query is Empty!\n'
        expect 0 "$TAMIS" blastp -subject s.fa -outfmt $format </dev/null
        out_is ''
        same_as_ncbi -query /dev/null -db db -outfmt $format
        same_as_ncbi -query - -db db -outfmt $format
    done
    mkfifo pipe
    cat q.fa >pipe &
    expect 0 "$TAMIS" blastp -query pipe -subject s.fa -outfmt 6
    wait $!
    [ -s out ]
}

@test "comments alone are neither queries nor subjects: exit status 3" {
    files
    printf '#c\n' >c1
    printf '\n!x\r\n  \n;y' >c2
    printf '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\n' >c3
    for file in c1 c2 c3; do
        expect 3 "$TAMIS" blastp -query $file -subject s.fa -outfmt 6
        out_is ''
        err_is "tamis blastp: $file: no query has a residue\n"
        expect 3 "$TAMIS" blastp -query q.fa -subject $file
        out_is ''
        err_is "tamis blastp: $file: has no sequences\n"
    done
    for text in '\n' '#c\n'; do # of a pipe blastp does not look whether it is empty
        code=0
        # shellcheck disable=SC2059
        printf "$text" | "$TAMIS" blastp -query - -subject s.fa -outfmt 5 >out || code=$?
        [ "$code" -eq 3 ]
        out_is ''
    done
    for format in 0 5 6 7 15 16; do
        for file in c1 c2 c3; do
            in_sample || continue
            same_as_ncbi -query $file -db db -outfmt $format
            same_as_ncbi -query q.fa -subject $file -outfmt $format
        done
    done
}

# The smallest case found in which a node of the tree lacks a child on one side.
@test "-culling_limit: what is left of hundreds of alignments is what one thread of blastp leaves" {
    local data=$BATS_TEST_DIRNAME/../data/culling
    expect 0 "$TAMIS" blastp -query "$data/query.fa" -subject "$data/subjects.fa" -culling_limit 6 -evalue 1000 -comp_based_stats 0 \
        -outfmt '6 sseqid qstart qend score'
    cmp "$data/limit6.tsv" out
    for limit in 1 2 3 4 5 7 10 20; do
        same_as_ncbi -query "$data/query.fa" -subject "$data/subjects.fa" -culling_limit $limit -evalue 1000 -outfmt 6 -num_threads 1
    done
}

@test "-max_hsps behind culling and best hits is by score, not by E-value, and before coverage" {
    local options=(-query q -subject s -matrix BLOSUM90 -gapopen 10 -gapextend 1 -searchsp 1000 -outfmt '6 qstart sstart score evalue')
    printf '>q\nXDNIADPSHDPQDKKKRQXXLEGKEHENNLCATGFLNLTXWMVSKKVV\n' >q
    printf '>s\nQEKDESKSKSKSKSKSKSKSKWMVEKKRCTCKDTTTTQTQGESAYDLFTGFLLLTXCEVM\n' >s
    expect 0 "$TAMIS" blastp "${options[@]}" -seg no -max_hsps 1 -culling_limit 3
    [ "$(cat out)" = $'41\t22\t28\t0.025' ]
    expect 0 "$TAMIS" blastp "${options[@]}" -seg no -max_hsps 1
    [ "$(cat out)" = $'33\t49\t28\t0.022' ]
    for filter in '-culling_limit 1' '-culling_limit 3' '-best_hit_overhang 0.1' '-subject_besthit'; do
        for most in '-max_hsps 1' '-max_hsps 2' '-max_hsps 1 -qcov_hsp_perc 13' '-max_hsps 1 -qcov_hsp_perc 14' '-qcov_hsp_perc 14'; do
            # shellcheck disable=SC2086 # several options
            same_as_ncbi "${options[@]}" $filter $most
        done
    done
}

@test "-subject_besthit behind culling and best hits is by score, not by E-value" {
    local filter options=(-query q -subject s -word_size 3 -lcase_masking -subject_besthit -outfmt '6 qstart qend score evalue')
    printf '%s\n' '>q' TTFGLSXXJSDDRACTGATCTXENNAVRNLGNTCTNXGNDNKSNRKPGMKFTRTENFDRRQCNPSTEWCWYIEFDSW QHKEGTKCCRYRFFDYWQHKLGTKWCRYMNFDRWQH >q
    printf '%s\n' '>s' TGSSVTXAISDDSSRSASKRTGATDTXXJSDDSSVTVATDTXXJSDDSSKVCRYMNFDRWQKLGGGGGNFDRKS GTKWCRYNWRKLETKWCGYMNPDRWQDTMCLHAAFDVCRHKLGTKDASTALVWCRYMNFDRWQHGTKWARYMNA DFDRKLGTKWCRYMNFDRWQHKLGTKWCRYMNFDRWQHKWCRYMKLGNKLCRIKNFLRPTHKLGTKLDTKWCRY MNFDRWQH >s
    expect 0 "$TAMIS" blastp "${options[@]}" -best_hit_overhang 0.1
    [ "$(cat out)" = $'44\t113\t179\t6.86e-22\n60\t113\t179\t7.46e-22\n9\t113\t118\t3.81e-13' ]
    expect 0 "$TAMIS" blastp "${options[@]}"
    [ "$(cat out)" = $'44\t113\t179\t6.86e-22\n9\t113\t118\t3.81e-13' ]
    for filter in '-culling_limit 3' '-culling_limit 3 -comp_based_stats 0' '-best_hit_overhang 0.1' '-best_hit_overhang 0.4 -comp_based_stats 0'; do
        # shellcheck disable=SC2086 # several options
        same_as_ncbi "${options[@]}" $filter
    done
}

@test "a database of aligned sequences: their dashes are residues, which are identical to a gap" {
    need makeblastdb
    printf '>a one\nMSQNTLKVHDLNEDAEFD---ENGVEVFDEKALVEQEPSDNDLAEEELLSQGATQRVLDATQLYLGEIGYSPLLTAEEEVYFAR\n' >d.fa
    printf '>b two\nMSQNTLKVHDLNEDAEFDENGVEVFDEKALVEQEPS--DLAEEELLSQGATQRVLDATQLYLG-----PLLTAEEEVYFAR\n' >>d.fa
    printf '>c three\n----MSQNTLKVHDLNEDAEFDENGVEVFDEKALVEQEPSWWWWDLAEEELLSQGATQRVLDATQLYLGAAAAPLLTAEEEVYFAR\n' >>d.fa
    printf '>q\nMSQNTLKVHDLNEDAEFDENGVEVFDEKALVEQEPSDNDLAEEELLSQGATQRVLDATQLYLGEIGYSPLLTAEEEVYFAR\n' >q.fa
    makeblastdb -in d.fa -dbtype prot -out d >makeblastdb.log
    expect 0 "$TAMIS" blastp -query q.fa -db d -comp_based_stats 0 -max_target_seqs 1 -outfmt '6 nident positive gaps sstart send btop'
    out_is '84\t84\t3\t1\t84\t84\n'
    for format in 0 1 2 3 4 5 7 15 16 '6 std btop positive ppos qseq sseq'; do
        same_as_ncbi -query q.fa -db d -outfmt "$format"
        same_as_ncbi -query q.fa -db d -outfmt "$format" -comp_based_stats 0 -use_sw_tback
    done
    for format in 0 1 2 3 4; do same_as_ncbi -query q.fa -db d -outfmt "$format" -line_length 20 -sorthits 3; done
}

@test "one hit of a long word: alignments whose length is below 0, or 0" {
    local one=(-query q.fa -subject s.fa -matrix PAM30 -window_size 0 -evalue 1e6 -seg no)
    printf '>q4\nMATHFARGILTEGHLISVRLPSQCHQEARNIPPHRQSRF\n>q9\nRGDRAVTIVNFHNERIEEARICIDKSLQLEPRR\n' >q.fa
    printf '>s4\nMLYGFSGVILQGALVTLELAISSVVLAVIIGLIGAGGKLSQNRLSGLIFEGYTTLIRGVPDLVLMLLIFYGLQIALNTVTEAMGVGQIDIDPM\n' >s.fa
    printf '>s3\nCPQGGLKGLAISAATLLSGVVWAMVIIYGSALAPHLEILGYVITGIVAFLMCIQAKQLLLSFVPGTFIGACATFSTKTAHREQQIKNKA\n' >>s.fa
    expect 0 "$TAMIS" blastp "${one[@]}" -word_size 6 -threshold 16 -comp_based_stats 0 -outfmt '6 qstart qend sstart send score'
    out_is '9\t16\t9\t15\t14\n10\t15\t39\t44\t10\n26\t30\t83\t87\t12\n15\t15\t81\t81\t8\n'
    for word in 5 6 7; do
        for mode in 0 1 2; do same_as_ncbi "${one[@]}" -word_size $word -threshold 10 -comp_based_stats $mode -outfmt 0; done
        for format in 0 5 6 7; do same_as_ncbi "${one[@]}" -word_size $word -threshold 10 -comp_based_stats 0 -ungapped -outfmt $format; done
    done
    printf '>q\nVKSGNSDHAHMSNGYKLYFCESLNIASWKY\n' >q.fa
    printf '>s\nMLLKEKSIEIAEPQ\n' >s.fa
    one+=(-word_size 7 -threshold 5 -comp_based_stats 0 -ungapped)
    expect 0 "$TAMIS" blastp "${one[@]}" -outfmt '6 length pident ppos sstart send'
    out_is '5\t60.000\t60.00\t7\t11\n0\t0.000\t0.00\t7\t6\n'
    for format in '6 std ppos' 0 5 7 15; do same_as_ncbi "${one[@]}" -outfmt "$format"; done
}
