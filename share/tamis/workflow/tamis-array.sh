#!/bin/bash
# tamis-array.sh - one search on the nodes of a Slurm cluster, as an array of jobs: doc/cluster.md.
#
#   tamis-array.sh submit [-p PROGRAM] [-z BATCH_SIZE] [-s SHARDS] [-q QUERY_SHARDS] [-d PARTS] [-o OUT] [-f OUTFMT] [-b SBATCH_OPTION]... -- OPTION...
#
# Submits a job for each cell of the grid, and one for the report, which runs when all cells have ended. Cells whose parts are complete
# end at once, so the same command continues a search of which something has failed.
#
#   -p      the program: blastp (default), blastx, tblastn, tblastx or blastn
#   -z      bases or residues of a query batch: the environment's BATCH_SIZE for all cells, which blastn needs (100000 to a million)
#   -s, -q  parts of the database (default 4) and of the queries (default 1); each cell searches one of each
#   -d      the folder of the parts (default parts); -o the report (default hits.txt); -f its -outfmt (default 6)
#   -b      an option of sbatch for the cells, such as --partition=gpu; may be given several times
#   OPTION  of the program: -query FILE -db NAME and others; paths must be the same on all nodes
#
# TAMIS: the command (default tamis). A cell whose tamis is killed is queued again, up to three times.
set -euo pipefail

tamis=${TAMIS:-tamis}
self=$(realpath "${BASH_SOURCE[0]}")

die() {
    echo "tamis-array.sh: $1" >&2
    exit 2
}

submit() {
    local program=blastp batch=${BATCH_SIZE:-} shards=4 query_shards=1 parts=parts out=hits.txt outfmt=6 option array
    local sbatch=()
    while getopts p:z:s:q:d:o:f:b: option; do
        case $option in
        p) program=$OPTARG ;;
        z) batch=$OPTARG ;;
        s) shards=$OPTARG ;;
        q) query_shards=$OPTARG ;;
        d) parts=$OPTARG ;;
        o) out=$OPTARG ;;
        f) outfmt=$OPTARG ;;
        b) sbatch+=("$OPTARG") ;;
        *) die "see the first lines of $self" ;;
        esac
    done
    shift $((OPTIND - 1))
    [ $# -gt 0 ] || die "which search? Give -- -query FILE -db NAME"
    if [ "$program" = blastn ] && [ -z "$batch" ] && [ $((shards * query_shards)) -gt 1 ]; then
        die "cells of blastn need the same BATCH_SIZE: give -z 100000"
    fi
    mkdir -p "$parts"
    array=$(sbatch --parsable --array="1-$((shards * query_shards))" --job-name=tamis-cell --requeue --open-mode=append \
        --output="$parts/%a.log" ${sbatch[@]+"${sbatch[@]}"} "$self" cell "$program" "$batch" "$shards" "$query_shards" "$parts" "$@")
    # afterany: a cell that fails is reported by its number, instead of a job that waits for ever
    sbatch --parsable --dependency="afterany:$array" --job-name=tamis-report --output="$parts/report.log" \
        "$self" report "$parts" "$out" "$outfmt"
}

# cell PROGRAM BATCH_SIZE SHARDS QUERY_SHARDS PARTS OPTION...: the cell of this job's number
cell() {
    local program=$1 batch=$2 shards=$3 query_shards=$4 parts=$5 number=$SLURM_ARRAY_TASK_ID status=0
    shift 5
    [ -z "$batch" ] || export BATCH_SIZE=$batch
    "$tamis" "$program" "$@" --shard "$(((number - 1) % shards + 1))/$shards" --query-shard "$(((number - 1) / shards + 1))/$query_shards" \
        -out "$parts/$number.part" --quiet -num_threads "${SLURM_CPUS_PER_TASK:-1}" || status=$?
    if [ "$status" -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then # killed; Slurm requeues for a lost node only
        echo "cell $number: tamis ended with $status, and is queued again"
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$number"
        sleep 60 # until Slurm ends this one
    fi
    exit "$status"
}

# report PARTS OUT OUTFMT
report() {
    local parts=$1 out=$2 outfmt=$3 missing
    if ! missing=$("$tamis" report --check "$parts"/*.part); then
        die "cells ${missing:-of all numbers} are missing: run the same submit again"
    fi
    "$tamis" report "$parts"/*.part -outfmt "$outfmt" -out "$out" --restart --quiet -num_threads "${SLURM_CPUS_PER_TASK:-1}"
    echo "$out is complete"
}

case ${1:-} in
submit | cell | report) "$@" ;;
*) die "submit? See the first lines of $self" ;;
esac
