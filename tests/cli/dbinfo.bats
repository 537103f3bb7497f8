# tamis dbinfo: databases of makeblastdb, printed as blastdbcmd prints them; and what is wrong with databases.
load common

blast() {
    need makeblastdb
    need blastdbcmd
    export BLAST_USAGE_REPORT=false
    unset BLASTDB NCBI
    export HOME=$PWD
}

# make NAME TYPE VERSION FASTA [OPTION...]
make() {
    local name=$1 type=$2 version=$3 fasta=$4
    shift 4
    makeblastdb -in "$fasta" -dbtype "$type" -blastdb_version "$version" -title "$name of $type" -out "$name" "$@" >log 2>&1 || {
        cat log
        return 1
    }
}

# same OPTION...: blastdbcmd and tamis dbinfo print the same bytes and succeed. blastdbcmd has the byte 255 for - and * in %s.
same() {
    if only_runs "$TAMIS" dbinfo "$@"; then
        cp out want
        return
    fi
    blastdbcmd "$@" >want 2>want.err || {
        echo "blastdbcmd $*: $(cat want.err)"
        return 1
    }
    expect 0 "$TAMIS" dbinfo "$@"
    err_is ''
    cmp want out || {
        echo "$*"
        diff <(head -c 2000 want) <(head -c 2000 out) | head -20
        return 1
    }
}

# Names of all kinds of ids that both print.
named_proteins() {
    cat <<'END'
>sp|P12345.2|NAME_X title one
MKVBZXUOJACDEFGHIKLMNPQRSTVWYMKVBZXUOJACDEFGHIKLMNPQRSTVWYMKVBZXUOJACDEFGHIKLMNPQRSTVWYACDEFGHI
>gi|129295|sp|P01013.1|OVAX_CHICK gene X
MKVA-A*CDEFGHIKL
>lcl|loc1 local
ACDEFGHIKL
>gnl|mydb|id7 general title
ACDEFGHIKL
>gnl|mydb|17 general number
ACDEFGHIKL
>ref|NP_000001.1| refseq
ACDEFGHIKLMNPQRSTVWY
>bare some bare
ACDEFGHIKL
>pdb|1ABC|A chain a
ACDEFGHIKL
>pdb|2ABC| no chain
ACDEFGHIKL
>pir||A12345 pir
ACDEFGHIKL
>prf||1234567A prf
ACDEFGHIKL
>pat|US|RE33188|1 patent
ACDEFGHIKL
>tr|A0A000|A0A_X
ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWY
>gb||LOCUS1 name only
ACDEFGHIKL
>12345 numeric
ACDEFGHIKL
>gb|AAA12345.1|LOC genbank
ACDEFGHIKL
>bbs|1234 gibbsq
ACDEFGHIKL
>tpg|BAA00001.1|L third party
ACDEFGHIKL
>emb|CAB00001.1| embl
ACDEFGHIKL
>tab	behind the name   and blanks 
ACDEFGHIKL
>utf8 gr\xc3\xbc\xc3\x9fe
ACDEFGHIKL
END
    printf '>merged first title\001sp|Q12345.2|NAME second\001gi|5|gb|AAB12345.1| third  x\nACDEFGHIKL\n'
    for n in 110 113 114 230 241 242 70000; do # titles of 127, 128, 255, 256 bytes and around
        printf '>t%s %s\nACDEFGHIKLMNPQRSTVWY\n' "$n" "$(head -c "$n" /dev/zero | tr '\0' t)"
    done
}

formats=('%f' '%a' '%i|%g|%o|%t|%l|%T' '%l%%%o' 'x %a y' '%h %o')

