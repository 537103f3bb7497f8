#!/usr/bin/env bash
# snakemake.sh - the workflow of share/tamis/workflow, on this machine and on a Slurm cluster: its output is that of one run, though
# kill -9 ends a cell, a script and a report. Prints TAP. SNAKEMAKE: the command, of an environment that also has
# snakemake-executor-plugin-slurm. common.bash says what else it needs; ./dev check-cluster runs it. SNAKEMAKE_LOCAL=1: only what is run on
# this machine, without Slurm; .ci/run does so.
# shellcheck disable=SC2317 # check calls functions
# shellcheck disable=SC1091,SC2154 # common.bash sets variables
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
snakemake=${SNAKEMAKE:?path of snakemake}

is_local=${SNAKEMAKE_LOCAL:-0}

if [ "$is_local" = 1 ]; then start_folder; else start_cluster; fi
samples 5
base_samples
export HOME=$scratch # where Snakemake keeps files

tamis_with_kills tamis
# The plugin starts srun without SLURM_CONF, which has to be /etc/slurm/slurm.conf elsewhere.
mkdir bin
if [ "$is_local" = 0 ]; then
    cat >bin/srun <<END
#!/bin/sh
SLURM_CONF=$SLURM_CONF exec $(command -v srun) "\$@"
END
    chmod +x bin/srun
fi
PATH=$scratch/bin:$PATH

options="--device cpu"
# run FOLDER OPTION...: the workflow with 3 shards x 2 query shards
run() {
    local folder=$1 status=0
    shift
    mkdir -p "$folder"
    cp "$source_dir"/share/tamis/workflow/Snakefile q.fa s.fa "$folder"
    cat >"$folder/config.yaml" <<END
tamis: $scratch/tamis
query: q.fa
db_fasta: s.fa
shards: 3
query_shards: 2
options: $options
outfmt: "5"
mem_mb: 300
END
    (cd "$folder" && KILLS=$scratch/kills/$folder exec timeout 240 "$snakemake" "$@") >>"log/$folder.log" 2>&1 </dev/null &
    wait $! || status=$?
    [ "$status" -eq 0 ] || cat "log/$folder.log"
    return "$status"
}

same() { sed 's|<BlastOutput_db>db/db<|<BlastOutput_db>db<|' "$1/hits.txt" | cmp - want; }

slurm=(--executor slurm --jobs 4 --slurm-no-requeue --slurm-status-command squeue --slurm-init-seconds-before-status-checks 3
    --default-resources slurm_account=none slurm_partition=p)
mkdir -p kills/local/script # not here, where a script's process is Snakemake itself
check "the workflow ends on this machine" run local --cores 2
check "... though a cell and a report were killed" all_killed kills/local
check "its output is that of one run" same local
rm local/parts/2.1.part local/hits.txt
check "the workflow makes what is removed" run local --cores 2
check "its output is that of one run" same local
options="--device cpu -max_hsps 1"
check "the workflow makes all again after a change of the options" run local --cores 2
other_options() {
    "$TAMIS" blastp -q --device cpu -query local/q.fa -db local/db/db -max_hsps 1 -outfmt 5 |
        sed 's|<BlastOutput_db>local/|<BlastOutput_db>|' | cmp - local/hits.txt
}
check "its output is that of one run with these" other_options
options="--device cpu"
if [ "$is_local" = 0 ]; then
    check "the workflow ends on Slurm" run slurm "${slurm[@]}"
    check "... though a cell, a script and a report were killed" all_killed kills/slurm
    check "its output is that of one run" same slurm
fi

# blastn: cells have batch_size from config.yaml
run_bases() {
    mkdir -p bases
    cp "$source_dir"/share/tamis/workflow/Snakefile nq.fa ns.fa bases
    cat >bases/config.yaml <<END
tamis: $TAMIS
program: blastn
batch_size: 3000
query: nq.fa
db_fasta: ns.fa
shards: 3
query_shards: 2
options: -task blastn
END
    (cd bases && unset BATCH_SIZE && exec timeout 240 "$snakemake" --cores 2) >log/bases.log 2>&1 </dev/null || cat log/bases.log
}
check "the workflow of blastn ends" run_bases
check "its output is that of one run with the same batch size" cmp nwant bases/hits.txt

# SAM of the same parts: one report of all query shards
sam() {
    printf 'outfmt: "17 SR"\nout: hits.sam\n' >>bases/config.yaml
    (cd bases && unset BATCH_SIZE && exec timeout 240 "$snakemake" --cores 2) >>log/bases.log 2>&1 </dev/null || cat log/bases.log
    BATCH_SIZE=3000 "$TAMIS" blastn -q -task blastn -query nq.fa -db ndb -outfmt "17 SR" | grep -v '^@PG' >sam # which has paths
    grep -v '^@PG' bases/hits.sam | cmp sam -
}
check "its SAM is that of one run" sam

end
