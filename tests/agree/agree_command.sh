#!/bin/sh
# agree_command.sh - the command prints and writes the same bytes on a GPU as on the CPU, with the same exit code.
#
# Plain sh, so that it runs on a machine that has only what ./dev pack made. TAMIS: the command. TAMIS_REQUIRE_GPU=1
# makes a missing GPU a failure; otherwise it is exit code 77. Prints TAP.
set -eu
tamis=${TAMIS:?TAMIS is the path of the command}
export LC_ALL=C

if ! "$tamis" doctor --json | grep -q '"usable": true'; then
    echo "skipped: no usable GPU"
    if [ "${TAMIS_REQUIRE_GPU:-}" = 1 ]; then exit 1; fi
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"

number=0
failed=0
report() { # report STATUS NAME
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2"
        head -n 5 cpu.err cuda.err
    fi
}

# on DEVICE COMMAND...: what it prints goes to DEVICE.out and DEVICE.err, its exit code to DEVICE.code.
on() {
    device=$1
    shift
    code=0
    "$tamis" "$@" --device "$device" >"$device.out" 2>"$device.err" <input || code=$?
    echo "$code" >"$device.code"
}

# same CODE COMMAND...: ends with CODE on both, and prints the same.
same() {
    want=$1
    shift
    on cpu "$@"
    on cuda "$@"
    bad=0
    if [ "$(cat cpu.code)" -ne "$want" ] || [ "$(cat cuda.code)" -ne "$want" ]; then bad=1; fi
    cmp cpu.out cuda.out || bad=1
    report $bad "$*"
}

# same_file OPTION FILE COMMAND...: the same, with a file that is written. Its name goes with OPTION.
same_file() {
    option=$1
    file=$2
    shift 2
    rm -f "cpu.$file" "cuda.$file"
    on cpu "$@" "$option" "cpu.$file"
    on cuda "$@" "$option" "cuda.$file"
    bad=0
    if [ "$(cat cpu.code)" -ne 0 ] || [ "$(cat cuda.code)" -ne 0 ]; then bad=1; fi
    cmp "cpu.$file" "cuda.$file" || bad=1
    report $bad "$* $option $file"
}

# lines N WORD: N different lines of different lengths, some of them empty.
lines() {
    awk -v n="$1" -v word="$2" 'BEGIN {
        for (i = 1; i <= n; i++)
            print i % 1000 ? word i * i substr("abcdefghijklmnopqrstuvwxyz", 1, i % 27) : ""
    }'
}

lines 200000 i >in
lines 100000 o >other
cat other in >both
sed 's/$/\r/' other >crlf
gzip -c in >in.gz
: >empty
: >input

# ---- lines -------------------------------------------------------------------------------------------------------

turn=0
while read -r options; do
    turn=$((turn + 1))
    # shellcheck disable=SC2086
    same_file -o "$turn.tms" build -q $options in.gz other
    cp "cuda.$turn.tms" "$turn.tms"
