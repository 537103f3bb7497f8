#!/bin/sh
# blastp_profile.sh DATABASE QUERY.fa - the kernels of cuBLASTP's steps under Nsight Compute, as [Zhang14] has them in Figs. 16(b) and 19(a-c).
#
# Rows: kernel, extension, microseconds, bytes used of those loaded from device memory (percent), threads that work of those in a warp
# (percent; the rest is divergence), warps that are resident of those that could be (percent). DATABASE: as for tamis blastp -db. TAMIS_BENCH: the program
# (default: tamis-bench). Needs ncu, and a GPU that may be profiled.
set -eu
bench=${TAMIS_BENCH:-tamis-bench}
[ $# -eq 2 ] || {
    echo "usage: blastp_profile.sh DATABASE QUERY.fa" >&2
    exit 2
}
time=gpu__time_duration.sum
load=smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct
active=smsp__thread_inst_executed_per_inst_executed.ratio
resident=sm__warps_active.avg.pct_of_peak_sustained_active
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ncu --csv --print-units base --kernel-name-base demangled --metrics $time,$load,$active,$resident \
    -k 'regex:detect_kernel|assemble_kernel|filter_kernel|extend_.*kernel|SegmentedSort|segmented_sort|replay_kernel' \
    "$bench" blastp --once "$1" "$2" >"$log"
printf '# date: %s  commit: %s\n# command: bench/blastp_profile.sh %s\n' "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}" "${2##*/}"
printf 'kernel\tus\tload_efficiency\tactive_threads\toccupancy\n'
# One line a kernel and metric; the same kernel may run several times.
python3 - "$log" $time $load $active $resident <<'END'
import csv, re, sys
metrics = sys.argv[2:]
lines = [line for line in open(sys.argv[1]) if line.startswith('"')]
runs = {}
for row in csv.DictReader(lines):
    name = re.sub(r"^void |\(anonymous namespace\)::", "", row["Kernel Name"]).split("(")[0]
    name = "sort" if "egmented" in name else name
    runs.setdefault((row["ID"], name), {})[row["Metric Name"]] = float(row["Metric Value"].replace(",", "") or 0)
sums = {}
for (_, name), values in runs.items(): # means, weighted by time
    us = values[metrics[0]] / 1e3
    total = sums.setdefault(name, [0] * 4)
    total[0] += us
    for i, scale in ((1, 1), (2, 100 / 32), (3, 1)):
        total[i] += us * scale * values.get(metrics[i], 0)
for name, (us, *rest) in sums.items():
    print(name, f"{us:.0f}", *(f"{value / us:.1f}" for value in rest), sep="\t")
END
