#!/bin/sh
# classify_end.sh READS.fq.gz GENOME.fa.gz... - how much of the rate of reading `tamis classify` keeps: reads, TIMES times over, plain and
# compressed, against one genome and against all, on the CPU and on a GPU if there is one, beside the same with the test left out.
#
# tamis-bench classify prints the rows. TAMIS, TAMIS_BENCH: the commands (default: tamis, tamis-bench); TIMES: default 20. TMPDIR has to have
# room for the reads, uncompressed, TIMES times.
set -eu
[ $# -ge 2 ] || { echo "usage: classify_end.sh READS.fq.gz GENOME.fa.gz..." >&2; exit 2; }
tamis=${TAMIS:-tamis}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

i=0
while [ $i -lt "${TIMES:-20}" ]; do
    gzip -dc "$1"
    cat "$1" >&3
    i=$((i + 1))
done >"$dir/reads.fq" 3>"$dir/reads.fq.gz"
shift
n=0
for genome in "$@"; do
    n=$((n + 1))
    "$tamis" build -q --kmer 31 -o "$dir/g$n.tms" "$genome"
done
for reads in reads.fq reads.fq.gz; do
    "${TAMIS_BENCH:-tamis-bench}" classify "$dir/$reads" "$dir"/g*.tms | sed "s|$dir/||g"
done
