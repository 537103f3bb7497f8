#!/usr/bin/env bash
# deflines.sh [SEED [FIRST [N]]] - what tamis makes of headers is what NCBI's programs make of them, byte for byte, on headers at random
# (defline_cases.c): databases of version 4 and 5, with ids and without; their ids and titles as dbinfo prints them; ids that are looked
# for; ids and titles of queries and subjects in blastp's formats. Prints TAP. What differs stays in a directory, which is named, if
# TAMIS_IDENTITY_KEEP=1. With other seeds some ten of 2,500 comparisons still differ: ids that hardly occur, such as `gnl|BL_ORD_ID|x` in a header of
# one's own, an entry `7SRV_`, or a PDB id without chain and title.
#
# TAMIS: the command. TAMIS_DEFLINE_CASES: the generator. Exit code 77: NCBI's programs are not here.
set -euo pipefail
tamis=${TAMIS:?TAMIS is the path of the command}
generator=${TAMIS_DEFLINE_CASES:?TAMIS_DEFLINE_CASES is the path of defline_cases}
seed=${1:-1}
first=${2:-0}
count=${3:-6}
export LC_ALL=C BLASTDB=/nonexistent BLAST_USAGE_REPORT=false
unset TAMIS_SIMD OMP_NUM_THREADS BATCH_SIZE