@test "proteins of both versions, with names parsed and not" {
    blast
    named_proteins >p.fa
    for version in 5 4; do
        [ $version -eq 5 ] || printf '>gi|129296\nACDEFGHIKL\n' >>p.fa # makeblastdb fails to write it with version 5
        for parse in '' -parse_seqids; do
            # shellcheck disable=SC2086
            make "p$version$parse" prot $version p.fa $parse
            for format in "${formats[@]}"; do ! in_sample || same -db "p$version$parse" -entry all -outfmt "$format"; done
            same -db "p$version$parse" -info
            same -db "p$version$parse" -info -exact_length
            for length in 1 79 1000; do ! in_sample || same -db "p$version$parse" -entry all -line_length $length; done
            same -db "p$version$parse" -entry all -range 3-9
            same -db "p$version$parse" -entry all -range 11- -outfmt '%f'
            expect 0 "$TAMIS" dbinfo -db "p$version$parse" --check
            grep -q 'contents: all sequences and names can be read' out
            grep -q 'checksums: 0 files as written, because there are none of tamis makedb' out
            blastdbcmd -db "p$version$parse" -entry all -outfmt %s | LC_ALL=C sed 's/^MKVA\xffA\xff/MKVA-A*/' >want
            expect 0 "$TAMIS" dbinfo -db "p$version$parse" -entry all -outfmt %s
            cmp want out
        done
    done
}

# What the names after the first begin with depends on the first: on its kind of id, and on whether it has a title.
@test "merged names: ids of each kind behind ids of each kind" {
    blast
    local letters i=1000
    letters=$(head -c 600 /dev/zero | tr '\0' M) # makeblastdb takes a file that is mostly names for another format
    for first in 'lcl|loc%d' 'bare%d' 'gnl|db|t%d' 'gnl|db|%d' 'sp|P1%d.2|NAME' 'NP_%d00.1' 'pdb|%d|A' 'pir||A%d' 'prf||1234%dA' \
        'pat|US|RE3%d|1' 'bbs|1%d' 'gi|2%d' 'gi|3%d|gb|AAC1%d.1|L' 'gi|4%d|lcl|x%d' 'gb||NAME%d'; do
        for later in 'ref|NP_%d01.1|' 'lcl|l%d' 'gnl|db|u%d' 'pir||B%d' 'gi|5%d' 'gi|6%d|emb|CAA1%d.1|' 'pdb|%d|' 'sp|Q1%d|' 'bbm|7%d'; do
            for title in ' one' '' ' two words'; do
                i=$((i + 1))
                printf '>%s%s\001%s second\001dbj|BAA%d.1|N\001lcl|z%d fourth\n%s\n' \
                    "${first//%d/$i}" "$title" "${later//%d/$i}" $i $i "$letters"
            done
        done
    done >m.fa
    make m prot 4 m.fa -parse_seqids
    same -db m -entry all
    same -db m -entry all -range 3-9
    same -db m -entry all -outfmt '%a|%i|%g|%t'
}

@test "which of several ids, accessions in lower case, ids in titles" {
    blast
    local i=0 a b version letters
    letters=$(yes MKVLAACDEFGHIKLMNPQRSTVWY | head -2 | tr -d '\n')
    for a in 'gi|%d' 'lcl|x%d' 'bbs|%d' 'gnl|db|x%d' 'pdb|%04d|A' 'pat|US|%d|1' 'gb|AAA%05d.1|' 'ref|np_%06d.2|N%d' 'sp|p1%04d|n%d' \
        'tpg|DAA%05d|' 'nat|AAB%05d.1|' 'pir||A%05d' 'pir|a%05d|n%d' 'prf|A%05d|N%d'; do
        for b in 'lcl|y%d' 'bbm|%d' 'gnl|db|y%d' 'pdb|%04d|B' 'pat|EP|%d|1' 'emb|CAA%05d|' 'emb|cab%05d.1|N' 'ref|np_%06d|' 'gpp|AAC%05d.1|' \
            'pir|B%05d|' 'prf||M%05d'; do
            i=$((i + 1))
            printf '>%s|%s title >sp|P23456|X of >gi|%d|ref|np_000001.1| >abc|x >pir||A1 >x|y>sp|P2| > sp|P3|\001%s\n%s\n' \
                "${a//%d/$i}" "${b//%d/$i}" $i "sp|q1$i.1|n >lcl|z and >sp|P4|" "$letters" | sed -E "s/%0([0-9])d/$(printf %05d $i)/g"
        done
    done >records.fa
    { echo '>first' && yes MKLVAACDEFGHIKLMNPQRSTVWY | head -20 && cat records.fa; } >k.fa # or makeblastdb doubts that this is FASTA
    for version in 4 5; do
        make k$version prot $version k.fa -parse_seqids
        same -db k$version -entry all
        same -db k$version -entry all -range 3-9
        same -db k$version -entry all -outfmt '%a|%i|%g|%t'
    done
}

