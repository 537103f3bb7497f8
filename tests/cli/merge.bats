# tamis merge.
load common

@test "a merge is the joint build, byte for byte" {
    words 5000 a >a
    words 3000 b >b
    words 1000 c >c
    for kind in "-m 200000 -k 8" "--layout classic -m 200001 -k 5" "--layout classic --hash ap -m 99999 -k 3" \
        "--expected 9000 --fpr 0.001 --seed 3"; do
        for name in a b c; do
            # shellcheck disable=SC2086
            "$TAMIS" build -q $kind -o $name.tms $name
        done
        # shellcheck disable=SC2086
        "$TAMIS" build -q $kind -o all.tms a b c
        expect 0 "$TAMIS" merge -o got.tms a.tms b.tms c.tms
        out_is ''
        err_has "3 filters, 9000 keys"
        cmp all.tms got.tms
        "$TAMIS" merge -q --threads 1 -o got.tms c.tms b.tms a.tms
        cmp all.tms got.tms
    done
}

@test "the output may be an input" {
    build a.tms 'a\n' -m 1024 -k 4
    build b.tms 'b\n' -m 1024 -k 4
    build ab.tms 'a\nb\n' -m 1024 -k 4
    expect 0 "$TAMIS" merge -q -o a.tms a.tms b.tms
    out_is ''
    err_is ''
    cmp a.tms ab.tms
}

@test "--intersect" {
    build ab.tms 'a\nb\n' -m 1Mi -k 6
    build bc.tms 'b\nc\nd\n' -m 1Mi -k 6
    expect 0 "$TAMIS" merge -q --intersect -o got.tms ab.tms bc.tms
    printf 'a\nb\nc\nd\n' >in
    expect 0 "$TAMIS" query got.tms in
    out_is 'b\n'
    expect 0 "$TAMIS" info --json got.tms
    grep -q '"n": 2,' out
}

@test "a difference is named, and is exit code 2" {
    build base.tms 'a\n' --layout classic -m 1024 -k 4
    build layout.tms 'a\n' -m 1024 -k 4
    build m.tms 'a\n' --layout classic -m 2048 -k 4
    build k.tms 'a\n' --layout classic -m 1024 -k 5
    build seed.tms 'a\n' --layout classic -m 1024 -k 4 --seed 9
    build hash.tms 'a\n' --layout classic -m 1024 -k 4 --hash murmur3
    differs() {
        expect 2 "$TAMIS" merge -o got.tms base.tms "$1.tms"
        out_is ''
        err_is "tamis merge: base.tms and $1.tms cannot be merged: $2\n"
        [ ! -e got.tms ]
    }
    differs layout 'the layouts differ: classic and blocked'
    differs hash 'the hashes differ: xxh3 and murmur3'
    differs seed 'the seeds differ: 0 and 9'
    differs m 'the sizes differ: m = 1024 and 2048 bits'
    differs k 'the numbers of hash functions differ: k = 4 and 5'
    build base.tms 'a\n' --layout probabilistic -m 1024 -k 4 -p 0.1
    build p.tms 'a\n' --layout probabilistic -m 1024 -k 4 -p 0.25
    build sampling.tms 'a\n' --layout probabilistic -m 1024 -k 4 -p 0.1 --sampling plain
    differs p 'the probabilities differ: p = 0.1 and 0.25'
    differs sampling 'the samplings differ: geometric and plain'
}

@test "probabilistic filters merge as presence only" {
    build a.tms 'a\na\nc\n' --layout probabilistic -m 100000 -k 50 -p 0.1
    build b.tms 'b\nc\n' --layout probabilistic -m 100000 -k 50 -p 0.1
    expect 2 "$TAMIS" merge -o got.tms a.tms b.tms
    out_is ''
    err_has 'tamis merge: the union of probabilistic filters does not add frequencies'
    err_has '(--union-as-presence)'
    expect 2 "$TAMIS" merge --intersect -o got.tms a.tms b.tms
    err_is 'tamis merge: an intersection of probabilistic filters says nothing about frequencies\n'
    [ ! -e got.tms ]
    expect 0 "$TAMIS" merge --union-as-presence -o got.tms a.tms b.tms
    out_is ''
    grep -Eqx 'tamis merge: 2 filters, 5 insertions, m = 100000 bits, k = 50, p = 0\.1, fill 0\.000[0-9]' err
    "$TAMIS" info --json got.tms >info
    grep -qx '  "is_union": true,' info
    grep -qx '  "n": 5,' info
    "$TAMIS" info got.tms | grep -qx "A union: a line's frequency lies between the largest of its filters and their sum."
    # no key shows fewer ones than in either
    printf 'a\nb\nc\n' >in
    for f in a b; do
        paste <("$TAMIS" freq "$f.tms" in) <("$TAMIS" freq -q got.tms in) | awk -F'\t' '$7 < $2' | cmp - /dev/null
    done
}

@test "--union-as-presence is for probabilistic filters, and not with --intersect" {
    for layout in blocked classic; do
        build a.tms 'a\n' --layout $layout -m 1024 -k 4
        expect 2 "$TAMIS" merge --union-as-presence -o got.tms a.tms a.tms
        err_is "tamis merge: --union-as-presence is for probabilistic filters, but a.tms is a $layout one: leave it out\nTry 'tamis merge --help'.\n"
    done
    build p.tms 'a\n' --layout probabilistic -m 1024 -k 4 -p 0.1
    expect 2 "$TAMIS" merge --union-as-presence --intersect -o got.tms p.tms p.tms
    err_has "cannot be used together"
    expect 2 "$TAMIS" merge --union-as-presence -o got.tms p.tms a.tms
    [ ! -e got.tms ]
}

@test "usage" {
    build a.tms 'a\n'
    expect 2 "$TAMIS" merge a.tms a.tms
    expect 2 "$TAMIS" merge -o b.tms
    expect 2 "$TAMIS" merge -o b.tms a.tms
    expect 3 "$TAMIS" merge -o b.tms a.tms nowhere.tms
    [ ! -e b.tms ]
}
