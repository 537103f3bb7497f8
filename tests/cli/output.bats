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
    mkdir d
    chmod 555 d
    expect 6 as_user "$TAMIS" build -o d/f.tms /dev/null
}

@test "a full file system is exit code 6, and what was there stays" {
    mkdir small
    mount -t tmpfs -o size=256k tmpfs small 2>/dev/null || skip "cannot mount a tmpfs"
    words 10 | "$TAMIS" build -q -o small/f.tms
    cp small/f.tms before
    words 10 >in
    got=0
    expect 6 "$TAMIS" build -o small/f.tms -m 8M -k 4 in || got=$?
    files=$(ls -A small)
    same=0
    cmp small/f.tms before || same=$?
    umount small
    [ "$got" -eq 0 ]
    err_is 'tamis build: small/f.tms: cannot be written: No space left on device\n' ||
        err_has 'No space left on device'
    [ "$files" = f.tms ]
    [ "$same" -eq 0 ]
}

@test "a file-size limit is exit code 6 and leaves nothing" {
    words 100000 >in
    expect 6 bash -c 'ulimit -f 50; exec "$TAMIS" build -q -o f.tms in'
    [ "$(ls -A | grep -c tms)" -eq 0 ]
}

@test "a build that fails leaves what was there" {
    words 10 | "$TAMIS" build -q -o f.tms
    cp f.tms before
    printf 'a\nb\n' | gzip -n | head -c 15 >cut.gz
    expect 2 "$TAMIS" build -o f.tms cut.gz
    cmp f.tms before
    [ "$(ls -A)" = "$(printf 'before\ncut.gz\nerr\nf.tms\nout')" ]
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
        "$TAMIS" build -q -o killed.tms --force --layout classic -m 8G -k 1 in &
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

dna() { printf '>%s\nACGTACGGTCATTGCAACGTTGCAAGGCTA\n' "$1"; }

# refuses TEXT COMMAND...: exit code 2, TEXT on standard error, and no file has changed.
refuses() {
    local text=$1 before
    shift
    before=$(sum_all)
    expect 2 "$@"
    err_has "$text"
    [ "$(sum_all)" = "$before" ] || {
        echo "changed by: $*"
        return 1
    }
}
sum_all() { find . -type f ! -name out ! -name err -exec cksum {} + | sort; }

@test "an output that is an input is refused, by any name, and with --force too" {
    words 10 >w.txt
    ln w.txt hard
    ln -s w.txt soft
    words 5 >other
    replaces='the output would replace the input'
    for out in w.txt ./w.txt "$PWD/w.txt" hard soft; do
        refuses "$out: $replaces w.txt" "$TAMIS" build -o "$out" other w.txt
        refuses "$replaces" "$TAMIS" build --force -o "$out" w.txt
        refuses "$replaces" "$TAMIS" heavy --min 1 --force --save "$out" w.txt
    done
    refuses "w.txt: $replaces soft" "$TAMIS" build --force -o w.txt soft
    refuses "w.txt: $replaces standard input" bash -c '"$TAMIS" build --force -o w.txt <w.txt'
    "$TAMIS" build -q -o f.tms other
    refuses "f.tms: $replaces f.tms" "$TAMIS" build --append f.tms other f.tms
    refuses "w.txt: $replaces w.txt" "$TAMIS" build --force --append f.tms -o w.txt w.txt
    dna a >a.fa
    dna b >b.fa
    ln b.fa b.link
    for file in ./a.fa b.fa b.link; do
        refuses "$replaces" "$TAMIS" seeds --force --stats "$file" -query a.fa -subject b.fa
    done
    refuses "$replaces" bash -c '"$TAMIS" seeds --force --stats b.fa -query a.fa -subject - <b.fa'
}

@test "what may be in place still is: merge, --append" {
    words 10 >in
    "$TAMIS" build -q -m 4096 -k 3 -o f.tms in
    expect 0 "$TAMIS" merge -q -o f.tms f.tms f.tms
    expect 0 "$TAMIS" build -q --append f.tms in
    expect 0 "$TAMIS" build -q --append f.tms -o f.tms in
}

@test "standard output that is an input is refused" {
    words 10 >w.txt
    "$TAMIS" build -q -o f.tms w.txt
    "$TAMIS" build -q --layout probabilistic -k 100 -p 0.1 -m 10000 -o p.tms w.txt
    dna a >a.fa
    dna b >b.fa
    ln -s b.fa soft
    while read -r command; do
        refuses 'input file is also the output' bash -c "\"\$TAMIS\" $command"
    done <<'END'
query f.tms w.txt >>w.txt
query f.tms <w.txt >>w.txt
query -v f.tms a.fa w.txt >>w.txt
query f.tms w.txt >>f.tms
query f.tms w.txt 1<>f.tms
freq p.tms w.txt >>w.txt
freq p.tms w.txt >>p.tms
heavy --min 1 w.txt >>w.txt
seeds -query a.fa -subject soft >>b.fa
seeds -query a.fa -subject b.fa >>a.fa
seeds -query a.fa -subject - <b.fa >>soft
info f.tms >>f.tms
build -o - w.txt >>w.txt
merge -o - f.tms f.tms >>f.tms
END
    # The shell has emptied it; still better to hear of it.
    cp w.txt copy
    expect 2 bash -c '"$TAMIS" query f.tms copy >copy'
    err_has 'copy: input file is also the output'
    # Devices and pipes are no files to destroy.
    expect 1 bash -c '"$TAMIS" query f.tms /dev/null >/dev/null'
    expect 0 bash -c '"$TAMIS" query f.tms w.txt >new'
    cmp new w.txt
}

@test "a named output that is standard output's file is refused" {
    words 10 >w.txt
    dna a >a.fa
    expect 2 bash -c '"$TAMIS" heavy --min 1 --save file w.txt >file'
    err_has 'file: the output would replace the file of standard output'
    expect 2 bash -c '"$TAMIS" seeds --stats file -query a.fa -subject a.fa >file'
    err_has 'file: the output would replace the file of standard output'
    "$TAMIS" build -q -o want.tms w.txt
    "$TAMIS" build -q -o /dev/stdout w.txt >got.tms
    cmp want.tms got.tms
}

@test "a file of another kind is replaced with --force only" {
    words 10 >in
    "$TAMIS" build -q -o f.tms in
    dna a >a.fa
    "$TAMIS" seeds -q -query a.fa -subject a.fa --stats s.json >/dev/null
    printf 'dear diary' >notes
    printf '{"a": 1}' >mine.json
    ln -s notes link
    while read -r files kind command; do
        for file in ${files//,/ }; do
            refuses "$file: already exists and is not ${kind//_/ }: --force replaces it" \
                bash -c "\"\$TAMIS\" ${command//OUT/$file}"
        done
        cp notes copy
        : >empty
        expect 0 bash -c "\"\$TAMIS\" ${command//OUT/copy --force}"
        expect 0 bash -c "\"\$TAMIS\" ${command//OUT/copy}" # of its own kind by now
        expect 0 bash -c "\"\$TAMIS\" ${command//OUT/empty}"
        cmp copy empty
    done <<'END'
notes,link,a.fa a_filter build -q in -o OUT
notes,a.fa a_filter build -q --append f.tms /dev/null -o OUT
notes,s.json a_filter merge -q f.tms f.tms -o OUT
notes,a.fa a_filter heavy -q --min 1 in in in --save OUT
notes,mine.json statistics_of_tamis_seeds seeds -q -query a.fa -subject a.fa --stats OUT
END
}

@test "a file that may not be written is not replaced" {
    words 10 >in
    "$TAMIS" build -q -o f.tms in
    cp f.tms before
    chmod 777 .
    if [ "$(id -u)" -eq 0 ]; then chown 12345:12345 f.tms; fi
    chmod 444 f.tms
    for how in "--append f.tms" "-o f.tms" "-o f.tms --force" "--append before -o f.tms"; do
        # shellcheck disable=SC2086
        got=0
        as_user "$TAMIS" build $how in >out 2>err || got=$?
        [ "$got" -eq 6 ]
        err_is 'tamis build: f.tms: cannot be written: Permission denied\n'
        cmp f.tms before
    done
}

@test "the owner, the group and the mode of a replaced file stay, but no setuid bit" {
    [ "$(id -u)" -eq 0 ] || skip "only root gives files away"
    words 10 >in
    "$TAMIS" build -q -o f.tms in
    chown 12345:23456 f.tms
    chmod 6640 f.tms
    expect 0 "$TAMIS" build -q --append f.tms in
    [ "$(stat -c '%u %g %a' f.tms)" = "12345 23456 640" ]
}

@test "who cannot keep the group lets nobody else of his own in" {
    [ "$(id -u)" -eq 0 ] || skip "only root gives files away"
    words 10 >in
    "$TAMIS" build -q -o f.tms in
    chmod 777 .
    chown 12345:23456 f.tms
    chmod 662 f.tms
    chmod o+r f.tms
    as_user "$TAMIS" build -q --append f.tms in
    [ "$(stat -c %a f.tms)" = 666 ]
    chown 12345:23456 f.tms
    chmod 646 f.tms
    as_user "$TAMIS" build -q --append f.tms in
    [ "$(stat -c %a f.tms)" = 646 ]
    [ "$(stat -c %g f.tms)" -ne 23456 ]
}

@test "-o through a link: the file it leads to is replaced, or made where there is none" {
    words 10 >in
    "$TAMIS" build -q -o want.tms in
    mkdir dir
    ln -s dir/new.tms link
    ln -s ../link dir/chain
    expect 0 "$TAMIS" build -q -o dir/chain in
    [ -L link ]
    [ -L dir/chain ]
    [ ! -L dir/new.tms ]
    cmp dir/new.tms want.tms
    words 11 >in
    expect 0 "$TAMIS" build -q -o link in
    [ -L link ]
    cmp -s dir/new.tms want.tms && return 1
    ln -s nowhere/f.tms far
    expect 6 "$TAMIS" build -q -o far in
    ln -s loop loop
    expect 6 "$TAMIS" build -q -o loop in
    err_is 'tamis build: loop: cannot be written: Too many levels of symbolic links\n'
}