done <<'END'
--fpr 1/1000
--fpr 1e-6 --batch 777
--layout blocked -m 64Mi -k 8 --seed 5
--layout classic --fpr 0.01 --expected 300000
--layout classic -m 1000003 -k 40 --hash murmur3 --batch 4096
--layout classic -m 8M -k 7 --hash ap
--layout classic -m 8M -k 7 --hash xxh3-square --threads 2
--layout probabilistic -k 1000 -p 0.01 -m 8Mi
--layout probabilistic -k 40 -p 0.1 -m 1M --sampling plain --batch 999
END
cp in input
same_file -o stdin.tms build -q -
: >input
same_file -o crlf.tms build -q --crlf crlf
same_file -o empty.tms build -q --fpr 1/100 empty
# a filter of 512 MiB: where it is left to tamis, that goes to the GPU
same_file -o large.tms build -q -m 4Gi -k 8 in
"$tamis" build -q -m 4Gi -k 8 --device auto -o auto.tms in
bad=0
cmp cpu.large.tms auto.tms || bad=1
report $bad "build --device auto: large.tms"
rm -f ./*large.tms auto.tms

for turn in 1 4 8; do
    cp "$turn.tms" cpu.append.tms
    cp "$turn.tms" cuda.append.tms
    on cpu build -q --append cpu.append.tms both
    on cuda build -q --append cuda.append.tms both
    bad=0
    cmp cpu.append.tms cuda.append.tms || bad=1
    if cmp -s cpu.append.tms "$turn.tms"; then bad=1; fi
    report $bad "build --append: filter $turn"
done

"$tamis" build -q --fpr 0.05 -o loose.tms other # many errors, which have to be the same
for filter in 1 3 5 7; do same 0 query --no-remarks --tsv $filter.tms both crlf; done
same 0 query --no-remarks loose.tms both
same 0 query --no-remarks -v loose.tms both
same 0 query --no-remarks -c loose.tms both in.gz
same 0 query --no-remarks -n --batch 1000 loose.tms both
same 0 query --no-remarks --crlf loose.tms crlf
same 0 query --no-remarks -q 1.tms in
same 1 query --no-remarks -v 1.tms in other
same 1 query --no-remarks 1.tms empty
same 0 freq -q --header 8.tms both
same 0 freq -q --batch 500 9.tms in
same 1 freq -q --min 1000 8.tms in
same 0 freq -q --json --no-background 9.tms empty other

# ---- a kept profile that cannot be used ---------------------------------------------------------------------------

# Its name has the GPU, the driver and the version (doc/man/tamis-model.1.scd).
"$tamis" doctor --json >doctor.json
gpu=$(sed -n 's/.*"name": "\([^"]*\)".*/\1/p' doctor.json | head -n 1 | sed 's/[^A-Za-z0-9.-]/_/g')
driver=$(sed -n 's/.*"driver": "\([0-9.]*\)".*/\1/p' doctor.json)
version=$("$tamis" --version | sed 's/tamis \([0-9]*\.[0-9]*\).*/\1/')
mkdir -p cache/tamis
echo '{"tamis_profile": 1' >"cache/tamis/$gpu-cuda$driver-tamis$version.json"
# remarked WANT COMMAND...: so many lines on standard error name the profile; the output is that of the CPU.
remarked() {
    want=$1
    shift
    "$tamis" "$@" --device cpu >cpu.out 2>cpu.err
    XDG_CACHE_HOME="$work/cache" "$tamis" "$@" --device cuda >cuda.out 2>cuda.err
    bad=0
    cmp cpu.out cuda.out || bad=1
    [ "$(grep -c "GPU kernels use the built-in launch shapes: .*$version.json: the profile is damaged" cuda.err)" -eq "$want" ] || bad=1
    report $bad "a damaged profile: $want remarks: $*"
}
remarked 1 query --tsv 1.tms both
remarked 0 query --no-remarks --tsv 1.tms both
TAMIS_TUNE=off remarked 0 query --tsv 1.tms both

# ---- DNA ---------------------------------------------------------------------------------------------------------

# bases SEED N: N records of 20,000 bases in lines of 60. Half of them are the same for every seed, on either strand.
bases() {
    awk -v seed="$1" -v n="$2" '
        function next_number() { state = (state * 16807) % 2147483647; return state }
        BEGIN {
            split("A C G T", letter, " "); split("T G C A", other, " ")
            for (r = 1; r <= n; r++) {
                is_shared = r % 2
                state = is_shared ? 1000 + r : seed * 1000 + r
                out = ""
                for (i = 0; i < 20000; i++) {
                    b = int(next_number() / 7) % 4 + 1
                    if (i % 997 == seed) out = out "N"
                    else if (is_shared && seed == 2 && r % 4 == 3) out = other[b] out
                    else out = out letter[b]
                }
                print ">record" r
                for (i = 1; i <= 20000; i += 60) print substr(out, i, 60)
            }
        }'
}
bases 1 6 >query.fa
bases 2 12 >subject.fa
"$tamis" makedb -in subject.fa -dbtype nucl -out subject >makedb.log
while read -r options; do
    # shellcheck disable=SC2086
    same 0 seeds -q -query query.fa -subject subject.fa $options
