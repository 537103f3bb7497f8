#!/bin/sh
# blastp.sh DATABASE.fa.gz QUERY.fa... - `tamis blastp` beside blastp of NCBI BLAST+, whole processes, on one database of proteins.
# PROGRAM=blastx, tblastn or tblastx: that program, the latter two on a database of nucleotides.
#
# For each file of queries: both programs with 1, 2, ... threads (THREADS, default: powers of two up to the processors), blastp with more than
# one also with -mt_mode 1; default options, -outfmt 6. Rows: queries, program, threads, elapsed seconds, user and system seconds (each the
# median of RUNS, default 3), peak memory in MB (of it the mapped database), elapsed and user seconds in ratio to blastp's best with as many
# threads, lines, and whether they are the same bytes as blastp's. Then for the last file where tamis's seconds go, by its --stats.
#
# PEERS=yes: instead of this, one table for the most THREADS, with DIAMOND and MMseqs2 beside, and for each program the shares of blastp's pairs of
# a query and a subject that it reports, those with an E-value of 1e-3 at most and all. blastp, the CPU and the peers run once, the GPU RUNS
# times. OPTIONS: further rows of tamis on the GPU, a line each, of tamis's options with their values; LARGE=N: also against the database N times
# over, once. NCBI_OPTIONS: of NCBI's program. DIAMOND, MMSEQS: the commands (default: diamond, mmseqs; MMSEQS=none: without it); DIAMOND has no tblastn, tblastx.
#
# GPU=cuda: rows with --device cuda too, with both strategies; GPU_MEMORY='1G 4G': also with so much --gpu-memory. FORMATS='0 5': rows of tamis
# with these -outfmt too, whose bytes are compared with those of one thread of the CPU. TAMIS: the command (default: tamis). BLASTP: NCBI's
# program (default: its name). Needs GNU time. A first run, not measured, brings files into memory.
set -eu
tamis=${TAMIS:-tamis}
program=${PROGRAM:-blastp}
ncbi=${BLASTP:-$program}
case $program in tblastn | tblastx) type=nucl ;; *) type=prot ;; esac
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
    measure ncbi "$ncbi" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads"
    row "$program" "$threads" ""
    best_wall=$wall
    best_user=$user
    if [ "$threads" -gt 1 ] && [ "$program" != tblastx ]; then # which has no -mt_mode
        measure mt1 "$ncbi" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads" -mt_mode 1
        row "$program -mt_mode 1" "$threads" ""
        keep_best
    fi
    measure tamis "$tamis" "$program" -q --device cpu -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads" --stats "$dir/stats.$threads"
    row "tamis $program" "$threads" "$(compared)"
    if [ -n "${GPU:-}" ]; then
        measure tamis "$tamis" "$program" -q --device "$GPU" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads"
        row "tamis $program --device $GPU" "$threads" "$(compared)"
        if [ "$program" = blastp ]; then
            measure tamis "$tamis" blastp -q --device "$GPU" --gpu-strategy cublastp -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads"
            row "tamis blastp --device $GPU --gpu-strategy cublastp" "$threads" "$(compared)"
        fi
        for memory in ${GPU_MEMORY:-}; do
            measure tamis "$tamis" "$program" -q --device "$GPU" --gpu-memory "$memory" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads"
            row "tamis $program --device $GPU --gpu-memory $memory" "$threads" "$(compared)"
        done
    fi
    for format in ${FORMATS:-}; do
        "$tamis" "$program" -q --device cpu -query "$file" -db "$dir/db" -outfmt "$format" -num_threads 1 >"$dir/out.ncbi"
        for device in cpu ${GPU:-}; do
            measure tamis "$tamis" "$program" -q --device "$device" -query "$file" -db "$dir/db" -outfmt "$format" -num_threads "$threads"
            row "tamis $program --device $device -outfmt $format" "$threads" "$(compared)"
        done
    done
}

# --- with peers ---

none=$(printf '\t') # no shares

# shares: of out.ncbi's pairs, those that out.$name has, in per cent: with E <= 1e-3, and all. MMseqs2 shortens names to accessions.
shares() {
    awk '
        function pair(part) {
            if (split($2, part, "|") > 1) $2 = part[2]
            if (split($1, part, "|") > 1) $1 = part[2]
            return $1 " " $2
        }
        NR == FNR { p = pair(); if (!(p in e) || $11 < e[p]) e[p] = $11; next }
        { p = pair(); if (p in e && !(p in seen)) { seen[p]; all++; low += e[p] <= 1e-3 } }
        END {
            for (p in e) { n++; n_low += e[p] <= 1e-3 }
            printf "%.1f\t%.1f", (n_low ? 100 * low / n_low : 0), (n ? 100 * all / n : 0)
        }' "$dir/out.ncbi" "$dir/out.$name"
}

# peer_row PROGRAM OPTIONS SHARES BYTES
peer_row() {
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$label" "$1" "$2" "$threads" "$wall" "$user" "$mb" "$(wc -l <"$dir/out.$name")" "$3" "$4"
}

