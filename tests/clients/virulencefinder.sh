#!/bin/bash
# VirulenceFinder: genes of virulence in a genome, by a search of each gene of its database in the assembly, read as XML.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need virulencefinder.py blastn
examples=/usr/share/doc/virulencefinder/examples
[ -e $examples/database/config ] || {
    echo "1..0 # skip VirulenceFinder's examples, with its database, are not installed"
    exit 77
}

for side in ncbi tamis; do
    mkdir -p "$side"/{db,out,tmp}
    for file in virulence_ecoli.fsa config notes.txt; do
        if [ -e "$examples/database/$file" ]; then cat "$examples/database/$file"; else zcat "$examples/database/$file.gz"; fi >"$side/db/$file"
    done
    if [ -n "${TAMIS_TEST_DATA:-}" ]; then
        zcat "$TAMIS_TEST_DATA/genomes/ecoli_o157h7_sakai.fa.gz" >"$side/genome.fa"
    else # contigs with an allele each of the database, as a relative has it, between pieces of another genome
        zcat "$TAMIS_SOURCE/tests/data/genomes/ecoli_k12_excerpt.fa.gz" | grep -v '>' >around
        awk '/^>/ { seen++ } seen % 45 == 1' "$side/db/virulence_ecoli.fsa" | related 13 25 |
            awk -v around=around '
                function piece() { for (i = 0; i < 8 && (getline line <around) > 0; i++) print line }
                /^>/ { piece(); print ">contig" ++n; piece(); next }
                { print }' | sed -n '/^>/,$p' >"$side/genome.fa"
    fi
done
# By Debian's Python, for which its modules are installed; the order of sets would be a matter of chance.
PYTHONHASHSEED=0 both /usr/bin/python3 "$(command -v virulencefinder.py)" -i genome.fa -o out -tmp tmp -p db -d virulence_ecoli -x -mp blastn
check "it calls tamis" has_called blastn
check "genes were found" test "$(wc -l <tamis/out/results_tab.tsv)" -gt 10
check "genes, alignments and sequences" same out/results_tab.tsv out/results.txt out/Virulence_genes.fsa out/Hit_in_genome_seq.fsa
check "the search itself" same tmp/tmp/out_virulence_ecoli.xml
without_time() { sed -E 's/"(date|time)": "[^"]*"/"\1": ""/g' "$1"; }
check "what its page shows" diff <(without_time ncbi/out/data.json) <(without_time tamis/out/data.json)
end
