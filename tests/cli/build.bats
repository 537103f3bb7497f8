# tamis build: options, sizes, what is refused, and that the file does not depend on how it was made.
load common

# field NAME FILE: from info.
field() { "$TAMIS" info --json "$2" | sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\).*/\1/p"; }

@test "a filter of three words" {
    printf 'one\ntwo\nthree\n' >in
    expect 0 "$TAMIS" build -o f.tms --fpr 0.001 in
    out_is ''
    grep -Eqx 'tamis build: 3 keys, m = [0-9]+ bits \([0-9.]+ a key\), k = [0-9]+, expected false-positive rate [0-9.e-]+, [0-9.]+ s' err
    expect 0 "$TAMIS" query f.tms in
    cmp in out
    [ "$(field n f.tms)" = 3 ]
    [ "$(ls -A)" = "$(printf 'err\nf.tms\nin\nout')" ]
}

@test "--quiet says nothing" {
    words 1000 >in
    expect 0 "$TAMIS" build --quiet -o f.tms in
    out_is ''
    err_is ''
}

@test "standard input, -, and several files give the same filter" {
    words 1000 >a
    words 500 other >b
    cat a b >ab
    "$TAMIS" build -q -o 1.tms a b
    "$TAMIS" build -q -o 2.tms <ab
    "$TAMIS" build -q -o 3.tms - <ab
    "$TAMIS" build -q -o 4.tms a - <b
    "$TAMIS" build -q -o 5.tms -- b a
    # shellcheck disable=SC2002 # a pipe, not a file, is the point
    cat ab | "$TAMIS" build -q -o 6.tms
    for i in 2 3 4 5 6; do cmp 1.tms $i.tms; done
    expect 2 "$TAMIS" build -q -o 7.tms - - <a
    err_has "named twice"
}

@test "-o - writes the filter to standard output" {
    words 100 >in
    "$TAMIS" build -q -o f.tms in
    expect 0 "$TAMIS" build -q -o - in
    cmp f.tms out
}

@test "the same bytes for any threads, batch, SIMD level, order, and expected or counted" {
    words 30000 >in
    sort -r in >reversed
    for kind in "--layout blocked --fpr 0.001" "--layout classic --fpr 0.001" "--layout classic --hash xxh3-square --fpr 0.01" \
        "--layout classic --hash murmur3 --fpr 0.01" "--layout classic --hash ap -k 5 --fpr 0.01" "--bits-per-key 10.5 --seed 7"; do
        # shellcheck disable=SC2086
        "$TAMIS" build -q $kind -o want.tms in
        for how in "--threads 1" "--threads 2" "--threads 5 --batch 1000" "--batch 77" "--expected 30000" \
            "--expected 30000 --batch 4096 --threads 3" "--device cpu"; do
            # shellcheck disable=SC2086
            "$TAMIS" build -q $kind $how -o got.tms in
            cmp want.tms got.tms || { echo "$kind $how"; return 1; }
        done
        for simd in scalar avx2 avx512; do
            # shellcheck disable=SC2086
            TAMIS_SIMD=$simd "$TAMIS" build -q $kind -o got.tms reversed
            cmp want.tms got.tms || { echo "$kind $simd"; return 1; }
            TAMIS_SIMD=$simd "$TAMIS" query want.tms in | cmp - in
        done
    done
}

@test "sizes: -m and -k are kept, suffixes, --bits-per-key" {
    words 1000 >in
    "$TAMIS" build -q -o f.tms --layout classic -m 100003 -k 7 in
    [ "$(field m f.tms)" = 100003 ] && [ "$(field k f.tms)" = 7 ]
    "$TAMIS" build -q -o f.tms --layout classic -m 1.5M -k 7 in
    [ "$(field m f.tms)" = 1500000 ]
    "$TAMIS" build -q -o f.tms --layout classic -m 1Mi in
    [ "$(field m f.tms)" = 1048576 ]
    "$TAMIS" build -q -o f.tms --layout classic --bits-per-key 12.5 in
    [ "$(field m f.tms)" = 12500 ]
    "$TAMIS" build -q -o f.tms --layout classic --bits-per-key 12.5 --expected 2K in
    [ "$(field m f.tms)" = 25000 ]
    "$TAMIS" build -q -o f.tms -m 100000 -k 8 in
    [ "$(field m f.tms)" = 100096 ] # a whole number of blocks
    "$TAMIS" build -q -o f.tms --layout classic -k 4096 -m 10M in
    [ "$(field k f.tms)" = 4096 ]
    "$TAMIS" build -q -o f.tms --layout classic -k 3 --fpr 1/100 in
    [ "$(field k f.tms)" = 3 ]
}

