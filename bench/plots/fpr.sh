#!/bin/sh
# fpr.sh RESULT.tsv OUT - draw a table of `tamis-bench fpr` as Figs. 4, 5 and 6 of [Ma11]: OUT_fig04.png, OUT_fig05.png,
# OUT_fig06.png. Needs gnuplot.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "fpr.sh: $1" >&2
    exit 2
}

[ $# -eq 2 ] || fail "usage: fpr.sh RESULT.tsv OUT"
[ -r "$1" ] || fail "$1: cannot be read"
command -v gnuplot >/dev/null || fail "gnuplot is not installed"

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# For each figure: a file of n, FPR, its interval, and eq. 2 by different w-mers for each hash and curve, and a file of the
# curves' values of m and k. Fig. 6: the middle of a bin and its percentage.
# An interval that goes below 0 ends at the lower edge of the logarithmic axis.
awk -F '\t' -v dir="$data" '
    function point(figure, curve) {
        if (!((figure, curve) in seen)) {
            seen[figure, curve] = 1
            print $4, $5 | ("sort -n -k 1 -k 2 >" dir "/fig" figure ".curves")
        }
        print $6, $9, ($10 > 1e-9 ? $10 : 1e-9), $11, $13 > (dir "/fig" figure "_" $4 "_" $5 "_" $2)
    }
    NF == 14 && $1 ~ /4/ { point("04", $4) }
    NF == 14 && $1 ~ /5/ { point("05", $5) }
    NF == 14 && $1 ~ /^[45]/ { w = $3 }
    NF == 7 && $1 == 6 { print ($4 + $5) / 2, $7 > (dir "/fig06_" $2 "_" $3); n_bins++ }
    END {
        print w > (dir "/w")
        exit !(w && n_bins)
    }' "$1" || fail "$1: no rows of figures 4, 5 and 6"

source=$(sed -n 's/^# query: \([0-9]*\) bases; subject: \([0-9]*\) bases.*/query \1 bases, database \2 bases/p' "$1")
for figure in fig04 fig05 fig06; do
    gnuplot -e "dir='$data'" -e "out='$2_$figure.png'" -e "source='$source'" -e "w=$(cat "$data/w")" -e "figure='$figure'" \
        "$here/fpr.gp"
done
