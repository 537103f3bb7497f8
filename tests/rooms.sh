#!/bin/sh
# rooms.sh - what files may include, and what objects may call.
#
#   rooms.sh        the sources: rooms, public headers, circles, names
#   rooms.sh BUILD  the objects of a build: no two files call each other, not even round about
set -eu
cd "$(dirname "$0")/.."

# A room, and the rooms that its files may include beside their own. A header of include/tamis/ is its room's (the second table);
# tamis/NAME.h names one that a room may include without the rest of its owner, tamis/ any of them. A folder of cli/ is a room, too.
# blastp and cublastp are in no row but cublastp's in blastp: what only one program does is reached through its public header.
rooms='
base
device    base
run       base device
hash      base
alphabet  base run
seq       base run hash device alphabet
mask      base run alphabet seq
seqid     base tamis/seqdb.h
seqdb     base run alphabet seq seqid tamis/mask.h
score     base device alphabet
extend    base run alphabet
filter    base run hash device tamis/dna.h
bank      base run hash device
classify  base run device seq filter tamis/dna.h
model     base run hash device filter bank seq classify score tamis/alphabet.h tamis/blastn.h tamis/blastp.h
seed      base run hash device seq bank tamis/dna.h
lookup    base run device alphabet extend score bank
hits      base run alphabet extend score
search    base run device alphabet mask seqdb score extend lookup hits
cublastp  base run device alphabet extend lookup
protein   base run alphabet mask seq seqdb score extend lookup hits search tamis/blastp.h
blastx    base run alphabet seqdb lookup hits search protein tamis/blastp.h
tblastn   base run alphabet seqdb lookup hits search protein tamis/blastp.h
tblastx   base run alphabet seqdb search protein tamis/blastp.h
blastp    base run device mask seq seqdb lookup hits search protein cublastp
blastn    base run alphabet mask seq seqdb score extend lookup hits search
io        base tamis/filter.h
seqio     base alphabet seq io tamis/seqdb.h tamis/seeds.h
makedb    base hash alphabet seq seqid seqdb io seqio
archive   base hash io tamis/search.h tamis/seqdb.h
page      base
report    page base alphabet seqid seqdb io seqio/seqio_blast_title.h tamis/search.h
figures   page base io hash/bloom_fpr.h model
cli         base io figures archive cli/blast/blast_programs.h cli/model/model_verbs.h tamis/
cli/blast   base alphabet/residues.h io seqio archive report figures/model_text.h cli cli/db cli/model/model_profile.h cli/reads tamis/
cli/db      base io seqio makedb report seqid seq/seq_batch.h cli tamis/
cli/filter  base io seqio archive cli tamis/
cli/model   base io figures model/least_squares.h cli tamis/
cli/reads   base io seqio archive figures page cli cli/filter tamis/
cli/seeds   base io seqio figures page run/ordered_section.h cli cli/db tamis/
'

# Public headers by room. Statuses and the context are known to all rooms, so they count as base's.
headers='
base      version context
alphabet  alphabet dna
seq       seq
mask      mask
seqdb     seqdb
filter    filter builder frequency
classify  classify
model     model
seed      seeds
search    search
protein   translated
blastp    blastp
blastx    blastx
tblastn   tblastn
tblastx   tblastx
blastn    blastn
'

# loops: reads pairs "user used", and prints those that lead back to their beginning.
loops() { sort -u | { tsort >/dev/null; } 2>&1 || true; }

# check TITLE FINDINGS: one line of TAP, and what was found.
number=0
status=0
check() {
    number=$((number + 1))
    if [ -z "$2" ]; then
        echo "ok $number - $1"
    else
        printf 'not ok %d - %s\n%s\n' "$number" "$1" "$2"
        status=1
    fi
}

# ---- objects ---------------------------------------------------------------------------------------------------

