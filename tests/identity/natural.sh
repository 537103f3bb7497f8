#!/usr/bin/env bash
# natural.sh [SEED [N]] - tamis blastp beside NCBI's blastp on natural proteins: lists, alias files, several databases, parts of sequences, batches
# of queries, long proteins, culling and best hits.
#
# The proteins are those of TAMIS_TEST_DATA/proteins/*.fa.gz, or of the repository. Each of N cases draws queries, subjects and options; NCBI's
# program has one thread. Prints TAP: cases, lines, lines that differ; a case that differs is printed with its options. TAMIS: the command.
# Exit code 77: NCBI's programs are not here.
set -euo pipefail
tamis=${TAMIS:?TAMIS is the path of the command}
seed=${1:-1}
n_cases=${2:-12}
here=$(cd "$(dirname "$0")/.." && pwd)
export LC_ALL=C BLASTDB=/nonexistent
unset TAMIS_SIMD OMP_NUM_THREADS BATCH_SIZE
for program in blastp makeblastdb blastdb_aliastool; do
    if ! command -v "$program" >/dev/null; then
        echo "1..0 # skip $program is not installed"
        exit 77
    fi
done

source=$here/data/blast/composition/db.fa
share=1 # of its records
if [[ -n ${TAMIS_TEST_DATA:-} ]]; then
    source=$(find "$TAMIS_TEST_DATA/proteins" -maxdepth 1 -name '*.fa.gz' | sort | head -n 1)
    share=0.02
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
RANDOM=$seed

below() { echo $((RANDOM % $1)); }
one_of() {
    local words=("$@")
    echo "${words[RANDOM % $#]}"
}

# Subjects have ids that can be listed, a gi each, and a taxid; half of them are in either database.
zcat -f "$source" | awk -v seed="$seed" -v share="$share" '
    BEGIN { srand(seed) }
    /^>/ { takes = rand() < share; if (takes) { n++; printf ">gi|%d|gb|AAA%05d.1| protein %d\n", 1000 + n, n, n }; next }
    takes { print }' >all.fa
n_all=$(grep -c '^>' all.fa)
awk '/^>/ { n++ } n % 2' all.fa >odd.fa
awk '/^>/ { n++ } n % 2 == 0' all.fa | sed 's/^>gi|[0-9]*|gb|\([^|]*\)|/>\1/' >even.fa
awk '/^>/ { split($1, part, "|"); print part[4], n++ % 5 + 9601 }' odd.fa >taxids
makeblastdb -in odd.fa -dbtype prot -parse_seqids -taxid_map taxids -out odd >/dev/null
makeblastdb -in even.fa -dbtype prot -out even >/dev/null
makeblastdb -in odd.fa -dbtype prot -parse_seqids -blastdb_version 4 -out odd4 >/dev/null
{ echo '>long one' && awk '!/^>/ && n < 22000 { print; n += length($0) }' all.fa; } >long.fa
{ cat odd.fa && sed 's/^>.*/>gb|ZZZ00001.1| long/' long.fa; } >longer.fa
makeblastdb -in longer.fa -dbtype prot -parse_seqids -out longer >/dev/null

list_of() { # list_of KIND: a line each
    awk -v seed="$RANDOM" -v kind="$1" 'BEGIN { srand(seed); share = rand() }
        /^>/ && rand() < share { split($1, part, "|"); print kind == "gi" ? part[2] : rand() < 0.5 ? part[4] : substr(part[4], 1, 8); n++ }
        END { if (n == 0) print kind == "gi" ? 1001 : "AAA00001.1" }' odd.fa
}