done <<'END'
-word_size 16
-word_size 11 -strand plus --count
-word_size 11 -strand minus --filter bloom
-word_size 32 --batch 1000 --header
-word_size 16 --bed
-word_size 16 --stage filter -m 64Ki -k 2 --schedule shared
-word_size 20 --sub-query 5000 --schedule interleaved
-word_size 13 --sub-query 3000 --schedule shared -m 32Ki -k 4 --hash xxh3
-word_size 24 --sub-query 700 --stage filter -m 8192 -k 3 --schedule interleaved
END
if [ "$(wc -l <cpu.out)" -lt 100 ]; then report 1 "the last one prints something"; fi
same 0 seeds -q -query query.fa -db subject -word_size 16 --bed
same_file -out seeds.tsv seeds -q -query query.fa -subject subject.fa
for form in svg png html; do same_file --plot "dots.$form" seeds -q -query query.fa -subject subject.fa -word_size 16; done
bad=0
for device in cpu cuda; do
    on $device seeds -q -query query.fa -subject subject.fa --sub-query 5000 -m 64Ki -k 6 --schedule shared --count \
        --stats "$device.json"
    grep -v '"device"' "$device.json" >"$device.stats" || bad=1
done
grep -q '"device": "cpu"' cpu.json || bad=1
grep -q '"device": "cuda:0"' cuda.json || bad=1
cmp cpu.stats cuda.stats || bad=1
report $bad "seeds --stats: what each sub-query's filter did, and where"

for options in '' '--stranded' '-m 1M' '--fpr 1e-4'; do
    # shellcheck disable=SC2086
    same_file -o words.tms build -q --kmer 21 $options subject.fa
done
"$tamis" build -q --kmer 21 -o subject.tms subject.fa
"$tamis" build -q --kmer 21 -o query.tms query.fa
for options in '' '--rule facs' '--rule facs-perl' '-f query.tms' '-f query.tms --threads 3' '-f query.fa'; do
    # shellcheck disable=SC2086
    same 0 classify -q -f subject.tms $options query.fa
done
if ! grep -q match cpu.out; then report 1 "the last one has matches"; fi
same 0 classify -q -f subject.fa -f query.fa --kmer 21 query.fa
awk '/^>/ { printf ">pair%d\n", int((n++) / 2); next } 1' query.fa >pairs.fa
same 0 classify -q -f subject.tms --rule facs --interleaved pairs.fa

# ---- proteins ---------------------------------------------------------------------------------------------------

# proteins SEED N: N records of up to 400 letters. A part of each is the same for every seed, changed here and there.
proteins() {
    awk -v seed="$1" -v n="$2" '
        function next_number() { state = (state * 16807) % 2147483647; return int(state / 7) }
        BEGIN {
            split("L A G V E S I K R D T P N Q F Y M H C W", letter, " ")
            for (r = 1; r <= n; r++) {
                state = seed * 100000 + r
                m = 80 + next_number() % 320
                out = ""
                for (i = 0; i < m; i++) out = out letter[next_number() % 20 + 1]
                state = 77 + r % 20
                part = ""
                for (i = 0; i < 60; i++) part = part letter[next_number() % 20 + 1]
                state = seed * 100000 + r
                for (i = 0; i < 8; i++) { k = next_number() % 60; part = substr(part, 1, k) letter[next_number() % 20 + 1] substr(part, k + 2) }
                k = next_number() % m
                print ">protein" r "\n" substr(out, 1, k) part substr(out, k + 1)
            }
        }'
}
proteins 1 60 >p_query.fa
proteins 2 900 >p_subject.fa
"$tamis" makedb -in p_subject.fa -dbtype prot -out proteins >makedb.log
for options in '' '-evalue 1000' '-comp_based_stats 0 -seg yes' '-task blastp-fast' '-window_size 0' '-max_target_seqs 5 -num_threads 3' \
    '-xdrop_gap 200' '-xdrop_ungap 1e9' '-xdrop_ungap 0.5' '-xdrop_gap -5 -xdrop_gap_final -5' '-xdrop_gap_final 1e8' '-matrix BLOSUM45' '-ungapped -comp_based_stats F' '-culling_limit 2' \
    '--gpu-strategy cublastp' '--gpu-strategy cublastp --extension hit --scoring matrix --bins 32' \
    '--gpu-strategy cublastp --extension diagonal --scoring pssm'; do
    # shellcheck disable=SC2086
    same 0 blastp -q -query p_query.fa -db proteins -outfmt 6 $options
