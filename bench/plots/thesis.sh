#!/bin/sh
# thesis.sh RESULT.tsv... OUT - draw tables of `tamis-bench thesis` as Figs. 13, 14 and 15 of the [thesis]: OUT_fig13.png, ...
# Rows fig13, fig14, fig15 of all tables, whatever their back ends: those of `tamis-bench rows` too. A figure without rows is not
# drawn. Needs gnuplot.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "thesis.sh: $1" >&2
    exit 2
}

[ $# -ge 2 ] || fail "usage: thesis.sh RESULT.tsv... OUT"
command -v gnuplot >/dev/null || fail "gnuplot is not installed"

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# The last argument is OUT; the tables before it go into one.
while [ $# -gt 1 ]; do
    [ -r "$1" ] || fail "$1: cannot be read"
    cat "$1" >>"$data/all.tsv"
    shift
done

# For each figure: a file of x and y for each back end, and what gnuplot shall plot of them, in the order of the table.
# x is k, for Fig. 14 bytes. y is ns a key, for Fig. 14 seconds a batch.
awk -F '\t' -v dir="$data" '
    function title(backend) {
        sub(/^openmp /, "threads ", backend) # of results before there was a pool
        if (match(backend, /^threads x[0-9]+/))
            return substr(backend, 10, RLENGTH - 9) " threads" after(substr(backend, RLENGTH + 2))
        if (backend ~ /^cuda( plain| geometric)?$/) # of `tamis-bench thesis`
            return "CUDA and copies" after(substr(backend, 6))
        if (sub(/^cuda ?/, "", backend))
            return "CUDA kernel" after(backend)
        sub(/ /, ", ", backend)
        return backend
    }
    function after(words) { return words == "" ? "" : ", " words }
    # A back end has one colour and one shape; its plain form is dashed and hollow.
    function clause(figure, backend, file, base, dash) {
        base = backend
        dash = sub(/ plain$/, "", base) ? 2 : 1
        sub(/ geometric$/, "", base)
        if (!((figure, base) in style))
            style[figure, base] = ++n_styles[figure]
        return sprintf("\"%s\" using 1:2 with linespoints lc rgb \"%s\" pt %d ps 1.3 lw 1.6 dt %d title \"%s\"", file,
                       colours[(style[figure, base] - 1) % n_colours + 1], 5 + 2 * ((style[figure, base] - 1) % 5) - (dash == 2),
                       dash, title(backend))
    }
    BEGIN { n_colours = split("#444444 #d95f02 #1b7837 #7570b3 #1f78b4 #e7298a #a6761d", colours, " ") }
    $1 ~ /^fig1[345]$/ {
        if (!(($1, $2) in files)) {
            n_files++
            files[$1, $2] = dir "/" $1 "_" (++n_series[$1])
            clauses[$1] = clauses[$1] (n_series[$1] > 1 ? ", " : "plot ") clause($1, $2, files[$1, $2])
        }
        if ($1 == "fig14")
            printf "%.9g %.9g\n", $3 * $6 * $8, $3 * $6 * 1e-9 > files[$1, $2]
        else
            printf "%.9g %.9g\n", $4, $6 > files[$1, $2]
        if ($1 == "fig14")
            k = $4
    }
    END {
        for (figure in clauses)
            print clauses[figure] > (dir "/" figure ".plot")
        print k + 0 > (dir "/k")
        exit n_files == 0
    }' "$data/all.tsv" || fail "no rows fig13, fig14 or fig15"

# The machine, from the lines that begin with #.
machine=$(sed -n 's/^# [cg]pu: *//p' "$data/all.tsv" | awk '!seen[$0]++' |
    sed 's/, driver.*//; s/([RTM]*)//g; s/ Processor//' | awk '
    { line = line (NR > 1 ? ", " : "") $0 }
    END { gsub(/[^A-Za-z0-9 .,:()@-]/, "", line); print line }')

for figure in fig13 fig14 fig15; do
    [ ! -e "$data/$figure.plot" ] || gnuplot -e "dir='$data'" -e "out='$1_$figure.png'" -e "machine=\"$machine\"" \
        -e "fig14_k=$(cat "$data/k")" -e "figure='$figure'" "$here/thesis.gp"
done
