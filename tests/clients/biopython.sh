#!/bin/bash
# Biopython: searches through Bio.Blast.Applications (-soft_masking True), read by SearchIO and NCBIXML.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need
for python in python3 /usr/bin/python3 ''; do
    if [ -n "$python" ] && "$python" -c 'import Bio.Blast.Applications' 2>/dev/null; then break; fi
done
[ -n "$python" ] || {
    echo "1..0 # skip Biopython with Bio.Blast.Applications is not installed"
    exit 77
}

for side in ncbi tamis; do
    mkdir "$side"
    proteins 60 | related 3 6 | awk '/^>/ { seen++ } seen % 5 == 1' | sed 's/^>/>of_/' >"$side/q.fa"
    proteins 200 >"$side/p.fa"
    zcat "$TAMIS_SOURCE/tests/data/genomes/ecoli_k12_excerpt.fa.gz" >"$side/genome.fa"
    head -n 300 "$side/genome.fa" | related 3 15 | awk '!/^>/ && NR % 40 == 2 { print ">piece" ++n } !/^>/' >"$side/bases.fa"
done
both makeblastdb -in p.fa -dbtype prot -parse_seqids -out db
check "makeblastdb's log" diff <(grep -v 'current time\|^New DB name\|sequences in' ncbi.out) <(grep -v 'current time\|^New DB name\|sequences in' tamis.out)
both makeblastdb -in genome.fa -dbtype nucl -out genome
both "$python" "$TAMIS_SOURCE/tests/clients/biopython.py"
check "it calls tamis" has_called makeblastdb blastp blastn
check "alignments were read, by every parser" test "$(cut -d ' ' -f 1 tamis.out | sort | uniq -c | awk '$1 > 10' | wc -l)" -ge 4
check "commands, remarks and alignments are the same" diff ncbi.out tamis.out
check "nothing else was said" diff ncbi.err tamis.err
without_date() { sed '/Posted date/d' "$1"; }
check "format 0" diff <(without_date ncbi/out.0) <(without_date tamis/out.0)
check "format 0 of bases" diff <(without_date ncbi/bases.0) <(without_date tamis/bases.0)
check "formats 5, 6, 7" same {out,bases}.{5,6,7}
end