done
for format in 0 2 5 7 15 16 html; do same 0 blastp -q -query p_query.fa -subject p_subject.fa -outfmt $format; done
same 0 blastp -q -query p_query.fa -db proteins -outfmt 6 --gpu-memory 32Mi -num_threads 2
same_file -out p.tsv blastp -q -query p_query.fa -db proteins -outfmt 6
if [ -c /dev/full ]; then
    proteins 1 240 >p_many.fa # the search ends when the first reports cannot be written
    same 6 blastp -q -query p_many.fa -db proteins -line_length 1 -out /dev/full
fi
code=0
"$tamis" blastp -query p_query.fa -db proteins --device cuda:0,99 >cuda.out 2>cuda.err || code=$?
bad=0
if [ $code -ne 4 ] || [ -s cuda.out ] || ! grep -q 'cuda:99' cuda.err; then bad=1; fi
report $bad "blastp --device cuda:0,99: exit code 4, and which one is not there"

# genes of the proteins, one codon a residue, in three frames
awk 'BEGIN {
    n = split("A GCT C TGC D GAT E GAA F TTT G GGC H CAT I ATT K AAA L CTG M ATG N AAC P CCG Q CAG R CGT S AGC T ACC V GTT W TGG Y TAT", pairs, " ")
    for (i = 1; i < n; i += 2) codon[pairs[i]] = pairs[i + 1]
}
/^>/ { print; next }
{
    out = substr("ACG", 1, NR / 2 % 3)
    for (i = 1; i <= length($0); i++) out = out (substr($0, i, 1) in codon ? codon[substr($0, i, 1)] : "NNN")
    print out
}' p_query.fa >x_query.fa
for options in '' '-evalue 1000' '-comp_based_stats 0 -seg no' '-task blastx-fast' '-sum_stats false' '-strand minus' '-max_target_seqs 5 -num_threads 3' \
    '-window_size 0' '-comp_based_stats 3 -matrix BLOSUM45' '-ungapped -comp_based_stats F' '--gpu-memory 32Mi -num_threads 2'; do
    # shellcheck disable=SC2086
    same 0 blastx -q -query x_query.fa -db proteins -outfmt 6 $options
done
for format in 0 5 html; do same 0 blastx -q -query x_query.fa -subject p_subject.fa -outfmt $format; done

for options in '' '-evalue 1000' '-comp_based_stats 0 -seg no' '-task tblastn-fast' '-sum_stats false' '-max_target_seqs 5 -num_threads 3' \
    '-comp_based_stats 3 -matrix BLOSUM45' '-ungapped -comp_based_stats F' '--gpu-memory 32Mi -num_threads 2'; do
    # shellcheck disable=SC2086
    same 0 tblastn -q -query p_query.fa -subject x_query.fa -outfmt 6 $options
done
for format in 0 html; do same 0 tblastn -q -query p_query.fa -subject x_query.fa -outfmt $format; done

# the genes as one query, which has several tables on a GPU
{ echo '>genes'; grep -v '^>' x_query.fa; } >x_long.fa
for options in '' '-evalue 1000 -seg no' '-sum_stats false' '-strand minus -query_gencode 4' '-max_target_seqs 5 -num_threads 3' '-word_size 2' \
    '-matrix BLOSUM45 -xdrop_ungap 12' '-culling_limit 2' '-soft_masking false' '--gpu-memory 32Mi -num_threads 2'; do
    for query in x_query.fa x_long.fa; do
        # shellcheck disable=SC2086
        same 0 tblastx -q -query $query -subject x_query.fa -outfmt 6 $options
    done
done
for format in 0 5 html; do same 0 tblastx -q -query x_long.fa -subject x_query.fa -outfmt $format; done

# bases: queries that are pieces of the subjects, and their other strands, here and there changed
awk 'BEGIN {
    state = 7
    split("A C G T", base)
    for (s = 1; s <= 30; s++) {
        out = ""
        for (i = 0; i < 20000; i++) {
            state = (state * 1103515245 + 12345) % 2147483648
            out = out base[1 + int(state / 65536) % 4]
        }
        print ">subject" s "\n" out >"b_subject.fa"
        for (q = 1; q <= 6; q++) {
            piece = substr(out, 3000 * q, 900)
            print ">query" s "_" q "\n" substr(piece, 1, 300) "A" substr(piece, 302, 200) substr(piece, 505) >"b_query.fa"
        }
    }
}'
"$tamis" makedb -in b_subject.fa -dbtype nucl -out bases >makedb.log
for options in '' '-task blastn' '-task blastn-short -evalue 1e-3' '-task dc-megablast' '-word_size 12' '-word_size 16 -dust no' '-strand minus' \
    '-task blastn -window_size 40' '-ungapped -task blastn' '-soft_masking false' '-culling_limit 1' '--gpu-memory 300M -task blastn'; do
    # shellcheck disable=SC2086
    same 0 blastn -q -query b_query.fa -db bases -outfmt 6 $options
