#!/bin/sh
# sequences.sh PROTEINS.fa.gz GENOME.fa.gz READS.fq.gz - databases, masks and batches of records, and the programs that do the same.
#
# Whole processes on one thread unless the row says otherwise. The peers read no gzip, so they get plain files; tamis gets both.
# Each row of tamis has the ratio of the peer's user seconds to its own. cases.sh describes the rows.
#
# TAMIS, BENCH: the command and tamis-bench (default: tamis, tamis-bench). RUNS: default 3. TMPDIR has to have room for the uncompressed
# files and the databases. Needs GNU time. Peers that are not installed are left out: ncbi-blast+, seqtk, samtools.
set -eu
[ $# -eq 3 ] || { echo "usage: sequences.sh PROTEINS.fa.gz GENOME.fa.gz READS.fq.gz" >&2; exit 2; }
tamis=${TAMIS:-tamis}
bench=${BENCH:-tamis-bench}
runs=${RUNS:-3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# shellcheck source=bench/cases.sh
. "$(dirname "$0")/cases.sh"

head_of sequences.sh "$@"

gzip -dc "$1" >"$dir/p.fa"
gzip -dc "$2" >"$dir/n.fa"
for i in 1 2 3 4 5 6 7 8 9 10; do gzip -dc "$3"; done >"$dir/r.fq"
gzip -1 <"$dir/r.fq" >"$dir/r.fq.gz"
ln -s "$(realpath "$1")" "$dir/p.fa.gz"
ln -s "$(realpath "$2")" "$dir/n.fa.gz"
cd "$dir"

for kind in prot nucl; do
    letter=$(echo $kind | cut -c1)
    if has makeblastdb; then
        case_of "makeblastdb -blastdb_version 4" "plain file" "makeblastdb -in $letter.fa -dbtype $kind -blastdb_version 4 -out ncbi_$letter -title t"
    fi
    case_of "tamis makedb" "plain file" "'$tamis' makedb -in $letter.fa -dbtype $kind -out plain_$letter -title t"
    case_of "tamis makedb" "gzip" "'$tamis' makedb -in $letter.fa.gz -dbtype $kind -out tamis_$letter -title t"
    group "database, $kind"
done

for kind in prot nucl; do
    letter=$(echo $kind | cut -c1)
    if has blastdbcmd; then case_of "blastdbcmd -info" "" "blastdbcmd -db tamis_$letter -dbtype $kind -info"; fi
    case_of "tamis dbinfo" "with all its checks" "'$tamis' dbinfo -db tamis_$letter -dbtype $kind"
    group "information, $kind"
    if has blastdbcmd; then case_of "blastdbcmd -entry all" "" "blastdbcmd -db tamis_$letter -dbtype $kind -entry all -out out.fa"; fi
    case_of "tamis dbinfo -entry all" "$(($(wc -c <"$letter.fa") / 1000000)) MB" "rm -f out.fa; '$tamis' dbinfo -db tamis_$letter -dbtype $kind -entry all -out out.fa"
    group "FASTA out, $kind"
done

if has segmasker; then case_of segmasker "plain file" "segmasker -in p.fa -out out"; fi
case_of "tamis mask -task seg" "plain file" "rm -f out; '$tamis' mask -task seg -in p.fa -out out -num_threads 1"
case_of "tamis mask -task seg" "gzip, all threads" "rm -f out; '$tamis' mask -task seg -in p.fa.gz -out out"
group "SEG"
if has dustmasker; then case_of dustmasker "plain file" "dustmasker -in n.fa -out out"; fi
case_of "tamis mask -task dust" "plain file" "rm -f out; '$tamis' mask -task dust -in n.fa -out out -num_threads 1"
case_of "tamis mask -task dust" "gzip, all threads" "rm -f out; '$tamis' mask -task dust -in n.fa.gz -out out"
group "DUST"

for file in r.fq r.fq.gz; do
    if has seqtk; then case_of "seqtk comp" "$(($(wc -c <"$file") / 1000000)) MB; counts letters too" "seqtk comp $file"; fi
    if has samtools; then case_of "samtools import" "without compression" "samtools import -0 $file -o out -O sam"; fi
    case_of "tamis-bench records" "into batches" "'$bench' records --once $file"
    group "reads, ${file#r.}"
done
