#!/bin/sh
# rooms.sh - includes run one way. Each line of the table is a room and the rooms that its files may include, besides its own and the
# public headers. io and the commands see the library by its public headers, and by what the table says. Nor do files include each
# other in a circle; a file and its header (foo.c, foo.h) count as one.
set -eu
cd "$(dirname "$0")/.."

table='
base
device  base
run     base device
hash    base
alphabet base run
seq     base run hash device alphabet
mask    base run alphabet seq
seqid   base
seqdb   base run alphabet seq seqid
score   base alphabet
extend  base run alphabet
filter  base run hash device
bank    base run hash device
classify base run device seq filter
model   base run hash device filter bank seq classify score
seed    base run hash device seq bank
lookup  base run device alphabet extend score
hits    base run extend
search  base run device alphabet mask seqdb score extend lookup hits
cublastp base run device alphabet extend lookup
blastp  base run device alphabet mask seqdb score extend lookup hits search cublastp
io      base
seqio   base alphabet seq io
makedb  base hash alphabet seq seqid seqdb io seqio
report  base alphabet seqid seqdb io
'

grep -Hn '^#include "' src/*/*.c src/*/*.h src/*/*.cu src/*/*.cuh 2>/dev/null |
    sed -n 's|^src/\([a-z0-9]*\)/\([^:]*\):\([0-9]*\):#include "\([a-z0-9]*\)/\(.*\)"$|\1 \2 \3 \4 \5|p' |
    awk -v table="$table" '
        BEGIN {
            n = split(table, lines, "\n")
            for (i = 1; i <= n; i++) {
                m = split(lines[i], words, " ")
                if (m) known[words[1]]
                for (j = 1; j <= m; j++) may[words[1], words[j]]
            }
        }
        { rooms[$1]; seen++ }
        $4 == "tamis" || ($1, $4) in may { next }
        { printf "src/%s/%s:%s: %s may not include %s/%s\n", $1, $2, $3, $1, $4, $5; broken = 1 }
        END {
            for (room in rooms) if (!(room in known)) { printf "src/%s/ is not in the table\n", room; broken = 1 }
            if (!seen) { print "no include was found"; broken = 1 }
            if (broken) printf "A room may include:\n%s", table
            exit broken
        }'
echo "ok 1 - includes run one way"

loops=$(grep -H '^#include "' src/*/* cli/* | grep -v '"tamis/' |
    sed -n 's|^\([^:]*/\)*\([^/:]*\)\.[a-z]*:#include "\([^"]*/\)*\([^/"]*\)\.[a-z]*".*|\2 \4|p' | tsort 2>&1 >/dev/null) || true
if [ -n "$loops" ]; then
    printf 'These include each other:\n%s\n' "$loops"
    exit 1
fi
echo "ok 2 - no files include each other in a circle"
