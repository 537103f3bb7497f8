#!/bin/sh
# blastn_profile.sh QUERY.fa.gz DATABASE.fa.gz... - where the time of `tamis blastn` goes, by the stages of Mercury BLASTN [Ma11, Fig. 1], over
# the size of the query; and what a bank of Bloom filters in front of the look-up would pass, over the size of a filter.
#
# Rows `stages`: a task and a size of the query; PIECES (default 3) pieces of the query's first record, evenly apart, each searched RUNS (default
# 3) times. Counts are sums over the pieces; seconds are those of all threads, sums of the pieces' medians; then the share of each stage, where
# 1a has all that a GPU does of stages 1 and 2. SIZES
# (default 25000 100000 1000000): bases of a query. TASKS (default: megablast blastn).
#
# Rows `filter`: for sub-queries of N w-mers (SUB_QUERY, default 50000, as in the paper) of the largest piece, and so many bits a filter (BITS,
# default 64Ki to 1Mi) with k = 6 functions, w = 11: pairs of a w-mer of the database and a sub-query that were tested (`tests`), that the
# filters pass to the look-up (`candidates`), and that the look-up passes to stage 2 (`true`); the candidates that [Ma11, eq. 2] predicts for the
# number of different w-mers of each sub-query.
#
# DEVICE: a --device for tamis blastn, such as cuda (default: none is given). THREADS: its threads (default 1). TAMIS: the command (default:
# tamis). Needs python3.
set -eu
[ $# -ge 2 ] || { echo "usage: blastn_profile.sh QUERY.fa.gz DATABASE.fa.gz..." >&2; exit 2; }
tamis=${TAMIS:-tamis}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
query=$1
shift

printf '# cpu: %s\n# date: %s  commit: %s\n# command: bench/blastn_profile.sh %s' \
    "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}" "$(basename "$query")"
for file in "$@"; do printf ' %s' "$(basename "$file")"; done
printf '\n# threads: %s\n' "${THREADS:-1}"

for file in "$@"; do gzip -dcf "$file"; done >"$dir/db.fa"
"$tamis" makedb -in "$dir/db.fa" -dbtype nucl -out "$dir/db" >/dev/null
gzip -dcf "$query" | awk '/^>/ { if (n++) exit; next } { printf "%s", $0 }' >"$dir/bases"
n_bases=$(wc -c <"$dir/bases")

# piece SIZE I: piece I (from 0) of so many bases, in $dir/SIZE.I.fa
piece() {
    first=$((pieces > 1 ? (n_bases - $1) * $2 / (pieces - 1) : 0))
    { echo ">piece_$(($2 + 1))"; tail -c +$((first + 1)) "$dir/bases" | head -c "$1" | fold -w 80; echo; } >"$dir/$1.$2.fa"
}

pieces=${PIECES:-3}
largest=0
printf 'what\ttask\tdevice\tquery_bases\tpieces\tlooked_up\tpresent\thits\textensions\tungapped\tgapped\tpreliminary\talignments\thsps\telapsed_s'
printf '\tseconds\ttables\t1a\t1b\t2\t3\talignment\toutput\n'
for task in ${TASKS:-megablast blastn}; do
    for size in ${SIZES:-25000 100000 1000000}; do
        [ "$size" -le "$n_bases" ] || { echo "blastn_profile.sh: $query has $n_bases bases in its first record, not $size" >&2; exit 1; }
        [ "$size" -le "$largest" ] || largest=$size
        rm -f "$dir"/*.json
        i=0
        while [ $i -lt "$pieces" ]; do
            piece "$size" $i
            run=0
            while [ $run -lt "${RUNS:-3}" ]; do
                "$tamis" blastn -q -task "$task" -query "$dir/$size.$i.fa" -db "$dir/db" -outfmt 6 -num_threads "${THREADS:-1}" \
                    ${DEVICE:+--device "$DEVICE"} --stats "$dir/$i.$run.json" >/dev/null
                run=$((run + 1))
            done
            i=$((i + 1))
        done
        python3 - "$task" "$size" "$pieces" "$dir" <<'END'
import glob, json, statistics, sys
task, size, pieces, directory = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
runs = [[json.load(open(name)) for name in glob.glob(f"{directory}/{i}.*.json")] for i in range(pieces)]
median = lambda value: sum(statistics.median(value(run) for run in piece) for piece in runs)
for run in sum(runs, []):
    run["stages"]["1a_filter"]["seconds"] += run["stages"].pop("1_on_gpu", {"seconds": 0})["seconds"]
stages = [median(lambda run: run["stages"][name]["seconds"]) for name in runs[0][0]["stages"]]
counts = [sum(piece[0]["passed"][name]["n"] for piece in runs) for name in runs[0][0]["passed"]]
print("stages", task, runs[0][0]["device"], size, pieces, *counts, f'{median(lambda run: run["seconds"]["elapsed"]):.4f}', f"{sum(stages):.4f}",
      *(f"{seconds / sum(stages):.4f}" for seconds in stages), sep="\t")
END
    done
done

# The filters' tests do not depend on the device.
printf 'what\tword_size\tsub_query\tsub_queries\tm_bits\tk\ttests\tcandidates\ttrue\tfalse\tfpr_measured\tfpr_predicted\tcandidates_predicted\n'
for bits in ${BITS:-64Ki 128Ki 256Ki 512Ki 1Mi}; do
    "$tamis" seeds -q -query "$dir/$largest.0.fa" -db "$dir/db" -word_size 11 --sub-query "${SUB_QUERY:-50000}" -m "$bits" -k 6 --device cpu \
        --count --stats "$dir/seeds.json" --force >/dev/null
    python3 - "$dir/seeds.json" <<'END'
import json, sys
stats = json.load(open(sys.argv[1]))
rows, p = stats["sub_queries"], stats["parameters"]
total = lambda name: sum(row[name] for row in rows)
absent = total("tests") - total("true")
expected = sum(row["fpr_predicted"] * (row["tests"] - row["true"]) for row in rows)
print("filter", p["word_size"], p["sub_query"], len(rows), p["m_bits"], p["k"], total("tests"), total("passed"), total("true"),
      total("false_positives"), f'{total("false_positives") / absent:.6f}', f"{expected / absent:.6f}", round(expected) + total("true"), sep="\t")
END
done
