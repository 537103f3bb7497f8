# tamis build --append: one filter from several runs, and never half a filter.
load common

kinds=("-m 200000 -k 8" "--layout classic -m 200001 -k 5" "--layout classic --hash ap -m 99999 -k 3 --seed 7"
    "--expected 9000 --fpr 0.001" "--layout probabilistic -k 100 -p 0.03 -m 300001"
    "--layout probabilistic -k 40 -p 0.1 -m 99999 --hash murmur3 --sampling plain --seed 3")

n_of() { "$TAMIS" info --json "$1" | sed -n 's/^  "n": \([0-9]*\).*/\1/p'; }

@test "appending is building once from everything, byte for byte" {
    words 5000 a >a
    { words 3000 b; words 100 a; } >b
    words 1000 c >c
    for kind in "${kinds[@]}"; do
        # shellcheck disable=SC2086
        "$TAMIS" build -q $kind -o want.tms a b c
        # shellcheck disable=SC2086
        "$TAMIS" build -q $kind -o got.tms a
        expect 0 "$TAMIS" build --append got.tms b
        out_is ''
        grep -Eq '^tamis build: 3100 keys added: 8100 (keys|insertions), m = ' err
        gzip -nc c | expect 0 "$TAMIS" build -q --append got.tms
        err_is ''
        cmp want.tms got.tms || { echo "$kind"; return 1; }
        [ "$(n_of got.tms)" = 9100 ]
    done
    [ "$(ls -A | tr '\n' ' ')" = 'a b c err got.tms out want.tms ' ]
}

@test "the same for any threads and batch" {
    words 5000 a >a
    words 3000 b >b
    for kind in "${kinds[@]}"; do
        # shellcheck disable=SC2086
        "$TAMIS" build -q $kind -o want.tms a b
        for how in "--threads 1" "--threads 2 --batch 999" "--threads 5 --batch 77" "--device cpu"; do
            # shellcheck disable=SC2086
            "$TAMIS" build -q $kind -o got.tms a
            # shellcheck disable=SC2086
            "$TAMIS" build -q $how --append got.tms b
            cmp want.tms got.tms || { echo "$kind $how"; return 1; }
        done
    done
}

@test "with -o the filter stays as it is" {
    words 500 a >a
    words 300 b >b
    for kind in "${kinds[@]}"; do
        # shellcheck disable=SC2086
        "$TAMIS" build -q $kind -o want.tms a b
        # shellcheck disable=SC2086
        "$TAMIS" build -q $kind -o f.tms a
        cp f.tms before.tms
        expect 0 "$TAMIS" build -q --append f.tms -o got.tms b
        cmp want.tms got.tms
        cmp f.tms before.tms
        "$TAMIS" build -q --append f.tms -o - b | cmp - want.tms
        cmp f.tms before.tms
    done
}

@test "appending nothing keeps the file" {
    for kind in "${kinds[@]}"; do
        # shellcheck disable=SC2086
        words 100 | "$TAMIS" build -q $kind -o f.tms
        cp f.tms before.tms
        expect 0 "$TAMIS" build --append f.tms /dev/null
        err_has '0 keys added: 100 '
        cmp f.tms before.tms
    done
}

@test "the same parameters may be given, others are refused by name" {
    words 100 >in
    "$TAMIS" build -q --layout probabilistic -k 40 -p 0.1 -m 100000 --seed 3 -o p.tms in
    "$TAMIS" build -q -k 4 -m 1000 -o b.tms in
    "$TAMIS" build -q --layout classic --hash murmur3 -k 4 -m 1000 -o c.tms in
    expect 0 "$TAMIS" build -q --append p.tms -o x.tms --layout probabilistic -k 40 -p 1/10 -m 100K --seed 0x3 --hash xxh3 \
        --sampling geometric in
    expect 0 "$TAMIS" build -q --append b.tms -o x.tms --layout blocked -k 4 -m 1000 --hash xxh3 --seed 0 in
    rm x.tms
    for name in p b c; do cp $name.tms $name.before; done
    refused() { # refused FILTER OPTIONS DIFFERENCE
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" build --append "$1.tms" $2 in
        out_is ''
        err_is "tamis build: $1.tms has $3\n"
        cmp "$1.tms" "$1.before"
    }
    keeps='--append keeps the filter'\''s parameters'
    refused p "--layout classic" "layout probabilistic, not classic: $keeps"
    refused p "--hash ap" "hash xxh3, not ap: $keeps"
    refused p "--seed 0" "seed 3, not 0: $keeps"
    refused p "-m 1M" "m = 100000, not 1000000: $keeps"
    refused p "-k 41" "k = 40, not 41: $keeps"
    refused p "-p 0.2" "p = 0.1, not 0.2: $keeps"
    refused p "-p 0.1000000000001" "p = 0.10000000000000001, not 0.1000000000001: $keeps"
    refused p "--sampling plain" "sampling geometric, not plain: $keeps"
    refused b "--layout probabilistic" "layout blocked, not probabilistic: $keeps"
    refused b "--hash murmur3" "hash xxh3, not murmur3: $keeps"
    refused b "-m 1025" "m = 1024, not 1025: $keeps"
    refused b "-p 0.5" "layout blocked, but -p is for probabilistic filters"
    refused c "--sampling geometric" "layout classic, but --sampling is for probabilistic filters"
    refused c "--hash xxh3" "hash murmur3, not xxh3: $keeps"
    for option in --fpr=0.1 --bits-per-key=3 --expected=10 --max-f=10 --error=0.1 --min-f=1 --confidence=0.9 --keys=3 \
        --zipf=1; do
        expect 2 "$TAMIS" build --append p.tms $option in
        err_is "tamis build: ${option%=*} sets the size of a new filter, but --append keeps the size: leave one of them out\nTry 'tamis build --help'.\n"
    done
    cmp p.tms p.before
}

