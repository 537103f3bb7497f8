#!/usr/bin/env bash
# slurm.sh - a search on a Slurm cluster of two nodes on this machine: the report is that of one run, also after a command, a job script and
# a node have been killed. Prints TAP.
#
# TAMIS: the command. TAMIS_SOURCE: the source's directory. As root, with slurm-wlm and munge installed; the daemons run as processes of this
# script, in a scratch folder, with ports 16817, 17001 and 17002, and are stopped at the end. ./dev check-cluster runs it.
# shellcheck disable=SC2317 # functions are called by check and by trap
# shellcheck disable=SC2154 # start() sets pid_n2
set -euo pipefail

source_dir=${TAMIS_SOURCE:?the source directory}
export TAMIS=${TAMIS:?path of the command}
scratch=$(mktemp -d)
daemons=()

stop() {
    for pid in ${daemons[@]+"${daemons[@]}"}; do kill "$pid" 2>/dev/null || true; done
    sleep 1
    for pid in ${daemons[@]+"${daemons[@]}"}; do kill -9 "$pid" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap stop EXIT

number=0
status=0
check() { # check NAME COMMAND...
    local name=$1
    shift
    number=$((number + 1))
    if "$@"; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        status=1
    fi
}

# ---- the cluster ---------------------------------------------------------------------------------------------------

start() { # start PIDFILE-NAME COMMAND...: in the foreground of its own, so that its id is known
    local name=$1
    shift
    "$@" >"$scratch/$name.out" 2>&1 &
    daemons+=($!)
    printf -v "pid_$name" '%s' $!
}

cd "$scratch"
mkdir run state spool.n1 spool.n2 log
chmod 755 . run
host=$(hostname -s)
dd if=/dev/urandom of=munge.key bs=1 count=1024 status=none
chmod 600 munge.key
start munged /usr/sbin/munged --foreground --force --socket="$scratch/run/munge.sock" --key-file="$scratch/munge.key" \
    --pid-file="$scratch/run/munged.pid" --log-file="$scratch/log/munged.log" --seed-file="$scratch/run/munged.seed"
cat >slurm.conf <<END
ClusterName=tamis
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$scratch/run/munge.sock
SlurmUser=root
SlurmdUser=root
SlurmctldPort=16817
SlurmctldPidFile=$scratch/run/slurmctld.pid
SlurmdPidFile=$scratch/run/slurmd.%n.pid
SlurmdSpoolDir=$scratch/spool.%n
StateSaveLocation=$scratch/state
SlurmctldLogFile=$scratch/log/slurmctld.log
SlurmdLogFile=$scratch/log/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
KillWait=3
InactiveLimit=0
MinJobAge=3600
JobRequeue=1
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$scratch/log/jobcomp.txt
NodeName=n1 NodeHostName=$host NodeAddr=127.0.0.1 Port=17001 CPUs=1 RealMemory=4000 State=UNKNOWN
NodeName=n2 NodeHostName=$host NodeAddr=127.0.0.1 Port=17002 CPUs=1 RealMemory=4000 State=UNKNOWN
PartitionName=p Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$scratch/slurm.conf
for _ in $(seq 50); do [ -S run/munge.sock ] || sleep 0.1; done
start slurmctld /usr/sbin/slurmctld -D -f "$SLURM_CONF"
start n1 /usr/sbin/slurmd -D -f "$SLURM_CONF" -N n1
start n2 /usr/sbin/slurmd -D -f "$SLURM_CONF" -N n2
for _ in $(seq 100); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] || sleep 0.3
done
check "two nodes are up" [ "$(sinfo -h -t idle -o %D)" = 2 ]

# ---- searches ------------------------------------------------------------------------------------------------------

# shellcheck disable=SC1091
. "$source_dir/tests/cli/proteins.bash"
proteins 60 1 q >q.fa
proteins 3000 2 s >s.fa
"$TAMIS" makedb -in s.fa -dbtype prot -out db >/dev/null
"$TAMIS" blastp -q --device cpu -query q.fa -db db -outfmt 6 >want
array=$source_dir/share/tamis/workflow/tamis-array.sh

# submit FOLDER: 6 shards x 2 query shards; its report is FOLDER.txt
submit() {
    BATCH_SIZE=2000 "$array" submit -s 6 -q 2 -d "$scratch/$1" -o "$scratch/$1.txt" -b --mem=300 -b --chdir="$scratch" -- \
        -query "$scratch/q.fa" -db "$scratch/db" --device cpu >"$1.job"
}

# finish FOLDER: waits for its report job. Returns 1 after 5 minutes.
finish() {
    local i job
    job=$(cat "$1.job")
    for ((i = 0; i < 1500; i++)); do
        if [ -z "$(squeue -h -j "$job" 2>/dev/null)" ] || squeue -h -j "$job" -t CD,F,CA -o %T 2>/dev/null | grep -q .; then return 0; fi
        sleep 0.2
    done
    squeue
    return 1
}

same() { cmp want "$1.txt"; }

BATCH_SIZE=2000 "$TAMIS" blastp -q --device cpu -query q.fa -db db -outfmt 6 >want
submit plain
check "an array and its report end" finish plain
check "the report is that of one run" same plain

submit plain # all cells are there
finish plain
check "the same again" same plain

# A command that is killed is queued again by the script; a job script that is killed is named by the report job.
submit killed
for _ in $(seq 100); do pgrep -f "$scratch/killed/.*part" >/dev/null || sleep 0.1; done
pid=$(pgrep -f "blastp.*$scratch/killed/.*part" | head -n 1 || true)
[ -z "$pid" ] || kill -9 "$pid"
pid=$(pgrep -f "slurm_script cell.*$scratch/killed" | tail -n 1 || true)
[ -z "$pid" ] || kill -9 "$pid"
check "an array of which processes are killed ends" finish killed
if [ ! -e killed.txt ]; then
    cat killed/report.log
    submit killed
    check "the same command makes the missing cells" finish killed
fi
check "the report after kills is that of one run" same killed

# A node that dies: Slurm queues its cell again on the other one.
submit node
sleep 2
kill -9 "$pid_n2" 2>/dev/null || true
pkill -9 -f "slurmstepd.*$scratch" 2>/dev/null || true
sleep 1
start n2 /usr/sbin/slurmd -D -f "$SLURM_CONF" -N n2
check "an array of which a node is killed ends" finish node
if [ ! -e node.txt ]; then
    cat node/report.log
    submit node
    finish node
fi
check "the report after a node's death is that of one run" same node

echo "1..$number"
exit "$status"
