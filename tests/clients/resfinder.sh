#!/bin/bash
# ResFinder: genes of resistance in a genome and what they make of its phenotype, by a search of each class of genes in the assembly.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need run_resfinder.py blastn
genes=/usr/share/resfinder/db
[ -e $genes/phenotypes.txt ] || {
    echo "1..0 # skip ResFinder's database is not installed"
    exit 77
}

# Contigs with an allele each, as a relative has it.
for class in aminoglycoside beta-lactam macrolide phenicol quinolone sulphonamide tetracycline trimethoprim; do
    awk '/^>/ { seen++ } seen == 5 || seen == 20' "$genes/$class.fsa"
done | related 3 60 | awk '/^>/ { $0 = ">contig" ++n } { print }' >genome.fa
for side in ncbi tamis; do
    mkdir "$side"
    cp genome.fa "$side"
done
# By Debian's Python, for which its modules are installed; the order of sets would be a matter of chance.
PYTHONHASHSEED=0 both /usr/bin/python3 "$(command -v run_resfinder.py)" -ifa genome.fa -o out -acq -l 0.6 -t 0.8 -s 'Escherichia coli' -db_res "$genes"
check "it calls tamis" has_called blastn
check "genes were found" test "$(wc -l <tamis/out/ResFinder_results_tab.txt)" -gt 8
mapfile -t tables < <(cd ncbi/out && find . -name '*.xml' | sort)
check "searches" same "${tables[@]/#/out/}"
check "genes, alignments and sequences" same out/ResFinder_{results_tab.txt,results.txt,results_table.txt,Resistance_gene_seq.fsa,Hit_in_genome_seq.fsa}
check "phenotypes" same out/pheno_table.txt out/pheno_table_escherichia_coli.txt
end
