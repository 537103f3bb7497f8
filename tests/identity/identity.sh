#!/usr/bin/env bash
# identity.sh [SEED [FIRST [N]]] - tamis blastp prints what NCBI's blastp prints, byte for byte, on cases at random (identity_cases.c); so
# do tamis blastn (base_cases.c), tamis blastx, tblastn and tblastx (translated_cases.c).
#
# For blastp, every gap cost of every matrix, as blastp itself lists them, then other cases: N in all, from FIRST on. Each is one run of
# either program; some are run again with other threads, instruction sets and ways to give the subjects, which may not change a byte. Prints TAP, with the
# number of cases and lines. With TAMIS_TEST_HALF=0 or 1, which .ci/run sets, one half of them. What differs stays in a directory, which
# is named, if TAMIS_IDENTITY_KEEP=1.
#
# TAMIS: the command. TAMIS_IDENTITY_PROGRAM: blastp, blastn, blastx, tblastn or tblastx. TAMIS_IDENTITY_CASES: the program's generator. TAMIS_IDENTITY_FORMATS: of the output, one of which each case has. Exit code 77: NCBI's programs are not here.
set -euo pipefail
tamis=${TAMIS:?TAMIS is the path of the command}
generator=${TAMIS_IDENTITY_CASES:?TAMIS_IDENTITY_CASES is the path of identity_cases}
program=${TAMIS_IDENTITY_PROGRAM:-blastp}
seed=${1:-1}
first=${2:-0}
all=260
if [[ $program != blastp ]]; then all=320; fi
count=${3:-$all}
export LC_ALL=C BLASTDB=/nonexistent
unset TAMIS_SIMD OMP_NUM_THREADS BATCH_SIZE CHUNK_SIZE

if [[ -n ${TAMIS_AGREE_QUICK:-} && $# -eq 0 ]]; then
    count=20 # which take turns
    first=$((${TAMIS_TEST_SEED:-0} % (all / count) * count))
elif [[ -n ${TAMIS_TEST_HALF:-} && $# -eq 0 ]]; then
    count=$((all / 2))
    first=$((TAMIS_TEST_HALF * count))
fi
for needed in "$program" makeblastdb convert2blastmask; do
    if ! command -v "$needed" >/dev/null; then
        echo "1..0 # skip $needed is not installed"
        exit 77
    fi
done
if ! "$program" -version | grep -q "$program: 2\\.12\\.0"; then
    echo "1..0 # skip $program is not 2.12.0"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
kept=${TMPDIR:-/tmp}/tamis-identity.$$

# --- the cases ---

dbtype=prot
other=one
matrices=(BLOSUM45 BLOSUM50 BLOSUM62 BLOSUM80 BLOSUM90 PAM30 PAM70 PAM250 IDENTITY)
printf '>a\nMKLVAAWWPQRSTGHHILKM\n' >one
if [[ $program = blastn ]]; then
    dbtype=nucl
    matrices=()
    printf '>a\nACGGTTCATGCAATCCGGAT\n' >one
elif [[ $program = tblastn ]]; then
    dbtype=nucl
    matrices=()
    other=bases
    printf '>a\nACGGTTCATGCAATCCGGATACGGTTCATGCAATCCGGAT\n' >bases
elif [[ $program = blastx || $program = tblastx ]]; then
    if [[ $program = tblastx ]]; then dbtype=nucl; fi
    matrices=()
    printf '>a\nACGGTTCATGCAATCCGGATACGGTTCATGCAATCCGGAT\n' >one
fi
for matrix in "${matrices[@]}"; do
    blastp -query one -subject one -matrix "$matrix" -gapopen 99 -gapextend 99 >listed 2>&1 || true
    sed -nE "s/^([0-9]+), ([0-9]+)\$/$matrix \\1 \\2/p" listed
done >gaps
formats=()
for format in ${TAMIS_IDENTITY_FORMATS:-0 1 2 3 4 5 6 6 6 6 7 10 15 16 17}; do # mostly tables, in which most is seen
    if "$tamis" "$program" -query one -subject "$other" -outfmt "$format" >/dev/null 2>&1; then formats+=("$format"); fi
done
"$generator" "$seed" "$first" "$count" . "${formats[@]}" <gaps

# Which instruction sets there are: what is not there would be the next one below.
simds=(scalar)
for simd in avx2 avx512; do
    if grep -q -m 1 -E " ${simd}(bw)? " <(sed 's/$/ /' /proc/cpuinfo); then simds+=("$simd"); fi
done

# --- one case ---

# make_db KIND I: the database of case I is DB_I. Where makeblastdb does not take the file, by its first bytes, the file is the database.
make_db() {
    local options=(-in "$2.subject" -dbtype "$dbtype" -title "case $2" -out "db_$2")
    case $1 in v4*) options+=(-blastdb_version 4) ;; esac
    case $1 in *-parsed) options+=(-parse_seqids) ;; esac
    case $1 in subject*) return 1 ;; esac
    case $1 in *-masked)
        convert2blastmask -in "$2.subject" -masking_algorithm repeat -masking_options lower -outfmt maskinfo_asn1_bin -out "$2.masks" || return 1
        options+=(-mask_data "$2.masks")
        ;;
    esac
    makeblastdb "${options[@]}" >/dev/null 2>&1
}

# rerun I COMMAND...: its output is I.other; as in I.tamis, without the line of SAM that has the command.
rerun() {
    local i=$1
    run "$i" other "${@:2}"
    sed -i '/^@PG\t/d' "$i.tamis" "$i.other"
}