@test "entries: of a gi and more the gi, words with bars" {
    blast
    local version
    printf '>%s title\n%s\n' 'gi|14|gb|AAA00003.1|L' MKLVAACDEFGHIKLMNPQRSTVWY '1ABC_A|pat|1000' MKLVAACDEFGHIKLMNPQRSTVWYA \
        2ABC_B MKLVAACDEFGHIKLMNPQRSTVWYC 'abcd|e|f' MKLVAACDEFGHIKLMNPQRSTVWYD 'gi|15|gi|16|gb|AAA00004.1|' MKLVAACDEFGHIKLMNPQRSTVWYE \
        'bbm|48' MKLVAACDEFGHIKLMNPQRSTVWYF 'gnl|db|tag' MKLVAACDEFGHIKLMNPQRSTVWYG 'pat|US|1234567|1' MKLVAACDEFGHIKLMNPQRSTVWYH \
        'gnl|db|55' MKLVAACDEFGHIKLMNPQRSTVWYI 'lcl|66' MKLVAACDEFGHIKLMNPQRSTVWYK >e.fa
    for version in 4 5; do
        make e$version prot $version e.fa -parse_seqids
        for id in 14 'gi|14' 'gi|14|gb|AAA00003.1|L' 'gi|14|gb|XXX00003.1|' AAA00003 '1ABC_A|pat|1000' '2ABC|B' 2ABC_B 'abcd|e|f' \
            014 'gi|014' 'pdb|2ABC-B' 'pdb|2ABC_B' 'bbm|0048' 'bbm|48' 'pat|US|1234567|01' 'gnl|db|tag' 15 16; do
            ! in_sample || same -db e$version -entry "$id" -outfmt '%i %o %g'
        done
        for id in 'gi|99|gb|AAA00003.1|L' '2ABC|C' 'abcd|e' 2ABC-C 55 066 'gnl|db|055'; do
            in_sample || continue
            run ! blastdbcmd -db e$version -entry "$id"
            expect 1 "$TAMIS" dbinfo -db e$version -entry "$id"
        done
    done
    for id in 2ABC-B 2abc-b tag TAG; do # blastdbcmd: not in version 5
        same -db e4 -entry "$id" -outfmt '%i %o'
        expect 0 "$TAMIS" dbinfo -db e5 -entry "$id" -outfmt '%i %o'
        cmp want out
    done
}

@test "accessions whose numbers say of which database they are" {
    blast
    local a
    for a in CAD29847 CAD29848 CAD29850.2 CAD29851 caj00224 caj00225 CAJ00252 CAJ00253 CBF69356 CBF69357 CBF69358 CBF69359 CBF69360 CBF69361 \
        CBF69420 CBF69421 CBF79386 CBF79387 CBF79388 CBF90399 CBF90400 CBF90401 CBF90402 CBF90403 CBF90404 CBF90405 CCE69366 CCE69367 CCE71257 \
        CCE71258 CDK00001 CDK02602 CDK08088 CDK12444 CDK12445 CDI3025500 SAI82130 SAI82139 VZQ70898 VZQ70899 VZQ99999 DAA00000 DAA00001.1 DAA00002 \
        DAA02110 DAA02116 DAA02117 DAA34793 DAA34794 DAA34795 DAA34796 EAA00001 AAA00001; do
        printf '>%s t\nMKLVAACDEFGHIKLMNPQRSTVWY\n' $a
    done >a.fa
    make ranges prot 4 a.fa -parse_seqids
    same -db ranges -entry all -outfmt '%i'
    [ "$(grep -c '^tpe' out)" -gt 15 ]
    makeblastdb -in a.fa -dbtype prot -parse_seqids -blastdb_version 4 -out want >/dev/null
    "$TAMIS" makedb -in a.fa -dbtype prot -parse_seqids -blastdb_version 4 -out got
    cmp want.phr got.phr
}

