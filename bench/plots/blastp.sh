#!/bin/sh
# blastp.sh RESULT.tsv QUERIES OUT - draw rows QUERIES of a table of bench/blastp.sh over threads, as [Zhang14] draws Fig. 13: OUT_fig13.png;
# and where tamis's seconds go by its --stats, as Fig. 11: OUT_fig11.png. Needs gnuplot.
set -eu

fail() {
    echo "blastp.sh: $1" >&2
    exit 2
}

[ $# -eq 3 ] || fail "usage: blastp.sh RESULT.tsv QUERIES OUT"
[ -r "$1" ] || fail "$1: cannot be read"
command -v gnuplot >/dev/null || fail "gnuplot is not installed"

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# One file a program: threads, and how many times as fast as one thread.
awk -F '\t' -v dir="$data" -v queries="$2" '
    $1 == queries && ($2 == "blastp" || $2 == "tamis blastp") {
        if ($3 == 1) one[$2] = $4
        print $3, one[$2] / $4 > (dir "/" $2)
    }' "$1"
if [ ! -s "$data/blastp" ] || [ ! -s "$data/tamis blastp" ]; then fail "$1: has no rows of '$2'"; fi

# Seconds of each stage, one line for each number of threads. The table ends with the statistics of its last queries.
awk '
    /--stats of/ { threads = $(NF - 1) }
    /"(tables_of_words|hits_and_ungapped|gapped|alignment)":/ {
        gsub(/[",:]/, "")
        seconds[$2] = $3
        if ($2 == "alignment") print threads, seconds["tables_of_words"], seconds["hits_and_ungapped"], seconds["gapped"], seconds["alignment"]
    }' "$1" >"$data/stages"

gnuplot <<END
set terminal pngcairo size 800, 500 font ",11"
set grid
set key top left
set output "$3_fig13.png"
set xlabel "threads"
set ylabel "times as fast as one thread"
set logscale xy 2
plot "$data/tamis blastp" with linespoints lw 2 title "tamis blastp", "$data/blastp" with linespoints lw 2 title "blastp 2.12", \
     x with lines dashtype 2 lc "gray" title "as many as threads"
unset logscale
set output "$3_fig11.png"
set xlabel "threads"
set ylabel "processor seconds"
set key outside right
set style data histograms
set style histogram rowstacked
set style fill solid 0.8
set boxwidth 0.6
set yrange [0:]
plot "$data/stages" using 3:xtic(1) title "hits, ungapped", "" using 4 title "gapped", "" using 5 title "alignment", "" using 2 title "words"
END
