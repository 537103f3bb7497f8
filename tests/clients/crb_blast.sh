#!/bin/bash
# crb-blast: reciprocal best hits of two sets of proteins.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need crb-blast

for side in ncbi tamis; do
    mkdir "$side"
    proteins 80 >"$side/a.fa"
    proteins 100 | related 7 6 | sed 's/^>/>b_/' >"$side/b.fa"
done
both crb-blast --query a.fa --target b.fa --threads 1 --output crb.tsv
check "it calls tamis" has_called blastp makeblastdb
check "best hits" same crb.tsv
check "there are some" test "$(wc -l <tamis/crb.tsv)" -gt 50
end
