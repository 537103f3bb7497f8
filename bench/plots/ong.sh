#!/bin/sh
# ong.sh RESULT.tsv OUT.png - draw the table of `tamis-bench ong` as [Ong13] draws Figs. 2, 5, 8 and 9. Needs gnuplot.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "ong.sh: $1" >&2
    exit 2
}

[ $# -eq 2 ] || fail "usage: ong.sh RESULT.tsv OUT.png"
[ -r "$1" ] || fail "$1: cannot be read"
command -v gnuplot >/dev/null || fail "gnuplot is not installed"

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# One file for each of ong and defaults: n, then seconds of serial, threads and cuda. NaN where a back end is missing.
awk -F '\t' -v dir="$data" '
    $1 == "ong" || $1 == "defaults" {
        backend = $2
        if (sub(/^(threads|openmp) x/, "", backend)) { # openmp: of results before there was a pool
            if ($1 == "ong") threads = backend
            backend = "threads"
        }
        if (!(($1, $3) in known)) {
            known[$1, $3] = 1
            order[$1, ++count[$1]] = $3
        }
        seconds[$1, $3, backend] = $3 * $6 * 1e-9
    }
    function value(what, n, backend) {
        return (what, n, backend) in seconds ? sprintf("%.9g", seconds[what, n, backend]) : "NaN"
    }
    function write(what, i, n) {
        printf "" > (dir "/" what)
        for (i = 1; i <= count[what]; i++) {
            n = order[what, i]
            print n, value(what, n, "serial"), value(what, n, "threads"), value(what, n, "cuda") > (dir "/" what)
        }
    }
    END {
        write("ong")
        write("defaults")
        print threads + 0 > (dir "/threads")
        exit count["ong"] == 0
    }' "$1" || fail "$1: no rows of tamis-bench ong"

# The machine, from the lines that begin with #.
machine=$(sed -n 's/^# [cg]pu: *//p' "$1" | sed 's/, driver.*//; s/([RTM]*)//g; s/ Processor//' | awk '
    { line = line (NR > 1 ? ", " : "") $0 }
    END { gsub(/[^A-Za-z0-9 .,:()@-]/, "", line); print line }')

gnuplot -e "dir='$data'" -e "out='$2'" -e "machine=\"$machine\"" -e "threads=$(cat "$data/threads")" "$here/ong.gp"
