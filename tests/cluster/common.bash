# common.bash - what the tests of cluster engines share: TAP, a Slurm cluster of two nodes on this machine, queries and a database.
#
# TAMIS: the command. TAMIS_SOURCE: the source's directory. As root, with slurm-wlm and munge installed; the daemons are processes of the
# test, with files in a scratch folder and ports 16817, 17001 and 17002. At its end, also after a failure or Ctrl-C, all are stopped by id.
# shellcheck shell=bash
set -euo pipefail

source_dir=${TAMIS_SOURCE:?the source directory}
export TAMIS=${TAMIS:?path of the command}
scratch=$(realpath "$(mktemp -d)")

# holders FOLDER: the ids of the processes that have a file in it open
holders() {
    find /proc/[0-9]*/fd -lname "$1*" 2>/dev/null | cut -d/ -f3 | sort -nu | grep -vx "$$" || true
}

stop() {
    local status=$? jobs pid
    trap - EXIT
    trap '' INT TERM
    cd /
    jobs=$(squeue -h -o %A 2>/dev/null | sort -u || true)
    # shellcheck disable=SC2086 # a list of numbers
    [ -z "$jobs" ] || scancel $jobs || true
    for _ in $(seq 40); do # steps of Slurm report their end to the controller
        [ -n "$(squeue -h 2>/dev/null)" ] || break
        sleep 0.25
    done
    for pid in $(holders "$scratch/"); do kill "$pid" 2>/dev/null || true; done
    sleep 1
    for pid in $(holders "$scratch/"); do kill -9 "$pid" 2>/dev/null || true; done
    rm -rf "$scratch"
    exit "$status"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

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

end() {
    echo "1..$number"
    exit "$status"
}

start() { # start NAME COMMAND...: in the foreground of its own; its id is in pid_NAME
    local name=$1
    shift
    "$@" >"$scratch/log/$name.out" 2>&1 </dev/null &
    printf -v "pid_$name" '%s' $!
}

start_node() { start "$1" /usr/sbin/slurmd -D -f "$SLURM_CONF" -N "$1"; }

start_folder() { # without a cluster
    cd "$scratch"
    mkdir log
}

start_cluster() {
    local host
    host=$(hostname -s)
    start_folder
    mkdir run state spool.n1 spool.n2
    chmod 755 . run
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
    start_node n1
    start_node n2
    for _ in $(seq 100); do
        [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] || sleep 0.3
    done
    check "two nodes are up" [ "$(sinfo -h -t idle -o %D)" = 2 ]
}

# samples FORMAT: q.fa, s.fa and want, which is one run's output. The queries are several batches.
samples() {
    # shellcheck disable=SC1091
    . "$source_dir/tests/cli/proteins.bash"
    export BATCH_SIZE=2000
    proteins 60 1 q >q.fa
    proteins 3000 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype prot -out db >/dev/null
    "$TAMIS" blastp -q --device cpu -query q.fa -db db -outfmt "$1" >want
}

# base_samples: nq.fa and ns.fa of bases, the database ndb, and nwant, which is one run's output.
base_samples() {
    # shellcheck disable=SC1091
    . "$source_dir/tests/cli/bases.bash"
    bases 60 1 q >nq.fa
    bases 200 2 s >ns.fa
    "$TAMIS" makedb -in ns.fa -dbtype nucl -out ndb >/dev/null
    BATCH_SIZE=3000 "$TAMIS" blastn -q -task blastn -query nq.fa -db ndb -outfmt 6 >nwant
}

# tamis_with_kills FILE: a command that is tamis, but kill -9 ends the first cell, the script of the second one, and the first report, once
# for each folder KILLS.
tamis_with_kills() {
    cat >"$1" <<END
#!/bin/bash
is_first() { [ -n "\${KILLS:-}" ] && mkdir -p "\$KILLS" && mkdir "\$KILLS/\$1" 2>/dev/null; }
if { [ "\$1" = blastp ] && is_first cell; } || { [ "\$1" = report ] && [ "\$2" != --check ] && is_first report; }; then
    "$TAMIS" "\$@" &
    sleep 0.02
    kill -9 \$!
    wait \$!
elif [ "\$1" = blastp ] && is_first script; then
    kill -9 "\$PPID"
else
    exec "$TAMIS" "\$@"
fi
END
    chmod +x "$1"
}

# all_killed FOLDER: of the names of tamis_with_kills
all_killed() { [ "$(cd "$1" && echo *)" = "cell report script" ]; }
