# tamis blastp with masks of databases, and as a page, against blastp of BLAST+.
load common
load proteins

# named N SEED NAME: proteins whose titles need escapes in a page, and which end without low complexity: with hard masks that reach the end of a
# subject NCBI's program may fail.
named() { proteins "$@" | sed -e '/^>/s/ of \(.*\) / of <\1> \& /' -e '/^>/!s/$/DVEHKTWQRNIC/'; }

# masked VERSION [OPTION...]: the database db of s.fa, with masks of SEG.
masked() {
    named 6 3 q >q.fa
    named 60 4 s >s.fa
    segmasker -in s.fa -outfmt fasta -out low.fa # intervals that do not overlap: blastp takes no others
    convert2blastmask -in low.fa -masking_algorithm seg -masking_options 'of test' -outfmt maskinfo_asn1_text -out seg.asn
    makeblastdb -in s.fa -dbtype prot -blastdb_version "$1" -mask_data seg.asn -out db "${@:2}" >/dev/null
}

# ncbi OPTION...: blastp; again, up to twice, if a signal ends it, as happens in some run of hundreds with hard masks.
ncbi() {
    local code
    for _ in 1 2 3; do
        code=0
        blastp "$@" || code=$?
        [ "$code" -ge 128 ] || break
    done
    return "$code"
}

# compare OPTION...: both print the same in every format.
compare() {
    local format
    for format in 0 5 "6 std btop qseq sseq qcovs"; do
        in_sample || continue
        if only_runs "$TAMIS" blastp -q -query q.fa -db db "$@" -outfmt "$format"; then continue; fi
        ncbi -query q.fa -db db "$@" -outfmt "$format" >want 2>want_err
        expect 0 "$TAMIS" blastp -q -query q.fa -db db "$@" -outfmt "$format"
        cmp want out
    done
}

@test "soft and hard masks, versions 4 and 5" {
    need blastp
    local version
    for version in 4 5; do
        masked "$version"
        compare -db_soft_mask 21
        compare -db_hard_mask 21
    done
    compare -db_soft_mask +21 -comp_based_stats 0 -window_size 0
    compare -db_hard_mask 021 -comp_based_stats 0 -window_size 0
    compare -db_hard_mask 21 -subject_besthit -evalue 1000
    compare -db_hard_mask 21 -ungapped -comp_based_stats 0 -evalue 1000 -max_target_seqs 7
    compare -db_hard_mask 21 -ungapped -comp_based_stats 0 -evalue 1000 -subject_besthit
    compare -db_soft_mask 21 -ungapped -comp_based_stats 0 -evalue 1000
    compare -db_hard_mask 21 -use_sw_tback -dbsize 1000000
    ncbi -query q.fa -db db -db_hard_mask 21 -sorthits 3 -sorthsps 3 >want
    expect 0 "$TAMIS" blastp -q -query q.fa -db db -db_hard_mask 21 -sorthits 3 -sorthsps 3
    cmp want out
    expect 0 "$TAMIS" blastp -q -query q.fa -db db -db_soft_mask 21 -outfmt 6
    cp out soft
    expect 0 "$TAMIS" blastp -q -query q.fa -db db -outfmt 6
    run ! cmp -s soft out
}

@test "volumes, some without masks" {
    need blastp
    masked 5 -max_file_sz 1500B
    compare -db_soft_mask 21
    compare -db_hard_mask 21
    expect 0 "$TAMIS" blastp -q -query q.fa -db db -db_hard_mask 21 -outfmt 6 --threads 1
    cp out one
    expect 0 "$TAMIS" blastp -q -query q.fa -db db -db_hard_mask 21 -outfmt 6 --threads 5
    cmp one out
}

@test "algorithms by name, and what is not there" {
    need blastp
    masked 5 -mask_id lowcomplexity
    compare -db_soft_mask lowcomplexity
    compare -db_hard_mask 100
    expect 1 "$TAMIS" blastp -query q.fa -db db -db_soft_mask 21
    err_has "masking algorithm 21 is not in the database 'db'"
    expect 0 "$TAMIS" blastp -query q.fa -db db -db_soft_mask nosuch -outfmt 6
    err_has 'Warning: [blastp] Subject mask not found in db, proceeding without subject masking.'
    expect 1 "$TAMIS" blastp -query q.fa -db db -db_soft_mask 100 -db_hard_mask 100
    expect 1 "$TAMIS" blastp -query q.fa -subject s.fa -db_hard_mask 100
}

@test "-html shows masks of the database and of queries, in a colour" {
    need blastp
    masked 5
    named 10 13 q | awk '/>/ { print; next } { print substr($0, 1, 60) tolower(substr($0, 61, 40)) "PPPPPPPSSSSSSPPPSSPPSP" substr($0, 101) }' >q.fa
    local format options
    for format in 0 1 2 3 4; do
        for options in "-db_soft_mask 21" "-db_hard_mask 21 -evalue 1000" "-seg yes -evalue 1000" "-lcase_masking -soft_masking true -evalue 1000"; do
            in_sample || continue
            # shellcheck disable=SC2086 # several words
            if only_runs "$TAMIS" blastp -q -query q.fa -db db $options -html -outfmt $format; then continue; fi
            # shellcheck disable=SC2086
            ncbi -query q.fa -db db $options -html -outfmt $format >want
            # shellcheck disable=SC2086
            expect 0 "$TAMIS" blastp -q -query q.fa -db db $options -html -outfmt $format
            cmp want out
        done
    done
}

@test "damaged masks end with a message" {
    need blastp
    masked 4
    local size at code
    for file in db.paa db.pac; do
        size=$(wc -c <$file)
        cp $file sound
        for ((at = 0; at < size; at += 1 + size / 10)); do
            head -c "$at" sound >$file
            expect 2 "$TAMIS" blastp -query q.fa -db db -db_hard_mask 21 -outfmt 6
            err_has "$file: "
            cp sound $file
            printf '\377' | dd of=$file bs=1 seek="$at" conv=notrunc 2>/dev/null
            code=0
            "$TAMIS" blastp -query q.fa -db db -db_hard_mask 21 -outfmt 6 >out 2>err || code=$?
            [[ $code -le 2 ]]
        done
        cp sound $file
    done
    rm db.pac
    expect 2 "$TAMIS" blastp -query q.fa -db db -db_hard_mask 21 -outfmt 6
    err_has 'db.pac: '
}

@test "-html: a page" {
    need blastp
    named 4 3 q >q.fa
    named 30 4 s >s.fa
    sed -E 's/^>s([0-9]*)[05] /&/; s/^>s([0-9])1 />sp|P1234\1.2|N\1 /; s/^>s([0-9])2 />gi|5\1|ref|NP_00000\1.1| /' s.fa >ids.fa
    makeblastdb -in ids.fa -dbtype prot -blastdb_version 4 -parse_seqids -title 'a <title>' -out db >/dev/null
    local options
    for options in '' '-show_gis' '-sorthits 2' '-num_descriptions 3 -num_alignments 2' '-parse_deflines'; do
        # shellcheck disable=SC2086
        blastp -query q.fa -db db -html $options >want 2>/dev/null
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" blastp -q -query q.fa -db db -html $options
        cmp want out
    done
    blastp -query q.fa -subject s.fa -html >want
    expect 0 "$TAMIS" blastp -q -query q.fa -subject s.fa -html
    cmp want out
    for options in 5 6 7 10 15 16; do
        expect 0 "$TAMIS" blastp -q -query q.fa -db db -outfmt $options
        cp out plain
        expect 0 "$TAMIS" blastp -q -query q.fa -db db -html -outfmt $options
        cmp plain out
    done
}
