#!/bin/bash
# Prokka: databases set up (makeblastdb -hash_index), and a genome annotated with them, by parallel's blastp.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need prokka prodigal
genus=/usr/share/prokka/db/genus/Escherichia
[ -e "$genus" ] || {
    echo "1..0 # skip prokka's database of Escherichia is not installed"
    exit 77
}

# sample EVERY FIRST: of FASTA on standard input the record FIRST, and each EVERY after it
sample() { awk -v every="$1" -v first="$2" '/^>/ { seen++ } seen % every == first'; }

for side in ncbi tamis; do
    mkdir -p "$side"/db/{kingdom/Bacteria,genus,hmm}
    mkdir "$side/db/cm"
    ln -s /usr/share/prokka/db/cm/{Archaea,Bacteria,Viruses} "$side/db/cm" # many, and their indexes are made beside
    sample 20 1 <"$genus" >"$side/db/genus/Escherichia"
    sample 20 2 <"$genus" >"$side/db/kingdom/Bacteria/sprot"
    sample 30 3 <"$genus" | sed 's/^>\([^ ]*\) .*/>\1 protein \1/' >"$side/trusted.faa"
    if [ -n "${TAMIS_TEST_DATA:-}" ]; then
        zcat "$TAMIS_TEST_DATA/genomes/ecoli_k12_mg1655.fa.gz" | awk '/^>/ { print ">contig1"; next } NR < 3500' >"$side/genome.fa"
    else
        zcat "$TAMIS_SOURCE/tests/data/genomes/ecoli_k12_excerpt.fa.gz" | awk '/^>/ { $0 = ">contig" ++n } { print }' >"$side/genome.fa"
    fi
done
both prokka --dbdir db --setupdb
check "--setupdb makes databases" test -s tamis/db/genus/Escherichia.pin -a -s tamis/db/kingdom/Bacteria/sprot.pin
both prokka --dbdir db --outdir out --prefix annotated --locustag L --cpus 2 --fast --usegenus --genus Escherichia \
    --proteins trusted.faa --notrna --norrna genome.fa
check "it calls tamis" has_called makeblastdb blastp
check "proteins were named" test "$(grep -c 'similar to AA sequence' tamis/out/annotated.gff)" -gt 10
for kind in gff tsv faa ffn fna fsa tbl txt; do check "$kind" same "out/annotated.$kind"; done
end
