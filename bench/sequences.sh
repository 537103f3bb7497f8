#!/bin/sh
# sequences.sh PROTEINS.fa.gz GENOME.fa.gz READS.fq.gz - databases, masks and batches of records, and the programs that do the same.
#
# Whole processes on one thread unless the row says otherwise. The peers read no gzip, so they get plain files; tamis gets both.
# Each row of tamis has the ratio of the peer's user seconds to its own. Cases of a group take turns, RUNS times, and a row has the least
# of each column, because other work on the machine only adds. A first run before them brings the files into the page cache.
#
# Rows: what, program, user and system seconds, elapsed seconds, peak memory in MB, ratio (user seconds of the group's first program over
# these), note.
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

n_cases=0

# case PROGRAM NOTE COMMAND: a shell command line, measured by the next call of group
case_of() {
    n_cases=$((n_cases + 1))
    printf '%s' "$1" >"$dir/program.$n_cases"
    printf '%s' "$2" >"$dir/note.$n_cases"
    printf 'set -eu\n%s\n' "$3" >"$dir/case.$n_cases"
}

least() { sort -g "$1" | head -n 1; }

# group WHAT: the cases since the last group, in turns
group() {
    run=0
    while [ "$run" -le "$runs" ]; do
        i=1
        while [ "$i" -le "$n_cases" ]; do
            command time -o "$dir/time" -f '%U %S %e %M' sh "$dir/case.$i" >/dev/null 2>"$dir/stderr" || {
                echo "$(cat "$dir/program.$i") failed:" >&2
                cat "$dir/stderr" >&2
                exit 1
            }
            if [ "$run" -gt 0 ]; then tail -n 1 "$dir/time" >>"$dir/times.$i"; fi
            i=$((i + 1))
        done
        run=$((run + 1))
    done
    first=''
    i=1
    while [ "$i" -le "$n_cases" ]; do
        for column in 1 2 3 4; do cut -d' ' -f$column "$dir/times.$i" >"$dir/column$column"; done
        user=$(least "$dir/column1")
        first=${first:-$user}
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(cat "$dir/program.$i")" "$user" "$(least "$dir/column2")" \
            "$(least "$dir/column3")" "$(least "$dir/column4" | awk '{ printf "%.1f", $1 * 1.024e-3 }')" \
            "$(echo "$first $user" | awk '{ if ($2 > 0) printf "%.1f", $1 / $2; else print "-" }')" "$(cat "$dir/note.$i")"
        rm "$dir/times.$i"
        i=$((i + 1))
    done
    n_cases=0
}
has() { command -v "$1" >/dev/null; }

printf '# cpu: %s\n# date: %s  commit: %s\n# command: bench/sequences.sh' \
    "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}"
for file in "$@"; do printf ' %s' "$(basename "$file")"; done
printf '\n'
printf 'what\tprogram\tuser_s\tsystem_s\telapsed_s\tpeak_MB\tratio\tnote\n'

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
