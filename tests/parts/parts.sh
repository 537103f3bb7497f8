#!/usr/bin/env bash
# parts.sh [CASE...] - searches in parts, with kill -9, damage and mixtures at random: no file under a final name is less than whole, and what
# is run again gives the bytes of one run. Prints TAP.
#
# TAMIS: the command. TAMIS_SOURCE: the source's directory. TAMIS_TEST_SEED: of what is random (default: a new one; printed). TAMIS_PARTS_N: how
# many times each (default 200). TAMIS_JOBS: cases at a time (default: all processors). ./dev check-parts runs it.
# shellcheck disable=SC2153,SC2154 # arrays of parts.bash
set -euo pipefail

: "${TAMIS:?path of the command}"
here=${TAMIS_SOURCE:?the source directory}/tests
# shellcheck disable=SC1091
. "$here/cli/proteins.bash"
# shellcheck disable=SC1091
. "$here/cli/bases.bash"
# shellcheck disable=SC1091
. "$here/cli/parts.bash"
export TAMIS_TEST_SEED=${TAMIS_TEST_SEED:-$((RANDOM * 32768 + RANDOM))} LC_ALL=C
n_times=${TAMIS_PARTS_N:-200}
unset OMP_NUM_THREADS TAMIS_SIMD

fail() {
    echo "# $*"
    exit 1
}

below() { echo $(((RANDOM * 32768 + RANDOM) % $1)); } # below N: a number 0 .. N - 1

# kill_at_random MILLISECONDS COMMAND...: starts it, and ends it by SIGKILL before that time. Returns its status.
kill_at_random() {
    local status=0 ms pid
    ms=$(below "$1")
    shift
    "$@" >/dev/null 2>&1 &
    pid=$!
    sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || status=$?
    return "$status"
}

# milliseconds COMMAND...: how long it takes, and a fifth more
milliseconds() {
    local begin=$EPOCHREALTIME
    "$@" >/dev/null
    awk -v from="$begin" -v to="$EPOCHREALTIME" 'BEGIN { printf "%d\n", (to - from) * 1200 + 20 }'
}

# ---- cases: each runs in an empty folder, and fails by its status ----------------------------------------------------------

