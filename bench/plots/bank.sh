#!/bin/sh
# bank.sh RESULT.tsv OUT - draw a table of `tamis-bench bank` as Figs. 7 to 12, 15 and 16 of [Ma11]: OUT_fig07.png, ...
# A figure without rows is not drawn. Needs gnuplot.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "bank.sh: $1" >&2
    exit 2
}

[ $# -eq 2 ] || fail "usage: bank.sh RESULT.tsv OUT"
[ -r "$1" ] || fail "$1: cannot be read"
command -v gnuplot >/dev/null || fail "gnuplot is not installed"

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# Columns: 1 fig, 2 schedule, 3 n, 4 m_bits, 5 k, 6 sub_queries, 9 blocks, 10 threads, 14 seconds, 15 tests_per_s.
awk -F '\t' -v dir="$data" '
    function add(figure, title, dash, x, y) {
        if (!((figure, title) in files)) {
            files[figure, title] = dir "/" figure "_" (++n_series[figure])
            # A dashed series has the colour of the one before it.
            if (!dash)
                n_colour[figure]++
            clauses[figure] = clauses[figure] (n_series[figure] > 1 ? ", " : "plot ") \
                sprintf("\"%s\" using 1:2 with linespoints lc rgb \"%s\" pt %d ps %s lw 1.6 dt %d title \"%s\"", files[figure, title],
                        colours[(n_colour[figure] - 1) % n_colours + 1], dash ? 6 : 7, figure ~ /^fig(09|1[0-4])/ ? "0.5" : "1.1",
                        dash ? 2 : 1, title)
        }
        printf "%.9g %.9g\n", x, y > files[figure, title]
    }
    BEGIN { n_colours = split("#444444 #d95f02 #1b7837 #7570b3 #1f78b4 #e7298a #a6761d", colours, " ") }
    $1 == "fig7-8" && ($2 == "shared" || $2 == "interleaved") {
        dash = $2 == "interleaved"
        if ($3 == 10000 || $3 == 50000 || $3 == 100000 || $3 == 300000)
            add("fig07", "n = " $3 ", " $2, dash, $5, $14 * 1000)
        if ($5 % 2 == 0)
            add("fig08", "k = " $5 ", " $2, dash, $3 / 1000, $14 * 1000)
    }
    $1 ~ /^fig(9|10|11|12)(-larger)?$/ {
        figure = "fig" ($1 ~ /larger/ ? "09_" $4 / 1024 "K" : substr("0" substr($1, 4), length($1) - 3))
        add(figure, $10 " threads", 0, $9, $15 / 1e9)
    }
    $1 == "fig15" { add("fig15", $9 " blocks", 0, $10, $15 / 1e9) }
    $1 == "fig16" && $2 != "interleaved" && $2 != "shared, passes" {
        if (!(($3, "n") in part)) {
            part[$3, "n"] = 1
            n_list[++n_n] = $3
        }
        part[$3, $2] = $14 * 1000
    }
    END {
        for (figure in clauses)
            print clauses[figure] > (dir "/" figure ".plot")
        for (i = 1; i <= n_n; i++) {
            n = n_list[i]
            printf "%d %.9g %.9g %.9g %.9g\n", n / 1000, part[n, "shared"] + part[n, "positions"], part[n, "copy results"],
                part[n, "copy vectors"], part[n, "copy database"] > (dir "/fig16.data")
        }
        exit length(clauses) + n_n == 0
    }' "$1" || fail "no rows of the figures"
[ ! -e "$data/fig16.data" ] || : >"$data/fig16.plot"

# The machine, from the lines that begin with #.
machine=$(sed -n 's/^# gpu: *//p' "$1" | sed 's/, driver.*//' | head -n 1 | tr -cd 'A-Za-z0-9 .,:()@-')

for plot in "$data"/fig*.plot; do
    figure=$(basename "$plot" .plot)
    gnuplot -e "dir='$data'" -e "out='$2_$figure.png'" -e "machine=\"$machine\"" -e "figure='$figure'" "$here/bank.gp"
done