done
for format in 0 7 15 html; do same 0 blastn -q -query b_query.fa -subject b_subject.fa -outfmt $format; done

# a database of more letters than 32 MiB of a GPU have space for: it comes piece by piece
for seed in 3 4 5 6 7 8; do proteins $seed 4000; done | sed 's/^>protein.*/>p/' | awk '/^>/ { $0 = ">p" ++n } { print }' >p_large.fa
"$tamis" makedb -in p_large.fa -dbtype prot -out large >makedb.log
same 0 blastp -q -query p_query.fa -db large -outfmt 6 --gpu-memory 32Mi
same 0 blastp -q -query p_query.fa -db large -outfmt 6 --gpu-memory 32Mi -num_threads 1 -max_target_seqs 7
if [ "$("$tamis" doctor --json | grep -c '"usable": true')" -ge 2 ]; then
    for options in '' '-num_threads 1' '--gpu-memory 32Mi' '--gpu-memory 32Mi -num_threads 1' '-ungapped -comp_based_stats F'; do
        for gpus in cuda:0,1 cuda:1,0; do
            # shellcheck disable=SC2086
            on cpu blastp -q -query p_query.fa -db large -outfmt 6 $options
            # shellcheck disable=SC2086
            on $gpus blastp -q -query p_query.fa -db large -outfmt 6 $options
            bad=0
            if [ "$(cat $gpus.code)" -ne 0 ]; then bad=1; fi
            cmp cpu.out $gpus.out || bad=1
            report $bad "blastp --device $gpus $options"
        done
    done
else
    echo "# skipped: blastp --device cuda:0,1: there is one usable GPU"
fi
rm -f large.* p_large.fa

# ---- a GPU that is lost amid the work ---------------------------------------------------------------------------------

# lost PIECE COMMAND...: with --device auto the GPU is lost with that piece; what is printed is the same, and it is said once. A context
# of its own, which aligns or copies beside the search, names its GPU first.
# Input comes through a pipe, so that auto takes the GPU.
lost() {
    piece=$1
    shift
    on cpu "$@"
    code=0
    cat <input | TAMIS_TEST_GPU_FAULT=$piece "$tamis" "$@" --device auto >cuda.out 2>cuda.err || code=$?
    echo "$code" >cuda.code
    bad=0
    cmp cpu.code cuda.code || bad=1
    cmp cpu.out cuda.out || bad=1
    if [ "$(grep -c 'using the CPU: the GPU failed: \(cuda:[0-9]*: \)\{0,1\}GPU, ' cuda.err)" -ne 1 ]; then bad=1; fi
    report $bad "lost with piece $piece: $*"
}

cp both input
code=0
TAMIS_TEST_GPU_FAULT=1 "$tamis" query --device cuda 1.tms both >cuda.out 2>cuda.err || code=$?
if [ "$code" -eq 0 ]; then
    echo "# this tamis was built without the hooks of the tests (-DTAMIS_TESTS=OFF): no GPU is lost here"