# One record of n letters, of all IUPAC ones or of few.
nucleotides() {
    awk 'BEGIN {
        srand(7)
        letters = "ACGTRYMKWSBDHVN"
        for (i = 1; i <= 90; i++) {
            n = i <= 40 ? i : int(exp(rand() * log(70000)))
            printf ">s%d of %d\n", i, n
            s = ""
            for (j = 0; j < n; j++) s = s substr(letters, 1 + int(rand() * (i % 3 ? 4 : 15)), 1)
            print s
        }
        split("14 15 16 17 4094 4095 4096 9000", runs, " ")
        for (i = 1; i <= 8; i++) {
            s = ""
            while (length(s) < runs[i]) s = s (i % 2 ? "N" : "R")
            printf ">run%d\nACGTACGTAC%sACGT\n", runs[i], s
        }
        print ">end\nACGTACGTNN"
        print ">begin\nNNACGTACGT"
        print ">only\nNNNNNNNNNN"
    }'
}

@test "nucleotides of both versions, all letters, long runs, both strands" {
    blast
    nucleotides >n.fa
    make n4 nucl 4 n.fa
    make n5 nucl 5 n.fa
    make q4 nucl 4 n.fa -parse_seqids
    make q5 nucl 5 n.fa -parse_seqids
    for db in n4 q5; do
        for format in "${formats[@]}" '%s'; do ! in_sample || same -db $db -entry all -outfmt "$format"; done
        for range in 1-1 3-1002 4097-4100; do
            in_sample || continue
            same -db $db -entry all -range $range
            same -db $db -entry all -range $range -strand minus
        done
        same -db $db -entry all -range 2-5 -strand minus -outfmt '%s %l'
    done
    for db in n4 n5 q4 q5; do
        same -db $db -info
        same -db $db -entry all -strand minus
        expect 0 "$TAMIS" dbinfo -db $db --check
    done
    same -db q5 -entry run4096,s3,only,run17 -strand minus
}

@test "several volumes" {
    blast
    awk 'BEGIN { for (i = 1; i <= 400; i++) { s = sprintf("%200s", ""); gsub(" ", substr("ACDEFGHIKLMNPQRSTVWY", 1 + i % 20, 1), s)
        printf ">r%d record\n%s\n", i, s } }' >v.fa
    for version in 4 5; do
        make v$version prot $version v.fa -parse_seqids -max_file_sz 20000B
        [ -e v$version.03.pin ]
        same -db v$version -info
        same -db v$version -entry all
        same -db v$version -entry all -outfmt '%o %a %l'
        same -db v$version -entry r1,r400,r57,r57 -outfmt '%o %a %t'
    done
    make vn prot 4 v.fa -max_file_sz 20000B
    same -db vn -entry all -outfmt '%o %i %t'
    same -db vn -entry 'gnl|BL_ORD_ID|399'
}

@test "-out takes the report too; options of sequences need -entry" {
    printf '>a\nMKV\n' >a.fa
    "$TAMIS" makedb -in a.fa -dbtype prot -out a >log
    for how in '' -info --json --check; do
        # shellcheck disable=SC2086
        "$TAMIS" dbinfo -db a $how >want
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" dbinfo -db a $how -out report.txt --force
        out_is ''
        cmp want report.txt
    done
    expect 2 "$TAMIS" dbinfo -db a -out report.txt
    err_has 'report.txt: already exists and is not empty'
    for option in '-outfmt %a' '-strand minus' '-line_length 5' -target_only; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" dbinfo -db a $option
        err_has "${option%% *} has no effect alone: give -entry IDS too"
    done
}

