#!/bin/sh
# search_gpu.sh RESULT.tsv QUERIES OUT - draw rows QUERIES of a table of `tamis-bench blastp` as [Zhang14] does: OUT_fig14.png, seconds of each
# step over bins; and for all queries of the table OUT_fig15.png, scores by place and by letter, OUT_fig16.png, the three extensions, and
# OUT_fig17.png, places of words through the first cache and past it. Needs gnuplot.
set -eu

fail() {
    echo "search_gpu.sh: $1" >&2
    exit 2
}

[ $# -eq 3 ] || fail "usage: search_gpu.sh RESULT.tsv QUERIES OUT"
[ -r "$1" ] || fail "$1: cannot be read"
command -v gnuplot >/dev/null || fail "gnuplot is not installed"

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# columns: 1 fig, 2 queries, 5 extension, 6 scoring, 7 bins, 9 l1, 14 detect ... 19 replay
awk -F '\t' -v queries="$2" '$1 == 14 && $2 == queries { print $7, $14, $15, $16, $17, $18 + $19 }' "$1" >"$data/14"
[ -s "$data/14" ] || fail "$1: has no rows of '$2'"
# by TABLE FIGURE FIRST LAST: a line a file of queries, and in it the sum of columns FIRST to LAST for each of its rows
by() {
    awk -F '\t' -v fig="$2" -v first="$3" -v last="$4" '
        $1 == fig && NF > 10 {
            name = $2
            sub(/\.fasta$/, "", name)
            if (!(name in row)) names[++n] = name
            ms = 0
            for (i = first; i <= last; i++) ms += $i
            row[name] = row[name] " " ms
        }
        END { for (i = 1; i <= n; i++) print names[i] row[names[i]] }' "$1" >"$data/$2"
}
by "$1" 15 18 19
by "$1" 16 18 19
by "$1" 17 14 14

gnuplot <<END
set terminal pngcairo size 800, 500 font ",11"
set grid ytics
set style data histograms
set style fill solid 0.8
set boxwidth 0.7
set yrange [0:]
set ylabel "milliseconds"
set output "$3_fig14.png"
set style histogram rowstacked
set xlabel "bins of a warp; $2"
set key outside right
plot "$data/14" using 2:xtic(1) title "detection", "" using 3 title "assembling", "" using 4 title "sorting", \
     "" using 5 title "filtering", "" using 6 title "extension"
set style histogram clustered gap 1
set boxwidth 0.9
set xlabel ""
set key top left inside
set ylabel "extension, milliseconds"
set output "$3_fig15.png"
plot "$data/15" using 2:xtic(1) title "by place (PSSM)", "" using 3 title "by letter (matrix)"
set output "$3_fig16.png"
plot "$data/16" using 2:xtic(1) title "window", "" using 3 title "diagonal", "" using 4 title "hit"
set ylabel "detection, milliseconds"
set output "$3_fig17.png"
plot "$data/17" using 2:xtic(1) title "through L1", "" using 3 title "past L1"
END