# grids SEARCH-OPTION...: all grids, and the formats that every one of them has to give
grids() {
    local s q format i formats=(0 5 6 7 10 15) n=0
    for i in "${!formats[@]}"; do "$TAMIS" blastp -q "$@" --device cpu -outfmt "${formats[i]}" >"want.$i"; done
    for s in 1 2 3 7 16; do
        for q in 1 3; do
            cells "$s" "$q" "$@"
            for i in "${!formats[@]}"; do
                format=${formats[i]}
                "$TAMIS" report -q parts/*.part -outfmt "$format" >got || fail "format $format, S $s, Q $q: status $?"
                cmp "want.$i" got || fail "format $format, S $s, Q $q: $*"
                n=$((n + 1))
            done
        done
    done
    echo "# $n reports, $(wc -l <want.2) hits: $*"
}

case_options() { # case_options I: options I, 0: none; the first with a query that is cut into chunks, too
    local options=() query=long.fa
    [ "$1" = 0 ] || read -ra options <<<"${OPTIONS[$1 - 1]}"
    if [ "$1" -gt 2 ]; then
        query=q.fa
        BATCH_SIZE=500
    fi
    samples
    grids -query "$query" -db db "${options[@]}"
}

case_subjects() {
    local subjects
    read -ra subjects <<<"${SUBJECTS[$1]}"
    samples
    more_databases
    BATCH_SIZE=500 grids -query q.fa "${subjects[@]}"
}

# many N: the database db, and many.fa of N queries, for the program of SEARCH.
many() {
    if [ "${SEARCH[0]}" = blastp ]; then
        samples
        proteins "$1" 3 q >many.fa
    else
        bases "$1" 3 q >many.fa
        bases 100 2 s >s.fa
        "$TAMIS" makedb -in s.fa -dbtype nucl -out db -parse_seqids >/dev/null
    fi
}

case_killed_cell() { # case_killed_cell N: queries
    local i most left killed=0
    many "${1:-600}"
    local cell=("$TAMIS" "${SEARCH[@]}" -q -query many.fa -db db --shard 2/3 --query-shard 2/2 -out cell.part)
    most=$(milliseconds "${cell[@]}")
    mv cell.part want
    for ((i = 0; i < n_times; i++)); do
        kill_at_random "$most" "${cell[@]}" || killed=$((killed + 1))
        if [ -e cell.part ]; then
            cmp want cell.part || fail "the part that was there after a kill is not whole"
        fi
        "${cell[@]}"
        cmp want cell.part
        rm cell.part
    done
    left=$(find . -name '.cell.part.*' | wc -l)
    [ "$left" -le "$killed" ] || fail "$left temporary files after $killed kills"
    echo "# $killed of $n_times cells were killed, of $most ms at most; $left left a temporary file"
    [ "$killed" -gt $((n_times / 5)) ]
}

# A report's output has a checkpoint beside it until it is whole, and is a beginning of the whole report.
case_killed_report() { # case_killed_report N: queries
    local i most killed=0 begun=0 how
    many "${1:-250}"
    cells 3 2 -query many.fa -db db
    local report=("$TAMIS" report -q parts/1.1.part parts/1.2.part parts/1.3.part parts/2.1.part parts/2.2.part parts/2.3.part
        -outfmt 5 -out hits.xml)
    most=$(milliseconds "${report[@]}")
    mv hits.xml want
    for ((i = 0; i < n_times; i++)); do
        kill_at_random "$most" "${report[@]}" || killed=$((killed + 1))
        how=()
        if [ -e hits.xml.checkpoint ]; then
            how=(--restart)
            if [ -e hits.xml ]; then
                begun=$((begun + 1))
                cmp -n "$(stat -c %s hits.xml)" want hits.xml || fail "what a killed report wrote is no beginning of it"
                [ $((i % 2)) = 0 ] || how=(--resume)
            fi
        elif [ -s hits.xml ]; then
            cmp want hits.xml || fail "a report without a checkpoint is not whole"
        fi
        "${report[@]}" "${how[@]}"
        cmp want hits.xml
        [ ! -e hits.xml.checkpoint ] || fail "a whole report has a checkpoint"
        rm hits.xml
    done
    echo "# $killed of $n_times reports were killed, of $most ms at most, $begun with some output"
    [ "$killed" -gt $((n_times / 5)) ]
}

# The same of tamis blastn, and its damaged parts, which are of version 2 of the archive.
of_bases() {
    SEARCH=(blastn -task blastn)
    export BATCH_SIZE=3000
}

case_bases_killed_cell() {
    of_bases
    case_killed_cell 400
}

case_bases_killed_report() {
    of_bases
    case_killed_report 150
}

case_bases_damage() {
    of_bases
    case_damage
}

# refused NUMBER: the check names this cell, and a report of the parts is refused, or begins with the bytes of the whole.
refused() {
    local missing status=0
    missing=$("$TAMIS" report --check parts/*.part 2>err) || status=$?
    [ "$status $missing" = "1 $1" ] || fail "the check ends with $status and names '$missing' instead of '$1'"
    status=0
    "$TAMIS" report -q parts/*.part -outfmt 7 -out got 2>err || status=$?
    [ "$status" = 1 ] || fail "a report of damaged parts ends with $status"
    [ ! -e got ] || [ -e got.checkpoint ] || fail "a report of damaged parts looks whole"
    [ ! -e got ] || cmp -n "$(stat -c %s got)" want got || fail "a report of damaged parts has other bytes"
    rm -f got got.checkpoint
}

# Changes a random byte of a random part, cuts it off at random, or adds to it.
case_damage() {
    local i q s file size at byte old what
    many 40
    [ ! -e long.fa ] || mv long.fa many.fa # with a query that is cut into chunks
    cells 5 2 -query many.fa -db db
    "$TAMIS" report -q parts/*.part -outfmt 7 >want
    for ((i = 0; i < 2 * n_times; i++)); do
        q=$(($(below 2) + 1))
        s=$(($(below 5) + 1))
        file=parts/$q.$s.part
        cp "$file" whole
        size=$(stat -c %s whole)
        at=$(below "$size")
        if [ $((i % 2)) = 0 ]; then
            old=$(od -An -tu1 -j "$at" -N 1 whole)
            byte=$(((old + 1 + $(below 255)) % 256))
            # shellcheck disable=SC2059
            printf "\\x$(printf %02x "$byte")" | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
            what="byte $at of $size: $old, now $byte"
        elif [ $((i % 10)) = 1 ]; then
            head -c $((at + 1)) /dev/urandom >>"$file"
            what="$((at + 1)) bytes more than $size"
        else
            head -c "$at" whole >"$file"
            what="the first $at of $size bytes"
        fi
        (refused $(((q - 1) * 5 + s))) || fail "$file: $what"
        cp whole "$file"
    done
    "$TAMIS" report --check parts/*.part
    "$TAMIS" report -q parts/*.part -outfmt 7 | cmp - want
    echo "# $((2 * n_times)) damaged parts"
}

# Parts under other names, in any order and twice, are the same search; parts of another search in place of a part are refused.
case_swapped() {
    local i k n name other names changes
    samples
    sed 's/K/R/' q.fa >q2.fa
    sed 's/K/R/' s.fa >s2.fa
    "$TAMIS" makedb -in s2.fa -dbtype prot -out db2 -parse_seqids >/dev/null
    changes=("-query q2.fa -db db" "-query q.fa -db db2" "-query q.fa -db db -evalue 9" "-query q.fa -db db -max_target_seqs 99")
    for other in "${!changes[@]}"; do
        read -ra names <<<"${changes[other]}"
        cells 7 1 "${names[@]}"
        mv parts "other.$other"
    done
    cells 6 1 -query q.fa -db db
    mv parts other.4
    cells 7 1 -query q.fa -db db
    "$TAMIS" report -q parts/*.part -outfmt 7 >want
    for ((i = 0; i < n_times / 4; i++)); do
        mapfile -t names < <(printf '%s\n' parts/*.part parts/1."$(($(below 7) + 1))".part | shuf --random-source=<(yes "$TAMIS_TEST_SEED $i"))
        rm -rf mixed
        mkdir mixed
        n=0
        for name in "${names[@]}"; do cp "$name" "mixed/$((n++)).part"; done
        "$TAMIS" report -q mixed/*.part -outfmt 7 | cmp - want || fail "the order ${names[*]}"
        other=$(below 5)
        k=$(($(below 6) + 1))
        cp "other.$other/1.$k.part" "mixed/$(below 8).part" # one that is not there twice may be replaced
        n=0
        "$TAMIS" report -q mixed/*.part -outfmt 7 >got 2>err || n=$?
        [ "$n" = 1 ] || fail "a part of search $other among others: status $n"
        grep -q 'are parts of two searches' err || fail "$(cat err)"
        [ ! -s got ]
    done
    echo "# $((n_times / 4)) orders and mixtures"
}

# ---- all of them -----------------------------------------------------------------------------------------------------------

# one CASE: in a folder of its own; prints a line of TAP without a number
one() {
    local words log status
    read -ra words <<<"${1//:/ }"
    mkdir "$scratch/${words[0]}${words[1]:-}"
    cd "$scratch/${words[0]}${words[1]:-}"
    log=$scratch/$1.log
    RANDOM=$((TAMIS_TEST_SEED % 2147483647)) # the same for a case alone
    export BATCH_SIZE=1500
    set +e
    (set -e; "case_${words[0]}" "${words[@]:1}") >"$log" 2>&1 # not in an if, where -e has no effect
    status=$?
    set -e
    if [ "$status" = 0 ]; then
        printf 'ok - %s %s\n' "$1" "$(grep '^#' "$log" | tail -n 1)"
    else
        printf 'not ok - %s\n%s\n' "$1" "$(tail -n 20 "$log" | sed 's/^/    /')"
    fi
    rm -rf "$PWD"
}

if [ -n "${PARTS_SCRATCH:-}" ]; then
    scratch=$PARTS_SCRATCH
    one "$1"
    exit
fi

if [ $# = 0 ]; then
    set -- killed_report killed_cell bases_killed_report bases_killed_cell damage bases_damage swapped
    for i in "${!SUBJECTS[@]}"; do set -- "$@" "subjects:$i"; done
    for ((i = 0; i <= ${#OPTIONS[@]}; i++)); do set -- "$@" "options:$i"; done
fi
PARTS_SCRATCH=$(mktemp -d)
export PARTS_SCRATCH
trap 'rm -rf "$PARTS_SCRATCH"' EXIT
trap 'exit 130' INT TERM
echo "# TAMIS_TEST_SEED=$TAMIS_TEST_SEED"
number=0
passed=0
while IFS= read -r line; do
    case $line in
    'ok - '*) passed=$((passed + 1)) ;;&
    'ok - '* | 'not ok - '*)
        number=$((number + 1))
        line=${line/ok -/ok $number -}
        ;;
    esac
    echo "$line"
done < <(printf '%s\n' "$@" | xargs -P "${TAMIS_JOBS:-$(nproc)}" -n 1 bash "$0")
echo "1..$number"
[ "$passed" = $# ]
