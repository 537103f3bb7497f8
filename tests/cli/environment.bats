# What surrounds a command: files that change, closed standard streams, limits.
load common

# starts_with KIB: does the command start with so little? (A sanitizer takes terabytes of addresses.)
starts_with() {
    (ulimit -v "$1" && "$TAMIS" --version) >/dev/null 2>&1 || skip "the command does not start in $1 KiB of addresses"
}

@test "a filter that is truncated while it is mapped is exit code 3, with its name" {
    words 100000 >in
    for command in "query --no-remarks --device cpu" "freq -q --device cpu"; do
        layout=
        [ "${command%% *}" = query ] || layout="--layout probabilistic -k 100 -p 0.1 -m 4M"
        # shellcheck disable=SC2086
        "$TAMIS" build -q $layout -o f.tms in
        mkfifo pipe
        # shellcheck disable=SC2086
        "$TAMIS" $command f.tms pipe >out 2>err &
        pid=$!
        exec 7>pipe # opened by the thread that reads, so the filter is mapped and checked by now
        truncate -s 4096 f.tms
        cat in >&7 || true
        exec 7>&-
        got=0
        wait "$pid" || got=$?
        rm pipe
        [ "$got" -eq 3 ] || { echo "exit code $got"; return 1; }
        err_has "tamis ${command%% *}: f.tms: the file changed while it was read"
    done
}

@test "a filter that is replaced by rename while it is mapped does no harm" {
    words 1000 >in
    "$TAMIS" build -q -o f.tms in
    mkfifo pipe
    "$TAMIS" query --no-remarks -c f.tms pipe >out &
    pid=$!
    exec 7>pipe
    words 10 other | "$TAMIS" build -q -o f.tms
    cat in >&7
    exec 7>&-
    wait "$pid"
    out_is '1000\n'
}

@test "a SIGBUS that somebody sends still kills" {
    words 10 >in
    "$TAMIS" build -q -o f.tms in
    mkfifo pipe
    "$TAMIS" query --no-remarks f.tms pipe &
    pid=$!
    exec 7>pipe
    kill -BUS "$pid"
    got=0
    wait "$pid" || got=$?
    exec 7>&-
    [ "$got" -eq $((128 + $(kill -l BUS))) ]
}

@test "a closed standard input is an error where it is needed, and no wait" {
    words 10 >in
    "$TAMIS" build -q -o f.tms in
    expect 2 timeout 10 bash -c '"$TAMIS" build -q -o g.tms - <&-'
    err_is 'tamis build: standard input: is closed, or not open for reading\n'
    [ ! -e g.tms ]
    for command in 'query f.tms' 'heavy --min 1' 'seeds -query - -subject in'; do
        expect 2 timeout 10 bash -c "\"\$TAMIS\" $command <&-"
        err_has 'standard input: is closed, or not open for reading'
    done
    expect 2 timeout 10 bash -c '"$TAMIS" query f.tms 0>file'
    err_has 'standard input: is closed, or not open for reading'
    expect 0 timeout 10 bash -c '"$TAMIS" query -c f.tms in <&-'
    out_is '10\n'
}

@test "a closed standard output is an error where it is needed" {
    words 10 >in
    printf '>a\nACGTACGTACGTACGTACGT\n' >a.fa
    "$TAMIS" build -q -o f.tms in
    "$TAMIS" build -q --layout probabilistic -k 100 -p 0.1 -m 10000 -o p.tms in
    for command in 'query f.tms in' 'query -c f.tms in' 'freq p.tms in' 'heavy --min 1 in in' 'info f.tms' 'info --json f.tms' \
        'build -o - in' 'merge -o - f.tms f.tms' 'seeds -query a.fa -subject a.fa' \
        'seeds -query a.fa -subject a.fa --count' 'doctor' '--version' '--help' 'build --help'; do
        for closed in '>&-' '<&- >&-' '1</dev/null'; do
            expect 6 timeout 10 bash -c "\"\$TAMIS\" $command $closed"
            err_has 'standard output: cannot be written: it is closed, or not open for writing'
        done
    done
    cmp in <(words 10)
    expect 1 timeout 10 bash -c '"$TAMIS" query f.tms /dev/null >&-' # nothing to print
    err_is ''
}

