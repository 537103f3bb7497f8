#!/bin/sh
# strings.sh WORDS.txt.gz - the command against the tools people use today, whole processes, one machine, one run.
#
# Rows: what, wall seconds (median of RUNS), user + system seconds, peak memory in MiB, and the wall ratio to the reference of
# its group. Group 1: a filter of all words, queried with the same compressed list, against decompressing alone. Group 2:
# 1,000,000 patterns against the whole list (uncompressed): grep -Fxf, awk, sort and comm, and build + query.
#
# TAMIS: the command (default: tamis). RUNS: runs of a fast case (default 7); slow ones run once. Needs GNU time.
set -eu
words=${1:?usage: strings.sh WORDS.txt.gz}
tamis=${TAMIS:-tamis}
runs=${RUNS:-7}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# measure NAME RUNS COMMAND...: sets wall, cpu, mib to the medians
measure() {
    name=$1
    n=$2
    shift 2
    : >"$dir/times"
    i=0
    while [ $i -lt "$n" ]; do
        command time -a -o "$dir/times" -f '%e %U %S %M' "$@" >"$dir/out"
        i=$((i + 1))
    done
    wall=$(sort -n "$dir/times" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
    cpu=$(awk '{ print $2 + $3 }' "$dir/times" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
    mib=$(awk '{ print $4 / 1024 }' "$dir/times" | sort -n | awk '{ v[NR] = $1 } END { printf "%.0f", v[int((NR + 1) / 2)] }')
    printf '%s\t%s\t%s\t%s\n' "$name" "$wall" "$cpu" "$mib"
}

printf '# cpu: %s\n# date: %s  commit: %s\n# command: bench/strings.sh %s\n' \
    "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}" \
    "$(basename "$words")"
printf 'what\twall_s\tcpu_s\tpeak_MiB\n'
gzip -dc "$words" >"$dir/all.txt"
awk 'NR % 5 < 3' "$dir/all.txt" | head -n 1000000 | shuf --random-source="$dir/all.txt" >"$dir/patterns.txt"

# The reference of group 1 is a pipe; its peak memory is of no interest.
measure 'zcat | cat' "$runs" sh -c "zcat '$words' | cat >/dev/null"
measure 'tamis build' "$runs" "$tamis" build --quiet --fpr 1/n -o "$dir/words.tms" "$words"
measure 'tamis query, itself' "$runs" "$tamis" query --no-remarks "$dir/words.tms" "$words"
measure 'tamis query, itself, 1 thread' "$runs" "$tamis" query --no-remarks --threads 1 "$dir/words.tms" "$words"
measure 'tamis build, 1 M patterns' "$runs" "$tamis" build --quiet --fpr 1/n -o "$dir/patterns.tms" "$dir/patterns.txt"
measure 'tamis query, 1 M patterns' "$runs" "$tamis" query --no-remarks "$dir/patterns.tms" "$dir/all.txt"
wc -l <"$dir/out" | sed 's/^/# lines found: /'
measure 'tamis build + query, 1 M patterns' "$runs" sh -c \
    "'$tamis' build --quiet --fpr 1/n -o '$dir/p.tms' '$dir/patterns.txt' && '$tamis' query --no-remarks '$dir/p.tms' '$dir/all.txt'"
measure 'grep -Fxf' 1 env LC_ALL=C grep -Fxf "$dir/patterns.txt" "$dir/all.txt"
wc -l <"$dir/out" | sed 's/^/# lines found: /'
# shellcheck disable=SC2016 # $0 is awk's
measure 'awk' 1 env LC_ALL=C awk 'NR == FNR { p[$0]; next } $0 in p' "$dir/patterns.txt" "$dir/all.txt"
measure 'sort + comm' 1 env LC_ALL=C sh -c \
    "sort '$dir/patterns.txt' >'$dir/a'; sort '$dir/all.txt' >'$dir/b'; comm -12 '$dir/a' '$dir/b'"
