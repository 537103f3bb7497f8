#!/bin/bash
# Kleborate: sequence types, virulence and resistance of a Klebsiella, by searches of the genome in its databases of alleles.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need kleborate blastn
genome=${TAMIS_TEST_DATA:-}/genomes/k_pneumoniae.fa.gz
[ -e "$genome" ] || {
    echo "1..0 # skip there is no genomes/k_pneumoniae.fa.gz in TAMIS_TEST_DATA"
    exit 77
}

for side in ncbi tamis; do
    mkdir "$side"
    zcat "$genome" >"$side/genome.fa"
done
both kleborate -a genome.fa -o types.txt --resistance
check "it calls tamis" has_called blastn
check "a sequence type was found" grep -q 'Klebsiella pneumoniae.*ST[0-9]' tamis/types.txt
check "types and genes" same types.txt
check "what was said" diff ncbi.out tamis.out
end