@test "ids, one by one and from a file" {
    blast
    named_proteins >p.fa
    make p prot 5 p.fa -parse_seqids
    for id in P12345 P12345.2 'sp|P12345.2|NAME_X' 'sp|P12345|' 'gb|P12345.2|' p12345 'gi|129295' 129295 loc1 'lcl|LOC1' mydb:id7 \
        'gnl|mydb|id7' 1ABC_A 'pdb|1ABC|A' 1ABC 2ABC 'pir||A12345' 'prf||1234567A' US RE33188 12345 AAB12345 Q12345 merged 5 \
        'gi|129295|sp|P01013.1|OVAX_CHICK' 'ref|NP_000001.1|' np_000001 'gnl|mydb|17' USRE33188_1 'pat|US|RE33188|1'; do
        in_sample || continue
        if blastdbcmd -db p -entry "$id" >want 2>/dev/null; then # else an id that only tamis finds
            echo "$id" >>found
            expect 0 "$TAMIS" dbinfo -db p -entry "$id"
            cmp want out
        fi
        if blastdbcmd -db p -entry "$id" -target_only -outfmt '%a %i %t' >want 2>/dev/null; then
            expect 0 "$TAMIS" dbinfo -db p -entry "$id" -target_only -outfmt '%a %i %t'
            cmp want out
        fi
    done
    [ "$(wc -l <found)" -ge "$([ -n "${TAMIS_AGREE_QUICK:-}${TAMIS_TEST_HALF:-}" ] && echo 1 || echo 25)" ]
    same -db p -entry 5,loc1 -outfmt '%a %i %t'
    same -db p -entry Q12345,merged,1ABC_A -target_only
    for id in P12345.1 NOSUCH 'gi|1' 'sp|P99999|'; do
        expect 1 "$TAMIS" dbinfo -db p -entry "$id"
        out_is ''
        err_is "tamis dbinfo: Entry not found: $id\n"
    done
    expect 1 "$TAMIS" dbinfo -db p -entry bare,nosuch,loc1 -outfmt %a
    out_is 'bare\nloc1\n'
    printf 'merged 2-4\n\nQ12345 3-\n  bare \nloc1 minus 2-3\n' >batch
    same -db p -entry_batch batch
    same -db p -entry_batch batch -outfmt '%a %s %t'
    expect 0 "$TAMIS" dbinfo -db p -entry_batch - -outfmt %a <batch
    [ "$(tail -n 1 out)" = loc1 ]
    printf 'bare 9-3\n' >batch
    expect 2 "$TAMIS" dbinfo -db p -entry_batch batch
    err_is "tamis dbinfo: batch:1: '9-3' ends before it begins\n"
    printf 'bare\nbare 30\n' >batch
    expect 2 "$TAMIS" dbinfo -db p -entry_batch batch
    err_has "batch:2: '30' is neither a range nor a strand"
}

@test "a list of ids with the same one hundreds of thousands of times" {
    printf '>a x\nMKV\n>b y\nMKVL\n' >p.fa
    "$TAMIS" makedb -in p.fa -dbtype prot -out p -parse_seqids >log
    awk 'BEGIN { for (i = 0; i < 300000; i++) print "lcl|b" }' >ids
    timeout 20 "$TAMIS" dbinfo -db p -entry_batch ids -outfmt %o >out # not a matter of minutes
    [ "$(uniq -c out | xargs)" = "300000 1" ]
}

