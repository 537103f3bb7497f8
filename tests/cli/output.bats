# Output files: whole or not at all.
load common

@test "/dev/full as -o is exit code 6" {
    [ -c /dev/full ] || skip "no /dev/full"
    words 10 >in
    expect 6 "$TAMIS" build -o /dev/full in
    out_is ''
    err_is 'tamis build: /dev/full: cannot be written: No space left on device\n'
    "$TAMIS" build -q -o f.tms in
    expect 6 "$TAMIS" merge -o /dev/full f.tms f.tms
}

@test "a directory that is missing, and one as the output, are exit code 6 before anything is read" {
    expect 6 "$TAMIS" build -o nowhere/f.tms in-that-is-missing
    err_is 'tamis build: nowhere/f.tms: cannot be written: No such file or directory\n'
    mkdir d
    expect 6 "$TAMIS" build -o d /dev/null
    err_is 'tamis build: d: cannot be written: Is a directory\n'
}

@test "a directory that cannot be written is exit code 6" {
    [ "$(id -u)" -ne 0 ] || skip "root writes anywhere"
    mkdir d
    chmod 500 d
    expect 6 "$TAMIS" build -o d/f.tms /dev/null
}

@test "a full file system is exit code 6, and what was there stays" {
    mkdir small
    mount -t tmpfs -o size=256k tmpfs small 2>/dev/null || skip "cannot mount a tmpfs"
    printf 'before' >small/f.tms
    words 10 >in
    got=0
    expect 6 "$TAMIS" build -o small/f.tms -m 8M -k 4 in || got=$?
    files=$(ls -A small)
    content=$(cat small/f.tms)
    umount small
    [ "$got" -eq 0 ]
    err_is 'tamis build: small/f.tms: cannot be written: No space left on device\n' ||
        err_has 'No space left on device'
    [ "$files" = f.tms ]
    [ "$content" = before ]
}

@test "a file-size limit is exit code 6 and leaves nothing" {
    words 100000 >in
    expect 6 bash -c 'ulimit -f 50; exec "$TAMIS" build -q -o f.tms in'
    [ "$(ls -A | grep -c tms)" -eq 0 ]
}

@test "a build that fails leaves what was there" {
    printf 'before' >f.tms
    printf 'a\nb\n' | gzip -n | head -c 15 >cut.gz
    expect 2 "$TAMIS" build -o f.tms cut.gz
    [ "$(cat f.tms)" = before ]
    [ "$(ls -A)" = "$(printf 'cut.gz\nerr\nf.tms\nout')" ]
}

@test "a build killed while it reads leaves nothing" {
    for signal in INT TERM HUP KILL; do
        mkfifo pipe
        # A background job of a script ignores SIGINT, so it is asked for by its default.
        env --default-signal=INT "$TAMIS" build -q -o killed.tms pipe &
        pid=$!
        exec 7>pipe
        words 1000 >&7
        kill -"$signal" "$pid"
        got=0
        wait "$pid" || got=$?
        exec 7>&-
        [ "$got" -gt 128 ]
        [ "$(ls -A)" = pipe ]
        rm pipe
    done
}

@test "a build killed while it writes leaves no half filter under the name" {
    [ "$(free_mib .)" -ge 3000 ] || skip "3 GB of disk and memory are not free"
    words 10 >in
    for signal in TERM KILL; do
        printf 'before' >killed.tms
        "$TAMIS" build -q -o killed.tms --layout classic -m 8G -k 1 in &
        pid=$!
        while ! compgen -G '.killed.tms.*' >/dev/null && kill -0 "$pid" 2>/dev/null; do :; done
        kill -"$signal" "$pid"
        got=0
        wait "$pid" || got=$?
        [ "$got" -gt 128 ]
        [ "$(cat killed.tms)" = before ]
        [ "$signal" = KILL ] || [ "$(ls -A)" = "$(printf 'in\nkilled.tms')" ]
        rm -f .killed.tms.*
    done
}

@test "the umask sets the mode, a filter that is replaced keeps its own" {
    words 10 >in
    (umask 027 && "$TAMIS" build -q -o f.tms in)
    [ "$(stat -c %a f.tms)" = 640 ]
    chmod 600 f.tms
    "$TAMIS" build -q -o f.tms in
    [ "$(stat -c %a f.tms)" = 600 ]
}

@test "a pipe as -o gets the filter" {
    words 10 >in
    "$TAMIS" build -q -o f.tms in
    mkfifo p
    "$TAMIS" build -q -o p in &
    cat p | cmp - f.tms
    wait
    [ -p p ]
}
