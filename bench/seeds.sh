#!/bin/sh
# seeds.sh A.fa.gz B.fa.gz SMALL.fa.gz LARGE.fa.gz - `tamis seeds` and other programs that find exact matches, whole processes.
#
# Group 1: query A, subject B (such as two genomes of E. coli), w = 16, both strands, one thread: counting, and all seeds to
# /dev/null, from each kind of file; then blastn and MUMmer, where they are installed, from uncompressed files. They do other
# work besides: the note says what. Group 2: SMALL against LARGE, counting, one thread. Group 3: peak memory with LARGE as the
# subject, once and 24 times in a row through a pipe; one run, all threads.
#
# Rows: what, program, user and system seconds, elapsed seconds and peak memory in MB (medians of RUNS), lines of output, note.
# A run before them that is not measured counts the lines, so files are in the page cache.
#
# TAMIS: the command (default: tamis). RUNS: runs of a case (default 5). TMPDIR has to have room for the uncompressed files.
# Needs GNU time.
set -eu
[ $# -eq 4 ] || { echo "usage: seeds.sh A.fa.gz B.fa.gz SMALL.fa.gz LARGE.fa.gz" >&2; exit 2; }
tamis=${TAMIS:-tamis}
runs=${RUNS:-5}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# row WHAT PROGRAM LINES NOTE: of the lines of $dir/times
row() {
    for column in 1 2 3 4; do cut -d' ' -f$column "$dir/times" >"$dir/column$column"; done
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$(median "$dir/column1")" "$(median "$dir/column2")" \
        "$(median "$dir/column3")" "$(megabytes)" "$3" "$4"
}
megabytes() { median "$dir/column4" | awk '{ printf "%.1f", $1 * 1.024e-3 }'; }

# measure WHAT PROGRAM RUNS NOTE COMMAND...
measure() {
    what=$1
    program=$2
    n=$3
    note=$4
    shift 4
    : >"$dir/times"
    lines=$("$@" | wc -l)
    while [ "$n" -gt 0 ]; do
        command time -a -o "$dir/times" -f '%U %S %e %M' "$@" >/dev/null
        n=$((n - 1))
    done
    row "$what" "$program" "$lines" "$note"
}

# option_of SUBJECT: a database has no file of its name
option_of() { if [ -e "$1" ]; then echo -subject; else echo -db; fi; }

# seeds WHAT QUERY SUBJECT OPTION...: all of them, one thread
seeds() {
    what=$1
    query=$2
    subject=$3
    shift 3
    measure "$what" "tamis seeds $*" "$runs" "" "$tamis" seeds -q --threads 1 -query "$query" "$(option_of "$subject")" "$subject" "$@"
}

# counted WHAT QUERY SUBJECT OPTION...: how many, in the note
counted() {
    what=$1
    query=$2
    subject=$3
    shift 3
    count=$("$tamis" seeds -q -query "$query" "$(option_of "$subject")" "$subject" --count "$@")
    measure "$what" "tamis seeds --count $*" "$runs" "$count seeds" \
        "$tamis" seeds -q --threads 1 -query "$query" "$(option_of "$subject")" "$subject" --count "$@"
}

printf '# cpu: %s\n# date: %s  commit: %s\n# command: bench/seeds.sh' \
    "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}"
for file in "$@"; do printf ' %s' "$(basename "$file")"; done
printf '\n'
printf 'what\tprogram\tuser_s\tsystem_s\telapsed_s\tpeak_MB\toutput_lines\tnote\n'

measure "A and B" "gzip -dc" "$runs" "what the programs that read no gzip need before" gzip -dc "$1" "$2"
gzip -dc "$1" >"$dir/a.fa"
gzip -dc "$2" >"$dir/b.fa"
"$tamis" makedb -in "$2" -dbtype nucl -out "$dir/b" >/dev/null
counted "A B .fa.gz" "$1" "$2" -word_size 16
counted "A B .fa" "$dir/a.fa" "$dir/b.fa" -word_size 16
counted "A B database" "$dir/a.fa" "$dir/b" -word_size 16
seeds "A B .fa.gz" "$1" "$2" -word_size 16
seeds "A B .fa" "$dir/a.fa" "$dir/b.fa" -word_size 16
seeds "A B database" "$dir/a.fa" "$dir/b" -word_size 16

if command -v blastn >/dev/null; then
    measure "A B .fa" "blastn -task megablast -word_size 16" "$runs" \
        "$(blastn -version | head -n 1); low complexity masked (DUST), seeds extended, alignments with scores" \
        blastn -task megablast -word_size 16 -query "$dir/a.fa" -subject "$dir/b.fa" -outfmt 6 -num_threads 1
    measure "A B .fa" "blastn -task blastn -word_size 11" 1 "the same, at w = 11; one run" \
        blastn -task blastn -word_size 11 -query "$dir/a.fa" -subject "$dir/b.fa" -outfmt 6 -num_threads 1
fi
if command -v mummer >/dev/null; then
    n=$(mummer -maxmatch -l 16 -b "$dir/a.fa" "$dir/b.fa" 2>/dev/null | awk '!/^>/ { n += $NF - 15 } END { printf "%d", n }')
    measure "A B .fa" "mummer -maxmatch -l 16 -b" "$runs" \
        "suffix tree; maximal exact matches, so neighbouring seeds are one line: they hold $n seeds" \
        sh -c "mummer -maxmatch -l 16 -b '$dir/a.fa' '$dir/b.fa' 2>/dev/null"
fi

gzip -dc "$4" >"$dir/large.fa"
"$tamis" makedb -in "$4" -dbtype nucl -out "$dir/large" >/dev/null
counted "SMALL LARGE .fa.gz" "$3" "$4" -word_size 14
counted "SMALL LARGE .fa" "$3" "$dir/large.fa" -word_size 14
counted "SMALL LARGE database" "$3" "$dir/large" -word_size 14
counted "SMALL LARGE database" "$3" "$dir/large" -word_size 11
counted "SMALL LARGE database" "$3" "$dir/large" -word_size 11 --filter bloom

# memory WHAT QUERY: LARGE once and 24 times as the subject, w = 16
memory() {
    "$tamis" seeds -q -query "$2" -subject "$dir/b.fa" --count --stats "$dir/stats.json" >"$dir/out"
    takes=$(awk -F '[:,]' '
        /"table_bytes"/ { table = $2 }
        /"bank_bytes"/ { bank = $2 }
        END { printf "%.1f + %.1f", table / 1e6, bank / 1e6 }' "$dir/stats.json")
    for times in 1 24; do
        yes "$dir/large.fa" | head -n "$times" | xargs cat |
            command time -o "$dir/times" -f '%U %S %e %M' "$tamis" seeds -q -query "$2" -subject - --count >"$dir/out"
        cut -d' ' -f4 "$dir/times" >"$dir/column4"
        beyond=$(echo "$(megabytes) $takes" | awk '{ print $1 - $2 - $4 }')
        row "$1, LARGE x$times" "tamis seeds --count -subject -" 1 \
            "$(cat "$dir/out") seeds; table + filters: $takes MB; beyond these: $beyond MB"
    done
}
memory SMALL "$3"
memory LARGE "$dir/large.fa"
