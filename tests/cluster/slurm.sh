#!/usr/bin/env bash
# slurm.sh - a search as an array of jobs on a Slurm cluster: the report is that of one run, also after a command, a job script and a node
# have been killed. Prints TAP. common.bash says what it needs; ./dev check-cluster runs it.
# shellcheck disable=SC2317 # check calls functions
# shellcheck disable=SC1091,SC2154 # common.bash sets variables
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"

start_cluster
samples 6
base_samples
tamis_with_kills tamis
array=$source_dir/share/tamis/workflow/tamis-array.sh

# submit FOLDER: 6 shards x 2 query shards; its report is FOLDER.txt
submit() {
    "$array" submit -s 6 -q 2 -d "$scratch/$1" -o "$scratch/$1.txt" -b --mem=300 -b --chdir="$scratch" -- \
        -query "$scratch/q.fa" -db "$scratch/db" --device cpu >"$1.job"
}

# finish FOLDER: waits for its report job. Returns 1 after 5 minutes.
finish() {
    local i job cell
    job=$(cat "$1.job")
    for ((i = 0; i < 1500; i++)); do
        for cell in $(squeue -h -r -t PD -n tamis-cell -o '%r %A' 2>/dev/null | sed -n 's/^BeginTime //p'); do
            scontrol update "JobId=$cell" StartTime=now 2>/dev/null || true # Slurm lets what it requeues wait for two minutes
        done
        if [ -z "$(squeue -h -j "$job" 2>/dev/null)" ] || squeue -h -j "$job" -t CD,F,CA -o %T 2>/dev/null | grep -q .; then return 0; fi
        sleep 0.2
    done
    squeue
    return 1
}

same() { cmp want "$1.txt"; }

submit plain
check "an array and its report end" finish plain
check "the report is that of one run" same plain

submit plain # all cells are there
finish plain
check "the same again" same plain

# The script queues a cell whose command is killed again; the report job names the cell whose script is killed. A report that is killed is
# made by the same command.
export KILLS=$scratch/kills TAMIS=$scratch/tamis
submit killed
check "an array of which processes are killed ends" finish killed
check "... a killed command is queued again" grep -q 'tamis ended with 137, and is queued again' killed/*.log
check "... and the report names the cell whose script was killed" grep -Eq 'cells [0-9]+ are missing: run the same submit again' killed/report.log
submit killed
check "the same command makes the missing cell" finish killed
check "... but the report is killed" all_killed "$KILLS"
submit killed
check "the same command makes the report" finish killed
check "the report after kills is that of one run" same killed

# A node that dies, with what runs on it: Slurm queues its cell again.
submit node
sleep 2
node=$(holders "$scratch/log/slurmd.n2.log")
for pid in $node; do
    node="$node $(pgrep -P "$pid" || true)"
done
for pid in $node; do kill -9 "$pid" 2>/dev/null || true; done
sleep 1
start_node n2
check "an array of which a node is killed ends" finish node
# again FOLDER: the same command, if the report job named missing cells, or was forgotten
again() {
    [ ! -e "$1.txt" ] || return 0
    cat "$1/report.log" || true
    submit "$1"
    finish "$1"
}
again node
check "the report after a node's death is that of one run" same node

# The controller dies, and comes back: cells that run meanwhile go on.
submit controller
sleep 4
kill -9 "$pid_slurmctld"
sleep 2
start slurmctld /usr/sbin/slurmctld -D -f "$SLURM_CONF"
for _ in $(seq 100); do squeue -h >/dev/null 2>&1 || sleep 0.3; done
check "an array of which the controller is killed ends" finish controller
again controller
check "the report after the controller's death is that of one run" same controller

# blastn, whose cells have BATCH_SIZE from the script
unset BATCH_SIZE KILLS
"$array" submit -p blastn -z 3000 -s 4 -q 2 -d "$scratch/bases" -o "$scratch/bases.txt" -b --mem=300 -b --chdir="$scratch" -- \
    -task blastn -query "$scratch/nq.fa" -db "$scratch/ndb" >bases.job
check "an array of blastn and its report end" finish bases
check "the report is that of one run with the same BATCH_SIZE" cmp nwant bases.txt

end
