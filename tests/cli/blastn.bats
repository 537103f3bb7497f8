# tamis blastn, as its user meets it. tests/identity/ compares what it finds with NCBI's program.
load common
load blast
load bases

# A query, a subject that has it, and one that has its reverse complement with a difference.
files() {
    local bases=ACGGTTCATGCAATCCGGATTGACCAGTACGTTAGCATCGGATACCGTTAGG
    printf '>q1 first\n%s\n' $bases >q.fa
    printf '>s1 one\nTTTT%sTT\n>s2 two\nGG%sA\n' $bases "$(printf %s $bases | sed 's/ACCAG/ACGAG/' | rev | tr ACGT TGCA)" >s.fa
}
plus='q1\ts1\t100.000\t52\t0\t0\t1\t52\t5\t56\t2.65e-26\t97.1\n'

@test "help, as text, and the version that it is" {
    expect 0 "$TAMIS" blastn --help
    grep -q '^Usage: tamis blastn ' out
    for option in -query -db -subject -task -word_size -reward -dust -strand --resume --stats; do grep -qe "$option" out; done
    [ ! -s err ]
    expect 0 "$TAMIS" blastn -version
    grep -qx 'blastn: 2.12.0+' out
}

@test "GPUs: one that cannot be had ends the search before anything is written" {
    files
    echo before >hits
    for device in cuda:99 cuda:0,99; do
        expect 4 "$TAMIS" blastn -query q.fa -subject s.fa -outfmt 6 -out hits --device $device
        err_has GPU
        [ "$(cat hits)" = before ]
    done
    expect 1 "$TAMIS" blastn -query q.fa -subject s.fa --gpu-memory 1M
    err_has '--gpu-memory takes a number of bytes, 33554432 or more'
    expect 0 "$TAMIS" blastn -query q.fa -subject s.fa -outfmt 6 --device cpu --gpu-memory 32Mi
    out_is "$plus"
}

@test "queries in FASTA and FASTQ, from standard input, and compressed" {
    files
    expect 0 "$TAMIS" blastn -query q.fa -subject s.fa -outfmt 6
    out_is "$plus"
    expect 0 "$TAMIS" blastn -subject s.fa -outfmt 6 <q.fa
    out_is "$plus"
    printf '@q1 first\n%s\n+\n%s\n' "$(tail -n 1 q.fa)" "$(tail -n 1 q.fa)" >q.fq
    gzip -k q.fq s.fa
    expect 0 "$TAMIS" blastn -query q.fq.gz -subject s.fa.gz -outfmt 6
    out_is "$plus"
}

@test "each task, strand and format prints what NCBI's program prints" {
    files
    cp s.fa more.fa
    "$TAMIS" makedb -in s.fa -dbtype nucl -out db >/dev/null
    for task in megablast blastn blastn-short dc-megablast rmblastn; do
        for format in 0 3 5 6 7 10 15 17; do
            blastn_as_ncbi -task $task -query q.fa -subject s.fa -outfmt $format -word_size 11
            blastn_as_ncbi -task $task -query q.fa -db db -outfmt $format -word_size 11
        done
        blastn_as_ncbi -task $task -query q.fa -subject s.fa -outfmt 6 -strand minus -word_size 11
        blastn_as_ncbi -task $task -query q.fa -subject s.fa -outfmt "6 std sstrand frames btop qcovus" -word_size 11 -ungapped
    done
}

@test "SAM is NCBI's: references, bases, names, ranges, ungapped reads, no hits" {
    files
    cat s.fa >>q.fa
    printf '>none\n%0100d\n' 0 | tr 0 N >>q.fa
    "$TAMIS" makedb -in s.fa -dbtype nucl -parse_seqids -out parsed >/dev/null
    "$TAMIS" makedb -in s.fa -dbtype nucl -out db >/dev/null
    for sam in 17 "17 SQ" "17 SR" "17 SR SQ" "17 sq,sr" "17 delim=x SR"; do
        blastn_as_ncbi -query q.fa -db db -word_size 11 -outfmt "$sam"
        blastn_as_ncbi -query q.fa -db parsed -word_size 11 -outfmt "$sam"
        blastn_as_ncbi -query q.fa -db db -word_size 11 -parse_deflines -outfmt "$sam"
        blastn_as_ncbi -query q.fa -subject s.fa -word_size 11 -query_loc 4-40 -subject_loc 3-50 -outfmt "$sam"
        blastn_as_ncbi -query q.fa -subject s.fa -task blastn -word_size 4 -ungapped -evalue 1000 -outfmt "$sam"
    done
    blastn_as_ncbi -query q.fa -db db -evalue 1e-200 -outfmt 17
    printf '>e\n\n' >>q.fa
    BATCH_SIZE=1 blastn_as_ncbi -query q.fa -db db -word_size 11 -outfmt 17
}