if [[ -n ${TAMIS_SANITIZED:-} && $# -eq 0 ]]; then
    count=1
elif [[ -n ${TAMIS_AGREE_QUICK:-} && $# -eq 0 ]]; then # one of the six, which take turns
    count=1
    first=$((${TAMIS_TEST_SEED:-0} % 6))
elif [[ -n ${TAMIS_TEST_HALF:-} && $# -eq 0 ]]; then # as in identity.sh
    count=3
    first=$((TAMIS_TEST_HALF * count))
fi
for program in blastp makeblastdb blastdbcmd; do
    if ! command -v "$program" >/dev/null; then
        echo "1..0 # skip $program is not installed"
        exit 77
    fi
done
if ! blastp -version | grep -q 'blastp: 2\.12\.0'; then
    echo "1..0 # skip blastp is not 2.12.0"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
kept=${TMPDIR:-/tmp}/tamis-deflines.$$
columns='6 qseqid qgi qacc qaccver sseqid sallseqid sgi sallgi sacc saccver sallacc stitle salltitles staxids qlen slen'

# run I WHAT COMMAND...: its output is I.WHAT, its messages I.WHAT.err, its exit code I.WHAT.code.
run() {
    local i=$1 what=$2 code=0
    shift 2
    "$@" >"$i.$what" 2>"$i.$what.err" </dev/null || code=$?
    echo "$code" >"$i.$what.code"
}

# note I NAME BAD LINES: a comparison was made.
note() {
    echo "$2 $4 $3 $1" >>"results.$part"
    [[ $3 -eq 0 ]] || touch "keep.$1"
}

# no_answer I: NCBI's blastp did not end well, or does not find what it has found by that sequence's id ("Unknown", or a length of -1); or it
# has taken a protein whose id is that of a nucleotide sequence for one.
no_answer() {
    [[ $(cat "$1.want.code") -ge 3 ]] || grep -a Unknown "$1.want" | grep -qv Posted || grep -aq '"len": -1' "$1.want" ||
        grep -q 'invalid nucleotide residues\|CStringException' "$1.want.err"
}

# compare I NAME: output and exit code of I.want and I.got.
compare() {
    local i=$1 bad=0
    if no_answer "$i"; then
        note "$i" no-answer 0 0
        return
    fi
    # Where both refuse a header, how far the output got before is not compared.
    if [[ $(cat "$i.want.code") -ne 0 ]] && cmp -s "$i.want.code" "$i.got.code"; then
        note "$i" refused 0 0
        return
    fi
    if ! cmp -s "$i.want" "$i.got" || ! cmp -s "$i.want.code" "$i.got.code"; then
        bad=1
        for what in want got; do
            { cat "$i.$what" && tail -n 3 "$i.$what.err" && cat "$i.$what.code"; } >"differ.$i.$2.$what"
        done
    fi
    note "$i" "$2" "$bad" "$(wc -l <"$i.want")"
}

# same_files I NAME: of databases i.want.* and i.got.*; indexes have a date, of 17 bytes at most.
same_files() {
    local i=$1 f bad=0 n=0
    for f in "$i".dbwant.*; do
        n=$((n + 1))
        case $f in
        *.pin) [[ $(cmp -l "$f" "${f/dbwant/dbmade}" 2>&1 | wc -l) -le 21 ]] || bad=1 ;;
        *.pdb | *.ptf) ;; # of LMDB: they have the name
        *) cmp -s "$f" "${f/dbwant/dbmade}" || bad=1 ;;
        esac
    done
    note "$i" "$2" "$bad" "$n"
}

# With or without ids, of a version.
try_database() {
    local i=$1 version=$2 name=v$2 format
    local options=(-in "$i.subject" -dbtype prot -title t -blastdb_version "$version")
    if [[ $3 = parsed ]]; then
        options+=(-parse_seqids)
        name+=-parsed
    fi
    rm -f "$i".dbwant.* "$i".dbmade.*
    run "$i" want makeblastdb "${options[@]}" -out "$i.dbwant"
    run "$i" got "$tamis" makedb "${options[@]}" -out "$i.dbmade"
    for what in want got; do
        : >"$i.$what"
        sed -i 's/255/1/' "$i.$what.code"
    done
    compare "$i" "makedb-$name"
    [[ $(cat "$i.want.code" "$i.got.code") = $'0\n0' ]] || return 1
    same_files "$i" "files-$name"
    for format in %f '%a %i %g %o %l %t'; do
        run "$i" want blastdbcmd -db "$i.dbwant" -entry all -outfmt "$format"
        run "$i" got "$tamis" dbinfo -db "$i.dbwant" -entry all -outfmt "$format"
        compare "$i" "dbinfo-$name-$([[ $format = %f ]] && echo f || echo line)"
    done
    [[ $3 = parsed && $version = 4 ]] || return 0
    while read -r id; do
        run "$i" want blastdbcmd -db "$i.dbwant" -entry "$id" -outfmt '%a %i %o'
        run "$i" got "$tamis" dbinfo -db "$i.dbwant" -entry "$id" -outfmt '%a %i %o'
        compare "$i" "entry-$name-$id"
    done < <(grep -v '^$\|,\|^bbs' "$i.ids" | sed -n '1,3p') # a comma is a list; in this version makeblastdb's index does not lead to bbs
}

# try_search I NAME ARGUMENT...: in all formats.
try_search() {
    local i=$1 name=$2 format
    shift 2
    for format in 0 5 "$columns" 7 10 15; do
        run "$i" want blastp -query "$i.query" "$@" -outfmt "$format"
        run "$i" got "$tamis" blastp -q -num_threads 1 -query "$i.query" "$@" -outfmt "$format"
        compare "$i" "blastp-$name-${format%% *}"
    done
}

try_case() {
    local i=$1
    if try_database "$i" 4 plain; then try_search "$i" db -db "$i.dbwant"; fi
    if try_database "$i" 5 plain; then :; fi
    if try_database "$i" 4 parsed; then try_search "$i" db-ids -db "$i.dbwant"; fi
    if try_database "$i" 5 parsed; then try_search "$i" db-ids-parsed -db "$i.dbwant" -parse_deflines; fi
    try_search "$i" subject -subject "$i.subject"
    try_search "$i" subject-parsed -subject "$i.subject" -parse_deflines
    if [[ -e keep.$i ]]; then
        mkdir -p differ
        mv differ."$i".* "$i.query" "$i.subject" "$i.ids" differ/ 2>/dev/null || true
    fi
    rm -f "keep.$i" "$i".*
}

# --- all of them, by two processes ---

"$generator" "$seed" "$first" "$count" .
n_parts=${TAMIS_IDENTITY_JOBS:-2}
for ((part = 0; part < n_parts; part++)); do
    (
        : >"results.$part"
        for ((i = first + part; i < first + count; i += n_parts)); do try_case "$i"; done
    ) &
done
wait

cat results.* >results
number=0
failed=0
while read -r name cases lines bad; do
    number=$((number + 1))
    if [[ $bad -eq 0 ]]; then
        echo "ok $number - $name: $cases comparisons, $lines lines, 0 differ"
    else
        failed=1
        echo "not ok $number - $name: $cases comparisons, $lines lines, $bad differ, in cases$(awk -v name="$name" \
            '{ sub(/-[^-]*[|].*/, "", $1) } $1 == name && $3 > 0 { printf " %d", $4 }' results | head -c 120) of seed $seed"
    fi
done < <(awk '{ sub(/^entry.*/, "entry", $1); cases[$1]++; lines[$1] += $2; bad[$1] += $3 } END { for (k in cases) print k, cases[k], lines[k], bad[k] }' results | sort)
echo "1..$number"
if [[ -d differ && ${TAMIS_IDENTITY_KEEP:-} = 1 ]]; then
    mv differ "$kept"
    echo "# what differs: $kept"
fi
echo "# $(wc -l <results) comparisons, $(awk '{ n += $3 } END { print n + 0 }' results) differ"
exit "$failed"