else
    bad=0
    if [ "$code" -ne 4 ] || ! grep -q 'GPU, asking for keys: ' cuda.err; then bad=1; fi
    report $bad "query --device cuda: a lost GPU is an error, and says at what"
    lost 1 query 1.tms -
    lost 3 query --batch 20000 3.tms -
    lost 2 freq --batch 20000 8.tms -
    lost -2 freq --batch 20000 9.tms -
    cp p_query.fa input
    lost 1 blastp -query - -db proteins -outfmt 6
    proteins 1 240 >input # in nine scans
    lost 3 blastp -query - -db proteins -outfmt 6 # some reports may be written
    cp p_query.fa input
    lost -1 blastp -query - -subject p_subject.fa -outfmt 0
    if [ "$("$tamis" doctor --json | grep -c '"usable": true')" -ge 2 ]; then
        code=0
        TAMIS_TEST_GPU_FAULT=2 "$tamis" blastp -query p_query.fa -db proteins -outfmt 6 --device cuda:0,1 >cuda.out 2>cuda.err || code=$?
        bad=0
        if [ "$code" -ne 4 ] || ! grep -q 'cuda:[01]: GPU, ' cuda.err; then bad=1; fi
        report $bad "blastp --device cuda:0,1: a lost GPU is an error, and says which one"
    fi
    cp subject.fa input
    lost 1 seeds -query query.fa -subject - -word_size 16
    lost 3 seeds -query query.fa -subject - -word_size 16 --batch 30000 --bed
    lost 2 seeds -query query.fa -subject - -word_size 24 --sub-query 700 --batch 30000 --count
    lost 3 seeds -query query.fa -subject - -word_size 16 --stage filter -m 64Ki -k 2 --batch 30000
    for device in cpu auto; do
        cat <input | TAMIS_TEST_GPU_FAULT=3 "$tamis" seeds -query query.fa -subject - --sub-query 5000 --batch 30000 --count \
            --device $device --stats $device.json --force >$device.out 2>$device.err
    done
    bad=0
    cmp cpu.json auto.json || bad=1 # also in that the device is the CPU in the end
    grep -q 'using the CPU: the GPU failed' auto.err || bad=1
    report $bad "lost: seeds --stats"

    # lost_file PIECE NAME INPUT COMMAND...: the same of a filter; -PIECE: there is only no memory for it
    lost_file() {
        piece=$1
        name=$2
        input=$3
        shift 3
        rm -f cpu.tms auto.tms
        bad=0
        "$tamis" "$@" --device cpu -o cpu.tms <"$input" 2>cpu.err || bad=1
        cat <"$input" | TAMIS_TEST_GPU_FAULT=$piece "$tamis" "$@" --device auto -o auto.tms 2>auto.err || bad=1
        cmp cpu.tms auto.tms || bad=1
        if [ "$(grep -c 'using the CPU: the GPU failed' auto.err)" -ne 1 ]; then bad=1; fi
        report $bad "lost: $name"
    }
    lost_file 2 "build of keys that were kept" in build --batch 20000 -
    lost_file 2 "build that reads files again" empty build --batch 20000 -m 4Gi -k 8 in other
    lines 3500000 a >large.txt # so that auto takes the GPU
    lost_file 2 "build --append of files" empty build --append 1.tms --batch 20000 in large.txt
    bad=0
    rm -f cpu.tms auto.tms
    "$tamis" build --device cpu -o cpu.tms --batch 20000 -m 4Gi -k 8 - <large.txt 2>cpu.err || bad=1
    TAMIS_TEST_GPU_FAULT=2 "$tamis" build --device auto -o auto.tms --batch 20000 -m 4Gi -k 8 - <large.txt 2>auto.err || bad=1
    cmp cpu.tms auto.tms || bad=1
    if [ "$(grep -c 'using the CPU: the GPU failed' auto.err)" -ne 1 ]; then bad=1; fi
    report $bad "lost: build that reads a file on standard input again"
    rm large.txt
    for options in "-k 8 -m 8Mi" "--layout classic -k 7 -m 8M" "--layout probabilistic -k 40 -p 0.1 -m 1M"; do
        # shellcheck disable=SC2086
        lost_file -4 "no memory, build from a pipe: $options" in build --batch 20000 $options -
    done
    rm -f cpu.tms auto.tms
    bad=0
    code=0
    cat <in | TAMIS_TEST_GPU_FAULT=2 "$tamis" build --expected 200000 --batch 20000 --device auto -o auto.tms - 2>auto.err || code=$?
    if [ "$code" -ne 4 ] || [ -e auto.tms ] || ! grep -q 'a pipe cannot be read again' auto.err; then bad=1; fi
    report $bad "lost: build of a pipe, whose lines are gone, is an error"
fi

# ---- a GPU that is not there -------------------------------------------------------------------------------------

bad=0
code=0
"$tamis" build -q --device cuda:99 -o none.tms in 2>cuda.err || code=$?
if [ $code -ne 4 ] || [ -e none.tms ]; then bad=1; fi
report $bad "build --device cuda:99: exit code 4, and no filter"

echo "1..$number"
exit $failed
