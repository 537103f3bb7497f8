#!/bin/bash
# Roary: clusters of the proteins of several genomes, by parallel searches in themselves.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need roary prodigal

# annotated NAME: GFF of standard input's genome with its sequence, as Roary reads it
annotated() {
    sed "s/^>/>$1_/" >"$1.fa"
    prodigal -q -p meta -f gff -i "$1.fa" 2>/dev/null |
        awk -F '\t' -v OFS='\t' -v name="$1" '!/^#/ { $9 = "ID=" name "_" ++n ";locus_tag=" name "_" n ";product=protein " n; print }' >"$1.cds"
    {
        echo '##gff-version 3'
        cat "$1.cds"
        echo '##FASTA'
        cat "$1.fa"
    } >"$1.gff"
}
genome() { zcat "$TAMIS_SOURCE/tests/data/genomes/ecoli_k12_excerpt.fa.gz" | awk '/^>/ { $0 = ">contig" ++n } { print }'; }
genome | annotated a
genome | related 11 40 | annotated b
genome | related 12 25 | awk '/^>/ { seen++ } seen != 2' | annotated c
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 # the order of groups would be a matter of chance
for side in ncbi ncbi_again tamis; do
    mkdir "$side"
    cp ./*.gff "$side"
    with "$side" roary -p 1 -i 60 -s -z -f out a.gff b.gff c.gff || echo "exit code $?" >>"$side.out"
done
check "it calls tamis" has_called makeblastdb blastp
check "raw searches" same out/_blast_results
check "clusters" same out/{_clustered,_uninflated_mcl_groups,_inflated_mcl_groups,_labeled_mcl_groups,clustered_proteins}
check "what is present where" same out/{gene_presence_absence,blast_identity_frequency}.Rtab out/{accessory_binary_genes.fa,summary_statistics.txt}
# differs FOLDER: what differs there from the first run with BLAST+
differs() { { diff -rq ncbi/out "$1/out" || true; } | sed -n 's/^Files ncbi.out.\([^ ]*\) and .*/\1/p' | sort; }
differs ncbi_again >by_chance
differs tamis | comm -13 by_chance - >unexpected
check "nothing differs but what differs between two runs with BLAST+, too" test ! -s unexpected
# genes SIDE: of the table of genes all but places in the genome, in any order
genes() { awk -F '","' '{ line = $1; for (i = 2; i <= NF; i++) if (i < 6 || i > 14) line = line "," $i; print line }' "$1/out/gene_presence_absence.csv" | sort; }
check "genes of the table" diff <(genes ncbi) <(genes tamis)
echo "# differs between two runs with BLAST+: $(tr '\n' ' ' <by_chance)"
end
