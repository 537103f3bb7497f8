# tamis dbinfo: which databases there are, and sequences that several databases have, as blastdbcmd prints them.
load common
load blast

blast() {
    need makeblastdb
    need blastdbcmd
    export BLAST_USAGE_REPORT=false HOME=$PWD
    unset BLASTDB NCBI
}

# Databases of both versions and molecules, in several volumes, and alias files, in dbs.
databases() {
    printf '>P1 one\nMKVLAAGIVGLCAKWWPQRSTVY\n>P2 two\nMKVLAAGIVGLCAKWW\n>P3 three\nMKVLAAGIVGLC\n' >p.fa
    printf '>n1 one\nACGTACGTNNNACGT\n' >n.fa
    mkdir -p dbs/below/deep dbs/empty
    makeblastdb -in p.fa -dbtype prot -out dbs/five -parse_seqids -taxid 3 >/dev/null
    makeblastdb -in p.fa -dbtype prot -out dbs/four -parse_seqids -blastdb_version 4 -title 'version four' >/dev/null
    makeblastdb -in p.fa -dbtype prot -out dbs/vol -max_file_sz 20B >/dev/null
    makeblastdb -in n.fa -dbtype nucl -out dbs/five >/dev/null
    makeblastdb -in n.fa -dbtype nucl -out dbs/below/deep/n >/dev/null
    for last in pin phr psq; do cp dbs/four.$last "dbs/two words.$last"; done
    printf 'TITLE all\nDBLIST four "two words"\n' >dbs/all.pal
    printf 'TITLE more\nDBLIST all\nNSEQ 77\nLENGTH 999\n' >dbs/more.pal
    printf 'TITLE self\nDBLIST vol.00\n' >dbs/vol.00.pal
}

@test "-list: databases of a folder, and of those in it" {
    blast
    databases
    for folder in dbs dbs/ dbs/below ./dbs "$PWD/dbs//" dbs/empty nowhere p.fa; do
        ! in_sample || same_as_blastdbcmd 0 -list "$folder"
        ! in_sample || same_as_blastdbcmd 0 -list "$folder" -recursive
        ! in_sample || same_as_blastdbcmd 0 -list "$folder" -remove_redundant_dbs
        ! in_sample || same_as_blastdbcmd 0 -list "$folder" -dbtype nucl -list_outfmt '%f:%v'
        ! in_sample || same_as_blastdbcmd 0 -list "$folder" -dbtype prot -list_outfmt 'a%%b%p'
    done
    same_as_blastdbcmd 0 -list p.fa
    grep -q '^p.fa\|^nowhere' out && return 1
    same_as_blastdbcmd 0 -list dbs -recursive -list_outfmt '%f|%p|%t|%d|%l|%n|%U|%v'
    [ "$(grep -c '^dbs/vol' out)" -ge 4 ]
    same_as_blastdbcmd 0 -list dbs -recursive -remove_redundant_dbs -list_outfmt '%t %n'
    grep -qx 'more 77' out
    (cd dbs && same_as_blastdbcmd 0 -list .)
    printf 'DBLIST gone\n' >dbs/lost.pal # what comes before it is printed
    same_as_blastdbcmd 0 -list dbs
    same_as_blastdbcmd 2 -list dbs -list_outfmt '%f %n'
    grep -q 'dbs/five 3' out
    err_has 'Could not find volume or alias file (gone)'
    expect 0 "$TAMIS" dbinfo -list nowhere
    err_is 'tamis dbinfo: nowhere: is not a readable folder\n'
    for format in %x abc x%; do
        expect 2 "$TAMIS" dbinfo -list dbs -list_outfmt "$format"
        err_has '-list_outfmt'
    done
    expect 2 "$TAMIS" dbinfo -list dbs -db dbs/five
    expect 2 "$TAMIS" dbinfo -recursive
}

@test "-show_blastdb_search_path" {
    blast
    same_as_blastdbcmd 0 -show_blastdb_search_path
    BLASTDB=/x:y same_as_blastdbcmd 0 -show_blastdb_search_path
    printf '[BLAST]\nBLASTDB=/from/here\n' >.ncbirc
    BLASTDB=/x same_as_blastdbcmd 0 -show_blastdb_search_path
}