@test "with all standard streams closed a filter is a filter, without a message in it" {
    words 1000 >in
    "$TAMIS" build -q -o want.tms in
    for closed in '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
        bash -c "\"\$TAMIS\" build -o got.tms in $closed"
        cmp want.tms got.tms
        got=0
        bash -c "\"\$TAMIS\" build -o new.tms missing $closed" || got=$?
        [ "$got" -eq 2 ]
        [ ! -e new.tms ]
    done
}

@test "fewer threads where the system makes no more" {
    [ "$(id -u)" -eq 0 ] || skip "a user's own processes count too"
    need setpriv
    need prlimit
    words 100000 >in
    "$TAMIS" build -q -o f.tms in
    chmod 777 .
    user=$((20000 + BASHPID % 30000)) # who has no other process
    as() { setpriv --reuid=$user --regid=$user --clear-groups "$@"; }
    cp "$TAMIS" command # which may lie in a directory that is root's alone
    for n in 2 3 4 7; do
        expect 0 as prlimit --nproc=$n ./command query --threads 8 --device cpu -c f.tms in
        out_is '100000\n'
        count=$((n > 3 ? n - 2 : 1))
        grep -Eq "^tamis query: using $count threads? instead of 8: the limit" err
        expect 0 as prlimit --nproc=$n ./command build -q --threads 8 --device cpu -o - in
        err_is ''
        cmp out f.tms
    done
    export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # its leak check is a process more
    expect 5 as prlimit --nproc=1 ./command query --no-remarks --threads 8 --device cpu f.tms in
    err_is 'tamis query: cannot start a thread for reading: Resource temporarily unavailable\n'
}

@test "little address space: fewer threads, or exit code 5 with a message" {
    need prlimit
    starts_with 400000
    words 100000 >in
    "$TAMIS" build -q -o f.tms in
    expect 0 prlimit --as=300000000 "$TAMIS" query --threads 512 --device cpu -c f.tms in
    out_is '100000\n'
    grep -Eq '^tamis query: using [0-9]+ threads? instead of 512: ' err
    starts_with 30000
    for mib in 30 40 60 90 150; do
        for command in "query -c f.tms in" "build -o g.tms in"; do
            got=0
            # shellcheck disable=SC2086
            prlimit --as=$((mib << 20)) "$TAMIS" $command --threads 8 --device cpu >out 2>err || got=$?
            case $got in
            0) ;;
            5) err_has "tamis ${command%% *}: " ;;
            *)
                echo "exit code $got with $mib MiB: $command"
                cat err
                return 1
                ;;
            esac
        done
    done
}

@test "a terminal that is read is told of" {
    need script
    words 3 >words.txt
    printf '>a\nACGTTGCATGCATTTGACCATGACTTACGTACGATCGATCGAT\n' >a.fa
    "$TAMIS" build -q --kmer 16 -o a.tms a.fa
    for words in "build -o f.tms" "classify -f a.tms" "seeds -query - -subject a.fa" "mask -task dust" "blastp -subject a.fa"; do
        script -qec "$TAMIS $words" /dev/null </dev/null >out 2>&1 || true
        grep -q "tamis ${words%% *}: reading standard input from the terminal; Ctrl-D ends it" out || {
            echo "$words"
            cat out
            return 1
        }
        script -qec "$TAMIS $words -q" /dev/null </dev/null >out 2>&1 || true
        ! grep -q 'a terminal' out
        echo | "$TAMIS" $words >out 2>&1 || true
        ! grep -q 'a terminal' out
    done
}