@test "the default rate is 1e-3, and its price is said" {
    words 5000 >in
    expect 0 "$TAMIS" build -o a.tms in
    err_has "the default rate is 1 in 1000, at 16.9 bits a key; --fpr 0.01 would take 10.5, --fpr 1e-6 33.8"
    "$TAMIS" build -q -o b.tms --fpr 1e-3 in
    cmp a.tms b.tms
    expect 0 "$TAMIS" build -o b.tms --expected 5000 in
    err_has "the default rate"
    cmp a.tms b.tms
    for size in "--fpr 1e-3" "--fpr 1/n" "-m 100K" "--bits-per-key 10" "-m 100K -k 4"; do
        expect 0 "$TAMIS" build -o b.tms $size in
        run ! grep "default rate" err
    done
    words 50 >in
    "$TAMIS" build -q -o a.tms --fpr 1/n in
    "$TAMIS" build -q -o b.tms --fpr 0.02 in
    cmp a.tms b.tms
    "$TAMIS" build -q -o b.tms --fpr 1/n --expected 50 in
    cmp a.tms b.tms
}

@test "several blocks a key: by the rate, or --blocks" {
    words 20000 >in
    for rate in 1e-2:1 1e-3:1 1e-4:2 1e-6:2 1e-8:3 1e-9:3; do
        "$TAMIS" build -q -o f.tms --fpr ${rate%:*} in
        [ "$(field blocks_per_key f.tms)" = ${rate#*:} ]
        "$TAMIS" query f.tms in | cmp - in
    done
    expect 0 "$TAMIS" build -o f.tms --fpr 1e-6 in
    err_has "k = 8 in each of 2 blocks"
    "$TAMIS" info f.tms | grep -qx "k           8 bits in each of 2 blocks a key"
    words 40000 | tail -n 20000 >others
    expect 1 "$TAMIS" query f.tms others
    "$TAMIS" build -q -o f.tms --fpr 1e-9 --blocks 1 in
    [ "$(field blocks_per_key f.tms)" = 1 ]
    "$TAMIS" build -q -o f.tms -m 1M --blocks 8 -k 2 in
    [ "$(field blocks_per_key f.tms)" = 8 ] && [ "$(field m f.tms)" = 1001472 ]
    "$TAMIS" build -q -o one.tms -m 1M -k 2 in
    [ "$(field blocks_per_key one.tms)" = 1 ]
    expect 2 "$TAMIS" merge -o g.tms f.tms one.tms
    expect 2 "$TAMIS" build --append f.tms --blocks 7 in
    err_has "f.tms has blocks per key = 8, not 7"
    expect 0 "$TAMIS" build -q --append f.tms --blocks 8 -m 1M in
    for words in "--blocks 0" "--blocks 9" "--blocks x" "--blocks 2 --layout classic" \
        "--blocks 2 --layout probabilistic -k 5 -p 0.1 -m 1000"; do
        expect 2 "$TAMIS" build -o g.tms $words in
        err_has "--blocks"
    done
}

@test "a filter with several blocks a key is the same for any threads, batches and SIMD level" {
    words 30000 >in
    "$TAMIS" build -q -o a.tms --fpr 1e-7 --threads 1 in
    for how in "--threads 2" "--threads 3 --batch 1000" "--batch 7777"; do
        "$TAMIS" build -q -o b.tms --fpr 1e-7 $how in
        cmp a.tms b.tms
    done
    for level in scalar avx2; do
        TAMIS_SIMD=$level "$TAMIS" build -q -o b.tms --fpr 1e-7 in
        cmp a.tms b.tms
        words 60000 | TAMIS_SIMD=$level "$TAMIS" query a.tms | cmp - in
    done
}

@test "--fpr as a number, a fraction and 1/n" {
    words 1000 >in
    "$TAMIS" build -q -o a.tms in
    "$TAMIS" build -q -o b.tms --fpr 1/n in
    "$TAMIS" build -q -o c.tms --fpr 1/1000 in
    "$TAMIS" build -q -o d.tms --fpr 0.001 in
    "$TAMIS" build -q -o e.tms --fpr 1e-3 in
    "$TAMIS" build -q -o f.tms --fpr 1/1K in
    for f in b c d e f; do cmp a.tms $f.tms; done
}

@test "seeds and hashes are kept and change the bits" {
    words 1000 >in
    "$TAMIS" build -q -o a.tms --seed 0xffffffffffffffff in
    "$TAMIS" build -q -o b.tms --seed 18446744073709551615 in
    cmp a.tms b.tms
    [ "$(field seed a.tms)" = 18446744073709551615 ] && [ "$(field seed_hex a.tms)" = 0xffffffffffffffff ]
    "$TAMIS" build -q -o b.tms in
    run ! cmp -s a.tms b.tms
    for hash in xxh3 xxh3-square murmur3 ap; do
        "$TAMIS" build -q -o h.tms --layout classic --hash $hash in
        [ "$(field hash h.tms)" = $hash ] && [ "$(field layout h.tms)" = classic ]
        "$TAMIS" query h.tms in | cmp - in
    done
}

@test "more keys than expected: said on standard error, unless quiet" {
    words 1000 >in
    expect 0 "$TAMIS" build -o f.tms --expected 100 --fpr 0.01 in
    err_has "1000 keys instead of the 100 expected: the false-positive rate is"
    expect 0 "$TAMIS" build -q -o f.tms --expected 100 --fpr 0.01 in
    err_is ''
    [ "$(field n f.tms)" = 1000 ]
}

@test "repeated lines count in n and change nothing else" {
    printf 'a\na\na\n' | "$TAMIS" build -q -o f.tms -m 1024 -k 4
    [ "$(field n f.tms)" = 3 ]
    [ "$(field ones f.tms)" -le 4 ]
}

@test "bad values are exit code 2, with what would do" {
    words 10 >in
    for words in "--fpr 0" "--fpr 1" "--fpr 2" "--fpr x" "--fpr -0.1" "--fpr 1/0" "--fpr nan" "-k 0" "-k 4097" "-k 1.5" \
        "-k 17" "-m 0" "-m 1Q" "-m 300T" "-m -1" "-m 1.0000001K" "--bits-per-key 0" "--bits-per-key x" "--expected 0" \
        "--expected 99999999999999999999" "--layout x" "--hash x" "--seed x" "--seed 18446744073709551616" "--seed -1" \
        "--threads 0" "--threads 1025" "--device gpu" "--device cuda:" "--device cuda:x" "--batch 0" "--batch 1T" \
        "--hash murmur3" "--hash ap --layout blocked" "-m 1000 --bits-per-key 3" "-m 1000 --fpr 1/n" \
        "-m 1000 --fpr 1e-30" "-m 1000 --fpr 1e-30 --expected 10" "--bits-per-key 1 --fpr 1e-9" \
        "--layout classic -k 4096 --fpr 1e-300 --expected 100T" "--expected 1000T"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" build -o f.tms $words in || { echo "$words"; return 1; }
        out_is ''
        grep -q '^tamis build: ' err
        [ ! -e f.tms ]
    done
    expect 2 "$TAMIS" build in
    err_has "-o FILTER"
}

@test "impossible sizes name one that would do, and that one does" {
    words 1000 >in
    for layout in blocked classic; do
        expect 2 "$TAMIS" build -o f.tms --layout $layout -m 2000 --fpr 0.001 in
        m=$(sed -n 's/.*: m = \([0-9]*\) bits (k = [0-9]*) would do$/\1/p' err)
        k=$(sed -n 's/.* bits (k = \([0-9]*\)) would do$/\1/p' err)
        expect 0 "$TAMIS" build -o f.tms --layout $layout -m "$m" -k "$k" --fpr 0.001 in
    done
}

@test "an input that is missing is exit code 2 and leaves no filter" {
    words 10 >in
    expect 2 "$TAMIS" build -o f.tms in nowhere
    err_is 'tamis build: nowhere: No such file or directory\n'
    expect 2 "$TAMIS" build -o f.tms .
    err_is 'tamis build: .: is a directory\n'
    [ ! -e f.tms ]
}

@test "out of memory is exit code 5" {
    (ulimit -v 400000 && "$TAMIS" --version) >/dev/null 2>&1 || skip "the command does not start in 400 MB of addresses"
    words 10 >in
    expect 5 bash -c "ulimit -v 400000; '$TAMIS' build -o f.tms -m 16G -k 4 in"
    err_has "out of memory"
    [ ! -e f.tms ]
}

@test "a filter beyond 2^32 bits" {
    need_full_sizes
    [ "$(free_mib .)" -ge 2500 ] || skip "2.5 GB of disk and memory are not free"
    words 20000 >in
    words 20000 other >others
    expect 0 "$TAMIS" build -q -o f.tms --layout classic -m 6000000001 -k 3 in
    [ "$(field m f.tms)" = 6000000001 ]
    # a seventh of the bits lies beyond 2^32: if positions wrapped, it would be empty
    [ "$(tail -c 200000000 f.tms | tr -d '\0' | wc -c)" -gt 1000 ]
    "$TAMIS" query f.tms in | cmp - in
    expect 1 "$TAMIS" query f.tms others
    rm f.tms
    expect 0 "$TAMIS" build -q -o f.tms -m 6000000000 -k 8 in
    [ "$(field m f.tms)" = 6000000000 ]
    [ "$(tail -c 200000000 f.tms | tr -d '\0' | wc -c)" -gt 1000 ]
    "$TAMIS" query f.tms in | cmp - in
    expect 1 "$TAMIS" query f.tms others
    rm f.tms
}

# ---- the probabilistic layout ----

@test "a probabilistic filter: the summary, and what info says of it" {
    printf 'one\ntwo\none\n' >in
    expect 0 "$TAMIS" build --layout probabilistic -k 1000 -p 0.01 -m 8388608 -o f.tms in
    out_is ''
    head -n 1 err | grep -Eqx 'tamis build: 3 insertions, m = 8388608 bits, k = 1000, p = 0\.01, fill 0\.0000, [0-9.]+ s'
    tail -n +2 err | grep -Eqx 'tamis build: resolves f from [0-9.]+ to [0-9.]+ within 25 % \(95 % confidence\), best [0-9.]+ % near f = [0-9.]+'
    for line in n=3 m=8388608 k=1000 p=0.01 layout=probabilistic sampling=geometric hash=xxh3 is_union=false; do
        [ "$(field "${line%=*}" f.tms)" = "${line#*=}" ] || { echo "$line"; return 1; }
    done
    [ "$(field ones f.tms)" -le 3000 ] # every bit set by an insertion is one of the k of its key
    expect 0 "$TAMIS" build --layout probabilistic -k 10 -p 0.01 -m 1000 -o f.tms /dev/null
    err_is 'tamis build: no keys: the filter answers 0 to every query\n'
}

@test "a probabilistic filter counts repeats, and p = 1 is the classic filter's bits" {
    words 300 >in
    "$TAMIS" build -q --layout probabilistic -k 9 -p 1 -m 10007 --seed 4 -o p.tms in
    "$TAMIS" build -q --layout classic -k 9 -m 10007 --seed 4 -o c.tms in
    [ "$(field checksum p.tms)" = "$(field checksum c.tms)" ]
    "$TAMIS" build -q --layout probabilistic -k 9 -p 0.1 -m 10007 -o 1.tms in
    "$TAMIS" build -q --layout probabilistic -k 9 -p 0.1 -m 10007 -o 3.tms in in in
    [ "$(field n 3.tms)" = 900 ]
    [ "$(field ones 3.tms)" -gt "$(field ones 1.tms)" ]
}

@test "a probabilistic filter: the same bytes for any threads, batch and SIMD level" {
    { words 20000; words 5000; } >in
    for kind in "-k 300 -p 0.01 -m 1000003" "-k 64 -p 0.2 -m 8Mi --hash xxh3-square --seed 5" \
        "-k 40 -p 0.05 -m 999999 --hash murmur3" "-k 40 -p 0.5 -m 1Mi --hash ap" "-k 64 -p 0.1 -m 1Mi --sampling plain" \
        "--max-f 500 --error 0.3 --keys 20K"; do
        # shellcheck disable=SC2086
        "$TAMIS" build -q --layout probabilistic $kind -o want.tms in
        for how in "--threads 1" "--threads 2" "--threads 5 --batch 1000" "--batch 77" "--device cpu"; do
            # shellcheck disable=SC2086
            "$TAMIS" build -q --layout probabilistic $kind $how -o got.tms in
            cmp want.tms got.tms || { echo "$kind $how"; return 1; }
        done
        # shellcheck disable=SC2086
        TAMIS_SIMD=scalar "$TAMIS" build -q --layout probabilistic $kind -o got.tms - <in
        cmp want.tms got.tms
    done
}

@test "a probabilistic filter: seed and sampling change the bits" {
    words 1000 >in
    "$TAMIS" build -q --layout probabilistic -k 50 -p 0.1 -m 1Mi -o a.tms in
    "$TAMIS" build -q --layout probabilistic -k 50 -p 1/10 -m 1024Ki -o b.tms --seed 0 --sampling geometric in
    cmp a.tms b.tms
    "$TAMIS" build -q --layout probabilistic -k 50 -p 0.1 -m 1Mi -o b.tms --seed 1 in
    [ "$(field checksum a.tms)" != "$(field checksum b.tms)" ]
    "$TAMIS" build -q --layout probabilistic -k 50 -p 0.1 -m 1Mi -o b.tms --sampling plain in
    [ "$(field sampling b.tms)" = plain ]
    [ "$(field checksum a.tms)" != "$(field checksum b.tms)" ]
}

@test "--max-f and --error size a filter that resolves it, as info confirms" {
    words 1000 >in
    for want in "100 0.2" "1K 0.1" "100000 0.3"; do
        max=${want% *} error=${want#* }
        expect 0 "$TAMIS" build --layout probabilistic --max-f "$max" --error "$error" --keys 1000 --zipf 0 -o f.tms in
        err_has "within $(awk -v e="$error" 'BEGIN { print 100 * e }') % (95 % confidence)"
        [ "$(grep -c 'was asked for' err)" -eq 0 ]
        high=$(sed -n 's/.*resolves f from [0-9.]* to \([0-9.]*\) within.*/\1/p' err)
        awk -v h="$high" -v f="${max/K/000}" 'BEGIN { exit !(h >= f) }'
    done
    # a larger share of the numbers is resolved by more bits a key; m stays as given
    "$TAMIS" build -q --layout probabilistic --max-f 1000 --min-f 10 --error 0.2 -o a.tms in
    "$TAMIS" build -q --layout probabilistic --max-f 1000 --min-f 500 --error 0.2 -o b.tms in
    [ "$(field k a.tms)" -gt "$(field k b.tms)" ]
    "$TAMIS" build -q --layout probabilistic --max-f 1000 --error 0.2 --keys 1000 --zipf 1.2 -m 64Mi -o c.tms in
    [ "$(field m c.tms)" = 67108864 ]
    "$TAMIS" build -q --layout probabilistic --max-f 1000 --error 0.2 --keys 1000 --zipf 0 -o d.tms in
    "$TAMIS" build -q --layout probabilistic --max-f 1000 --error 0.2 --keys 1000 --zipf 1 -o e.tms in
    "$TAMIS" build -q --layout probabilistic --max-f 1000 --error 0.2 --keys 1000 -o f.tms in
    cmp e.tms f.tms
    [ "$(field m d.tms)" -gt "$(field m e.tms)" ]
}

@test "more keys than --keys: what is resolved instead, unless quiet" {
    words 10000 >in
    expect 0 "$TAMIS" build --layout probabilistic --max-f 100 --error 0.2 --keys 100 -o f.tms in
    err_has '--max-f 100 is outside this range: the input has more different keys than --keys and --zipf assume, or more frequent ones; use -k '
    size=$(sed -n 's/.*frequent ones; use \(-k .*\)$/\1/p' err)
    # shellcheck disable=SC2086
    expect 0 "$TAMIS" build --layout probabilistic $size -o g.tms in # taken at its word
    "$TAMIS" info --json g.tms | sed -n 's/.*"f_high": \([0-9]*\).*/\1/p' >high # within 25 %, so beyond what 20 % would be
    [ "$(cat high)" -ge 100 ]
    words 100000 >in # all bits are set: nothing to go by
    expect 0 "$TAMIS" build --layout probabilistic --max-f 100 --error 0.2 --keys 100 -o f.tms in
    grep -qx 'tamis build: --max-f 100 is outside this range: .* than --keys and --zipf assume, or more frequent ones' err
    expect 0 "$TAMIS" build -q --layout probabilistic --max-f 100 --error 0.2 --keys 100 -o f.tms in
    err_is ''
}

@test "a probabilistic filter: what does not go together is exit code 2 and says why" {
    words 10 >in
    refused() { # refused OPTIONS MESSAGE
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" build -o f.tms $1 in
        out_is ''
        err_is "tamis build: $2\nTry 'tamis build --help'.\n"
        [ ! -e f.tms ]
    }
    l='--layout probabilistic'
    all='a probabilistic filter needs -k, -p and -m together, or --max-f and --error:'
    refused "$l" "$all -k is missing"
    refused "$l -k 100" "$all -p is missing"
    refused "$l -k 100 -p 0.1" "$all -m is missing"
    refused "$l -p 0.1 -m 1M" "$all -k is missing"
    refused "$l --max-f 100" '--max-f needs --error: --max-f and --error together determine k, p and m'
    refused "$l --error 0.1 -k 100 -p 0.1 -m 1M" '--error needs --max-f: --max-f and --error together determine k, p and m'
    refused "$l --keys 100 -k 100 -p 0.1 -m 1M" '--keys needs --max-f and --error: --max-f and --error together determine k, p and m'
    refused "$l --max-f 100 --error 0.1 -k 100" '-k conflicts with --max-f and --error, which determine k and p: leave out one or the other'
    refused "$l --max-f 100 --error 0.1 -p 0.1" '-p conflicts with --max-f and --error, which determine k and p: leave out one or the other'
    for option in "--fpr 0.1" "--bits-per-key 10" "--expected 100"; do
        refused "$l $option -k 10 -p 0.1 -m 1M" \
            "${option% *} sets the size of the other layouts: a probabilistic filter needs -k, -p and -m, or --max-f and --error"
    done
    for layout in "" "--layout blocked" "--layout classic"; do
        for option in "-p 0.1" "--sampling plain" "--max-f 10" "--error 0.1" "--min-f 1" "--confidence 0.9" "--keys 10" "--zipf 1"; do
            refused "$layout $option" "${option% *} needs --layout probabilistic"
        done
    done
    for value in 0 1.1 -0.1 x nan 1/0 ''; do
        expect 2 "$TAMIS" build -o f.tms $l -k 10 -m 1M -p "$value" in
        err_has "-p takes a probability above 0 and up to 1, such as 0.01 or 1/100, not '$value'"
    done
    refused "$l -k 0 -p 0.1 -m 1M" "-k takes a number from 1 to 65536, not '0'"
    refused "$l -k 65537 -p 0.1 -m 1M" "-k takes a number from 1 to 65536, not '65537'"
    refused "--layout classic -k 4097 -m 1M" "-k 4097 is too large: the classic layout takes 1 to 4096"
    for words in "--max-f 0 --error 0.1" "--max-f x --error 0.1" "--max-f 10 --error 0" "--max-f 10 --error 1" \
        "--max-f 10 --error 0.1 --min-f 0" "--max-f 10 --error 0.1 --min-f 20" "--max-f 10 --error 0.1 --confidence 1" \
        "--max-f 10 --error 0.1 --keys 0" "--max-f 10 --error 0.1 --zipf -1" "--max-f 1M --error 0.0001" \
        "--max-f 1000 --error 0.1 -m 1000" "--sampling x -k 10 -p 0.1 -m 1M" "-k 10 -p 1e-30 -m 1M"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" build -o f.tms $l $words in || { echo "$words"; return 1; }
        grep -q '^tamis build: ' err
        [ ! -e f.tms ]
    done
}

@test "the price of other rates is not told of a list whose filter is as small as any" {
    words 2 >in
    expect 0 "$TAMIS" build -o f.tms in
    [ "$(wc -l <err)" -eq 1 ]
    words 1000 >in
    expect 0 "$TAMIS" build -o f.tms in
    err_has 'the default rate is 1 in 1000'
}
