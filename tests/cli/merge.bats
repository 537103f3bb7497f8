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
        err_is "tamis merge: base.tms and $1.tms do not go together: $2\n"
        [ ! -e got.tms ]
    }
    differs layout 'the layouts differ: classic and blocked'
    differs hash 'the hashes differ: xxh3 and murmur3'
    differs seed 'the seeds differ: 0 and 9'
    differs m 'the sizes differ: m = 1024 and 2048 bits'
    differs k 'the numbers of hash functions differ: k = 4 and 5'
}

@test "usage" {
    build a.tms 'a\n'
    expect 2 "$TAMIS" merge a.tms a.tms
    expect 2 "$TAMIS" merge -o b.tms
    expect 2 "$TAMIS" merge -o b.tms a.tms
    expect 3 "$TAMIS" merge -o b.tms a.tms nowhere.tms
    [ ! -e b.tms ]
}
