#!/bin/bash
# pyani: average nucleotide identity of genomes, by searches of pieces of each in the others.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need average_nucleotide_identity.py blastn

for side in ncbi tamis; do
    mkdir -p "$side/genomes"
    zcat "$TAMIS_SOURCE/tests/data/genomes/ecoli_k12_excerpt.fa.gz" >"$side/genomes/k12.fasta"
    zcat "$TAMIS_SOURCE/tests/data/genomes/ecoli_o157_excerpt.fa.gz" >"$side/genomes/o157.fasta"
    related 8 30 <"$side/genomes/k12.fasta" | sed 's/^>/>r_/' >"$side/genomes/related.fasta"
done
both average_nucleotide_identity.py -i genomes -o out -m ANIb --workers 2 --nocompress
check "it calls tamis" has_called makeblastdb blastn
check "identities, coverage, lengths, errors" same out/ANIb_{percentage_identity,alignment_coverage,alignment_lengths,hadamard,similarity_errors}.tab
mapfile -t tables < <(cd ncbi && find out -name '*.blast_tab' | sort)
check "six tables of searches" test "${#tables[@]}" -eq 6
check "which are the same" same "${tables[@]}"
end
