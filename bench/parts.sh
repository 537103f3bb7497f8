#!/bin/sh
# parts.sh QUERIES.fasta DATABASE.fa.gz - what `tamis report` takes for a search in parts: memory and seconds by the numbers of shards and
# queries, and the rate of reading parts (tamis-bench parts).
#
# The database is the first RESIDUES (default 6000000) residues. CASES (default below): COPIES:SHARDS:EVALUE, where COPIES is how many times
# the queries come, each time under other names. TAMIS, TAMIS_BENCH: the commands (default: tamis, tamis-bench). Seconds are of processors.
set -eu
[ $# -eq 2 ] || { echo "usage: parts.sh QUERIES.fasta DATABASE.fa.gz" >&2; exit 2; }
tamis=${TAMIS:-tamis}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

gzip -dc "$2" | awk -v most="${RESIDUES:-6000000}" '/^>/ { if (n >= most) exit; print; next } { n += length($0); print }' >"$dir/s.fa"
"$tamis" makedb -in "$dir/s.fa" -dbtype prot -out "$dir/db" >/dev/null

# usage_of FILE: user and system seconds, and peak memory in MB, of all commands that wrote to the file
usage_of() { awk '{ s += $1 + $2; m = $3 > m ? $3 : m } END { printf "%.2f\t%.0f", s, m / 1000 }' "$1"; }

printf 'queries\tshards\tevalue\tcells_s\tcells_peak_MB\treport_s\treport_peak_MB\tparts\tMB\tlists\tsubjects\thsps\tread_s\tread_MB_per_s\tread_hsps_per_s\n'
for case in ${CASES:-1:4:10 1:16:10 1:64:10 10:4:10 10:16:10 10:64:10 1:16:1000 1:64:1000}; do
    copies=${case%%:*}
    evalue=${case##*:}
    shards=${case#*:}
    shards=${shards%:*}
    rm -rf "$dir/parts"
    mkdir "$dir/parts"
    i=0
    while [ $i -lt "$copies" ]; do
        sed "s/^>/>c${i}_/" "$1"
        i=$((i + 1))
    done >"$dir/q.fa"
    : >"$dir/cells"
    k=1
    while [ $k -le "$shards" ]; do
        /usr/bin/time -a -o "$dir/cells" -f '%U %S %M' "$tamis" blastp -q --device cpu -query "$dir/q.fa" -db "$dir/db" -evalue "$evalue" \
            --shard "$k/$shards" -out "$dir/parts/$k.part"
        k=$((k + 1))
    done
    /usr/bin/time -o "$dir/report" -f '%U %S %M' "$tamis" report -q "$dir"/parts/*.part -outfmt 6 -out "$dir/hits" --restart
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(grep -c '^>' "$dir/q.fa")" "$shards" "$evalue" "$(usage_of "$dir/cells")" "$(usage_of "$dir/report")" \
        "$("${TAMIS_BENCH:-tamis-bench}" parts "$dir"/parts/*.part | tail -n 1)"
done