# Each undefined symbol of an object is a call of the file that defines it. Files that two libraries compile are one. Objects without a
# source are left over from an older tree.
if [ $# -gt 0 ]; then
    list=$(mktemp)
    trap 'rm -f "$list"' EXIT
    find "$1/CMakeFiles" -name '*.o' | grep -E '/CMakeFiles/tamis_(internal|io|report|figures|command)\.dir/(src|cli)/' |
        while read -r object; do
            source=${object##*.dir/}
            if [ -e "${source%.o}" ]; then printf '%s\n' "$object"; fi
        done >"$list"
    if [ ! -s "$list" ]; then
        echo "no object was found in $1"
        exit 1
    fi
    calls=$(xargs nm -A -g -P <"$list" | sed 's|^[^ ]*/CMakeFiles/tamis_[a-z]*\.dir/\([^ ]*\)\.o: |\1 |' |
        awk '
            $3 ~ /^[TDBRC]$/ { owner[$2] = $1 }
            $3 == "U" { uses[$1 " " $2] }
            END {
                for (use in uses) {
                    split(use, u, " ")
                    if (u[2] in owner && owner[u[2]] != u[1]) print u[1], owner[u[2]]
                }
            }' | loops)
    check "no files call each other in a circle" "$calls"
    exit "$status"
fi

# ---- sources ---------------------------------------------------------------------------------------------------

sources=$(find src cli include -type f \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) | sort)

# shellcheck disable=SC2086 # names without blanks
upwards=$(grep -Hn '^#include "' $sources | sed 's|^\([^:]*\):\([0-9]*\):#include "\([^"]*\)".*|\1 \2 \3|' |
    awk -v rooms="$rooms" -v headers="$headers" '
        function room_of(path) {
            if (path ~ /^(include\/)?tamis\//) {
                sub(/.*\//, "", path)
                return path == "tamis.h" ? "tamis.h" : owner[path]
            }
            sub(/^src\//, "", path)
            sub(/\/[^\/]*$/, "", path)
            return path
        }
        BEGIN {
            n = split(rooms, lines, "\n")
            for (i = 1; i <= n; i++) {
                m = split(lines[i], words, " ")
                if (m) known[words[1]]
                for (j = 1; j <= m; j++) may[words[1], words[j]]
            }
            n = split(headers, lines, "\n")
            for (i = 1; i <= n; i++) {
                m = split(lines[i], words, " ")
                for (j = 2; j <= m; j++) owner[words[j] ".h"] = words[1]
            }
        }
        { from = room_of($1); to = room_of($3); seen++ }
        from == "tamis.h" { next }
        from == "" || to == "" { printf "%s:%s: the table of public headers lacks one\n", $1, $2; next }
        !(from in known) { printf "%s: %s is not in the table of rooms\n", $1, from; next }
        from == to || (from, to) in may || (from, $3) in may || ($3 ~ /^tamis\// && (from, "tamis/") in may) { next }
        { printf "%s:%s: %s may not include %s; the table of tests/rooms.sh says what it may\n", $1, $2, from, $3 }
        END { if (!seen) print "no include was found" }')
check "includes run one way" "$upwards"

# A file and its header (foo.c, foo.h) count as one.
# shellcheck disable=SC2086
circles=$(grep -H '^#include "' $sources | sed -n 's|^\(src/\)\{0,1\}\([^:]*\)\.[a-z]*:#include "\([^"]*\)\.[a-z]*".*|\2 \3|p' |
    grep -v 'tamis/' | awk '$1 != $2' | loops)
check "no files include each other in a circle" "$circles"

# foo.c and foo.h lie in one folder, and no other folder has a foo.
twice=$(printf '%s\n' "$sources" | grep -v '^include/' | sed 's|^\(.*\)/\([^/]*\)\.[a-z]*$|\2 \1|' | sort -u |
    awk '$1 == name { printf "%s/%s and %s/%s have one name\n", folder, name, $2, name } { name = $1; folder = $2 }')
check "no two files have the same name" "$twice"

# These rooms serve every program: what only one does, and its name, belong in its own room, or in its command.
shared='src/hits src/search src/report src/lookup src/extend src/score'
# shellcheck disable=SC2086
named=$(grep -rni blastp $shared; find $shared -iname '*blastp*') || true
check "no program is named where all are served" "$named"
exit "$status"
