#!/bin/sh
# blastn.sh TASK QUERY.fa DATABASE [OPTION...] - `tamis blastn` beside blastn of NCBI BLAST+, whole processes, one after the other, -outfmt 6.
#
# DATABASE: the path of a BLAST database. Rows: task, query, database, options, program; elapsed and user seconds; peak memory in MB; lines, and
# whether they are the same bytes as those of the first row (of a blastn that was stopped: as many of them as it printed); elapsed seconds of a
# whole run (of a blastn that was stopped: by the share of the lines), and how many times as fast as blastn's.
#
# DEVICES (default: cpu): a row for each: a --device of tamis, after a colon its --gpu-memory, as cuda:1G; for two GPUs cuda.0+cuda.1. SECONDS_MOST
# (default: 600): blastn is stopped then; 0: it is not run. THREADS (default: the processors). HEADING=no: no heading. TAMIS: the command
# (default: tamis). BLASTN: blastn (default: blastn). Needs GNU time.
set -eu
[ $# -ge 3 ] || { echo "usage: blastn.sh TASK QUERY.fa DATABASE [OPTION...]" >&2; exit 2; }
threads=${THREADS:-$(nproc)}
most=${SECONDS_MOST:-600}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
task=$1
query=$2
database=$3
shift 3
label="$task	$(basename "$query")	$(basename "$database")	$*"

if [ "${HEADING:-yes}" = yes ]; then
    printf '# cpu: %s, %s threads\n# date: %s  commit: %s\n' "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$threads" \
        "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}"
    printf 'task\tquery\tdatabase\toptions\tprogram\telapsed_s\tuser_s\tMB\tlines\tbytes\twhole_s\ttimes\n'
fi

# measure COMMAND...: its output is in $dir/out, its exit status in $status, and its seconds and memory in $dir/time
measure() {
    status=0
    command time -q -o "$dir/time" -f '%e %U %M' "$@" >"$dir/out" 2>"$dir/messages" || status=$?
}

# row PROGRAM SAME SHARE: SHARE of the lines is in $dir/out
row() {
    awk -v label="$label" -v program="$1" -v same="$2" -v share="$3" -v n="$(wc -l <"$dir/out")" -v ncbi="$ncbi" '{
        whole = share > 0 ? $1 / share : 0
        printf("%s\t%s\t%s\t%s\t%.0f\t%d\t%s\t%s\t%s\n", label, program, $1, $2, $3 / 1000, n, same,
            (whole > 0 ? sprintf("%.4g", whole) : ""), (whole > 0 && ncbi > 0 ? sprintf("%.1f", ncbi / whole) : ""))
    }' "$dir/time" | tee "$dir/row"
}

ncbi=0
rm -f "$dir/first"
for device in ${DEVICES:-cpu}; do
    name=$(echo "${device%%:*}" | tr .+ :,)
    memory=$(echo "$device" | sed -n 's/^[^:]*://p')
    measure "${TAMIS:-tamis}" blastn -q --device "$name" ${memory:+--gpu-memory "$memory"} -task "$task" -query "$query" -db "$database" \
        -outfmt 6 -num_threads "$threads" "$@"
    [ $status -eq 0 ] || { cat "$dir/messages" >&2; exit 1; }
    if [ -e "$dir/first" ]; then
        row "tamis $device" "$(cmp -s "$dir/first" "$dir/out" && echo same || echo differ)" 1
        continue
    fi
    mv "$dir/out" "$dir/first"
    if [ "$most" -gt 0 ]; then
        mv "$dir/time" "$dir/time.first"
        measure timeout "$most" "${BLASTN:-blastn}" -task "$task" -query "$query" -db "$database" -outfmt 6 -num_threads "$threads" "$@"
        if [ $status -eq 124 ]; then
            sed -i '$d' "$dir/out" # it may be half a line
        fi
        n=$(wc -l <"$dir/out")
        [ $status -eq 124 ] && head -n "$n" "$dir/first" >"$dir/begin" || ln -f "$dir/first" "$dir/begin"
        row blastn "$(cmp -s "$dir/begin" "$dir/out" && echo same || echo differ)" \
            "$(awk -v n="$n" -v all="$(wc -l <"$dir/first")" -v status=$status 'BEGIN { print (status != 124 ? 1 : all > 0 ? n / all : 0) }')"
        ncbi=$(cut -f 11 "$dir/row")
        mv "$dir/time.first" "$dir/time"
    fi
    ln -f "$dir/first" "$dir/out"
    row "tamis $device" same 1
done