@test "SAM is written at the end: one header for all queries, and a name in it once" {
    files
    cat q.fa q.fa >two.fa
    BATCH_SIZE=1 blastn_as_ncbi -query two.fa -subject s.fa -parse_deflines -outfmt 17
    expect 0 "$TAMIS" blastn -query two.fa -subject s.fa -outfmt 17 -num_threads 1
    grep -v '^@PG' out >want
    expect 0 env BATCH_SIZE=1 "$TAMIS" blastn -query two.fa -subject s.fa -outfmt 17 -num_threads 3 -out got
    grep -v '^@PG' got | cmp - want
    printf '>p\nMKLVAAWWPQRSTGHHILKM\n' >p.fa
    expect 1 "$TAMIS" blastp -query p.fa -subject p.fa -outfmt 17
    grep -q 'is SAM, which only blastn writes' err
}

@test "masks of a database, versions 4 and 5, print what NCBI's program prints" {
    need convert2blastmask
    files
    printf '>s3\n%s\n' "$(sed -n 2p q.fa | sed 's/TTGACCAG/ttgaccag/; s/ATACC/atacc/')" >>s.fa
    cat s.fa >>q.fa
    convert2blastmask -in s.fa -masking_algorithm repeat -masking_options test -outfmt maskinfo_asn1_bin -out masks
    for version in 4 5; do
        makeblastdb -in s.fa -dbtype nucl -blastdb_version $version -mask_data masks -out masked >/dev/null
        for format in 0 5 6 15 "17 SQ"; do
            blastn_as_ncbi -task blastn -word_size 7 -query q.fa -db masked -db_soft_mask 40 -outfmt "$format"
        done
        blastn_as_ncbi -task blastn-short -query q.fa -db masked -db_soft_mask 40 -outfmt 6
        blastn_as_ncbi -task blastn-short -query q.fa -db masked -db_hard_mask 40 -outfmt 6
        expect 0 "$TAMIS" blastn -word_size 28 -query q.fa -db masked -db_soft_mask 40 -outfmt "6 saccver"
        run ! grep -qx s3 out
        expect 0 "$TAMIS" blastn -word_size 28 -query q.fa -db masked -outfmt "6 saccver"
        grep -qx s3 out
    done
}

# Masked ranges begin and end within alignments.
masked_bases() {
    bases 12 1 q >q.fa
    bases 30 3 s >s.fa
    convert2blastmask -in s.fa -masking_algorithm repeat -masking_options test -outfmt maskinfo_asn1_bin -out masks
    makeblastdb -in s.fa -dbtype nucl -mask_data masks -out masked >/dev/null
}

@test "hard masks of a database print what NCBI's program prints, in every format" {
    need convert2blastmask
    masked_bases
    for format in 0 1 2 3 4 5 6 7 10 15 16 17 "17 SQ" "17 SQ SR" "6 std btop" "6 std ppos" "6 nident mismatch qcovs"; do
        in_sample || continue
        blastn_as_ncbi -task blastn -query q.fa -db masked -db_hard_mask 40 -outfmt "$format"
        blastn_as_ncbi -task blastn -ungapped -query q.fa -db masked -db_hard_mask 40 -outfmt "$format"
    done
    for options in "-word_size 12" "-ungapped" "-perc_identity 88" "-subject_besthit" "-no_greedy -gapopen 5 -gapextend 2" "-culling_limit 2" \
        "-task dc-megablast" "-task blastn -sorthits 3 -sorthsps 3" "-task blastn -html"; do
        in_sample || continue
        # shellcheck disable=SC2086 # several words
        blastn_as_ncbi $options -query q.fa -db masked -db_hard_mask 40
    done
    expect 0 "$TAMIS" blastn -query q.fa -db masked -outfmt "6 std btop"
    cp out unmasked
    expect 0 "$TAMIS" blastn -query q.fa -db masked -db_hard_mask 40 -outfmt "6 std btop"
    run ! cmp -s unmasked out
    expect 1 "$TAMIS" blastn -query q.fa -subject s.fa -db_hard_mask 40
}

