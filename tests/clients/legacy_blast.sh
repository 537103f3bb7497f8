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
both ../legacy fastacmd -d db -s NP_309512.1,NP_308653.1 -o entries
check "fastacmd, two entries" test "$(grep -c '>' tamis/entries)" -eq 2
check "the same" same entries
both ../legacy fastacmd -d db -D 1 -o all
check "fastacmd, all" same all
check "it calls tamis" has_called blastp makeblastdb blastdbcmd
end
