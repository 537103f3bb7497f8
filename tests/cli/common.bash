# common.bash - what the command's tests share. TAMIS: path of the command. TAMIS_SOURCE: the source's directory. TAMIS_TEST_DATA, where
# it is set: a folder of large real data, see CONTRIBUTING.md.
bats_require_minimum_version 1.5.0

setup() {
    [ -x "${TAMIS:-}" ] || {
        echo "set TAMIS to the path of the command"
        return 1
    }
    cd "$BATS_TEST_TMPDIR" || return 1
    export LC_ALL=C
    unset TAMIS_SIMD OMP_NUM_THREADS
}

# expect CODE COMMAND...: run it, output to ./out and ./err, and compare its exit code.
expect() {
    local want=$1 got=0
    shift
    "$@" >out 2>err || got=$?
    [ "$got" -eq "$want" ] || {
        echo "exit code $got instead of $want: $*"
        echo "--- standard output (start)"
        head -c 1000 out
        echo "--- standard error"
        cat err
        return 1
    }
}

# only_runs COMMAND...: under a sanitizer, the command runs with its output in ./out and ./err, and fails only as the sanitizer (99) or a
# signal (more) ends it: NCBI's program is not started for a comparison that the other builds make. Elsewhere it fails.
only_runs() {
    local code=0
    [ -n "${TAMIS_SANITIZED:-}" ] || return 1
    "$@" >out 2>err </dev/null || code=$?
    [ "$code" -lt 99 ]
}

# need_full_sizes: skips a test that takes long in the first level (./dev check) and under sanitizers.
need_full_sizes() { [ -z "${TAMIS_AGREE_QUICK:-}" ] || skip 'small sizes only: ./dev check --all has it'; }

# in_sample: true; in the first level and under sanitizers at about one call in three only, in .ci/run at one in two, which the seed chooses:
# the cases of a long loop take turns from commit to commit.
in_sample_state=${TAMIS_TEST_SEED:-0}
in_sample() {
    local one_in=1
    [ -z "${TAMIS_TEST_HALF:-}" ] || one_in=2
    [ -z "${TAMIS_AGREE_QUICK:-}" ] || one_in=3
    in_sample_state=$(((in_sample_state * 1103515245 + 12345) & 0x7fffffff))
    (((in_sample_state >> 16) % one_in == 0))
}

# out_is TEXT, err_is TEXT: byte for byte; TEXT is a printf format.
out_is() {
    # shellcheck disable=SC2059
    printf "$1" | cmp - out || {
        od -c out | head -20
        return 1
    }
}
err_is() {
    # shellcheck disable=SC2059
    printf "$1" | cmp - err || {
        cat err
        return 1
    }
}

# err_has TEXT: standard error has it somewhere.
err_has() {
    grep -qF -- "$1" err || {
        cat err
        return 1
    }
}

# build FILE TEXT [OPTION...]: a filter of a few lines, without a word.
build() {
    local file=$1 text=$2
    shift 2
    # shellcheck disable=SC2059
    printf "$text" | "$TAMIS" build -q -o "$file" "$@"
}

# words N [PREFIX]: N different lines.
words() {
    seq -f "${2:-word}%.0f" 1 "$1"
}

# data EXCERPT FILE: the path of FILE in TAMIS_TEST_DATA, where there is that; else of EXCERPT, a file of the source.
data() {
    if [ -n "${TAMIS_TEST_DATA:-}" ] && [ -z "${TAMIS_AGREE_QUICK:-}" ]; then
        echo "$TAMIS_TEST_DATA/$2"
    else
        echo "$TAMIS_SOURCE/$1"
    fi
}

# as_user COMMAND [ARGUMENT]...: as somebody who is not root and has no other process. A command in a place that is root's alone
# is copied first.
as_user() {
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
        return
    fi
    local id=$((20000 + BASHPID % 30000))
    local user=(setpriv "--reuid=$id" "--regid=$id" --clear-groups) command=$1 code=0
    shift
    if "${user[@]}" test -x "$command"; then
        "${user[@]}" "$command" "$@"
        return
    fi
    cp "$command" ./command
    "${user[@]}" ./command "$@" || code=$?
    rm ./command
    return "$code"
}

need() {
    command -v "$1" >/dev/null || skip "$1 is not installed"
}

# gpu_usable: is there a GPU that this build can use?
gpu_usable() {
    "$TAMIS" doctor --json | grep -q '"usable": true'
}

# free_mib PATH: MiB free on its file system, and no more than free memory.
free_mib() {
    local disk memory
    disk=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
    memory=$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)
    echo $((disk < memory ? disk : memory))
}
