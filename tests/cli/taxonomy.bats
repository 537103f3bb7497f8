# Names of taxa: NCBI's taxdb, as blastp and blastdbcmd read it.
load common
load blast

word() {
    # shellcheck disable=SC2059
    printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)))"
}

# taxdb DIR: taxdb.bti and taxdb.btd of lines "number|scientific|common|BLAST|kingdom", ascending.
taxdb() {
    local line number names at=0 n=0
    : >"$1/entries"
    : >"$1/taxdb.btd"
    while IFS= read -r line; do
        number=${line%%|*}
        names=${line#*|}
        word "$number" >>"$1/entries"
        word $at >>"$1/entries"
        printf '%s' "$names" | tr '|' '\t' >>"$1/taxdb.btd"
        at=$((at + ${#names}))
        n=$((n + 1))
    done
    { word $((0x8739)) && word $n && word 0 && word 0 && word 0 && word 0 && cat "$1/entries"; } >"$1/taxdb.bti"
    rm "$1/entries"
}

# Databases d (ids and taxa, merged names), and n (neither); a query q.fa; taxdb in taxa/.
databases() {
    need makeblastdb
    need blastp
    need blastdbcmd
    export BLAST_USAGE_REPORT=false HOME=$PWD
    unset BLASTDB NCBI
    mkdir taxa
    taxdb taxa <<'END'
5|five|only these|-|-
562|Escherichia coli|E. coli|enterobacteria|Bacteria
4932|Saccharomyces cerevisiae|baker's yeast|ascomycete fungi|Eukaryota
9606|Homo sapiens|human|primates|Eukaryota
10090|Mus musculus||rodents|Eukaryota
20000|three|fields|alone
END
    printf '>q\nMKVLAAGIVGLCAKWWPQRSTVYACDEFGHIKLMNPQRSTVWY\n' >q.fa
    {
        printf '>m1 one\1m2 two\1m3 three\nMKVLAAGIVGLCAKWWPQRSTVYACDEFGHIKLMNPQRSTVWY\n'
        printf '>gi|7|gb|AAA00007.1| x\1y1 yeast\nMKVLAAGIVGLCAKWWPQRSTVYACDEFGHIKLMNPQRSTVWYA\n'
        printf '>u1 nothing is known of\nMKVLAAGIVGLCAKWWPQRSTVYACDEFGHIKLMNPQRSTVWYAC\n'
        printf '>d1 dashes\1d2 fields\nMKVLAAGIVGLCAKWWPQRSTVYACDEFGHIKLMNPQRSTVWYACD\n'
    } >d.fa
    printf '%s %s\n' m1 10090 m2 562 m3 9606 AAA00007.1 0 y1 4932 u1 8888 d1 5 d2 20000 >d.map
    makeblastdb -in d.fa -dbtype prot -parse_seqids -taxid_map d.map -out d >/dev/null
    makeblastdb -in d.fa -dbtype prot -out n >/dev/null
}

columns='staxid ssciname sscinames scomname scomnames sblastname sblastnames sskingdom sskingdoms'
missing='Warning: [blastp] Taxonomy name lookup from taxid requires installation of taxdb database with ftp://ftp.ncbi.nlm.nih.gov/blast/db/taxdb.tar.gz'

# same OPTION...: blastp and tamis print the same.
same() {
    blastp -query q.fa "$@" >want 2>/dev/null
    expect 0 "$TAMIS" blastp -q -query q.fa "$@"
    cmp want out || {
        echo "$*"
        diff want out | head -20
        return 1
    }
}

@test "blastp's columns, JSON and XML of version 2 have the names of taxa" {
    databases
    for BLASTDB in taxa "nowhere:$PWD/taxa" nowhere; do
        export BLASTDB
        for db in d n; do
            for format in "6 qseqid saccver $columns" "7 staxids $columns" '10 scomnames staxids' 15 16; do ! in_sample || same -db $db -outfmt "$format"; done
        done
        ! in_sample || same -subject d.fa -outfmt "6 staxids $columns"
    done
    BLASTDB=taxa "$TAMIS" blastp -q -query q.fa -db d -outfmt '6 staxids sscinames sblastnames' >out
    grep -qx "562;9606;10090	Escherichia coli;Homo sapiens;Mus musculus	enterobacteria;primates;rodents" out
    grep -qx "0;4932	N/A;Saccharomyces cerevisiae	ascomycete fungi" out
    cp taxa/taxdb.bt* . # the working directory is looked in too
    unset BLASTDB
    same -db d -outfmt "6 staxids $columns"
    rm taxdb.btd # an index alone is none, and hides those that come after it
    BLASTDB=taxa same -db d -outfmt "6 staxids $columns"
    rm taxdb.bti
    printf '[BLAST]\nBLASTDB=%s/taxa\n' "$PWD" >.ncbirc
    same -db d -outfmt "6 staxids $columns"
}

@test "blastp without taxdb: the columns in the plural come with NCBI's warning" {
    databases
    blastp -query q.fa -db d -outfmt '6 staxid sskingdoms' >want 2>want_err
    expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt '6 staxid sskingdoms'
    cmp want out
    cmp want_err err
    err_is "$missing\n"
    for format in '6 staxids ssciname sskingdom' 15 6; do
        expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt "$format"
        err_is ''
    done
    BLASTDB=taxa expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt '6 sscinames'
    err_is ''
}

@test "a damaged taxdb is a warning, and no taxon has a name" {
    databases
    export BLASTDB=taxa
    cp taxa/taxdb.bti whole
    for n in 3 24 31 $(($(stat -c %s whole) - 8)); do
        head -c "$n" whole >taxa/taxdb.bti
        expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt '6 sscinames staxid'
        grep -q '^Warning: \[blastp\] .*taxa/taxdb.bti: ' err
        [ "$(cut -f 1 out | sort -u)" = N/A ]
    done
    cp whole taxa/taxdb.bti
    printf '\x01' | dd of=taxa/taxdb.bti bs=1 seek=3 conv=notrunc status=none
    expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt '6 sscinames staxid'
    err_has 'taxa/taxdb.bti: does not begin like an index of taxdb'
    cp whole taxa/taxdb.bti
    for byte in 28 36 44 52; do # an offset that leads out of the names
        printf '\xff' | dd of=taxa/taxdb.bti bs=1 seek=$byte conv=notrunc status=none
        expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt '6 sscinames staxid'
    done
    cp whole taxa/taxdb.bti
    : >taxa/taxdb.btd
    expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt '6 sscinames staxid'
}

@test "dbinfo's letters of taxa, -tax_info, -taxids" {
    databases
    makeblastdb -in d.fa -dbtype prot -parse_seqids -taxid_map d.map -blastdb_version 4 -out old >/dev/null
    makeblastdb -in d.fa -dbtype prot -taxid 9606 -out e >/dev/null
    sed /20000/d d.map >t.map
    makeblastdb -in d.fa -dbtype prot -parse_seqids -taxid_map t.map -out t >/dev/null
    for BLASTDB in taxa nowhere; do
        export BLASTDB
        for db in d n old; do ! in_sample || same_as_blastdbcmd 0 -db $db -entry all -outfmt '%a|%T|%S|%L|%B|%K|%X|%C|%N|%e|%P'; done
        for letter in X N B P; do ! in_sample || same_as_blastdbcmd 0 -db d -entry all -outfmt "%$letter"; done
        for names in t n 't e'; do
            ! in_sample || same_as_blastdbcmd 0 -db "$names" -tax_info
            ! in_sample || same_as_blastdbcmd 0 -db "$names" -tax_info -outfmt 'x %S, %K %%T %a'
        done
    done
    BLASTDB=taxa same_as_blastdbcmd 0 -db t -tax_info
    grep -qx '9606	Homo sapiens	human	Eukaryota	primates	' out
    same_as_blastdbcmd 2 -db old -tax_info
    expect 2 "$TAMIS" dbinfo -db d -tax_info -outfmt '%a %%'
    err_has 'has none of %T %S %L %K %B'
    for taxa in 562 '9606, 562' 4932,5,77 10090,562; do
        ! in_sample || same_as_blastdbcmd 0 -db d -taxids "$taxa"
        ! in_sample || same_as_blastdbcmd 0 -db d -taxids "$taxa" -outfmt '%a %T %o'
        ! in_sample || same_as_blastdbcmd 0 -db d -taxids "$taxa" -target_only
        ! in_sample || same_as_blastdbcmd 0 -db d -taxids "$taxa" -target_only -outfmt '%a %T'
        ! in_sample || same_as_blastdbcmd 0 -db 'd e' -taxids "$taxa" -range 2-5 -outfmt %s
    done
    same_as_blastdbcmd 1 -db d -taxids 77
    err_has 'Taxonomy ID(s) not found.'
    same_as_blastdbcmd 2 -db d -taxids 77 -target_only
    same_as_blastdbcmd 1 -db old -taxids 562
    same_as_blastdbcmd 1 -db d -taxids ''
    printf '9606\r\n562' >list
    same_as_blastdbcmd 0 -db d -taxidlist list -outfmt %a
    expect 2 "$TAMIS" dbinfo -db d -taxids 562,x
    err_has "'x' is not a taxonomy id"
}
