#!/bin/sh
# blastp.sh DATABASE.fa.gz QUERY.fa... - `tamis blastp` beside blastp of NCBI BLAST+, whole processes, on one database of proteins.
#
# For each file of queries: both programs with 1, 2, ... threads (THREADS, default: powers of two up to the processors), blastp with more than
# one also with -mt_mode 1; default options, -outfmt 6. Rows: queries, program, threads, elapsed seconds, user and system seconds (each the
# median of RUNS, default 3), peak memory in MB (of it the mapped database), elapsed and user seconds in ratio to blastp's best with as many
# threads, lines, and whether they are the same bytes as blastp's. Then for the last file where tamis's seconds go, by its --stats.
#
# GPU=cuda: rows with --device cuda too, with both strategies; GPU_MEMORY='1G 4G': also with so much --gpu-memory. FORMATS='0 5': rows of tamis
# with these -outfmt too, whose bytes are compared with those of one thread of the CPU. TAMIS: the command (default: tamis). BLASTP: blastp (default: blastp). Needs GNU time. A first run, not measured, brings files into memory.
set -eu
tamis=${TAMIS:-tamis}
blastp=${BLASTP:-blastp}
runs=${RUNS:-3}
n_cpus=$(nproc)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if [ -z "${THREADS:-}" ]; then
    THREADS=1
    n=2
    while [ "$n" -le "$n_cpus" ]; do
        THREADS="$THREADS $n"
        n=$((2 * n))
    done
fi

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# measure NAME COMMAND...: the command's output is in out.NAME, its seconds in wall, user, system, its memory in mb
measure() {
    name=$1
    shift
    : >"$dir/times"
    i=0
    while [ $i -lt "$runs" ]; do
        command time -a -o "$dir/times" -f '%e %U %S %M' "$@" >"$dir/out.$name" 2>"$dir/messages"
        i=$((i + 1))
    done
    wall=$(cut -d' ' -f1 "$dir/times" | median)
    user=$(cut -d' ' -f2 "$dir/times" | median)
    system=$(cut -d' ' -f3 "$dir/times" | median)
    mb=$(awk '{ printf "%.1f\n", $4 / 1000 }' "$dir/times" | median)
}

# row PROGRAM THREADS SAME
row() {
    awk -v q="$label" -v p="$1" -v t="$2" -v w="$wall" -v u="$user" -v s="$system" -v mb="$mb" -v bw="$best_wall" -v bu="$best_user" \
        -v n="$(wc -l <"$dir/out.$name")" -v same="$3" 'BEGIN {
        printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", q, p, t, w, u, s, mb, (bw > 0 ? sprintf("%.2f", w / bw) : ""),
            (bu > 0 ? sprintf("%.2f", u / bu) : ""), n, same
    }'
}

# Sets best_wall and best_user to the lesser of themselves and the last measurement.
keep_best() {
    best_wall=$(printf '%s\n%s\n' "$best_wall" "$wall" | sort -n | head -n 1)
    best_user=$(printf '%s\n%s\n' "$best_user" "$user" | sort -n | head -n 1)
}

compared() { if cmp -s "$dir/out.ncbi" "$dir/out.tamis"; then echo same; else echo differ; fi; }

pair() {
    threads=$1
    best_wall=0
    best_user=0
    measure ncbi "$blastp" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads"
    row blastp "$threads" ""
    best_wall=$wall
    best_user=$user
    if [ "$threads" -gt 1 ]; then
        measure mt1 "$blastp" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads" -mt_mode 1
        row 'blastp -mt_mode 1' "$threads" ""
        keep_best
    fi
    measure tamis "$tamis" blastp -q --device cpu -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads" --stats "$dir/stats.$threads"
    row 'tamis blastp' "$threads" "$(compared)"
    if [ -n "${GPU:-}" ]; then
        measure tamis "$tamis" blastp -q --device "$GPU" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads"
        row "tamis blastp --device $GPU" "$threads" "$(compared)"
        measure tamis "$tamis" blastp -q --device "$GPU" --gpu-strategy cublastp -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads"
        row "tamis blastp --device $GPU --gpu-strategy cublastp" "$threads" "$(compared)"
        for memory in ${GPU_MEMORY:-}; do
            measure tamis "$tamis" blastp -q --device "$GPU" --gpu-memory "$memory" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads"
            row "tamis blastp --device $GPU --gpu-memory $memory" "$threads" "$(compared)"
        done
    fi
    for format in ${FORMATS:-}; do
        "$tamis" blastp -q --device cpu -query "$file" -db "$dir/db" -outfmt "$format" -num_threads 1 >"$dir/out.ncbi"
        for device in cpu ${GPU:-}; do
            measure tamis "$tamis" blastp -q --device "$device" -query "$file" -db "$dir/db" -outfmt "$format" -num_threads "$threads"
            row "tamis blastp --device $device -outfmt $format" "$threads" "$(compared)"
        done
    done
}

database=$1
shift
printf '# cpu: %s, %s processors\n# date: %s  commit: %s\n# command: bench/blastp.sh %s\n' \
    "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$n_cpus" "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}" \
    "$(for f in "$database" "$@"; do printf '%s ' "${f##*/}"; done)"
"$tamis" makedb -in "$database" -dbtype prot -out "$dir/db" -logfile "$dir/log"
printf 'queries\tprogram\tthreads\telapsed_s\tuser_s\tsystem_s\tpeak_MB\telapsed_ratio\tuser_ratio\tlines\tbytes\n'
for file in "$@"; do
    label=${file##*/}
    label=${label%.fasta}
    "$tamis" blastp -q -query "$file" -db "$dir/db" -outfmt 6 >/dev/null
    for t in $THREADS; do
        pair "$t"
    done
done
for t in $THREADS; do
    printf '# --stats of %s with %s threads:\n' "$label" "$t"
    sed 's/^/# /' "$dir/stats.$t"
done