@test "an id of a database without ids: the message says so" {
    printf '>NC_1.1 a\nACGT\n' >a.fa
    "$TAMIS" makedb -in a.fa -dbtype nucl -out a >log
    expect 1 "$TAMIS" dbinfo -db a -entry NC_1.1
    printf 'tamis dbinfo: %s\n' 'Entry not found: NC_1.1' "the database was made without -parse_seqids: its ids are gnl|BL_ORD_ID|0 and so \
on. Make it with -parse_seqids, or look for names in its titles: -entry all -outfmt '%i %t'" >want
    cmp want err
    "$TAMIS" makedb -in a.fa -dbtype nucl -out a -parse_seqids >log
    expect 1 "$TAMIS" dbinfo -db a -entry NC_2.1
    err_is 'tamis dbinfo: Entry not found: NC_2.1\n'
}

@test "aliases, nested, and the search path" {
    blast
    need blastdb_aliastool
    named_proteins >p.fa
    head -n 8 p.fa >a.fa
    tail -n 6 p.fa >b.fa
    mkdir dbs other
    make dbs/a prot 4 a.fa -parse_seqids
    make dbs/b prot 4 b.fa -parse_seqids
    make other/w prot 4 p.fa
    for last in pin phr psq; do mv other/w.$last "other/two words.$last"; done
    make a5 prot 5 a.fa
    (cd dbs && blastdb_aliastool -dblist 'b a' -dbtype prot -title 'both of them' -out both >log 2>&1)
    printf 'TITLE nested\nDBLIST both "../other/two words"\n' >dbs/nested.pal
    printf 'TITLE some\nDBLIST b\nNSEQ 77\nLENGTH 99999\n' >dbs/said.pal
    printf '#\nDBLIST a\n' >dbs/a.pal
    for names in dbs/both dbs/nested ./dbs/../dbs/said dbs/a 'dbs/b dbs/a' 'dbs/a dbs/b dbs/a' '"other/two words" dbs/said'; do
        same -db "$names" -dbtype prot -info
        same -db "$names" -dbtype prot -entry all -outfmt '%o %i %t'
    done
    printf 'DBLIST both\nFIRST_OID 2\nLAST_OID 4\n' >dbs/slice.pal
    same -db dbs/slice -entry all -outfmt '%o %i'
    export BLASTDB=$PWD/nowhere:$PWD/dbs
    same -db both -info
    unset BLASTDB
    printf '[BLAST]\nBLASTDB=%s/dbs\n' "$PWD" >.ncbirc
    same -db both -info
    expect 2 "$TAMIS" dbinfo -db nosuch -dbtype prot
    err_is "tamis dbinfo: No alias or index file found for protein database [nosuch] in search path [$PWD::$PWD/dbs:]\n"
    rm .ncbirc
    expect 2 "$TAMIS" dbinfo -db both
    blastdbcmd -db both -info 2>&1 | head -n 1 | sed 's/^BLAST Database error/tamis dbinfo/; s/for nucl/for protein or nucl/' >want
    cmp want err
    expect 2 "$TAMIS" dbinfo -db 'dbs/a a5'
    err_is 'tamis dbinfo: DB list contains both Version 4 and Version 5 dbs\n'
    printf 'DBLIST a gone\n' >dbs/lost.pal
    expect 2 "$TAMIS" dbinfo -db dbs/lost -dbtype prot
    err_is "tamis dbinfo: Could not find volume or alias file (gone) referenced in alias file ($PWD/dbs/lost).\n"
    printf 'DBLIST a\nGILIST x.gil\n' >dbs/gis.pal
    expect 2 "$TAMIS" dbinfo -db dbs/gis -dbtype prot
    err_has 'gis.pal: selects sequences by GILIST, which tamis does not support: make a database of them'
}

@test "excerpts of two genomes, and proteins" {
    blast
    zcat "$(data tests/data/genomes/ecoli_k12_excerpt.fa.gz genomes/lambda.fa.gz)" \
        "$(data tests/data/genomes/ecoli_o157_excerpt.fa.gz genomes/h_influenzae.fa.gz)" >g.fa
    make g nucl 5 g.fa
    same -db g -entry all
    zcat "$(data examples/data/o157_400.fa.gz proteins/realprot_62Maa.fa.gz)" | head -n 20000 >r.fa
    make r prot 5 r.fa
    same -db r -entry all
}

