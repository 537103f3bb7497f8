#!/bin/sh
# classify.sh READS.fq.gz GENOME.fa.gz... - reads against filters of genomes: ten times the reads, against the first genome, and against all.
#
# Whole processes. cases.sh describes the rows.
#
# TAMIS: the command (default: tamis). RUNS: default 3. TMPDIR has to have room for ten times the reads, uncompressed, twice. Needs GNU
# time. BBDuk (Debian: bbmap) is left out if it is not installed.
set -eu
[ $# -ge 2 ] || { echo "usage: classify.sh READS.fq.gz GENOME.fa.gz..." >&2; exit 2; }
tamis=${TAMIS:-tamis}
runs=${RUNS:-3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=bench/cases.sh
. "$(dirname "$0")/cases.sh"

head_of classify.sh "$@"
for i in 1 2 3 4 5 6 7 8 9 10; do gzip -dc "$1"; done >"$dir/r.fq"
gzip -1 <"$dir/r.fq" >"$dir/r.fq.gz"
shift
n=0
all=''
for genome in "$@"; do
    n=$((n + 1))
    ln -s "$(realpath "$genome")" "$dir/g$n.fa.gz"
    "$tamis" build -q --kmer 31 -o "$dir/g$n.tms" "$genome"
    all="$all -f g$n.tms"
done
cd "$dir"

i=1
while [ $i -le $n ]; do
    case_of "tamis build --kmer 31" "$(gzip -dc g$i.fa.gz | grep -v '>' | tr -d '\n' | wc -c) bases" "'$tamis' build -q --threads 1 --force --kmer 31 -o b.tms g$i.fa.gz"
    i=$((i + 1))
done
group "filters"
if command -v bbduk.sh >/dev/null; then
    case_of "bbduk.sh k=31" "one thread" "bbduk.sh -Xmx2g threads=1 k=31 ref=g1.fa.gz in=r.fq outm=/dev/null overwrite=t"
fi
case_of "tamis classify" "one thread" "'$tamis' classify -q --threads 1 -f g1.tms --summary - r.fq"
case_of "tamis classify" "gzip, one thread" "'$tamis' classify -q --threads 1 -f g1.tms --summary - r.fq.gz"
case_of "tamis classify" "all threads" "'$tamis' classify -q -f g1.tms --summary - r.fq"
group "summary, one genome"
case_of "tamis classify" "one thread" "'$tamis' classify -q --threads 1 $all --summary - r.fq"
case_of "tamis classify" "all threads" "'$tamis' classify -q $all --summary - r.fq"
group "summary, $n genomes"
case_of "tamis classify" "table, one thread" "'$tamis' classify -q --threads 1 $all r.fq"
case_of "tamis classify --remove" "one thread" "'$tamis' classify -q --threads 1 $all --force --remove -o out.fq r.fq"
case_of "tamis classify --split" "one thread" "'$tamis' classify -q --threads 1 $all --force --split out r.fq"
case_of "tamis classify --split" "gzip to gzip, one thread" "'$tamis' classify -q --threads 1 $all --force --split out r.fq.gz"
case_of "tamis classify --split" "gzip to gzip, all threads" "'$tamis' classify -q $all --force --split out r.fq.gz"
group "reads out, $n genomes"