tamis_on() { # tamis_on DEVICE OPTION...
    device=$1
    shift
    measure tamis "$tamis" "$program" -q --device "$device" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads" "$@"
}

mmseqs2() {
    options='-s 7.5 --max-seqs 500 -e 10'
    if [ "$program" = tblastx ]; then options="$options --search-type 2"; fi
    rm -rf "$dir/scratch"
    # shellcheck disable=SC2086
    measure messages "${MMSEQS:-mmseqs}" easy-search "$file" "$dir/mmseqs" "$dir/out.peer" "$dir/scratch" $options --threads "$threads"
    name=peer
    peer_row MMseqs2 "$options" "$(shares)" ''
}

beside_peers() {
    runs_gpu=$runs
    runs=1
    # shellcheck disable=SC2086
    measure ncbi "$ncbi" -query "$file" -db "$dir/db" -outfmt 6 -num_threads "$threads" ${NCBI_OPTIONS:-}
    peer_row "NCBI $program" "${NCBI_OPTIONS:-}" "$(shares)" ''
    tamis_on cpu
    peer_row "tamis $program" '' "$(shares)" "$(compared)"
    runs=$runs_gpu
    if [ -n "${GPU:-}" ]; then
        tamis_on "$GPU"
        peer_row "tamis $program" "--device $GPU" "$(shares)" "$(compared)"
    fi
    runs=1
    for sensitivity in fast sensitive very-sensitive ultra-sensitive; do
        [ $type = prot ] || break
        measure peer "${DIAMOND:-diamond}" "$program" -q "$file" -d "$dir/diamond" -k 500 -e 10 "--$sensitivity" -p "$threads" -f 6 --quiet
        peer_row DIAMOND "-k 500 -e 10 --$sensitivity" "$(shares)" ''
    done
    [ "${MMSEQS:-}" = none ] || mmseqs2
    runs=$runs_gpu
}

# Rows of tamis on the GPU with other options, and with a quarter of the threads.
more_options() {
    all_threads=$threads
    threads=$((threads / 4))
    tamis_on "$GPU"
    peer_row "tamis $program" "--device $GPU" "$none" "$(compared)"
    threads=$all_threads
    printf '%s\n' "${OPTIONS:-}" | while read -r options; do
        [ -n "$options" ] || continue
        # shellcheck disable=SC2086
        tamis_on "$GPU" $options
        peer_row "tamis $program" "--device $GPU $options" "$none" ''
    done
}

# The database LARGE times over: rows of tamis on the GPU.
large() {
    i=0
    while [ $i -lt "$LARGE" ]; do
        cat "$dir/database.fa"
        i=$((i + 1))
    done | "$tamis" makedb -in - -title large -dbtype $type -out "$dir/db" -logfile "$dir/log"
    runs=1
    for file in "$@"; do
        label="$(basename "$file" .fasta) x $LARGE"
        tamis_on "$GPU"
        peer_row "tamis $program" "--device $GPU" "$none" ''
    done
}

with_peers() {
    for threads in $THREADS; do :; done # the last
    case $database in
    *.gz) gzip -dc "$database" ;;
    *.xz) xz -dc "$database" ;;
    *) cat "$database" ;;
    esac >"$dir/database.fa"
    [ $type = nucl ] || "${DIAMOND:-diamond}" makedb --in "$dir/database.fa" -d "$dir/diamond" --quiet
    [ "${MMSEQS:-}" = none ] || "${MMSEQS:-mmseqs}" createdb "$dir/database.fa" "$dir/mmseqs" >"$dir/log"
    printf 'queries\tprogram\toptions\tthreads\telapsed_s\tuser_s\tpeak_MB\tlines\tpairs_1e-3_percent\tpairs_percent\tbytes\n'
    for file in "$@"; do
        label=$(basename "$file" .fasta)
        cat "$dir"/db.* >/dev/null
        beside_peers
        [ -z "${GPU:-}" ] || more_options
    done
    [ -z "${GPU:-}" ] || [ -z "${LARGE:-}" ] || large "$@"
}

database=$1
shift
printf '# cpu: %s, %s processors\n# date: %s  commit: %s\n# command: PROGRAM=%s bench/blastp.sh %s\n' \
    "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$n_cpus" "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}" "$program" \
    "$(for f in "$database" "$@"; do printf '%s ' "${f##*/}"; done)"
"$tamis" makedb -in "$database" -dbtype $type -out "$dir/db" -logfile "$dir/log"
if [ "${PEERS:-no}" = yes ]; then
    with_peers "$@"
    exit
fi
printf 'queries\tprogram\tthreads\telapsed_s\tuser_s\tsystem_s\tpeak_MB\telapsed_ratio\tuser_ratio\tlines\tbytes\n'
for file in "$@"; do
    label=${file##*/}
    label=${label%.fasta}
    "$tamis" "$program" -q -query "$file" -db "$dir/db" -outfmt 6 >/dev/null
    for t in $THREADS; do
        pair "$t"
    done
done
for t in $THREADS; do
    printf '# --stats of %s with %s threads:\n' "$label" "$t"
    sed 's/^/# /' "$dir/stats.$t"
done