@test "JSON" {
    blast
    named_proteins >p.fa
    make p prot 4 p.fa
    expect 0 "$TAMIS" dbinfo -db p --json
    err_is ''
    for text in '"title": "p of prot"' '"molecule": "protein"' '"version": 4' '"sequences": 29' '"contents": null' "\"path\": \"$PWD/p\""; do
        grep -qF "$text" out || {
            echo "$text"
            return 1
        }
    done
    expect 0 "$TAMIS" dbinfo -db p --json --check
    grep -q '"contents": true' out
}

@test "damaged files are exit code 2, with file and field, whatever the length" {
    blast
    nucleotides | head -n 80 >n.fa
    make n nucl 4 n.fa
    for last in nin nhr nsq; do
        cp n.$last whole
        for n in 0 1 4 8 16 33 60 $(($(stat -c %s whole) - 1)); do
            head -c "$n" whole >n.$last
            expect 2 "$TAMIS" dbinfo -db n -entry all
            out_is ''
            grep -qE "^tamis dbinfo: $PWD/n\.n(in|hr|sq): " err
        done
        cp whole n.$last
    done
    printf '\xff' | dd of=n.nsq bs=1 seek=60 conv=notrunc status=none # in the sequences: some other base
    expect 0 "$TAMIS" dbinfo -db n
    printf '\x31' | dd of=n.nhr bs=1 seek=0 conv=notrunc status=none
    expect 2 "$TAMIS" dbinfo -db n --check
    err_is "tamis dbinfo: $PWD/n.nhr: sequence 0: its deflines: the value has a value of an unexpected type\n"
    rm n.nhr
    expect 2 "$TAMIS" dbinfo -db n
    err_is "tamis dbinfo: $PWD/n.nhr: No such file or directory\n"
}

@test "checksums of tamis makedb" {
    for i in $(seq 60); do printf '>r%s\n%s\n' "$i" "$(head -c 4000 /dev/zero | tr '\0' G)"; done >n.fa
    "$TAMIS" makedb -in n.fa -dbtype nucl -out n -max_file_sz 50000B >log
    [ -e n.01.nsq ]
    expect 0 "$TAMIS" dbinfo -db n --check
    grep -qx "	checksums: $(grep -c '\.n' n.nsum) files as written" out
    "$TAMIS" makedb -in n.fa -dbtype nucl -out m >log
    expect 0 "$TAMIS" dbinfo -db 'n m' --check --json
    grep -q "\"checksums\": $(cat n.nsum m.nsum | grep -c '\.n')" out
    cp m.nsum whole
    sed '$d' whole >m.nsum # cut at the end of a line
    expect 2 "$TAMIS" dbinfo -db m --check
    err_is "tamis dbinfo: $PWD/m.nsum: is damaged: its last line is missing\n"
    cat whole - >m.nsum <<<'0000000000000000 1 m.x'
    expect 2 "$TAMIS" dbinfo -db m --check
    err_is "tamis dbinfo: $PWD/m.x: No such file or directory\n"
    rm m.nsum
    ln -s m.nsum m.nsum
    expect 2 "$TAMIS" dbinfo -db m --check
    err_is "tamis dbinfo: $PWD/m.nsum: Too many levels of symbolic links\n"
    printf '\xff' | dd of=n.00.nsq bs=1 seek=60 conv=notrunc status=none # a base that nothing else gives away
    expect 0 "$TAMIS" dbinfo -db n
    expect 2 "$TAMIS" dbinfo -db n --check
    out_is ''
    err_has 'n.00.nsq: is damaged: its checksum has changed'
}