@test "masks of the database below the query: those of one row, in the columns of all" {
    need convert2blastmask
    masked_bases
    blastn_as_ncbi -task blastn -lcase_masking -query q.fa -db masked -db_soft_mask 40 -outfmt 0 -html
    for format in 1 2 3 4; do
        in_sample || continue
        blastn_as_ncbi -task blastn -word_size 7 -evalue 100 -query q.fa -db masked -db_soft_mask 40 -outfmt $format
        blastn_as_ncbi -task blastn -strand minus -query q.fa -db masked -db_hard_mask 40 -outfmt $format
        blastn_as_ncbi -task blastn -lcase_masking -query q.fa -db masked -db_soft_mask 40 -outfmt $format -html
    done
}

@test "hard masks in a search in parts, and by several threads" {
    need convert2blastmask
    masked_bases
    export BATCH_SIZE=2000
    expect 0 "$TAMIS" blastn -q -task blastn -query q.fa -db masked -db_hard_mask 40 -outfmt 6 -num_threads 1
    mv out want
    expect 0 "$TAMIS" blastn -q -task blastn -query q.fa -db masked -db_hard_mask 40 -outfmt 6 -num_threads 3
    cmp want out
    for k in 1 2; do "$TAMIS" blastn -q -task blastn -query q.fa -db masked -db_hard_mask 40 --shard $k/2 -out $k.part; done
    expect 0 "$TAMIS" report -q -outfmt 6 1.part 2.part
    cmp want out
    "$TAMIS" blastn -q -task blastn -query q.fa -db masked -db_soft_mask 40 --shard 2/2 -out soft.part
    expect 1 "$TAMIS" report -q -outfmt 6 1.part soft.part
}

@test "--stats are JSON: what passed each stage, the stages of Mercury BLASTN, the same counts for any threads" {
    need python3
    bases 40 1 q >q.fa
    bases 80 2 s >s.fa
    for n in 1 3; do
        expect 0 "$TAMIS" blastn -q -task blastn -query q.fa -subject s.fa -outfmt 6 -num_threads $n --stats $n.json
    done
    python3 - out s.fa <<'END'
import json, sys
one, three = (json.load(open(f"{n}.json")) for n in (1, 3))
assert one["program"] == "tamis blastn" and one["device"] == "cpu"
assert one["search"]["task"] == "blastn" and one["search"]["reward"] == 2 and one["search"]["word_size"] == 11
letters = sum(len(line.strip()) for line in open(sys.argv[2]) if line[0] != ">")
assert one["search"]["database_letters"] == letters
assert one["passed"] == three["passed"] and one["input"] == three["input"]
n = {name: stage["n"] for name, stage in one["passed"].items()}
assert n["hsps"] == sum(1 for line in open(sys.argv[1]))
assert n["words_looked_up"] >= n["words_present"] > 0 and n["words_present"] <= n["hits"]
assert n["hits"] >= n["ungapped_extensions"] >= n["ungapped_hsps"] >= n["gapped_extensions"] >= n["preliminary_hsps"] > 0
assert list(one["stages"]) == ["tables_of_words", "1a_filter", "1b_look_up", "2_ungapped_extension", "3_gapped_extension",
                               "alignment", "output"]
for stats in one, three:
    assert abs(sum(stage["share"] for stage in stats["stages"].values()) - 1) < 1e-4
    assert all(stage["seconds"] >= 0 for stage in stats["stages"].values())
    scan = sum(stats["stages"][name]["seconds"] for name in ("1a_filter", "1b_look_up", "2_ungapped_extension"))
    assert abs(scan - stats["seconds"]["hits_and_ungapped"]) < 1e-4 * (1 + scan)
END
    expect 0 "$TAMIS" blastn -q -query q.fa -subject s.fa -outfmt 6 --stats 1.json # statistics may be replaced
    grep -q '"task": "megablast"' 1.json
    cp q.fa before
    expect 1 "$TAMIS" blastn -q -query q.fa -subject s.fa -outfmt 6 --stats q.fa
    cmp before q.fa
    echo text >text
    expect 1 "$TAMIS" blastn -q -query q.fa -subject s.fa -outfmt 6 --stats text
    err_has 'text: already exists and is not statistics: give another name, or delete it'
    # a search in parts: the stages of a cell, and those of its report
    BATCH_SIZE=3000 expect 0 "$TAMIS" blastn -q -query q.fa -subject s.fa --shard 1/2 -out a.part --stats cell.json
    python3 -c 'import json; assert json.load(open("cell.json"))["passed"]["hits"]["n"] > 0'
}

