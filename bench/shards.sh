#!/bin/sh
# shards.sh DATABASE QUERY.fa [SHARDS...] - what it costs to divide a search by `tamis blastp --shard` and `tamis report`, on one machine.
#
# Searches once with all threads, then for each number of shards (default 2 4 8 16) runs the cells and the report. On the CPU all cells
# run side by side and share the threads, as a scheduler packs a node; with DEVICE=cuda one after the other. Columns: shards; elapsed and
# CPU seconds of the cells; efficiency, which is seconds of the undivided search over those of the cells (CPU seconds; with DEVICE=cuda
# elapsed ones); bytes of the parts; elapsed and CPU seconds and peak memory in MB of the report, mapped database included; whether its
# bytes are those of the undivided search.
#
# DEVICE: cpu (default) or cuda. THREADS: threads of the undivided search (default: the processors). TAMIS: the command (default: tamis).
# Needs GNU time. A first run, not measured, brings the database into memory.
set -eu
[ $# -ge 2 ] || { echo "usage: shards.sh DATABASE QUERY.fa [SHARDS...]" >&2; exit 2; }
database=$1
query=$2
shift 2
[ $# -gt 0 ] || set -- 2 4 8 16
tamis=${TAMIS:-tamis}
threads=${THREADS:-$(nproc)}
device=${DEVICE:-cpu}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# timed COMMAND...: a line of elapsed and CPU seconds and KB of memory in $dir/times
timed() { command time -a -o "$dir/times" -f '%e %U %S %M' "$@"; }
cpu_seconds() { awk '{ s += $2 + $3 } END { printf "%.1f", s }' "$dir/times"; }
elapsed() { awk '{ s += $1 } END { printf "%.2f", s }' "$dir/times"; }
# cell N THREADS K
cell() {
    timed "$tamis" blastp -q -query "$query" -db "$database" --device "$device" -num_threads "$2" --shard "$3/$1" -out "$dir/$3.part"
}

"$tamis" blastp -q -query "$query" -db "$database" --device "$device" -num_threads "$threads" -outfmt 6 -out "$dir/whole"
timed "$tamis" blastp -q -query "$query" -db "$database" --device "$device" -num_threads "$threads" -outfmt 6 -out "$dir/whole"
whole_cpu=$(cpu_seconds)
whole_elapsed=$(elapsed)
echo "# undivided, $device, $threads threads: $whole_elapsed s, $whole_cpu CPU s, $(wc -l <"$dir/whole") lines"
printf 'shards\tcells_s\tcells_cpu_s\tefficiency\tpart_bytes\treport_s\treport_cpu_s\treport_mb\tsame\n'
for n in "$@"; do
    rm -f "$dir"/*.part "$dir/times"
    share=$((threads > n ? threads / n : 1))
    begun=$(date +%s.%N)
    k=1
    while [ "$k" -le "$n" ]; do
        if [ "$device" = cpu ]; then cell "$n" "$share" "$k" & else cell "$n" "$threads" "$k"; fi
        k=$((k + 1))
    done
    wait
    cells_elapsed=$(date +%s.%N | awk -v b="$begun" '{ printf "%.2f", $1 - b }')
    cells_cpu=$(cpu_seconds)
    bytes=$(cat "$dir"/*.part | wc -c)
    rm "$dir/times"
    timed "$tamis" report -q "$dir"/*.part -outfmt 6 -out "$dir/merged"
    same=no
    if cmp -s "$dir/whole" "$dir/merged"; then same=yes; fi
    if [ "$device" = cpu ]; then of="$whole_cpu $cells_cpu"; else of="$whole_elapsed $cells_elapsed"; fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$n" "$cells_elapsed" "$cells_cpu" \
        "$(echo "$of" | awk '{ printf "%.2f", $1 / $2 }')" "$bytes" "$(elapsed)" "$(cpu_seconds)" \
        "$(awk '{ printf "%.0f", $4 / 1000 }' "$dir/times")" "$same"
    rm "$dir/merged"
done
