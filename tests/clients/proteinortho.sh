#!/bin/bash
# Proteinortho: reads DESCRIPTION of `blastp -h`, makes databases, and searches each of three sets of proteins in the others.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need proteinortho

proteins 100 >a.faa
proteins 100 | related 1 8 | sed 's/^>/>b_/' >b.faa
proteins 120 | related 2 4 | sed 's/^>/>c_/' >c.faa
for side in ncbi tamis; do
    mkdir "$side"
    cp ./*.faa "$side"
done
# One thread of its own: which group comes first would be a matter of chance.
PERL_HASH_SEED=0 both proteinortho -p=blastp+ -cpus=1 -singles -selfblast -keep -project=po a.faa b.faa c.faa

check "it calls tamis" has_called blastp makeblastdb
mapfile -t tables < <(cd ncbi && find . -name '*.vs.*' -type f | sort)
check "nine tables of searches" test "${#tables[@]}" -eq 9
check "which are the same" same "${tables[@]}"
check "the graph of BLAST's best hits" same po.blast-graph
check "groups and their graph" same po.proteinortho.tsv po.proteinortho-graph
end
