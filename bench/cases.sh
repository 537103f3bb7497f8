# shellcheck shell=sh disable=SC2154 # dir, runs: of the script that reads this
# cases.sh - what sequences.sh and classify.sh share: cases that take turns, and the rows of a group. $dir is a directory of their own, $runs
# the number of runs.
#
# A row has the least of each column, because other work on the machine only adds. A first run brings the files into the page cache. Rows:
# what, program, user and system seconds, elapsed seconds, peak memory in MB, ratio (user seconds of the group's first program over
# these), note.

n_cases=0

# case PROGRAM NOTE COMMAND: a shell command line, measured by the next call of group
case_of() {
    n_cases=$((n_cases + 1))
    printf '%s' "$1" >"$dir/program.$n_cases"
    printf '%s' "$2" >"$dir/note.$n_cases"
    printf 'set -eu\n%s\n' "$3" >"$dir/case.$n_cases"
}

least() { sort -g "$1" | head -n 1; }

# group WHAT: the cases since the last group, in turns
group() {
    run=0
    while [ "$run" -le "$runs" ]; do
        i=1
        while [ "$i" -le "$n_cases" ]; do
            command time -o "$dir/time" -f '%U %S %e %M' sh "$dir/case.$i" >/dev/null 2>"$dir/stderr" || {
                echo "$(cat "$dir/program.$i") failed:" >&2
                cat "$dir/stderr" >&2
                exit 1
            }
            if [ "$run" -gt 0 ]; then tail -n 1 "$dir/time" >>"$dir/times.$i"; fi
            i=$((i + 1))
        done
        run=$((run + 1))
    done
    first=''
    i=1
    while [ "$i" -le "$n_cases" ]; do
        for column in 1 2 3 4; do cut -d' ' -f$column "$dir/times.$i" >"$dir/column$column"; done
        user=$(least "$dir/column1")
        first=${first:-$user}
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(cat "$dir/program.$i")" "$user" "$(least "$dir/column2")" \
            "$(least "$dir/column3")" "$(least "$dir/column4" | awk '{ printf "%.1f", $1 * 1.024e-3 }')" \
            "$(echo "$first $user" | awk '{ if ($2 > 0) printf "%.1f", $1 / $2; else print "-" }')" "$(cat "$dir/note.$i")"
        rm "$dir/times.$i"
        i=$((i + 1))
    done
    n_cases=0
}
has() { command -v "$1" >/dev/null; }

# head_of SCRIPT FILE...: the lines before the rows
head_of() {
    printf '# cpu: %s\n# date: %s  commit: %s\n# command: bench/%s' \
        "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)" "$(date -u +%Y-%m-%d)" "${TAMIS_COMMIT:-unknown}" "$1"
    shift
    for file in "$@"; do printf ' %s' "$(basename "$file")"; done
    printf '\nwhat\tprogram\tuser_s\tsystem_s\telapsed_s\tpeak_MB\tratio\tnote\n'
}