@test "checksums that another program left beside its own database are left aside" {
    blast
    for name in a b; do
        for i in 1 2 3; do printf '>%s%s of %s\n%s\n' $name $i $name "$(head -c $((100 * i)) /dev/zero | tr '\0' M)"; done >$name.fa
    done
    for i in 4 5 6 7 8; do printf '>c%s\nMKVLAACDEFGHIKLMNPQRSTVWY\n' $i; done >>b.fa
    "$TAMIS" makedb -in a.fa -dbtype prot -out d >log
    makeblastdb -in b.fa -dbtype prot -out d >log
    [ -s d.psum ]
    expect 0 "$TAMIS" dbinfo -db d --check
    err_is ''
    grep -qx '	checksums: 0 files as written; others are of a database that was there before, and were left aside' out
    # of several volumes one is left
    "$TAMIS" makedb -in b.fa -dbtype prot -out d -max_file_sz 300 >log
    [ -s d.01.pin ]
    rm d.p??
    makeblastdb -in b.fa -dbtype prot -out d >log
    expect 0 "$TAMIS" dbinfo -db d --check
    grep -q 'were left aside' out
    "$TAMIS" makedb -in b.fa -dbtype prot -out d >log
    printf '\x05' | dd of=d.psq bs=1 seek=60 conv=notrunc status=none # what is in place of its own database is found
    expect 2 "$TAMIS" dbinfo -db d --check
    err_has 'd.psq: is damaged: its checksum has changed'
}

@test "a database that is truncated while it is read is exit code 2" {
    blast
    awk 'BEGIN { for (i = 1; i <= 20000; i++) { s = sprintf("%400s", ""); gsub(" ", "M", s); printf ">r%d record\n%s\n", i, s } }' >v.fa
    make v prot 4 v.fa
    mkfifo pipe
    "$TAMIS" dbinfo -db v -entry all >pipe 2>err &
    exec 5<pipe
    head -c 1000 <&5 >/dev/null
    : >v.psq
    cat <&5 >/dev/null
    exec 5<&-
    got=0
    wait $! || got=$?
    [ "$got" -eq 2 ]
    err_is "tamis dbinfo: $PWD/v: a file of this database changed while it was read: it was truncated. Replace a database by renaming (mv), not in place\n"
}

@test "what is refused, and what to do instead" {
    expect 2 "$TAMIS" dbinfo
    err_has 'which database? Give -db NAME'
    for option in ipg ipg_batch mask_sequence_with logfile; do
        expect 2 "$TAMIS" dbinfo -db p -$option
        err_has "-$option of blastdbcmd is not supported: "
    done
    for format in %m1 %q %; do
        expect 2 "$TAMIS" dbinfo -db p -entry all -outfmt "$format"
        err_has "-outfmt: ${format:0:2} "
    done
    expect 2 "$TAMIS" dbinfo -db p -entry all -outfmt x
    err_has '-outfmt has no specifier'
    for range in -5 5-3 0-3 a-b 3-x ''; do
        expect 2 "$TAMIS" dbinfo -db p -entry all -range "$range"
        err_has '-range'
    done
    expect 2 "$TAMIS" dbinfo -db p -entry all -info
    expect 2 "$TAMIS" dbinfo -db p -entry all -entry_batch x
    expect 2 "$TAMIS" dbinfo -db p -entry ,
    err_has '-entry names no sequence'
}

@test "the output appears whole or not at all" {
    blast
    named_proteins >p.fa
    make p prot 4 p.fa
    "$TAMIS" dbinfo -db p -entry all >want
    expect 0 "$TAMIS" dbinfo -db p -entry all -out o.fa
    out_is ''
    cmp want o.fa
    expect 2 "$TAMIS" dbinfo -db p -entry all -out o.fa
    expect 0 "$TAMIS" dbinfo -db p -entry all -out o.fa --force
    printf '\x31' | dd of=p.phr bs=1 seek=400 conv=notrunc status=none
    expect 2 "$TAMIS" dbinfo -db p -entry all -out n.fa
    [ ! -e n.fa ]
}
