#!/bin/bash
# mcxdeblast and mcl: clusters of a search in itself, from its pairwise and its tabular output.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need mcl mcxdeblast

proteins 120 >p.fa
proteins 120 | related 6 5 | sed 's/^>/>r_/' >>p.fa
for side in ncbi tamis; do
    mkdir "$side"
    cp p.fa "$side"
done
both makeblastdb -in p.fa -dbtype prot -out db
both blastp -query p.fa -db db -evalue 1e-3 -outfmt 7 -out table
both blastp -query p.fa -db db -evalue 1e-3 -out pairs
for kind in "--m9 table" pairs; do
    both sh -c "mcxdeblast --score=r --line-mode=abc $kind >${kind##* }.abc"
    both mcl "${kind##* }.abc" --abc -o "${kind##* }.clusters"
    check "scores and clusters of ${kind##* }" same "${kind##* }.abc" "${kind##* }.clusters"
done
check "some clusters have several" grep -q '	' tamis/table.clusters
check "it is of tamis's output" has_called blastp makeblastdb
end