@test "an id that several of the databases have: all of them" {
    blast
    databases
    makeblastdb -in p.fa -dbtype prot -out again -parse_seqids -taxid 4 >/dev/null
    printf 'TITLE both\nDBLIST again dbs/five\n' >both.pal
    printf 'P1\nP3 2-4\nP1\n' >batch
    for names in 'dbs/five again' dbs/five; do
        for option in '' -get_dups; do
            # shellcheck disable=SC2086
            {
                same_as_blastdbcmd 0 -db "$names" -entry P1,P3,P1 -outfmt '%a %o %T' $option
                same_as_blastdbcmd 0 -db "$names" -entry P2 $option
                same_as_blastdbcmd 0 -db "$names" -entry_batch batch $option
                same_as_blastdbcmd 0 -db "$names" -entry all -outfmt %a $option
            }
        done
        same_as_blastdbcmd 1 -db "$names" -entry P1,nosuch -outfmt '%a %o' -get_dups
    done
    same_as_blastdbcmd 0 -db both -entry P2 -get_dups -outfmt '%a %T'
    [ "$(wc -l <out)" -eq 2 ]
}

# Names that were merged, after a first one of each kind of id, and titles that are not tidy.
merged() {
    local i=0 first residues=MKVLAAGIVGLCAKWWPQRSTVYACDEFGHIKLMNPQRSTVWY
    for first in 'lcl|f' 'sp|P12341|F' 'gnl|db|f' 'gi|9' 'pdb|1ABC|A'; do
        i=$((i + 1))
        printf '>%s one\1sp|Q1111%s|NM two\1lcl|x%s three\1gi|100%s five\1gb|AAA1111%s.1| six\1bare%s nine\1pir||A1234%s ten' \
            "$first" $i $i $i $i $i $i
        printf ' >sp|P99991|ZZ in title >foo bar >lcl|h y > z\1tr|A0A00%s|A_X\n%s\n' $i "$residues$(printf '%*s' $i '' | tr ' ' A)"
    done
    printf '>sp|P1|A\1lcl|m\1y one\n%sC\n>e1\n%sD\n>sp|P3|A\n%sE\n' $residues $residues $residues
    printf '>sp|P4|A TPA: foo a,  b ,c ( x ) trailing. [Homo sapiens].\n%sF\n' $residues
}

@test "-ctrl_a, -long_seqids" {
    blast
    merged >m.fa
    makeblastdb -in m.fa -dbtype prot -parse_seqids -out m >/dev/null
    makeblastdb -in m.fa -dbtype prot -out n >/dev/null
    for db in m n; do
        for options in '' -ctrl_a -long_seqids '-ctrl_a -long_seqids'; do
            # shellcheck disable=SC2086
            {
                same_as_blastdbcmd 0 -db $db -entry all $options
                same_as_blastdbcmd 0 -db $db -entry all $options -range 2-5
                same_as_blastdbcmd 0 -db $db -entry all $options -outfmt '%a %i %t'
            }
        done
    done
    for options in -ctrl_a -long_seqids; do
        same_as_blastdbcmd 0 -db m -entry Q11112,P3 $options
        same_as_blastdbcmd 0 -db m -entry Q11112 $options -target_only
    done
    grep -q '^>sp|Q11112|NM two$' out
}

@test "a name that is no database is called what it is" {
    printf '>a one\nMKVLAAGIVGLCAKWWPQRSTVY\n' >prot.fa
    printf '>n\nACGTACGTACGT\n' | "$TAMIS" makedb -in - -dbtype nucl -title n -out ndb >/dev/null
    "$TAMIS" makedb -in prot.fa -dbtype prot -out pdb >/dev/null
    for command in blastp dbinfo; do
        options='-dbtype prot'
        [ $command = dbinfo ] || options='-query prot.fa'
        # shellcheck disable=SC2086
        {
            expect 2 "$TAMIS" $command $options -db ndb
            [ "$(sed -n 1p err)" = "tamis $command: No alias or index file found for protein database [ndb] in search path [$PWD:${BLASTDB:-}:]" ]
            err_has "tamis $command: ndb is a nucleotide database"
            expect 2 "$TAMIS" $command $options -db prot.fa
            err_has "tamis $command: prot.fa is FASTA: "
            err_has 'tamis makedb -in prot.fa -dbtype prot -out NAME'
            expect 2 "$TAMIS" $command $options -db nosuch
            [ "$(wc -l <err)" -eq 1 ]
        }
    done
    expect 2 "$TAMIS" blastp -query prot.fa -db prot.fa
    err_has 'search in it with -subject'
    expect 2 "$TAMIS" dbinfo -db pdb -dbtype nucl
    err_has 'pdb is a protein database'
    expect 2 "$TAMIS" dbinfo -db nosuch
    err_has 'No alias or index file found for protein or nucleotide database [nosuch]'
}
