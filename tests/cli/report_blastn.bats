# tamis blastn --shard, --query-shard and --archive, and tamis report: the bytes of one run. report.bats has what no program changes.
load common
load blast
load bases
load parts

# shellcheck disable=SC2034 # parts.bash reads it
SEARCH=(blastn)

# samples: q.fa, with an empty query and one without a name; long.fa, which also has a query that is cut into chunks if CHUNK_SIZE is
# small; the database db.
samples() {
    bases 24 1 q >q.fa
    printf '>none\n>\nNNNNNNNNNNNNNNNNNNNNNNNNNNNN\n' >>q.fa
    {
        cat q.fa
        echo '>long of many'
        bases 30 5 q | grep -v '>'
        bases 4 9 r
    } >long.fa
    bases 60 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype nucl -out db -parse_seqids >/dev/null
    export BATCH_SIZE=3000
}

# n_blocks PART: its number of query batches, from its trailer.
n_blocks() { tail -c 32 "$1" | od -An -t u8 -N 8 | tr -d ' '; }

@test "parts of the database and of the queries: all formats, and NCBI's bytes with the same BATCH_SIZE" {
    samples
    local s q i grids=(1 2 3 7)
    [ -z "${TAMIS_AGREE_QUICK:-}" ] || grids=(3)
    for i in "${!FORMATS[@]}"; do
        blastn_as_ncbi -task blastn -query long.fa -db db -outfmt "${FORMATS[i]}"
        mv out "want.$i"
    done
    for s in "${grids[@]}"; do
        for q in 1 3; do
            cells "$s" "$q" -task blastn -query long.fa -db db
            [ "$s" -eq 1 ] || grep -qaF TAMISARC parts/1.2.part
            for i in "${!FORMATS[@]}"; do
                in_sample || continue
                BATCH_SIZE=77 "$TAMIS" report -q parts/*.part -outfmt "${FORMATS[i]}" >out # its own size counts
                cmp "want.$i" out
            done
        done
    done
}

@test "both strands are in the parts" {
    samples
    cells 2 1 -query q.fa -db db
    "$TAMIS" report -q parts/*.part -outfmt "6 sstrand" | sort | uniq -c >out
    [ "$(wc -l <out)" -eq 2 ]
    same 6 -- -query q.fa -db db
    cells 2 1 -query q.fa -db db -strand minus
    same 6 -- -query q.fa -db db -strand minus
}

@test "options of the search" {
    samples
    local i options grids=(2 3 7)
    local -a all=(
        "-task blastn -culling_limit 1"
        "-task blastn -culling_limit 3 -evalue 1000"
        "-task blastn -best_hit_overhang .1 -best_hit_score_edge .1"
        "-task blastn -subject_besthit -max_hsps 2"
        "-task blastn -max_target_seqs 3 -evalue 1000"
        "-task blastn -ungapped"
        "-task blastn -sum_stats true -evalue 1000 -max_target_seqs 3"
        "-task blastn -sum_stats true -ungapped -evalue 100"
        "-task blastn -dust no -lcase_masking -soft_masking false"
        "-task blastn -window_size 40 -off_diagonal_range 2"
        "-task blastn -reward 1 -penalty -3 -gapopen 5 -gapextend 2"
        "-task blastn-short -evalue 1000"
        "-task dc-megablast"
        "-task rmblastn -evalue 100"
        "-task rmblastn -ungapped -sum_stats true -evalue 1e-3"
        "-task dc-megablast -template_type optimal -template_length 21"
        "-word_size 16 -perc_identity 90"
        "-word_size 16 -no_greedy -gapopen 5 -gapextend 2"
        "-word_size 12 -qcov_hsp_perc 60 -searchsp 1000000000"
        "-dbsize 100000000 -min_raw_gapped_score 40"
        "-query_loc 20-290"
    )
    for i in "${!all[@]}"; do
        in_sample || continue
        read -ra options <<<"${all[i]}"
        cells "${grids[i % 3]}" $((1 + i % 2)) -query q.fa -db db "${options[@]}"
        same 7 -- -query q.fa -db db "${options[@]}"
    done
}

@test "subjects of a file, a list of ids, several volumes, an alias, masks of a database, FASTQ" {
    samples
    awk 'NR % 6 == 1 { print substr($1, 2) }' s.fa >ids
    "$TAMIS" makedb -in s.fa -dbtype nucl -out v -max_file_sz 10000B >/dev/null
    printf 'TITLE both\nDBLIST db v\n' >both.nal
    "$TAMIS" mask -in db -infmt blastdb -task dust -outfmt maskinfo_asn1_bin -parse_seqids -out m.asnb
    "$TAMIS" makedb -in db -input_type blastdb -dbtype nucl -mask_data m.asnb -out m >/dev/null
    awk '/^>/ { name = substr($0, 2); next } length { q = $0; gsub(/./, "I", q); print "@" name "\n" $0 "\n+\n" q }' q.fa >q.fq
    gzip -k q.fq
    local i search grids=(3 4 5)
    local -a all=("-query q.fa -subject s.fa -subject_loc 5-400" "-query q.fa -db db -seqidlist ids" "-query q.fa -db v" "-query q.fa -db both"
        "-query q.fa -db m -db_soft_mask 11" "-query q.fq.gz -db db")
    for i in "${!all[@]}"; do
        read -ra search <<<"-task blastn ${all[i]}"
        cells "${grids[i % 3]}" $((1 + i % 2)) "${search[@]}"
        same $((6 + i % 2)) -- "${search[@]}"
    done
}

@test "chunks of long queries, whose size belongs to the search" {
    samples
    export CHUNK_SIZE=2000
    cells 3 2 -task blastn -query long.fa -db db
    same 6 -- -task blastn -query long.fa -db db
    (
        unset CHUNK_SIZE BATCH_SIZE
        "$TAMIS" report -q parts/*.part -outfmt 6 | cmp want -
    )
    CHUNK_SIZE=2500 "$TAMIS" blastn -q -task blastn -query long.fa -db db --shard 2/3 --query-shard 1/2 -out other.part
    expect 1 "$TAMIS" report parts/1.1.part other.part
    err_has 'CHUNK_SIZE: 2000 and 2500'
}

@test "reports of query shards, one after the other, are one report" {
    samples
    local format i
    cells 2 3 -task blastn -query q.fa -db db
    for format in 0 5 7 15; do
        "$TAMIS" blastn -q -task blastn -query q.fa -db db -outfmt "$format" >want
        for i in 1 2 3; do
            "$TAMIS" report -q parts/"$i".*.part --query-shard "$i/3" -outfmt "$format" -out "$i.txt"
        done
        cat 1.txt 2.txt 3.txt | cmp - want
        rm ./?.txt
    done
}

@test "SAM: the bytes of one run, from all query shards together" {
    samples
    local format i
    cells 2 3 -task blastn -query q.fa -db db
    for format in 17 "17 SR SQ"; do
        "$TAMIS" blastn -task blastn -query q.fa -db db -outfmt "$format" 2>err >want # without -q, which would be in @PG
        grep -q '^@PG' want
        "$TAMIS" report parts/*.part -outfmt "$format" 2>err | cmp - want
        for i in 1 2 3; do # each would have a header
            expect 1 "$TAMIS" report -q parts/"$i".*.part --query-shard "$i/3" -outfmt "$format" -out sam
            err_has "-outfmt '$format' begins with names of all queries: report all query shards together"
            [ ! -e sam ]
        done
    done
    cells 2 1 -task blastn -query q.fa -db db
    "$TAMIS" report parts/*.part --query-shard 1/1 -outfmt "$format" 2>err | cmp - want
}

@test "an archive has the batches of its search, without BATCH_SIZE: any format, resumed" {
    samples
    unset BATCH_SIZE
    bases 120 3 q >many.fa # more than the first batch, of 5000 bases
    mkdir parts
    # repeats, of which each query has many HSPs: these shrink the batches
    seq 60 | awk '{ s = ""; while (length(s) < 120) s = s (NR % 2 ? "AC" : "AAC"); print ">r" $1 "\n" s }' >repeats.fa
    cat repeats.fa many.fa >mixed.fa
    expect 0 "$TAMIS" blastn -q -task blastn -dust no -query mixed.fa -subject repeats.fa --archive parts/a.part
    same 6 -- -task blastn -dust no -query mixed.fa -subject repeats.fa
    [ "$(n_blocks parts/a.part)" -gt 2 ]
    rm parts/a.part
    expect 0 "$TAMIS" blastn -q -task blastn -query many.fa -db db --archive parts/a.part
    out_is ''
    for format in "${FORMATS[@]}"; do same "$format" -- -task blastn -query many.fa -db db; done
    local size
    "$TAMIS" report -q parts/a.part -outfmt 7 >want
    cp parts/a.part whole
    size=$(stat -c %s whole)
    printf 'damage' | dd of=parts/a.part bs=1 seek=$((size * 3 / 4)) conv=notrunc status=none
    expect 1 "$TAMIS" report -q parts/a.part -outfmt 7 -out hits.txt
    err_has 'is damaged: run that shard again'
    [ -s hits.txt ]
    cp whole parts/a.part
    expect 0 "$TAMIS" report -q parts/a.part -outfmt 7 -out hits.txt --resume
    cmp want hits.txt
    expect 0 "$TAMIS" blastn -q -task blastn -query many.fa -db db --archive parts/a.part # is there already
    cmp whole parts/a.part
    expect 1 "$TAMIS" blastn -q -query many.fa -db db --archive parts/a.part
    err_has '-task blastn and without it'
    BATCH_SIZE=500 expect 1 "$TAMIS" blastn -q -task blastn -query many.fa -db db --archive parts/a.part
    err_has 'BATCH_SIZE: 0 and 500'
}

@test "a shard without BATCH_SIZE is refused, and says why" {
    samples
    unset BATCH_SIZE
    for shard in "--shard 1/2" "--query-shard 2/2"; do
        # shellcheck disable=SC2086 # two words
        expect 1 "$TAMIS" blastn -query q.fa -db db $shard -out x.part
        err_has 'set the environment variable BATCH_SIZE'
        [ ! -e x.part ]
    done
    expect 0 "$TAMIS" blastn -q -query q.fa -db db --shard 1/1 -out x.part
}

@test "parts of two programs, sizes and databases do not belong together" {
    samples
    cells 2 1 -query q.fa -db db
    printf '>p\nMKVLAAGIVGLCAKAYLEHPEWRSSTTKKLMKV\n' >p.fa
    "$TAMIS" blastp -q --device cpu -query p.fa -subject p.fa --shard 2/2 -out p.part
    expect 1 "$TAMIS" report parts/1.1.part p.part
    err_is 'tamis report: parts/1.1.part and p.part are parts of two searches: the program: blastn and blastp\n'
    expect 1 "$TAMIS" report p.part parts/1.1.part
    err_has 'p.part and parts/1.1.part are parts of two searches: the program: blastp and blastn'
    BATCH_SIZE=500 "$TAMIS" blastn -q -query q.fa -db db --shard 2/2 -out other.part
    expect 1 "$TAMIS" report parts/1.1.part other.part
    err_has 'BATCH_SIZE: 3000 and 500'
    sed '/>/! s/N/A/' s.fa >s2.fa # an ambiguous base less
    "$TAMIS" makedb -in s2.fa -dbtype nucl -out db -parse_seqids -title s.fa >/dev/null
    expect 1 "$TAMIS" report -q parts/*.part -outfmt 6
    err_has "the database's content"
}

@test "damaged and missing parts are refused, and made again" {
    samples
    cells 3 1 -query q.fa -db db
    "$TAMIS" report -q parts/*.part -outfmt 6 >want
    damage
    expect 0 "$TAMIS" blastn -q -query q.fa -db db --shard 2/3 --query-shard 1/1 -out parts/1.2.part
    cmp whole parts/1.2.part
    rm parts/1.[13].part
    expect 1 "$TAMIS" report --check parts/*.part
    out_is '1,3\n'
    expect 0 "$TAMIS" blastn -q -query q.fa -db db --shard 1/3 -out parts/1.1.part -num_threads 1
    expect 0 "$TAMIS" blastn -q -query q.fa -db db --shard 3/3 -out parts/1.3.part -num_threads 5 -outfmt 5
    expect 0 "$TAMIS" report -q parts/*.part -outfmt 6
    cmp want out
}

@test "empty inputs: the report's status is that of one run" {
    samples
    : >empty.fa
    cells 2 1 -query empty.fa -db db
    "$TAMIS" blastn -query empty.fa -db db >want 2>want_err
    expect 0 "$TAMIS" report parts/*.part
    cmp want out
    printf '>a\n>b\n' >none.fa
    cells 2 2 -query none.fa -db db
    expect 3 "$TAMIS" blastn -query none.fa -db db
    mv out want
    expect 3 "$TAMIS" report parts/*.part
    cmp want out
    unset BATCH_SIZE
    rm parts/*
    cat q.fa none.fa >last.fa # the last batch has no base
    "$TAMIS" blastn -q -query last.fa -db db --archive parts/a.part
    same 6 -- -query last.fa -db db
}
