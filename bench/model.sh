#!/bin/sh
# model.sh NAME OUT - on a machine with a GPU: its profile (OUT/NAME.json, for share/tamis/profiles/), measurements and predictions of all
# sweeps (OUT/model_sweeps.tsv, for bench/results/NAME/) with their errors (OUT/model_check.txt), and the outputs that README.md shows
# (OUT/readme.txt). Minutes. TAMIS is the command, default build/release/tamis; TAMIS_COMMIT goes into the table.
set -eu
cd "$(dirname "$0")/.."
[ $# -eq 2 ] || {
    echo "usage: bench/model.sh NAME OUT" >&2
    exit 2
}
tamis=${TAMIS:-build/release/tamis} name=$1 out=$2
mkdir -p "$out"
"$tamis" model calibrate --device cuda -o "$out/$name.json" --force | tee "$out/calibrate.txt"
"$tamis" model check --device cuda --profile "$out/$name.json" -o "$out/model_sweeps.tsv" --force | tee "$out/model_check.txt"
# the figures come out of the kept table again
"$tamis" model check --from "$out/model_sweeps.tsv" --profile "$out/$name.json" | grep -v '^measured' >"$out/again.txt"
grep -v '^measured' "$out/model_check.txt" | diff - "$out/again.txt" && echo "the kept table has the same figures"
{
    "$tamis" model tune --app strings --keys 2G --max-bytes 4G --length 31 --profile "$out/$name.json"
    "$tamis" model predict --app strings --layout blocked -n 2G -m 32G -k 8 -D 1G --length 31 --profile "$out/$name.json"
} | tee "$out/readme.txt"