@test "an X-drop of the final extension below that of the preliminary one counts as that" {
    files
    for bits in -1 0 3; do
        blastn_as_ncbi -task blastn -query q.fa -subject s.fa -xdrop_gap_final $bits -outfmt 6
        blastn_as_ncbi -query q.fa -subject s.fa -word_size 11 -xdrop_gap_final $bits -outfmt 6
    done
}

@test "an alignment of one base has no strand in tables" {
    printf '>q\nGAGCGACACTCGCCGAG\n' >q.fa
    { echo '>s' && for ((i = 0; i < 40; i++)); do printf SSSSSSSC; done && echo; } >s.fa
    blastn_as_ncbi -task blastn-short -word_size 5 -ungapped -evalue 1e6 -strand minus -query q.fa -subject s.fa -outfmt "6 std frames sframe sstrand"
    awk '$4 == 1' out | grep -q plus
}

@test "subjects with hundreds of HSPs, which threads align together: the same answers for any threads, and NCBI's" {
    need python3
    local seed=0
    for name in q s; do
        seed=$((seed + 1))
        { echo ">$name" && bases 60 $seed $name 120 | sed '/^>/d'; } >$name.fa
        { echo ">more" && bases 30 5 r 200 | sed '/^>/d'; } >>$name.fa
    done
    for task in megablast blastn dc-megablast; do
        for least in 0 85; do
            in_sample || continue
            blastn_as_ncbi -task $task -word_size 11 -query q.fa -subject s.fa -outfmt "6 std btop" -perc_identity $least
            cp out want # these are the same
            for n in 1 2 8; do
                expect 0 "$TAMIS" blastn -q -task $task -word_size 11 -query q.fa -subject s.fa -outfmt "6 std btop" \
                    -perc_identity $least -num_threads $n --stats $n.json
                cmp want out
            done
            python3 - $least <<'END'
import json, sys
one, two, eight = (json.load(open(f"{n}.json"))["passed"] for n in (1, 2, 8))
assert one == two == eight
n = {name: stage["n"] for name, stage in one.items()}
assert n["preliminary_hsps"] >= n["alignments"] + (sys.argv[1] == "0") and n["alignments"] > 1000 # some lie in others
END
        done
    done
}

@test "what is refused says why" {
    files
    for option in "-index_name x" "-remote"; do
        # shellcheck disable=SC2086 # several words
        expect 1 "$TAMIS" blastn -query q.fa -subject s.fa $option
        grep -q 'is not supported' err
    done
    expect 1 "$TAMIS" blastn -task rmblastn -query q.fa -subject s.fa -penalty -2
    grep -q 'together, or neither' err
    expect 1 "$TAMIS" blastn -query q.fa -subject s.fa -use_index true
    grep -q makembindex err
    expect 3 "$TAMIS" blastn -query q.fa -subject s.fa -reward 7 -penalty -6
    grep -q 'no statistics for a reward of 7' err
    expect 1 "$TAMIS" blastn -query q.fa -subject s.fa -export_search_strategy x
    err_has '-export_search_strategy is not supported: keep the command line; --stats writes all parameters'
    expect 1 "$TAMIS" blastn -query q.fa -subject s.fa -no_greedy
    grep -q greedy err
    expect 1 "$TAMIS" blastn -query q.fa -subject s.fa -no_greedy -ungapped
    grep -q greedy err
    expect 1 "$TAMIS" blastn -query q.fa -subject s.fa -dust 1,2,3
    grep -q 'level window linker' err
    printf '>p\nMKLVAAWW\n' >p.fa
    "$TAMIS" makedb -in p.fa -dbtype prot -out prot >/dev/null
    expect 2 "$TAMIS" blastn -query q.fa -db prot
    grep -q 'is a protein database' err
}

