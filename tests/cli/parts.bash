# parts.bash - searches in parts: what tests of one run beside many have in common; behind common, and proteins or bases.

# The program of cells and same.
SEARCH=(blastp --device cpu)

# shellcheck disable=SC2034 # arrays are used by those that load this
FORMATS=(0 5 "6 std qlen slen qcovs btop" "7 std qlen" 10 15 1 16)

# Options of a search.
OPTIONS=(
    "-comp_based_stats 0 -max_target_seqs 5 -evalue 1000"
    "-max_target_seqs 3 -evalue 1000"
    "-use_sw_tback"
    "-use_sw_tback -max_target_seqs 5"
    "-culling_limit 1"
    "-culling_limit 3 -evalue 100"
    "-best_hit_overhang .1 -best_hit_score_edge .1"
    "-subject_besthit -max_hsps 2"
    "-ungapped -comp_based_stats F"
    "-window_size 0"
    "-seg yes -soft_masking true -lcase_masking"
    "-task blastp-short -evalue 1000"
    "-task blastp-fast"
    "-comp_based_stats 1"
    "-comp_based_stats 3 -evalue 100"
    "-qcov_hsp_perc 60 -searchsp 1000000000"
    "-dbsize 100000000 -matrix BLOSUM45"
    "-query_loc 20-90"
)

# Subjects of a search, of samples and more_databases.
SUBJECTS=(
    "-subject s.fa -subject_loc 5-200"
    "-db db -seqidlist ids"
    "-db v"
    "-db both"
    "-db m -db_hard_mask 21"
    "-db m -db_soft_mask 21"
)

# samples: q.fa with an invalid query and an unnamed one; long.fa, which also has a query that is cut into chunks; the database db.
samples() {
    proteins 14 1 q >q.fa
    printf '>x\nXXXXXXXXXXXX\n>\nMKVLAAGIVGLCAKAYLEHPEWRSSTTKKLMKV\n' >>q.fa
    {
        cat q.fa
        echo '>long of many'
        proteins 150 5 q | grep -v '>'
        proteins 4 9 r
    } >long.fa
    proteins 100 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype prot -out db -parse_seqids >/dev/null
}

# more_databases: ids of a third of s.fa; databases of several volumes (v), of two databases (both), and with masks (m).
more_databases() {
    grep '>' s.fa | sed 's/>//; s/ .*//' | awk 'NR % 3 == 1' >ids
    "$TAMIS" makedb -in s.fa -dbtype prot -out v -max_file_sz 20000B >/dev/null
    "$TAMIS" mask -in db -infmt blastdb -task seg -outfmt maskinfo_asn1_bin -parse_seqids -out m.asnb
    "$TAMIS" makedb -in db -input_type blastdb -dbtype prot -mask_data m.asnb -out m >/dev/null
    printf 'TITLE both\nDBLIST db v\n' >both.pal
}

# cells S Q OPTION...: all parts of a grid, in a folder.
cells() {
    local shards=$1 query_shards=$2 i k
    shift 2
    rm -rf parts
    mkdir parts
    for ((i = 1; i <= query_shards; i++)); do
        for ((k = 1; k <= shards; k++)); do
            "$TAMIS" "${SEARCH[@]}" -q "$@" --shard "$k/$shards" --query-shard "$i/$query_shards" -out "parts/$i.$k.part"
        done
    done
}

# damage: parts/1.2.part, changed in two bytes or cut off at one of nine places, is refused, and found by --check. `whole` keeps the part.
damage() {
    cp parts/1.2.part whole
    local size at
    size=$(stat -c %s whole)
    for at in 0 5 8 20 100 $((size / 3)) $((size / 2)) $((size - 40)) $((size - 1)); do
        cp whole parts/1.2.part
        printf '\377\376' | dd of=parts/1.2.part bs=1 seek="$at" conv=notrunc status=none
        cmp -s whole parts/1.2.part && continue
        expect 1 "$TAMIS" report --check parts/*.part
        out_is '2\n'
        expect 1 "$TAMIS" report parts/*.part -outfmt 6 -out hits.txt
        grep -q 'parts/1.2.part\|missing' err
        rm -f hits.txt hits.txt.checkpoint
        head -c "$at" whole >parts/1.2.part
        expect 1 "$TAMIS" report --check parts/*.part
        out_is '2\n'
    done
}

# same FORMAT REPORT-OPTIONS -- SEARCH-OPTIONS: the report of parts/ is what one search prints.
same() {
    local format=$1 shown=()
    shift
    while [ "$1" != -- ]; do
        shown+=("$1")
        shift
    done
    shift
    "$TAMIS" "${SEARCH[@]}" -q "$@" -outfmt "$format" "${shown[@]}" >want
    expect 0 "$TAMIS" report -q parts/*.part -outfmt "$format" "${shown[@]}"
    cmp want out || {
        echo "format $format ${shown[*]}: $*"
        diff want out | head -20
        return 1
    }
}