draw_database() {
    case $(below 9) in
    0) options=(-db odd) ;;
    1) options=(-db "even odd4") ;;
    2) options=(-db odd -seqidlist list) && list_of id >list ;;
    3) options=(-db odd -negative_seqidlist list) && list_of id >list ;;
    4) options=(-db odd4 -gilist list) && list_of gi >list ;;
    5) options=(-db odd "$(one_of -taxids -negative_taxids)" "$(one_of 9601 9602,9604)") ;;
    6)
        blastdb_aliastool -dblist "odd even" -dbtype prot -out both -title both >/dev/null 2>&1
        options=(-db both)
        ;;
    7) options=(-subject some.fa -subject_loc "$(one_of 1-300 20-90)") && awk '/^>/ { n++ } n < 40' odd.fa |
        awk 'BEGIN { RS = ">"; ORS = "" } length($0) > 250 { print ">" $0 }' >some.fa ;;
    8) options=(-db longer) ;;
    esac
}

draw_queries() {
    local n=6
    case $(below 12) in
    0) cp long.fa query.fa && return ;;
    1) n=100 && options+=(-max_target_seqs "$(one_of 1 3 10)" -evalue 1e-3) ;;
    esac
    awk -v seed="$RANDOM" -v n="$n" -v all="$n_all" 'BEGIN { srand(seed) }
        /^>/ { takes = rand() < n / all; if (takes) print ">q" ++k; next } takes { print }
        END { if (k == 0) print ">q1\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ" }' all.fa >query.fa
}

draw_options() {
    options+=(-outfmt "$(one_of 6 6 7 10 "6 std qcovs qcovhsp staxids" 5 15 0)")
    case $(below 6) in
    0 | 1) options+=(-culling_limit "$(one_of 1 2 3 5 7 10 20 50)") ;;
    2) options+=(-best_hit_overhang "$(one_of 0.05 0.1 0.25 0.45)" -best_hit_score_edge "$(one_of 0.05 0.1 0.25)") ;;
    3) options+=(-qcov_hsp_perc "$(one_of 20 50 90)") ;;
    esac
    case $(below 8) in
    0) options+=(-query_loc "$(one_of 1-60 50-400 300-900)") ;;
    1) options+=(-seg yes) ;;
    2) options+=(-comp_based_stats "$(one_of 0 1 3)") ;;
    3) options+=(-max_hsps "$(one_of 1 2)") ;;
    4) options+=(-evalue "$(one_of 1e-10 100)") ;;
    5) options+=(-subject_besthit) ;;
    esac
}

n_lines=0
n_differ=0
for ((i = 1; i <= n_cases; i++)); do
    draw_database
    draw_queries
    draw_options
    size=$(one_of 10000 10000 500 3000)
    want_code=0 got_code=0
    BATCH_SIZE=$size blastp -query query.fa "${options[@]}" -num_threads 1 >want 2>want.err </dev/null || want_code=$?
    BATCH_SIZE=$size "$tamis" blastp -query query.fa "${options[@]}" --quiet >got 2>got.err </dev/null || got_code=$?
    lines=$(wc -l <want)
    n_lines=$((n_lines + lines))
    if [[ $want_code -eq $got_code ]] && cmp -s want got; then continue; fi
    n_differ=$((n_differ + 1))
    echo "# case $i of seed $seed: BATCH_SIZE=$size ${options[*]}: exit codes $want_code $got_code, $lines lines," \
        "$(diff -a want got | grep -a -c '^[<>]' || true) differ; $(head -n 1 want.err) $(head -n 1 got.err)"
    if [[ -n ${TAMIS_IDENTITY_KEEP:-} ]]; then
        mkdir -p "$TAMIS_IDENTITY_KEEP/$seed.$i"
        cp query.fa want got "$TAMIS_IDENTITY_KEEP/$seed.$i/"
        if [[ -e list ]]; then cp list "$TAMIS_IDENTITY_KEEP/$seed.$i/"; fi
    fi
done
echo "1..1"
if [[ $n_differ -eq 0 ]]; then echo "ok 1 - natural proteins: $n_cases cases, $n_lines lines, 0 differ"; else
    echo "not ok 1 - natural proteins: $n_cases cases, $n_lines lines, $n_differ cases differ"
    exit 1
fi
