#!/bin/sh
# model.sh NAME OUT [cpu] - a machine's profile (OUT/NAME.json), measurements and predictions of all sweeps with their errors: of the GPU in
# OUT/model_sweeps.tsv and OUT/model_check.txt, of the CPU in OUT/model_sweeps_cpu.tsv and OUT/model_check_cpu.txt, for bench/results/NAME/;
# and the outputs that README.md shows (OUT/readme.txt). With "cpu" the CPU alone: then the profile is for bench/results/NAME/ too, and that
# of a GPU for share/tamis/profiles/. Minutes. TAMIS is the command, default build/release/tamis; TAMIS_COMMIT goes into the tables.
set -eu
cd "$(dirname "$0")/.."
if [ $# -lt 2 ] || [ $# -gt 3 ] || [ "${3:-cpu}" != cpu ]; then
    echo "usage: bench/model.sh NAME OUT [cpu]" >&2
    exit 2
fi
tamis=${TAMIS:-build/release/tamis} name=$1 out=$2 device=${3:-cuda}
mkdir -p "$out"

# sweeps DEVICE SUFFIX: measured and predicted; the figures come out of the kept table again.
sweeps() {
    "$tamis" model check --device "$1" --profile "$out/$name.json" -o "$out/model_sweeps$2.tsv" --force | tee "$out/model_check$2.txt"
    "$tamis" model check --from "$out/model_sweeps$2.tsv" --profile "$out/$name.json" | grep -v '^measured' >"$out/again.txt"
    grep -v '^measured' "$out/model_check$2.txt" | diff - "$out/again.txt" && echo "the kept table has the same figures"
    rm "$out/again.txt"
}

"$tamis" model calibrate --device "$device" -o "$out/$name.json" --force | tee "$out/calibrate.txt"
sweeps cpu _cpu
if [ "$device" = cuda ]; then
    sweeps cuda ''
    {
        "$tamis" model tune --app strings --keys 2G --max-bytes 4G --length 31 --profile "$out/$name.json"
        "$tamis" model predict --app strings --layout blocked -n 2G -m 32G -k 8 -D 1G --length 31 --profile "$out/$name.json"
    } | tee "$out/readme.txt"
fi
