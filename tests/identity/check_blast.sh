#!/usr/bin/env bash
# check_blast.sh [DIRECTORY] - tamis blastp beside NCBI's blastp on real proteins: a table of lines, lines that differ, and seconds.
#
# DIRECTORY has queries, *.fasta, and one database, *.fa.gz; default: $TAMIS_TEST_DATA/proteins. 1,000 proteins drawn from the database
# are queries too. What NCBI's program printed is kept in TAMIS_BLAST_CACHE (default: ~/.cache/tamis-check-blast) and used again;
# its seconds are those of then; without NCBI's programs the cases are run of which that is there. TAMIS: the command. TAMIS_THREADS: of both
# (default: all), but that NCBI's takes one where its result depends on them. TAMIS_BLAST_OPTIONS: more options of tamis blastp, such as
# --device cuda. TAMIS_BLAST_ONLY: a regular expression, of the cases to run. Fails if a line differs.

set -euo pipefail
tamis=${TAMIS:?TAMIS is the path of the command}
data=${1:-${TAMIS_TEST_DATA:+$TAMIS_TEST_DATA/proteins}}
[[ -n $data ]] || {
    echo "check-blast: name a directory with queries, *.fasta, and a database, *.fa.gz; or set TAMIS_TEST_DATA"
    exit 2
}
data=$(cd "$data" && pwd)
cache=${TAMIS_BLAST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tamis-check-blast}
threads=${TAMIS_THREADS:-$(nproc)}
n_drawn=1000
export LC_ALL=C
unset BATCH_SIZE TAMIS_SIMD OMP_NUM_THREADS

read -r -a more <<<"${TAMIS_BLAST_OPTIONS:-}"
source=$(find "$data" -maxdepth 1 -name '*.fa.gz' | sort | head -n 1)
[[ -n $source ]] || {
    echo "check-blast: there is no *.fa.gz in $data"
    exit 77
}
# Another directory, or another database in it, has its own place.
cache=$cache/$(stat -c '%n %s' "$source" | cksum | tr ' ' -)
mkdir -p "$cache"
cd "$cache"

if [[ ! -e db.made ]]; then
    echo "making a database of $source ..."
    "$tamis" makedb -in "$source" -dbtype prot -title proteins -out db -logfile makedb.log
    touch db.made
fi
if [[ ! -s drawn$n_drawn.fasta ]]; then # each record as likely as any other, in their order
    total=$(zcat "$source" | grep -c '^>')
    zcat "$source" | awk -v n="$n_drawn" -v left="$total" '
        BEGIN { srand(1) }
        /^>/ { takes = rand() * left < n; n -= takes; left-- }
        takes' >drawn.part
    mv drawn.part "drawn$n_drawn.fasta"
fi

seconds() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.1f", to - from }'; }

printf '%-12s %-48s %9s %9s %9s %9s\n' queries options lines differ blastp tamis
status=0
n_compared=0
while read -r file; do
    name=$(basename "$file" .fasta)
    for options in "" "-comp_based_stats 0 -seg no" "-evalue 1e-3 -max_target_seqs 5" "-task blastp-fast" "-seg yes -soft_masking true" \
        "-qcov_hsp_perc 50" "-culling_limit 3" "-best_hit_overhang 0.1 -best_hit_score_edge 0.1"; do
        [[ "$name ${options:-default}" =~ ${TAMIS_BLAST_ONLY:-.} ]] || continue
        read -r -a words <<<"$options"
        kept=$(printf '%s %s' "$options" "$(cksum <"$file")" | cksum | tr ' ' -)
        if [[ ! -s $kept.seconds ]] && ! command -v blastp >/dev/null; then
            printf '%-12s %-48s not compared: blastp is not installed (Debian: ncbi-blast+)\n' "$name" "${options:-default}"
            continue
        fi
        n_compared=$((n_compared + 1))
        if [[ ! -s $kept.seconds ]]; then
            ncbi_threads=$threads
            case $options in # with more threads than one NCBI's program prints other lines, which change from run to run
                -qcov_hsp_perc* | -culling_limit* | -best_hit*) ncbi_threads=1 ;;
            esac
            begin=$EPOCHREALTIME
            blastp -query "$file" -db db -outfmt 6 -num_threads "$ncbi_threads" "${words[@]}" >"$kept.part" 2>"$kept.err" </dev/null
            mv "$kept.part" "$kept.tsv"
            seconds "$begin" "$EPOCHREALTIME" >"$kept.seconds"
        fi
        begin=$EPOCHREALTIME
        code=0
        "$tamis" blastp -query "$file" -db db -outfmt 6 -num_threads "$threads" -q "${words[@]}" "${more[@]}" >got.tsv </dev/null || code=$?
        end=$EPOCHREALTIME
        bad=0
        if [[ $code -ne 0 ]] || ! cmp -s "$kept.tsv" got.tsv; then
            bad=$(diff -a "$kept.tsv" got.tsv | grep -c '^[<>]' || true)
            status=1
            cp got.tsv "$kept.got.tsv"
            echo "exit code $code; what differs: $cache/$kept.tsv $cache/$kept.got.tsv"
        fi
        printf '%-12s %-48s %9d %9d %9s %9s\n' "$name" "${options:-default}" "$(wc -l <"$kept.tsv")" "$bad" "$(cat "$kept.seconds")" \
            "$(seconds "$begin" "$end")"
    done
done < <(
    find "$data" -maxdepth 1 -name '*.fasta' | sort
    echo "$cache/drawn$n_drawn.fasta"
)
rm -f got.tsv
[[ $n_compared -gt 0 ]] || exit 77
exit "$status"