@test "a filter that is missing, damaged, or standard input" {
    words 100 >in
    expect 3 "$TAMIS" build --append nowhere.tms in
    err_is 'tamis build: nowhere.tms: No such file or directory\n'
    [ ! -e nowhere.tms ]
    "$TAMIS" build -q -m 1000 -k 3 -o f.tms in
    head -c 200 f.tms >cut.tms
    cp cut.tms before
    expect 3 "$TAMIS" build --append cut.tms in
    cmp cut.tms before
    expect 3 "$TAMIS" build --append in in
    expect 3 "$TAMIS" build --append . in
    expect 2 "$TAMIS" build --append - in
    err_has "--append needs the name of a file, not -"
    expect 2 "$TAMIS" build --append f.tms nowhere
}

@test "damaged input changes nothing" {
    words 5000 >in
    gzip -nc in | head -c 5000 >cut.gz
    for kind in "${kinds[@]}"; do
        # shellcheck disable=SC2086
        "$TAMIS" build -q $kind -o f.tms in
        cp f.tms before.tms
        expect 2 "$TAMIS" build --append f.tms in cut.gz
        err_is "tamis build: cut.gz: gzip stream is truncated: it ends at byte 5000, inside the part that starts at byte 0\n"
        cmp f.tms before.tms
    done
    [ "$(ls -A | tr '\n' ' ')" = 'before.tms cut.gz err f.tms in out ' ]
}

@test "an append killed while it reads changes nothing" {
    words 1000 >in
    "$TAMIS" build -q --layout probabilistic -k 100 -p 0.1 -m 100000 -o f.tms in
    cp f.tms before.tms
    for signal in INT TERM HUP KILL; do
        mkfifo pipe
        env --default-signal=INT,HUP "$TAMIS" build -q --append f.tms pipe &
        pid=$!
        exec 7>pipe
        cat in >&7
        kill -"$signal" "$pid"
        got=0
        wait "$pid" || got=$?
        exec 7>&-
        [ "$got" -gt 128 ]
        cmp f.tms before.tms
        [ "$(ls -A | tr '\n' ' ')" = 'before.tms f.tms in pipe ' ]
        rm pipe
    done
}

@test "an append killed while it writes leaves the old filter or the new one, whole" {
    [ "$(free_mib .)" -ge 1500 ] || skip "1.5 GB of disk and memory are not free"
    words 10 >in
    "$TAMIS" build -q --layout classic -m 3G -k 1 -o f.tms in
    sum=$(cksum <f.tms)
    for signal in TERM KILL; do
        "$TAMIS" build -q --append f.tms in &
        pid=$!
        while ! compgen -G '.f.tms.*' >/dev/null && kill -0 "$pid" 2>/dev/null; do :; done
        kill -"$signal" "$pid"
        got=0
        wait "$pid" || got=$?
        [ "$got" -gt 128 ]
        [ "$(cksum <f.tms)" = "$sum" ]
        [ "$signal" = KILL ] || [ "$(ls -A | tr '\n' ' ')" = 'f.tms in ' ]
        rm -f .f.tms.*
    done
    rm f.tms
}

@test "a full file system: exit code 6, and the old filter stays" {
    mkdir small
    mount -t tmpfs -o size=300k tmpfs small 2>/dev/null || skip "cannot mount a tmpfs"
    words 10 >in
    "$TAMIS" build -q -m 2000000 -k 4 -o small/f.tms in
    sum=$(cksum <small/f.tms)
    got=0
    expect 6 "$TAMIS" build --append small/f.tms in || got=$?
    after=$(cksum <small/f.tms)
    files=$(ls -A small)
    umount small
    [ "$got" -eq 0 ]
    err_has 'No space left on device'
    [ "$files" = f.tms ]
    [ "$sum" = "$after" ]
}

@test "the file keeps its mode, and a symbolic link stays one" {
    words 10 >in
    "$TAMIS" build -q -o f.tms -m 1000 -k 3 in
    "$TAMIS" build -q -o want.tms -m 1000 -k 3 in in
    chmod 600 f.tms
    ln -s f.tms link.tms
    expect 0 "$TAMIS" build -q --append link.tms in
    [ -L link.tms ]
    cmp f.tms want.tms
    [ "$(stat -c %a f.tms)" = 600 ]
}

@test "appending to a union goes on being one" {
    build a.tms 'a\n' --layout probabilistic -k 20 -p 0.1 -m 1000
    build b.tms 'b\n' --layout probabilistic -k 20 -p 0.1 -m 1000
    "$TAMIS" merge -q --union-as-presence -o u.tms a.tms b.tms
    printf 'c\n' | expect 0 "$TAMIS" build -q --append u.tms
    "$TAMIS" info --json u.tms >info
    grep -qx '  "is_union": true,' info
    grep -qx '  "n": 3,' info
}
