#!/bin/sh
# heavy.sh [LINES] - what finding the frequent lines costs over filling the same filter: `tamis heavy` against `tamis build`,
# whole processes, on LINES (default 1e8) lines, Zipf s = 1 over a million keys, from a file in the page cache.
#
# Rows: what, --min, lines, wall seconds (median of RUNS), user + system seconds, peak memory in MiB, M lines/s, and the rate in
# percent of build's. k and m are the defaults of `heavy`, p its default for --min; build is given the same. Rows of
# LINES / 10: the peak memory has to be the same.
#
# TAMIS: the command (default: tamis). BENCH: tamis-bench, which makes the lines (default: tamis-bench). RUNS (default 3).
# MINS: values of --min (default "1000 100000"). K, M: bits a key, bits. OPTIONS: more options for both, such as --threads 1.
# TMPDIR has to have room for 9 bytes a line. Needs GNU time.
set -eu
lines=$(awk -v n="${1:-1e8}" 'BEGIN { printf "%d", n }')
tamis=${TAMIS:-tamis}
bench=${BENCH:-tamis-bench}
runs=${RUNS:-3}
k=${K:-128}
m=${M:-67108864}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# measure WHAT MIN LINES COMMAND...: prints the row and sets wall
measure() {
    what=$1
    min=$2
    n=$3
    shift 3
    : >"$dir/times"
    i=0
    while [ $i -lt "$runs" ]; do
        # heavy exits with 1 where no line came so often, and GNU time then writes a line before its own
        command time -a -o "$dir/times" -f '%e %U %S %M' "$@" >"$dir/out" || [ $? -eq 1 ]
        i=$((i + 1))
    done
    grep '^[0-9]' "$dir/times" >"$dir/numbers"
    wall=$(cut -d' ' -f1 "$dir/numbers" | median)
    cpu=$(awk '{ print $2 + $3 }' "$dir/numbers" | median)
    mib=$(awk '{ printf "%.1f\n", $4 / 1024 }' "$dir/numbers" | median)
    awk -v what="$what" -v min="$min" -v n="$n" -v wall="$wall" -v cpu="$cpu" -v mib="$mib" -v build="$build" 'BEGIN {
        printf "%s\t%s\t%s\t%s\t%s\t%s\t%.4g\t%s\n", what, min, n, wall, cpu, mib, n / wall / 1e6,
            build ? sprintf("%.0f", 100 * build / wall) : ""
    }'
}

# pair MIN FILE LINES
pair() {
    p=$(awk -v min="$1" 'BEGIN { printf "%.9g", 1 - exp(-1.59 / min) }')
    build=
    # shellcheck disable=SC2086 # OPTIONS is a list of words
    measure build "$1" "$3" "$tamis" build --layout probabilistic -q -k "$k" -p "$p" -m "$m" ${OPTIONS:-} -o "$dir/f.tms" "$2"
    build=$wall
    # shellcheck disable=SC2086
    measure heavy "$1" "$3" "$tamis" heavy --min "$1" -q -k "$k" -p "$p" -m "$m" ${OPTIONS:-} "$2"
    echo "# p = $p, lines printed: $(wc -l <"$dir/out")"
}

printf '# cpu: %s\n# date: %s  commit: %s\n# command: bench/heavy.sh %s\n' \
    "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}" "$lines"
printf '# k = %s, m = %s%s\n' "$k" "$m" "${OPTIONS:+, $OPTIONS}"
printf 'what\tmin\tlines\twall_s\tcpu_s\tpeak_MiB\tM_lines_per_s\tpercent_of_build\n'
tenth=$((lines / 10))
"$bench" keys zipf "$lines" 1000000 1 >"$dir/all.txt"
head -n "$tenth" "$dir/all.txt" >"$dir/tenth.txt"
for min in ${MINS:-1000 100000}; do
    pair "$min" "$dir/tenth.txt" "$tenth"
    pair "$min" "$dir/all.txt" "$lines"
done
