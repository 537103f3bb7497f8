#!/bin/bash
# Bioperl: StandAloneBlastPlus (databases, with segmasker's masks too, and searches) and SearchIO.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need perl segmasker
perl -MBio::Tools::Run::StandAloneBlastPlus -e 1 2>/dev/null || {
    echo "1..0 # skip Bioperl's StandAloneBlastPlus is not installed"
    exit 77
}

for side in ncbi tamis; do
    mkdir "$side"
    proteins 60 | related 9 7 | awk '/^>/ { seen++ } seen % 6 == 1' | sed 's/^>/>of_/' >"$side/q.fa"
    proteins 120 >"$side/p.fa"
    proteins 1 | related 10 5 >"$side/s.fa"
done
both perl "$TAMIS_SOURCE/tests/clients/bioperl.pl"
check "it calls tamis" has_called makeblastdb blastp blastdbcmd segmasker
check "alignments were read" test "$(cut -f 1 tamis.out | sort | uniq -c | awk '$1 > 5' | wc -l)" -ge 3
check "alignments and databases are the same" diff ncbi.out tamis.out
check "what was said" diff ncbi.err tamis.err
sed -i '/Posted date/d' {ncbi,tamis}/*.0
check "formats 0" same plain.0 pair.0 masked.0
check "formats 6, 7" same plain.6 plain.7
end