# The reports of a batch are written while the next one is searched.
@test "a file that becomes full in a batch or after many, or a kill, and --resume: the file is the same" {
    local n i
    bases 400 3 q >q.fa
    bases 60 9 s >s.fa
    local command=("$TAMIS" blastn -q -query q.fa -subject s.fa -outfmt 0 -num_threads 2)
    for n in 1000000 2000; do # a batch that is written in pieces; many batches
        export BATCH_SIZE=$n
        expect 0 "${command[@]}"
        mv out want
        [ "$(wc -c <want)" -gt 5120000 ]
        # shellcheck disable=SC2016
        expect 6 bash -c 'ulimit -f 5000; exec "$@"' - "${command[@]}" -out hits
        err_is 'tamis blastn: hits: cannot be written: File too large\n'
        cmp -n 5120000 hits want
        expect 0 "${command[@]}" -out hits --resume
        cmp want hits
        [ ! -e hits.checkpoint ]
    done
    for i in 1 2 3 4 5 6; do
        "${command[@]}" -out hits --restart &
        sleep "0.0$((i * 15))"
        kill -9 $! 2>/dev/null || true
        wait $! || true
        if [ -e hits.checkpoint ]; then expect 0 "${command[@]}" -out hits --resume; fi
        [ ! -s hits ] || cmp want hits
        rm -f hits
    done
    [ -c /dev/full ] || skip "no /dev/full"
    expect 6 "${command[@]}" -out /dev/full
    err_is 'tamis blastn: /dev/full: cannot be written: No space left on device\n'
}

@test "--resume without BATCH_SIZE: batches that are done are not searched again, and the file is the same" {
    need python3
    bases 400 3 q >q.fa
    bases 60 9 s >s.fa
    local command=("$TAMIS" blastn -q -query q.fa -subject s.fa -outfmt 0 -num_threads 2)
    walked() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["input"]["subjects_walked"])' "$1"; }
    expect 0 "${command[@]}" --stats whole.json
    mv out want
    [ "$(walked whole.json)" -eq 120 ] # two batches: of 5,000 bases, and the rest
    local n kilobytes
    for kilobytes in 30 300 5000; do
        # shellcheck disable=SC2016
        expect 6 bash -c 'ulimit -f $1; shift; exec "$@"' - "$kilobytes" "${command[@]}" -out hits
        if [ ! -e hits.checkpoint ]; then continue; fi
        n=$(sed -n 's/ parts$//p' hits.checkpoint)
        expect 0 "${command[@]}" -out hits --resume --stats "$kilobytes.json"
        cmp want hits
        [ "$n" -eq 0 ] || [ "$(walked "$kilobytes.json")" -eq 60 ]
    done
    [ -e 5000.json ]
    # shellcheck disable=SC2016
    expect 6 bash -c 'ulimit -f 5000; exec "$@"' - "${command[@]}" -out hits
    sed -i '4s/.*/17 x/' hits.checkpoint
    expect 1 "${command[@]}" -out hits --resume
    err_is 'tamis blastn: hits: its checkpoint is damaged: start again with --restart\n'
}

@test "queries that cannot be read after many batches: the results before are written" {
    local n
    bases 400 3 q >q.fa
    bases 60 9 s >s.fa
    export BATCH_SIZE=2000
    expect 0 "$TAMIS" blastn -q -query q.fa -subject s.fa -outfmt 7
    mv out want
    gzip -1 <q.fa >whole.gz
    head -c $(($(wc -c <whole.gz) * 3 / 4)) whole.gz >cut.gz
    expect 1 "$TAMIS" blastn -q -query cut.gz -subject s.fa -outfmt 7 -out hits
    err_has 'cut.gz'
    n=$(sed -n 's/ parts$//p' hits.checkpoint)
    [ "$n" -gt 100 ]
    [ "$(grep -c '^# Query' hits)" -eq "$n" ]
    cmp -n "$(wc -c <hits)" hits want
}
