#!/bin/bash
# The programs of BLAST before BLAST+ (blastall, formatdb, fastacmd), which legacy_blast turns into calls of BLAST+'s.
# shellcheck source=/dev/null
. "$(dirname "$0")/common.bash"
need blastall formatdb fastacmd

for side in ncbi tamis; do
    mkdir "$side"
    proteins 40 | related 5 7 | awk '/^>/ { seen++ } seen % 4 == 1' | sed 's/^>/>of_/' >"$side/q.fa"
    proteins 150 >"$side/p.fa"
done
# legacy NAME [ARGUMENT...]: by the folder of programs that is in PATH, as legacy_blast asks for one.
cat >legacy <<'END'
#!/bin/sh
exec "$@" --path "$(dirname "$(command -v blastp)")"
END
chmod +x legacy

both ../legacy formatdb -i p.fa -p T -o T -n db
check "formatdb makes a database" test -s tamis/db.pin
for format in 0 7 8 9; do
    both ../legacy blastall -p blastp -i q.fa -d db -e 1e-3 -m "$format" -o "m$format"
    both ../legacy blastall -p blastp -i q.fa -d db -e 10 -F T -M BLOSUM45 -b 5 -v 5 -m "$format" -o "other$format"
    sed -i '/Posted date/d' {ncbi,tamis}/*"$format"
    check "blastall -m $format" same "m$format" "other$format"
done
for side in ncbi tamis; do zcat "$TAMIS_SOURCE/tests/data/genomes/ecoli_k12_excerpt.fa.gz" | awk 'NR <= 400' | related 2 20 >"$side/bases.fa"; done
zcat "$TAMIS_SOURCE/tests/data/genomes/ecoli_k12_excerpt.fa.gz" >genome.fa
both ../legacy formatdb -i ../genome.fa -p F -n genome
both ../legacy blastall -p blastn -i bases.fa -d genome -e 1e-5 -m 8 -o bases8
both ../legacy blastall -p blastn -i bases.fa -d genome -e 1e-5 -n T -m 9 -o megablast9
check "blastall -p blastn finds some" test "$(wc -l <tamis/bases8)" -gt 0
check "blastall -p blastn, and with megablast" same bases8 megablast9
both ../legacy fastacmd -d db -s NP_309512.1,NP_308653.1 -o entries
check "fastacmd, two entries" test "$(grep -c '>' tamis/entries)" -eq 2
check "the same" same entries
both ../legacy fastacmd -d db -D 1 -o all
check "fastacmd, all" same all
check "it calls tamis" has_called blastp blastn makeblastdb blastdbcmd
end
