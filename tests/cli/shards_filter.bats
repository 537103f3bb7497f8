# tamis build --shard and tamis merge: the shards of one build make its filter, byte for byte, and nothing less.
load common

# parts N OPTION...: the shards of a build, in a folder.
parts() {
    local n=$1 k
    shift
    rm -rf parts
    mkdir parts
    for ((k = 1; k <= n; k++)); do
        "$TAMIS" build -q --device cpu "$@" --shard "$k/$n" -o "parts/$k.tms"
    done
}

# same N OPTION...: the merged shards of a build are the build.
same() {
    local n=$1
    shift
    "$TAMIS" build -q --device cpu -o want.tms "$@"
    parts "$n" "$@"
    expect 0 "$TAMIS" merge -q --expect "$n" -o got.tms parts/*.tms
    out_is ''
    err_is ''
    cmp want.tms got.tms
    [ "$n" = 1 ] || {
        # shellcheck disable=SC2046
        expect 0 "$TAMIS" merge -q -o got.tms $(printf '%s\n' parts/*.tms | sort -r) # the shards know how many they are
        cmp want.tms got.tms
    }
}

# sequences N SEED: FASTA of N records of 0 to 400 bases.
sequences() {
    awk -v n="$1" -v seed="$2" 'BEGIN {
        srand(seed)
        for (i = 1; i <= n; i++) {
            print ">s" i
            for (k = int(rand() * 400); k > 0; k--) printf "%s", substr("ACGTacgtN", 1 + int(rand() * 9 * (rand() < .1) + rand() * 8 * 0.99), 1)
            print ""
        }
    }'
}

# shellcheck disable=SC2094 # a function's argument has the name of its output
@test "lines: one file, several, plain and gzip" {
    local n sizes=(1 2 3 7)
    [ -z "${TAMIS_AGREE_QUICK:-}" ] || sizes=(3)
    words 5000 a >a
    words 3001 b >b
    printf 'no line feed at the end' >>b
    words 7 c | gzip >c.gz
    cp /dev/null d
    for n in "${sizes[@]}"; do
        same "$n" --expected 9000 --fpr 1e-4 a
        same "$n" -m 200000 -k 8 a b c.gz d
        same "$n" -m 200000 -k 8 --batch 100 --threads 3 c.gz b a
        same "$n" --layout classic --hash murmur3 -m 99999 -k 3 --seed 5 c.gz
        same "$n" --expected 9000 --fpr 1e-7 --blocks 3 --crlf a b
    done
}

@test "k-mers: one file, several, plain and gzip" {
    local n sizes=(1 2 3 7)
    [ -z "${TAMIS_AGREE_QUICK:-}" ] || sizes=(3)
    sequences 100 1 >a.fa
    sequences 30 2 | gzip >b.fa.gz
    sequences 3 3 >c.fa
    for n in "${sizes[@]}"; do
        same "$n" --kmer 21 --expected 30000 a.fa
        same "$n" --kmer 16 -m 300000 -k 2 a.fa b.fa.gz c.fa
        same "$n" --kmer 31 --mask lower --stranded --expected 30000 --fpr 1e-4 b.fa.gz
        same "$n" --kmer 21 --mask dust --expected 30000 c.fa a.fa
    done
}

@test "more shards than lines, and no lines" {
    words 3 >a
    same 7 -m 1000 -k 3 a
    same 7 -m 1000 -k 3 a a a a a a a a
    cp /dev/null b
    same 3 -m 1000 -k 3 b
    sequences 2 4 >c.fa
    same 7 --kmer 16 -m 10000 -k 2 c.fa
}

@test "a shard with whole files reads no other file" {
    local k
    for k in 1 2 3 4 5; do words 100 "f$k" >"$k"; done
    for k in 1 2; do "$TAMIS" build -q --shard "$k/2" -m 10000 -k 4 -o "$k.tms" 1 2 3 4 5; done
    "$TAMIS" build -q -m 10000 -k 4 -o 12.tms 1 2
    [ "$("$TAMIS" info --json 1.tms | grep '"checksum"')" = "$("$TAMIS" info --json 12.tms | grep '"checksum"')" ]
    expect 0 "$TAMIS" info 2.tms
    grep -q '^shard       2 of 2, input [0-9a-f]*, options [0-9a-f]*$' out
    grep -q '^n           300 keys' out
    expect 0 "$TAMIS" info --json 2.tms
    grep -q '"shard": 2,' out
    grep -q '"shards": 2,' out
}

@test "a whole shard is not made again, a damaged one is, another one is kept" {
    local before
    words 1000 >a
    parts 3 -m 10000 -k 4 a
    before=$(stat -c %i parts/2.tms)
    expect 0 "$TAMIS" build --shard 2/3 -m 10K -k 4 -o parts/2.tms a
    err_is ''
    cp a b # another path, the same content
    expect 0 "$TAMIS" build --shard 2/3 -m 10000 -k 4 -o parts/2.tms b
    [ "$before" = "$(stat -c %i parts/2.tms)" ]
    expect 0 "$TAMIS" build -q --shard 2/3 -m 10000 -k 4 -o parts/2.tms --force a
    [ "$before" != "$(stat -c %i parts/2.tms)" ]
    cp parts/2.tms whole
    truncate -s -1 parts/2.tms
    expect 0 "$TAMIS" build --shard 2/3 -m 10000 -k 4 -o parts/2.tms a
    err_has 'shard 2 of 3: 333 keys, m = '
    cmp whole parts/2.tms
    refused() {
        local why=$1
        shift
        expect 2 "$TAMIS" build "$@" -o parts/2.tms
        err_is "tamis build: parts/2.tms is $why: remove it, or give --force\n"
        cmp whole parts/2.tms
    }
    refused 'shard 2/3, not shard 1/3' --shard 1/3 -m 10000 -k 4 a
    refused 'shard 2/3, and not of this build (3 and 4 shards)' --shard 2/4 -m 10000 -k 4 a
    refused 'shard 2/3, and not of this build (other options)' --shard 2/3 -m 10000 -k 5 a
    echo more >>b
    refused 'shard 2/3, and not of this build (other input files, or in another order)' --shard 2/3 -m 10000 -k 4 b
    "$TAMIS" build -q -m 10000 -k 4 -o whole a
    cp whole parts/2.tms
    refused 'a whole filter, and not of this build (one is a whole filter)' --shard 2/3 -m 10000 -k 4 a
    echo text >parts/2.tms
    expect 2 "$TAMIS" build --shard 2/3 -m 10000 -k 4 -o parts/2.tms a
}

@test "a missing shard, or a damaged one" {
    local k
    words 1000 >a
    parts 7 -m 10000 -k 4 a
    "$TAMIS" build -q -m 10000 -k 4 -o want.tms a
    cp -r parts all
    rm parts/[256].tms
    expect 2 "$TAMIS" merge -o got.tms parts/*.tms
    err_is 'tamis merge: shards are missing, of 7: 2,5-6; make them, and merge again\n'
    expect 2 "$TAMIS" merge --expect 7 -o got.tms parts/*.tms
    expect 1 "$TAMIS" merge --check parts/*.tms
    out_is '2,5-6\n'
    # also by the names that they would have
    expect 1 "$TAMIS" merge --check --expect 7 parts/{1..7}.tms
    out_is '2,5-6\n'
    expect 3 "$TAMIS" merge --expect 7 -o got.tms parts/{1..7}.tms
    err_has 'parts/5.tms: '
    err_has 'shards are missing, of 7: 2,5-6; make them, and merge again'
    expect 1 "$TAMIS" merge --check --expect 7 parts/[256].tms
    out_is '1-7\n'
    [ ! -e got.tms ]
    for k in 2 5 6; do "$TAMIS" build -q --shard "$k/7" -m 10000 -k 4 -o "parts/$k.tms" a; done
    expect 0 "$TAMIS" merge --check --expect 7 parts/*.tms
    out_is ''
    # truncated, and changed bytes of the header and of the bits
    for at in 8 10 30 104 110 113 117 121 128 700; do
        cp all/3.tms parts/3.tms
        printf '\377' | dd of=parts/3.tms bs=1 seek="$at" conv=notrunc status=none
        expect 1 "$TAMIS" merge --check parts/*.tms
        out_is '3\n'
        expect 3 "$TAMIS" merge -o got.tms parts/*.tms
        err_has 'shards are missing, of 7: 3;'
    done
    head -c 1000 all/1.tms >parts/1.tms
    cp all/3.tms parts/3.tms
    expect 1 "$TAMIS" merge --check --expect 7 parts/*.tms
    out_is '1\n'
    [ ! -e got.tms ]
    # the same shard twice, under another name
    expect 0 "$TAMIS" merge -q -o got.tms all/*.tms parts/[2-7].tms
    cmp want.tms got.tms
}

@test "shards that do not belong together" {
    words 1000 >a
    words 1001 >b
    parts 2 -m 10000 -k 4 a
    mv parts a2
    parts 3 -m 10000 -k 4 a
    mv parts a3
    parts 2 -m 10000 -k 4 b
    mv parts b2
    parts 2 -m 10000 -k 5 a
    mv parts k2
    "$TAMIS" build -q -m 10000 -k 4 -o whole.tms a
    refused() {
        local why=$1
        shift
        expect 2 "$TAMIS" merge -o got.tms "$@"
        err_is "tamis merge: $why\n"
        expect 2 "$TAMIS" merge --check "$@"
        err_is "tamis merge: $why\n"
        [ ! -e got.tms ]
    }
    refused 'a2/1.tms and a3/2.tms are not shards of one build: 2 and 3 shards' a2/1.tms a3/2.tms
    refused 'a2/1.tms and b2/2.tms are not shards of one build: other input files, or in another order' a2/1.tms b2/2.tms
    refused 'a2/1.tms and k2/2.tms are not shards of one build: other options' a2/1.tms k2/2.tms
    refused 'a2/1.tms and whole.tms are not shards of one build: one is a whole filter' a2/1.tms whole.tms
    refused 'whole.tms and a2/2.tms are not shards of one build: one is a whole filter' whole.tms a2/2.tms
    refused 'a2/1.tms: is shard 1/2, but --expect 4' --expect 4 a2/1.tms a2/2.tms
    refused 'whole.tms: is a whole filter, but --expect is for those of tamis build --shard' --expect 2 whole.tms whole.tms
    expect 2 "$TAMIS" merge --check whole.tms
    err_has '--check is for the filters of tamis build --shard, but these are whole'
    expect 2 "$TAMIS" merge --intersect -o got.tms a2/*.tms
    # a file that has nothing to do with it does no harm
    truncate -s -1 b2/1.tms
    expect 0 "$TAMIS" merge -o got.tms a2/*.tms b2/1.tms
    err_has 'b2/1.tms: truncated'
    err_has '2 shards, 1000 keys'
    cmp whole.tms got.tms
}

@test "a shard twice with other content" {
    yes 'a line of a large file' | head -c 68157441 >big
    "$TAMIS" build -q --shard 1/2 -m 10000 -k 4 -o 1.tms big
    "$TAMIS" build -q --shard 2/2 -m 10000 -k 4 -o 2.tms big
    printf 'x' | dd of=big bs=1 seek=1049576 conv=notrunc status=none # between the runs that the fingerprint covers
    "$TAMIS" build -q --shard 1/2 -m 10000 -k 4 -o a.tms big
    "$TAMIS" build -q --shard 2/2 -m 10000 -k 4 -o b.tms big
    cmp -s 1.tms a.tms || mv a.tms other.tms
    cmp -s 2.tms b.tms || mv b.tms other.tms
    expect 2 "$TAMIS" merge -o got.tms 1.tms 2.tms other.tms
    grep -Eqx 'tamis merge: [12].tms and other.tms are both shard [12]/2, with other content' err
}

@test "a shard is no filter to ask" {
    words 100 >a
    parts 2 -m 10000 -k 4 a
    expect 2 "$TAMIS" query parts/1.tms a
    err_is 'tamis query: parts/1.tms: has only the keys of shard 1/2: merge all 2 shards with tamis merge\n'
    expect 2 "$TAMIS" build --append parts/1.tms a
    err_has 'has only the keys of shard 1/2'
    sequences 3 1 >a.fa
    parts 2 --kmer 16 --expected 1000 a.fa
    expect 2 "$TAMIS" classify -f parts/2.tms a.fa
    err_has 'has only the keys of shard 2/2'
}

@test "what --shard needs" {
    words 10 >a
    needs() {
        local why=$1
        shift
        expect 2 "$TAMIS" build -o s.tms "$@"
        err_has "$why"
        [ ! -e s.tms ]
    }
    for k in 0/3 4/3 3 1/ /3 1/1000001 -1/3 1/3x; do needs '--shard takes K/N' --shard="$k" -m 1000 -k 3 a; done
    needs '--shard needs a size' --shard 1/3 a
    needs '--shard needs a size' --shard 1/3 -m 1000 a
    needs '--shard needs a size' --shard 1/3 --bits-per-key 10 a
    needs '--shard needs a size' --shard 1/3 --fpr 1/n a
    needs '--shard needs a size' --shard 1/3 --kmer 21 -m 1000 a
    needs 'random numbers depend' --shard 1/3 --layout probabilistic -m 1000 -k 3 -p 0.1 a
    needs 'not standard input' --shard 1/3 -m 1000 -k 3 a -
    mkfifo pipe
    needs 'no regular file' --shard 1/3 -m 1000 -k 3 pipe
    needs 'cannot be opened' --shard 1/3 -m 1000 -k 3 nothing
    expect 2 "$TAMIS" build -o - --shard 1/3 -m 1000 -k 3 a
    expect 2 "$TAMIS" build --append s.tms --shard 1/3 a
}