# run I WHAT COMMAND...: its output is I.WHAT, its warnings about queries I.WHAT.said, its exit code I.WHAT.code.
run() {
    local i=$1 what=$2 code=0
    shift 2
    "$@" >"$i.$what" 2>"$i.$what.err" </dev/null || code=$?
    echo "$code" >"$i.$what.code"
    grep -E "^(Warning: \[$program\] Query_|FASTA-Reader|CFastaReader)" "$i.$what.err" >"$i.$what.said" || true
}

# differing WANT GOT: how many lines differ, 0 if no byte does.
differing() {
    local n
    if cmp -s "$1" "$2"; then
        echo 0
    else
        n=$(diff -a "$1" "$2" | grep -a -c '^[<>]' || true)
        echo $((n > 0 ? n : 1))
    fi
}

# compare I WANT GOT NAME: appends "KIND LINES DIFFERENT I NAME" to the results.
compare() {
    local i=$1 want=$2 got=$3 bad lines
    bad=$(differing "$i.$want" "$i.$got")
    cmp -s "$i.$want.code" "$i.$got.code" || bad=$((bad + 1))
    cmp -s "$i.$want.said" "$i.$got.said" || bad=$((bad + 1))
    lines=$(wc -l <"$i.$want")
    echo "$4 $lines $bad $i" >>"results.$part"
    if [[ $bad -gt 0 ]]; then
        mkdir -p differ
        cp "$i".* differ/
    fi
}

try_case() {
    local i=$1 kind db sizes words simd threads
    mapfile -t words <"$i.case"
    kind=${words[0]} db=${words[1]}
    read -ra sizes <<<"${words[2]}"
    words=("${words[@]:3}")
    unset BATCH_SIZE CHUNK_SIZE
    if [[ ${#sizes[@]} -gt 0 ]]; then export "${sizes[@]}"; fi
    if make_db "$db" "$i"; then
        words+=(-db "db_$i")
    else
        words+=(-subject "$i.subject")
    fi
    run "$i" ncbi "$program" -query "$i.query" -num_threads 1 "${words[@]}" # with more its result may depend on them
    # NCBI's tblastn crashes if a list has a sequence of fewer than three bases.
    if [[ $program == tblastn && $(<"$i.ncbi.code") -eq 139 && " ${words[*]} " == *seqidlist* ]]; then
        echo "nothing-to-compare 0 0 $i" >>"results.$part"
        rm -f db_"$i".* "$i".*
        return
    fi
    run "$i" tamis "$tamis" "$program" -query "$i.query" -num_threads 1 "${words[@]}"
    compare "$i" ncbi tamis "$kind"
    if ((i % 8 == 4)); then
        for threads in 2 7; do
            rerun "$i" "$tamis" "$program" -query "$i.query" -num_threads "$threads" "${words[@]}"
            compare "$i" tamis other threads
        done
        for simd in "${simds[@]}"; do
            TAMIS_SIMD=$simd rerun "$i" "$tamis" "$program" -query "$i.query" "${words[@]}"
            compare "$i" tamis other instruction-sets
        done
    fi
    rm -f db_"$i".* "$i".*
}

# The database that tamis makes of a file is the one that makeblastdb makes; a compressed file of subjects is the file.
try_subjects() {
    local i=$1 plain=$1.subject
    unset BATCH_SIZE CHUNK_SIZE
    gzip -k "$plain"
    run "$i" want "$tamis" "$program" -query "$i.query" -subject "$plain" -outfmt 6
    run "$i" got "$tamis" "$program" -query "$i.query" -subject "$plain.gz" -outfmt 6
    compare "$i" want got compressed
    if makeblastdb -in "$plain" -dbtype "$dbtype" -out "db_$i" >/dev/null 2>&1 &&
        "$tamis" makedb -in "$plain" -dbtype "$dbtype" -out "own_db_$i" >/dev/null 2>&1; then
        run "$i" want "$tamis" "$program" -query "$i.query" -db "db_$i" -outfmt 6
        run "$i" got "$tamis" "$program" -query "$i.query" -db "own_db_$i" -outfmt 6
        compare "$i" want got own-databases
    fi
    rm -f {own_,}db_"$i".* "$i.subject.gz" "$i".{want,got}*
}

# --- all of them, by two processes ---

n_parts=${TAMIS_IDENTITY_JOBS:-2}
for ((part = 0; part < n_parts; part++)); do
    (
        : >"results.$part"
        for ((i = first + part; i < first + count; i += n_parts)); do
            if ((i % 16 == 5)); then try_subjects "$i"; fi
            try_case "$i"
        done
    ) &
done
wait

cat results.* >results
number=0
failed=0
while read -r name cases lines bad; do
    number=$((number + 1))
    if [[ $bad -eq 0 ]]; then
        echo "ok $number - $name: $cases cases, $lines lines, 0 differ"
    else
        failed=1
        echo "not ok $number - $name: $cases cases, $lines lines, $bad differ, in cases$(awk -v name="$name" \
            '$1 == name && $3 > 0 { printf " %d", $4 }' results) of seed $seed"
    fi
done < <(awk '{ cases[$1]++; lines[$1] += $2; bad[$1] += $3 } END { for (k in cases) print k, cases[k], lines[k], bad[k] }' results | sort)
tried=$(wc -l <results)
echo "1..$number"
if [[ -d differ && ${TAMIS_IDENTITY_KEEP:-} = 1 ]]; then
    mv differ "$kept"
    echo "# what differs: $kept"
fi
# Every case has left a result; without cases nothing was compared.
if [[ $number -eq 0 || $tried -lt $count ]]; then
    echo "not ok $((number + 1)) - $tried of $count cases were compared"
    failed=1
fi
echo "# $tried comparisons, $(awk '{ n += $2 } END { print n + 0 }' results) lines, $(awk '{ n += $3 } END { print n + 0 }' results) differ; formats ${formats[*]}; ${simds[*]}"
exit "$failed"
