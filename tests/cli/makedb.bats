# tamis makedb, against makeblastdb of BLAST+.
load common

# blast: BLAST+ is needed.
blast() {
    need makeblastdb
    need blastdbcmd
}

# without_time: a log without what differs from run to run.
without_time() {
    sed 's/, current time: .*//; s/ in [-0-9.e]* seconds/ in S seconds/; /^New DB name/s/want$/got/' "$@"
}

# same_files WANT GOT: the files of two databases are equal, but for the dates in indexes (17 bytes at most) and aliases.
same_files() {
    local f other
    ls | sed -n "s/^$1\.//p" | sort >names.want
    ls | sed -n "s/^$2\.//p" | grep -v '^[np]sum$' | sort >names.got
    diff names.want names.got
    [ -s names.want ]
    while read -r f; do
        other=$1.$f
        case $f in
        *[np]in | *[np]aa) [ "$(cmp -l "$other" "$2.$f" 2>&1 | tee different | wc -l)" -le 19 ] && ! grep -q EOF different ;;
        *[np]al) diff <(grep -v '^# Alias' "$other" | sed "s/$1/$2/g") <(grep -v '^# Alias' "$2.$f") ;;
        *) cmp "$other" "$2.$f" ;;
        esac || {
            echo "$f differs"
            return 1
        }
    done <names.want
}

# compare FILE TYPE [OPTION...]: makeblastdb and tamis make the same of it.
compare() {
    local file=$1 type=$2
    shift 2
    rm -f want.* got.*
    if only_runs "$TAMIS" makedb -in "$file" -dbtype "$type" -blastdb_version 4 -out got "$@"; then return; fi
    makeblastdb -in "$file" -dbtype "$type" -blastdb_version 4 -out want "$@" >want_log 2>want_err
    expect 0 "$TAMIS" makedb -in "$file" -dbtype "$type" -blastdb_version 4 -out got "$@"
    diff <(without_time want_log | grep -v '^Maximum') <(without_time out | grep -v '^Maximum')
    diff want_err err
    same_files want got
}

# protein N: a record that makeblastdb takes for protein without doubt, N lines long.
protein() {
    echo ">good one"
    for _ in $(seq "$1"); do echo MKVLAACDEFGHIKLMNPQRSTVWYMKVLAACDEFGHIKLMNPQRSTVWYMKVLAACDEFG; done
}
nucleotides() {
    echo ">good one"
    for _ in $(seq "$1"); do echo ACGTACGATCGATCGATCGATCGATCGATCGATCGATCGATCTTTTGGGGCCCAAATTTGGGA; done
}

# letters ALPHABET SEED LENGTH...: a record of each length, of letters at random.
letters() {
    awk -v alphabet="$1" -v seed="$2" 'BEGIN {
        srand(seed)
        for (i = 3; i < ARGC; i++) {
            print ">r" i " of " ARGV[i] " letters"
            line = ""
            for (k = 0; k < ARGV[i]; k++) {
                line = line substr(alphabet, 1 + int(rand() * length(alphabet)), 1)
                if (length(line) == 70) { print line; line = "" }
            }
            if (line != "") print line
        }
    }' "$@"
}

lengths="$(seq 1 40) 59 60 61 127 128 255 256 400 401 402 403 4095 4096 4097 9000 65535 65536 70000"

@test "proteins: every letter, every length" {
    blast
    {
        protein 30
        printf '>x\nMK-V*BXZUOJ\nmkvjouxbz*\n'
        # shellcheck disable=SC2086
        letters 'ACDEFGHIKLMNPQRSTVWYBXZUOJ*-acd' 1 $lengths
    } >in.fa
    compare in.fa prot
    compare in.fa prot -title 'a "title"' -taxid 9606
}

@test "nucleotides: every letter, every length, runs of each" {
    blast
    {
        nucleotides 30
        printf '>x\nACGTUacgtuRYSWKMBDHVN\nryswkmbdhvn--\n'
        # shellcheck disable=SC2086
        letters 'ACGTACGTACGTACGTACGTACGTACGTACGTACGTRYSWKMBDHVN' 2 $lengths
        # shellcheck disable=SC2086
        letters ACGT 3 $lengths
        for n in 1 2 14 15 16 17 255 256 4095 4096 4097 8190 8191 9000; do
            for c in N R Y K M S W B D H V; do
                printf '>run of %s %s\nACGTACGA%sACC\n' "$n" "$c" "$(head -c "$n" /dev/zero | tr '\0' "$c")"
            done
            printf '>only %s\n%s\n' "$n" "$(head -c "$n" /dev/zero | tr '\0' N)"
        done
    } >in.fa
    compare in.fa nucl
}

@test "small files in the log, and a record without letters whose later headers have no id" {
    blast
    protein 30 >in.fa
    for size in 5000 10239 10240; do
        makeblastdb -in in.fa -dbtype prot -out want -max_file_sz $size >want_log
        expect 0 "$TAMIS" makedb -in in.fa -dbtype prot -out got -max_file_sz $size
        diff <(grep '^Maximum' want_log) <(grep '^Maximum' out)
    done
    { protein 30 && printf '>b \001 c\n>x \001sp|P1|x|y|z\n>d \001e t\nMKLV\n'; } >in.fa
    compare in.fa prot -parse_seqids
    for header in 'b \001 c' 'b \001sp|P1|x|y|z'; do
        { protein 30 && printf ">$header\\nMKLV\\n"; } >in.fa
        run ! makeblastdb -in in.fa -dbtype prot -parse_seqids -out bad
        expect 1 "$TAMIS" makedb -in in.fa -dbtype prot -parse_seqids -out bad
    done
}

# What the man page says of them under DIFFERENCES.
@test "a later header that has no id, and a file that makeblastdb takes for no FASTA" {
    printf '>a\nMKV\n>b x\001\nMKL\n>c\nMKK\n' >none.fa
    printf '>s0\nMKV\n>s1 t\001gnl|a\nMKK\n>s2\nMKKL\n' >general.fa
    for file in none general; do
        expect 1 "$TAMIS" makedb -in $file.fa -dbtype prot -parse_seqids -out bad
        [ -z "$(find . -name 'bad.*')" ]
        ! command -v makeblastdb >/dev/null || expect 255 makeblastdb -in $file.fa -dbtype prot -parse_seqids -out ncbi
    done
    printf '>prf|A1|\nMKV\n>s1 \001\n' >short.fa
    printf '>a\nMKV\n>b x\001|||\n>c\nMKK\n' >bars.fa
    for file in short bars; do
        expect 0 "$TAMIS" makedb -in $file.fa -dbtype prot -parse_seqids -out $file
        ! command -v makeblastdb >/dev/null || expect 1 makeblastdb -in $file.fa -dbtype prot -parse_seqids -out ncbi
    done
    expect 0 "$TAMIS" dbinfo -db bars -entry all -outfmt '%i %s'
    out_is 'lcl|a MKV\nlcl|c MKK\n'
}

@test "volumes begin where makeblastdb's do, and the alias is the same" {
    need_full_sizes
    blast
    {
        protein 30
        # shellcheck disable=SC2046
        letters ACDEFGHIKLMNPQRSTVWY 4 $(seq 1 200) 5000 $(seq 1 3 300)
    } >p.fa
    {
        nucleotides 30
        # shellcheck disable=SC2046
        letters ACGTACGTACGTACGTACGTACGTACGTACGTACGTRYSWKMBDHVN 5 $(seq 1 200) 5000 $(seq 1 3 300) $(seq 1 400)
    } >n.fa
    for size in 2500 5000 10000 33333 70001; do
        compare p.fa prot -max_file_sz $size
        compare n.fa nucl -max_file_sz $size
    done
    [ "$(wc -l <names.want)" -gt 4 ]
}

@test "headers: empty, long, tabs, bars, control bytes, UTF-8" {
    blast
    {
        protein 30
        printf '>\nMKV\n> lead\nMKV\n>a\ttab|bar gi|5|x \nMKV\n>m \001n x\001o\nMKV\n>  two  \nMKV\n'
        for n in 110 117 118 127 128 255 256 70000; do printf '>%s\nMKV\n' "$(yes 'a word of it' | tr '\n' ' ' | head -c $n)"; done
    } >in.fa
    compare in.fa prot
    printf '>caf\303\251 \002\177\000.\nMKV\n>\377\nMKV\n' >>in.fa
    makeblastdb -in in.fa -dbtype prot -blastdb_version 4 -out want >want_log 2>want_err
    expect 0 "$TAMIS" makedb -in in.fa -dbtype prot -blastdb_version 4 -out got
    err_is "in.fa:58: bytes of a header that are not printable ASCII are stored as '#', here and later\n"
    same_files want got
}

@test "what is dropped, and what is said" {
    blast
    {
        protein 30
        printf ';c\n>a\n1MKLLLLLLLLLV>V\n @MKV\n M K\tV \nMK;rest\n!x\n#y\n>e1\n>b\r\nMKV\r\n,,..\n>e2\n\n>c\rMKV\rMKV\n'
    } >in.fa
    compare in.fa prot
    err_is 'FASTA-Reader: Ignoring invalid residues at position(s): On line 34: 1, 14
FASTA-Reader: Ignoring invalid residues at position(s): On line 35: 1
FASTA-Reader: Ignoring invalid residues at position(s): On line 43: 1-4\n'
    grep -q "^Ignoring sequence 'lcl|3' as it has no sequence data$" out
    {
        nucleotides 30
        printf '>a\nACGTACGTACGT EFIACGT.,1\nAC-GTUN*X\n>b\nEEEEE\n>c\nACG'
    } >in.fa
    compare in.fa nucl
}

@test "natural genomes and proteins" {
    blast
    zcat "$(data examples/data/o157_400.fa.gz proteins/realprot_62Maa.fa.gz)" | head -c 2000000 >p.fa
    compare p.fa prot
    zcat "$(data tests/data/genomes/ecoli_k12_excerpt.fa.gz genomes/lambda.fa.gz)" \
        "$(data tests/data/genomes/ecoli_o157_excerpt.fa.gz genomes/human_chr3_2Mbp.fa.gz)" >n.fa
    compare n.fa nucl
    # compressed input gives the same
    cp got.nsq plain.nsq
    gzip -k n.fa
    expect 0 "$TAMIS" makedb -in n.fa.gz -dbtype nucl -out got
    cmp plain.nsq got.nsq
}

@test "300,000 records of 10" {
    blast
    need_full_sizes
    awk 'BEGIN { for (i = 0; i < 300000; i++) printf ">%d\nMKVLAACDEF\n", i }' >in.fa
    expect 0 "$TAMIS" makedb -in in.fa -dbtype prot -blastdb_version 4 -out got
    makeblastdb -in in.fa -dbtype prot -blastdb_version 4 -out want >want_log
    same_files want got
}

# checked TYPE: blastdbcheck says the same of both (that there is no taxonomy, and no index of ids), and every sequence passes.
checked() {
    for db in want got; do
        blastdbcheck -db $db -dbtype "$1" -full -no_isam -verbosity 4 | grep -v '^Writing' | sed "s/$db/db/g" >$db.check || true
    done
    diff want.check got.check
    grep -q PASS got.check
    rm want.check got.check
}

@test "BLAST programs read it: blastdbcheck, blastdbcmd, searches" {
    blast
    need blastp
    need blastn
    {
        protein 4
        letters ACDEFGHIKLMNPQRSTVWY 6 200 300 250 180
    } >p.fa
    {
        nucleotides 4
        letters ACGTACGTACGTACGTACGTACGTN 7 2000 3000 2500 1800
    } >n.fa
    compare p.fa prot -title t
    [ -z "${TAMIS_SANITIZED:-}" ] || return 0
    checked prot
    for format in '%o %i %a %t %l %s' '%f'; do
        diff <(blastdbcmd -db want -entry all -outfmt "$format") <(blastdbcmd -db got -entry all -outfmt "$format")
    done
    diff <(blastdbcmd -db want -info | grep -v Date | sed 's/want/got/') <(blastdbcmd -db got -info | grep -v Date)
    diff <(blastp -query p.fa -db want -outfmt 6) <(blastp -query p.fa -db got -outfmt 6)
    compare n.fa nucl -title t -max_file_sz 1000
    checked nucl
    diff <(blastn -query n.fa -db want -outfmt 6) <(blastn -query n.fa -db got -outfmt 6)
    [ "$(blastn -query n.fa -db got -outfmt 6 | wc -l)" -ge 4 ]
}

@test "several files, standard input, names" {
    printf '>a\nMKVAAAA\n' >a.fa
    printf '>b\nMKVAAAB\n' >'b c.fa'
    expect 0 "$TAMIS" makedb -in 'a.fa "b c.fa"' -dbtype prot -out dir/sub/x
    [ "$(grep -c '^Adding sequences from FASTA; added 1 sequences in ' out)" = 2 ]
    grep -q '^New DB title:  a.fa "b c.fa"$' out
    [ "$(stat -c %s dir/sub/x.psq)" = 17 ]
    expect 0 "$TAMIS" makedb -in - -dbtype prot -out y -title T <a.fa
    expect 0 "$TAMIS" makedb -dbtype prot -out z -title T <a.fa
    cmp y.psq z.psq
    expect 0 "$TAMIS" makedb -in a.fa -dbtype prot
    [ -s a.fa.pin ]
    expect 1 "$TAMIS" makedb -in 'a.fa a.fa' -dbtype prot
    err_is 'BLAST options error: Please provide a database name using -out\n'
    expect 1 "$TAMIS" makedb -dbtype prot -title T <a.fa
    err_is 'BLAST options error: Please provide a database name using -out\n'
    expect 1 "$TAMIS" makedb -dbtype prot -out T <a.fa
    err_is 'BLAST options error: Please provide a title using -title\n'
}

@test "bad input: makeblastdb's words, exit code 1, and nothing is left" {
    : >empty.fa
    printf '>a\n' >letterless.fa
    printf 'MKV\n' >headless.fa
    printf '@a\nMKV\n+\nIII\n' >a.fq
    printf '>a\nMKV\n>b\n,,..,,\n' >odd.fa
    printf '>a\nMKV\n>?100\nMKV\n' >gap.fa
    printf '>a\nMKV\n' | gzip | head -c 25 >cut.fa.gz
    for try in "nofile.fa|BLAST options error: File nofile.fa does not exist" "empty.fa|BLAST options error: File empty.fa is empty" \
        "letterless.fa|BLAST options error: letterless.fa does not match input format type, default input type is FASTA" \
        "headless.fa|BLAST options error: headless.fa does not match input format type, default input type is FASTA" \
        "a.fq|BLAST options error: a.fq does not match input format type, default input type is FASTA (it is FASTQ)" \
        "odd.fa|BLAST Database creation error: Near line 4, there's a line that doesn't look like plausible data" \
        "gap.fa|gap.fa:3: '>?100' is a gap" "cut.fa.gz|cut.fa.gz: "; do
        expect 1 "$TAMIS" makedb -in "${try%%|*}" -dbtype prot -out x
        err_has "${try#*|}"
        [ -z "$(ls -A | grep '^\.\|^x')" ]
    done
    expect 1 "$TAMIS" makedb -in odd.fa -dbtype foo -out x
    expect 1 "$TAMIS" makedb -in odd.fa -out x
    expect 1 "$TAMIS" makedb -in odd.fa -dbtype prot -max_file_sz 4GiB -out x
    err_is 'BLAST options error: max_file_sz must be < 4 GiB\n'
    for size in 1x -1 0 1e6 1KBB; do
        expect 1 "$TAMIS" makedb -in odd.fa -dbtype prot -max_file_sz=$size -out x
        err_is 'tamis makedb: -max_file_sz: not a size such as 1GB, 500MB or 100MiB\n'
    done
    for option in "-gi_mask -parse_seqids -mask_data odd.fa" "-input_type asn1_txt"; do
        # shellcheck disable=SC2086
        expect 1 "$TAMIS" makedb -in odd.fa -dbtype prot -out x $option
        err_has "${option%% *}"
    done
}

# old_database: of three volumes, and another database beside it.
old_database() {
    printf '>a\nMKVAAAA\n>b\nMKVAAAA\n>c\nMKVAAAA\n' >old.fa
    printf '>n\nMKVNNNNNNN\n' >new.fa
    "$TAMIS" makedb -in old.fa -dbtype prot -out db -max_file_sz 100 >out
    [ -s db.02.psq ]
    "$TAMIS" makedb -in old.fa -dbtype prot -out db.other >out
    "$TAMIS" makedb -in n.fa -dbtype nucl -out db >out
}

@test "a record of 2^31 letters is refused, with its place" {
    need_full_sizes
    got=0
    head -c 16777216 /dev/zero | tr '\0' A >letters
    { printf '>a\nAC\n>b\n'; for _ in $(seq 128); do cat letters; done; } 2>/dev/null |
        "$TAMIS" makedb -in - -dbtype nucl -out db -title t >out 2>err || got=$?
    [ $got = 1 ]
    err_is 'tamis makedb: standard input:3: the record has more than 2147483647 residues or bases, the limit of a BLAST database\n'
    [ -z "$(ls -A | grep db)" ]
}

@test "an old database goes, all of it, and nothing else" {
    version5
    printf '>n\nACGT\n' >n.fa
    old_database
    touch db.02.psi db.pdb db.03.psq db.txt
    expect 0 "$TAMIS" makedb -in new.fa -dbtype prot -out db
    grep -q "^Deleted existing Protein BLAST database named $PWD/db$" out
    echo db.03.psq db.ndb db.nhr db.nin db.not db.nsq db.nsum db.ntf db.nto db.other.pdb db.other.phr db.other.pin db.other.pot db.other.psq \
        db.other.psum db.other.ptf db.other.pto db.pdb db.phr db.pin db.pot db.psq db.psum db.ptf db.pto db.txt >files.want
    ls -A | grep '^\.\|^db' | xargs >files.got
    diff files.want files.got
    expect 0 "$TAMIS" makedb -in old.fa -dbtype prot -out db -max_file_sz 100
    [ ! -e db.pin ] && [ -s db.pal ]
}

@test "names that alias files have to quote, and those that they cannot" {
    local name tab=$'my\tdb'
    printf '>a\nMKV\n>b\nMKVL\n' >p.fa
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out "$tab" -max_file_sz 60
    [ "$("$TAMIS" dbinfo -db "\"$tab\"" -entry all | grep -c '>')" = 2 ]
    for name in $'a\nb' 'a"b'; do
        expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -out "$name"
        err_has "-out: the name must not contain double quotes or line ends"
    done
}

@test "an old database with a blank in its name goes, all volumes of it" {
    version5
    printf '>a\nMKV\n>b\nMKVL\n' >p.fa
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out 'my db' -max_file_sz 60
    [ -e 'my db.01.psq' ]
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out 'my db'
    diff <(ls -A my*) <(printf 'my db.%s\n' pdb phr pin pot psq psum ptf pto)
}

@test "a protein's structure that is called as the database's LMDB file stays" {
    printf '>a\nMKV\n' >p.fa
    printf 'HEADER    HYDROLASE\n' >1abc.pdb
    cp 1abc.pdb want
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out 1abc -blastdb_version 4
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out 1abc -blastdb_version 4
    cmp 1abc.pdb want
    version5
    expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -out 1abc
    err_is 'tamis makedb: 1abc.pdb: is not a file of a BLAST database: give the database another name, or use -blastdb_version 4\n'
    cmp 1abc.pdb want
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out db
    [ -s db.pdb ]
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out db -blastdb_version 4
    [ ! -e db.pdb ]
}

@test "a database whose files are symbolic links: the links are replaced, and what they lead to stays" {
    printf '>a\nMKV\n' >old.fa
    printf '>b\nMKVL\n' >new.fa
    mkdir real
    expect 0 "$TAMIS" makedb -in old.fa -dbtype prot -out real/db
    cp -r real before
    for f in real/db.*; do ln -s "$f" .; done
    ln -s nowhere/db.pog db.pog
    expect 0 "$TAMIS" makedb -in new.fa -dbtype prot -out db
    [ "$("$TAMIS" dbinfo -db db -entry all)" = "$(printf '>b\nMKVL')" ]
    [ -z "$(find . -maxdepth 1 -type l)" ]
    diff -r before real
    # also where the first volume gets another name
    for f in phr pin psq; do ln -s real/db.$f db.00.$f; done
    expect 0 "$TAMIS" makedb -in "old.fa new.fa" -dbtype prot -out db -title t -max_file_sz 60
    [ "$("$TAMIS" dbinfo -db db -entry all | grep -c '>')" = 2 ]
    [ -f db.pal ] && [ ! -L db.00.pin ] && [ ! -e db.pin ]
    diff -r before real
}

@test "a failure or a signal leaves the old database as it was" {
    printf '>n\nACGT\n' >n.fa
    old_database
    ls -A >names
    cat db.* | cksum >sum
    unchanged() {
        diff names <(ls -A | grep -v '^big.fa$\|^bad.fa$')
        diff sum <(cat db.* | cksum)
    }
    touch err
    ls -A >names
    { cat old.fa; printf '>bad\n,,,,\n'; } >bad.fa
    expect 1 "$TAMIS" makedb -in bad.fa -dbtype prot -out db -max_file_sz 100
    unchanged
    awk 'BEGIN { for (i = 0; i < 100000; i++) printf ">%d\nMKVLAACDEF\n", i }' >big.fa
    (
        ulimit -f 500
        expect 6 "$TAMIS" makedb -in big.fa -dbtype prot -out db
    )
    err_has 'cannot be written: File too large'
    unchanged
    for signal in INT TERM HUP; do
        got=0
        timeout -s $signal 0.5 "$TAMIS" makedb -in - -dbtype prot -out db -title t -max_file_sz 100 < <(head -c 1000 big.fa; sleep 2) >out ||
            got=$?
        [ $got = 124 ]
        unchanged
    done
}

@test "the log goes to a file" {
    printf '>a\nMKV1\n' >a.fa
    expect 0 "$TAMIS" makedb -in a.fa -dbtype prot -out x -logfile log
    out_is ''
    err_is ''
    grep -q '^FASTA-Reader: Ignoring' log
    grep -q '^Adding sequences' log
    expect 1 "$TAMIS" makedb -in none.fa -dbtype prot -out x -logfile log
    err_is 'BLAST options error: File none.fa does not exist\n'
    [ "$(grep -c '^Building a new DB' log)" = 2 ]
    grep -q '^BLAST options error: File none.fa does not exist' log
    expect 1 "$TAMIS" makedb -in a.fa -dbtype prot -out x -logfile none/log
    err_is "Command line argument error: Argument \"logfile\". File is not accessible:  \`none/log'\n"
    [ ! -w /dev/full ] || expect 6 "$TAMIS" makedb -in a.fa -dbtype prot -out x -logfile /dev/full
}

# id_words: first words of headers, of which each is an id to makeblastdb.
id_words() {
    printf '%s\n' bare UniRef90_A0A0 12345 007 0 -5 2147483647 2147483648 'id;semi' id=eq=1 contig:1-100 'sp|P12345|NAME' 'sp|Q12345.2|NAME2' \
        'tr|A0A000|A0A_X' 'gi|129295|sp|P01013.1|OVAX_CHICK' 'gi|129296' 'ref|NP_000001.1|' 'ref|NP_000003.1' NP_000002.3 O12345.1 O12346 p12347 \
        AAA12345.1 AAA12346 'gb|AAA12347.1|' 'emb|CAA12345.1|LOC' 'dbj|BAA12345.1|' 'tpg|DAA12345.1|' 'gnl|mydb|id7' 'gnl|mydb|77' 'gnl|mydb|077' \
        'id|pipe' 'name|pipe' 'lcl|loc1' 'lcl|78' 'pdb|1ABC|A' 1ABC_B 1ABC_b 2ABC '2ABD|C' 'pdb|3ABC' 'pdb|1ABC|AA' 'pir||A12345' 'pir|B12345.1|X' \
        'prf||1234567A' 'pat|US|1234567|1' 'bbs|123' 'bbm|123' 'gim|123' 'x|' 'y|z|' 'gb|' 'gnl|a|' 'gnl||b' 'gi|5|gi|6' \
        'gi|8|sp|A|B|gb|C|D' 'lcl|q|gi|9' 'ref|NP_1.1||gi|10' 'gb|A.1|BB|emb|C.1|D' 'sp||ONLYNAME' AAA12348.01 u12345 U12346 AB123456.1 \
        NM_123456.1 NC_000001 AAAA01000001 AAAA01S000001 NZ_CP000001.1 GPC_000000001.1 'tpe|x|y' 'gpp|x|y' 'SP|P22345|NAME' 'oth|x' \
        AT_123456789 CDK12345 I12345 N12345 AH123456 WP_123456789.1 A0A385XJK5 'uniprot|x'
}

@test "-parse_seqids: the ids of every kind, their order and their indexes" {
    blast
    {
        protein 30
        id_words | awk '{ print ">" $0 " title of " NR; print "MKVLA" }'
        printf '>m1 one\001gi|20|sp|P99999|N two\001m3\nMKV\n>t1\ttab\nMKV\n>t2  two blanks\nMKV\n>t3 \nMKV\n>sp|P88888|EMPTY\n>z,comma c\nMKV\n>pdb|1914|A digits\nMKV\n>pdb|WXYZ| letters\nMKV\n'
    } >p.fa
    compare p.fa prot -parse_seqids
    sed '/^>/!s/.*/ACGTACGTACGTACGATGCATGCTAGCTACGATCGATTAG/' p.fa >n.fa
    compare n.fa nucl -parse_seqids
    [ -z "${TAMIS_SANITIZED:-}" ] || return 0
    for id in bare 12345 P12345 'sp|P12345|NAME' 129295 'gnl|mydb|id7' 1ABC_B 'pat|US|1234567|1' NAME m3 20; do
        in_sample || continue
        blastdbcmd -db want -dbtype nucl -entry "$id" >want.entry
        blastdbcmd -db got -dbtype nucl -entry "$id" | diff want.entry -
    done
    rm -f want.entry
    blastdbcheck -db got -dbtype nucl -full -verbosity 4 | grep -q 'Status for OID 5: PASS'
}

@test "-parse_seqids: many ids, several volumes" {
    blast
    {
        protein 30
        awk 'BEGIN {
            srand(1)
            for (i = 0; i < 3000; i++)
                printf ">gi|%d|ref|NP_%06d.%d|%s t%d\nMKV\n", 1 + i * 7919 % 100003, i, 1 + i % 3, i % 7 ? "" : "\001gb|AAA" (10000 + i) "|L" i, i
        }'
    } >p.fa
    for size in 1GB 10000 50000 100000; do ! in_sample || compare p.fa prot -parse_seqids -max_file_sz $size; done
}

@test "-parse_seqids: nothing but GIs has no index of words" {
    blast
    { protein 30 | sed 's/^>.*/>gi|7 t/' && printf '>gi|5\nMKV\n'; } >p.fa
    compare p.fa prot -parse_seqids
    [ ! -e got.psi ]
}

@test "-parse_seqids: what is no id" {
    while IFS='~' read -r word text; do
        printf '>good\nMKV\n>%s\nMKV\n' "$word" >in.fa
        expect 1 "$TAMIS" makedb -in in.fa -dbtype prot -out x -parse_seqids
        err_has "BLAST Database creation error: $text"
        [ ! -e x.pin ]
    done <<END
a|b|c~Could not construct seq-id from 'a|b|c'
gi|abc~Could not construct seq-id from 'gi|abc'
lcl|a|b~Could not construct seq-id from 'lcl|a|b'
pdb|1AB|A~Could not construct seq-id from 'pdb|1AB|A'
gb|x.0~Could not construct seq-id from 'gb|x.0'
P12345.0~Could not construct seq-id from 'P12345.0'
"dq"~'"dq"' is not a valid local ID
~Defline lacks a proper ID around line 3
 x~Defline lacks a proper ID around line 3
$(printf 'x%.0s' $(seq 51))~Near line 3, the local id is too long.  Its length is 51 but the maximum allowed local id length is 50.
sp|$(printf '1%.0s' $(seq 31))|~Near line 3, the accession is too long.  Its length is 31 but the maximum allowed accession length is 30.
END
    printf '>a\nMKV\n>b\nMKV\n>c\nMKV\n>B\nMKV\n>A\nMKV\n' >in.fa
    expect 1 "$TAMIS" makedb -in in.fa -dbtype prot -out x -parse_seqids
    err_is 'BLAST Database creation error: Error: Duplicate seq_ids are found: \nLCL|B\n\n'
}

# compare5 FILE TYPE [OPTION...]: version 5. LMDB's files differ in what they do not use, so they are compared by what is found in them.
compare5() {
    local file=$1 type=$2 f
    shift 2
    rm -rf want got
    mkdir want got
    if only_runs "$TAMIS" makedb -in "$file" -dbtype "$type" -out got/d "$@"; then return; fi
    makeblastdb -in "$file" -dbtype "$type" -out want/d "$@" >log
    expect 0 "$TAMIS" makedb -in "$file" -dbtype "$type" -out got/d "$@"
    diff <(ls want) <(ls got | grep -v '^d.[np]sum$')
    for f in want/*; do
        case $f in
        *[np]db | *[np]tf | *[np]al) ;;
        *[np]in | *[np]aa) [ "$(cmp -l "$f" "got/${f##*/}" 2>&1 | tee different | wc -l)" -le 19 ] && ! grep -q EOF different ;;
        *) cmp "$f" "got/${f##*/}" ;;
        esac
    done
    diff <(blastdbcmd -db want/d -dbtype "$type" -entry all -outfmt '%o %i %a %t %l %T') \
        <(blastdbcmd -db got/d -dbtype "$type" -entry all -outfmt '%o %i %a %t %l %T')
    diff <(blastdbcmd -db want/d -dbtype "$type" -info | grep -v Date | sed 's/want/got/') <(blastdbcmd -db got/d -dbtype "$type" -info | grep -v Date)
}

# version5: tamis can make it
version5() {
    printf '>a\nMKV\n' >a.fa
    if ! "$TAMIS" makedb -in a.fa -dbtype prot -blastdb_version 5 -out a >out 2>err; then
        err_is 'tamis makedb: -blastdb_version 5: tamis was built without LMDB (Debian: liblmdb-dev); -blastdb_version 4 works, and BLAST programs read it\n'
        skip "built without LMDB"
    fi
}

@test "version 5, the default: taxids are found" {
    printf '>a\nMKVLAARRWTEGHKLPQSTNDYFCEEGHKL\n' >q.fa
    version5
    expect 0 "$TAMIS" makedb -in q.fa -dbtype prot -taxid 9606 -out d
    expect 0 "$TAMIS" blastp -query q.fa -db d -taxids 9606 -outfmt '6 sseqid staxids'
    out_is 'a\t9606\n'
    expect 2 "$TAMIS" blastp -query q.fa -db d -taxids 9607 -outfmt 6
    expect 0 "$TAMIS" makedb -in q.fa -dbtype prot -taxid 9606 -out d -blastdb_version 4
    expect 2 "$TAMIS" blastp -query q.fa -db d -taxids 9606
    err_has 'is a database of version 4 without taxids, which -taxids needs: make it again with -blastdb_version 5'
}

@test "files without quotes" {
    printf '>a\nMKV\n' | tee a.fa >b.fa
    expect 1 "$TAMIS" makedb -in a.fa b.fa -dbtype prot -out d
    err_has "'b.fa': files are named with -in; several in quotes: -in \"a.fa b.fa\""
}

@test "-hash_index: the index of hashes, and of ids with it" {
    blast
    version5
    {
        protein 30
        # shellcheck disable=SC2046
        letters 'ACDEFGHIKLMNPQRSTVWYBXZUOJ*-acd' 1 $(seq 1 200) 20000
        protein 30
    } >p.fa
    {
        nucleotides 30
        # shellcheck disable=SC2046
        letters ACGTACGTACGTACGTACGTACGTACGTRYSWKMBDHVN 2 $(seq 1 200) 20000
    } >n.fa
    compare p.fa prot -hash_index
    [ -s got.phd ]
    ! in_sample || compare p.fa prot -hash_index -max_file_sz 5000
    ! in_sample || compare n.fa nucl -hash_index -parse_seqids
    ! in_sample || compare5 p.fa prot -hash_index
    ! in_sample || compare5 n.fa nucl -hash_index -max_file_sz 5000
}

# low_complexity: proteins in which SEG finds something, with ids of several kinds.
low_complexity() {
    protein 10
    id_words | grep -v '|pipe$\|^x|\|^y|\|^gb|$\|^uniprot\|^contig:\|^gi|[0-9]*$\|^gi|5|\|^[uU]123' | awk '{
        print ">" $0 " t"
        print "MKVLAACDEFGHIKLMNPQRSTVWYAAAAAAAAAAAAAAAAAAAAAAMKVLACDEFGHIKWRYSSSSSSSSSSSSSSSSSSSSSS"
    }'
}

@test "-mask_data: masks of segmasker and of tamis mask, as text and binary, by number and by id" {
    blast
    version5
    need segmasker
    low_complexity >p.fa
    for parse in '' -parse_seqids; do
        # shellcheck disable=SC2086
        segmasker -in p.fa -outfmt maskinfo_asn1_bin $parse -out a.masks
        # shellcheck disable=SC2086
        "$TAMIS" mask -task seg -in p.fa -outfmt maskinfo_asn1_text -window 10 -locut 3 -hicut 3 $parse -out b.masks --force
        # shellcheck disable=SC2086
        {
            ! in_sample || compare p.fa prot -mask_data a.masks $parse
            ! in_sample || compare p.fa prot -mask_data a.masks,b.masks $parse -max_file_sz 3000
            ! in_sample || compare p.fa prot -mask_data b.masks,a.masks $parse -mask_id short,long -mask_desc 'of: one,of two'
            compare5 p.fa prot -mask_data a.masks $parse
        }
    done
    [ -s got/d.paa ]
    for n in a aa aaa aaaa aaaaa aaaaaa aaaaaaa; do ! in_sample || compare p.fa prot -mask_data a.masks -mask_id $n -parse_seqids; done
}

@test "-mask_data: dustmasker's" {
    blast
    need dustmasker
    { nucleotides 4; awk 'BEGIN { for (i = 0; i < 90; i++) print ">n" i "\nACGTTGCATCGATTAGCCATAAAAAAAAAAAAAGCAATCGGTCAGTT" substr("CACACACACACACACACACACACACACACAC", 1, i) }'; } >n.fa
    dustmasker -in n.fa -outfmt maskinfo_asn1_bin -out a.masks
    dustmasker -in n.fa -outfmt maskinfo_asn1_text -level 10 -out b.masks
    compare n.fa nucl -mask_data a.masks,b.masks
}

# mask_info LOCATIONS: a file of masks.
mask_info() {
    printf 'Blast-db-mask-info ::= {\n algo-id 1, algo-program %s, algo-options "%s",\n masks { masks { %s }, more FALSE } }\n' "$@"
}

@test "-mask_data: locations in any order, several of a sequence, other programs, and what is wrong with masks" {
    blast
    low_complexity >p.fa
    local one='from 5, to 9, id local id 1' two='from 1, to 6, strand plus, id local id 1' name
    mask_info seg x "int { $one }, int { $two }, packed-int { { from 2, to 4, id local id 2 } }" >several
    mask_info seg x "packed-int { { $one }, { $two } }" >packed
    mask_info seg '' "int { $one }" >plain
    mask_info other y "int { $one }" >other
    mask_info windowmasker 'a:b' "int { $one }" >windows
    for name in several packed plain other windows several,packed plain,several,other,windows; do compare p.fa prot -mask_data "$name"; done
    mask_info seg x "int { from 5, to 999999, id local id 1 }" >beyond
    mask_info seg x "int { from 5, to 3, id local id 1 }" >backwards
    mask_info seg x "packed-int { { $one }, { from 2, to 4, id local id 2 } }" >mixed
    head -c 90 several >cut
    : >empty
    echo foo >foo
    while IFS='~' read -r file options text; do
        # shellcheck disable=SC2086
        expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -out x -mask_data "$file" $options
        err_has "$text"
        [ ! -e x.pin ] && [ ! -e x.paa ]
    done <<'END'
beyond~~BLAST Database creation error: Error: Masked data offsets out of bounds.
backwards~~BLAST Database creation error: Error: Masked data offsets out of bounds.
mixed~~BLAST options error: Cannot get masked range Seq-id
empty~~BLAST options error: Unknown encoding for mask data in 'empty'
foo~~BLAST options error: Unknown encoding for mask data in 'foo'
cut~~cut: 
several,packed~-mask_id a~BLAST options error: the size of mask_id does not match that of mask_data.
several,packed~-mask_id a,b -mask_desc c~BLAST options error: the size of mask_desc does not match that of mask_data.
several,packed~-mask_id a,a~BLAST Database creation error: Duplicate masking algorithm found.
several~-mask_id 12~BLAST options error: mask_id can not be numeric.
END
    expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -out x -mask_id a
    # what masks nothing is said
    mask_info seg x "int { from 5, to 9, id local str \"nobody\" }" >nobody
    makeblastdb -in p.fa -dbtype prot -out w -mask_data none,nobody >log 2>want_err
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out x -mask_data none,nobody
    cmp want_err err
    [ ! -e x.paa ]
}

@test "a search masks subjects by the masks that makedb took" {
    need blastp
    version5
    printf '>q\nMKVLAACDEFGHIKLMNPQRSTVWYAAAAAAAAAAAAAAAAAAAAAAMKVLACDEFGHIKWRY\n' >q.fa
    low_complexity >p.fa
    "$TAMIS" mask -task seg -in p.fa -outfmt maskinfo_asn1_text >p.masks
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out d -mask_data p.masks -mask_id mine
    for mask in '-db_soft_mask 100' '-db_hard_mask mine'; do
        # shellcheck disable=SC2086
        blastp -query q.fa -db d -outfmt 6 $mask >want
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt 6 $mask
        cmp want out
    done
    [ -s want ]
    expect 0 "$TAMIS" blastp -query q.fa -db d -outfmt 6
    ! cmp -s want out
}

@test "-taxid_map: taxa by ids of all kinds" {
    blast
    version5
    {
        protein 10
        id_words | grep -v '|pipe$\|^x|\|^y|\|^gb|$\|^contig:\|^gi|[0-9]*$\|^gi|5|' | awk '{ print ">" $0 " t"; print "MKVLAACDEFGHIKLMNPQRSTVWY" }'
        printf '>sp|Q11111|N1 a\001sp|Q22222|N2 b\001sp|Q33333|N3 c\nMKVLAACDEFGHIKL\n'
    } >p.fa
    awk '/^>/ { print substr($1, 2), 1 + NR % 7 }' p.fa >whole
    printf '%s\n' P12345 Q12345 Q12345.2 p12347 O12345.9 129295 P01013 NP_000001 NP_000002.3 id7 77 mydb:id7 1ABC_A 1ABC_b US1234567_1 loc1 LOC1 \
        78 bare 007 ONLYNAME Q22222 Q33333 tr%A0A000%X | tr % '|' | awk '{ print $1, 10 + NR % 5 }' >accessions
    printf 'P12345 1\nP12345 2\nbare\t3 \n Q12345 4\nQ11111 9\nQ22222 9\nQ33333 -8\n\nQ12345  7\n007 1 x\n78 5\r\n' >odd
    printf 'nobody 1\n' >nobody
    for map in whole accessions odd nobody; do
        ! in_sample || compare5 p.fa prot -parse_seqids -taxid_map $map
        ! in_sample || compare5 p.fa prot -parse_seqids -taxid_map $map -max_file_sz 2500
        compare p.fa prot -parse_seqids -taxid_map $map
    done
    err_is 'Error: [makeblastdb] No sequences matched any of the taxids provided.\n'
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -parse_seqids -taxid_map whole -out d
    expect 0 "$TAMIS" blastp -query p.fa -db d -taxids 3 -outfmt '6 sacc staxid'
    [ -s out ] && ! grep -qv '	3$' out
    printf 'bare 1\nbare x\n' >bad
    expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -parse_seqids -taxid_map bad -out d
    err_has "bad:2: 'x' is not a taxonomy id"
    expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -taxid_map whole -out d
    err_has '-parse_seqids'
    expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -parse_seqids -taxid_map whole -taxid 1 -out d
    expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -parse_seqids -taxid_map none -out d
    err_has "Argument \"taxid_map\". File is not accessible:  \`none'"
}

@test "a failure before anything is read has no empty lines behind it in the log" {
    blast
    : >empty.fa
    printf '@a\nMKV\n+\nIII\n' >a.fq
    printf '>a\nMKVMKVMKVMKVMKV\n>\nMKVMKV\n' >idless.fa
    for file in nofile.fa empty.fa a.fq idless.fa; do
        makeblastdb -in $file -dbtype prot -parse_seqids -out d >want 2>/dev/null || true
        expect 1 "$TAMIS" makedb -in $file -dbtype prot -parse_seqids -out d
        diff <(without_time want) <(without_time out)
    done
}

@test "version 5" {
    blast
    need blastp
    version5
    {
        protein 30
        # shellcheck disable=SC2046
        letters ACDEFGHIKLMNPQRSTVWY 8 $(seq 1 3 300)
    } >p.fa
    {
        nucleotides 30
        # shellcheck disable=SC2046
        letters ACGTACGTACGTACGTACGTACGTRN 9 $(seq 1 3 300)
    } >n.fa
    ! in_sample || compare5 n.fa nucl
    ! in_sample || compare5 n.fa nucl -max_file_sz 5000
    ! in_sample || compare5 p.fa prot -max_file_sz 5000
    compare5 p.fa prot -taxid 9606 -title 'a b'
    [ -z "${TAMIS_SANITIZED:-}" ] || return 0
    tail -n 60 p.fa | sed -n '/^>/,$p' >q.fa # records of 250 letters and more
    blastp -query q.fa -db want/d -taxids 9606 -outfmt '6 std staxids' >want.hits
    blastp -query q.fa -db got/d -taxids 9606 -outfmt '6 std staxids' | cmp want.hits -
    [ "$(wc -l <want.hits)" -ge "$(grep -c '>' q.fa)" ]
}

@test "version 5, -parse_seqids" {
    blast
    version5
    {
        protein 30
        id_words | grep -v '^gi|[0-9]*$\|^gi|5|gi|6$' | awk '{ print ">" $0 " title of " NR; print "MKVLA" }'
        printf '>m1 one\001gi|20|sp|P99999|N two\nMKV\n>3xyz_a\nMKV\n'
    } >p.fa
    compare5 p.fa prot -parse_seqids
    compare5 p.fa prot -parse_seqids -max_file_sz 2500
    [ -z "${TAMIS_SANITIZED:-}" ] || return 0
    for id in bare BARE 12345 P12345 'sp|P12345|NAME' 129295 'gnl|mydb|id7' mydb:id7 1ABC_B 1abc 'pat|US|1234567|1' m1 20 3xyz 3XYZ_a a0a385xjk5; do
        in_sample || continue
        blastdbcmd -db want/d -entry "$id" >want.entry 2>&1 || true
        blastdbcmd -db got/d -entry "$id" 2>&1 | diff want.entry -
    done
}

@test "version 5, -parse_seqids: thousands of names of one sequence, as in nr" {
    blast
    version5
    awk 'BEGIN { for (i = 0; i < 10000; i++) printf "%sWP_%09d.1 t", i ? "\001" : ">", i * 7919 % 10000; print "\nMKV" }' >p.fa
    timeout 60 "$TAMIS" makedb -in p.fa -dbtype prot -blastdb_version 5 -out quick -parse_seqids >log # not a matter of minutes
    compare5 p.fa prot -parse_seqids
}

# copies IN TYPE [OPTION...]: makeblastdb and tamis copy databases alike: files, log, messages.
copies() {
    local in=$1 type=$2 f
    shift 2
    rm -rf want got
    mkdir want got
    makeblastdb -in "$in" -input_type blastdb -dbtype "$type" -out want/d "$@" >want_log 2>want_err
    expect 0 "$TAMIS" makedb -in "$in" -input_type blastdb -dbtype "$type" -out got/d "$@"
    diff <(without_time want_log | grep -v '^Maximum' | sed 's|/want/|/got/|') <(without_time out | grep -v '^Maximum')
    diff want_err err
    diff <(ls want) <(ls got | grep -v '^d.[np]sum$')
    for f in want/*; do
        case $f in
        *[np]db | *[np]tf | *[np]al) ;;
        *[np]in | *[np]aa) [ "$(cmp -l "$f" "got/${f##*/}" 2>&1 | tee different | wc -l)" -le 19 ] && ! grep -q EOF different ;;
        *) cmp "$f" "got/${f##*/}" ;;
        esac
    done
}

@test "-input_type blastdb: proteins, nucleotides, both versions, with ids and without" {
    blast
    version5
    need segmasker
    local v w
    {
        protein 30
        printf '>sp|P12345.1|A_B one\001gi|777|gb|AAA12345.1| two\nMKVLAAGXBZUOJ*K-L\n>1ABC_A\nMKV\n>gi|5|ref|NP_000001.1| r\nMKK\n>low\n'
        printf 'MKVLAAGWWQSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSWHNPKVLAAG\n'
    } >p.fa
    {
        nucleotides 30
        # shellcheck disable=SC2046
        letters ACGTACGTACGTACGTRYKMN 3 1 2 3 4 5 $(seq 60 7 200) 5000
    } >n.fa
    printf 'P12345 9606\n1ABC_A 10\n' >map
    segmasker -in p.fa -parse_seqids -outfmt maskinfo_asn1_bin -out p.masks
    printf '>second one\nMKVLA\n>third\nMKVLG\n' >q.fa
    for v in 4 5; do
        w=$((9 - v))
        makeblastdb -in p.fa -dbtype prot -blastdb_version $v -out i$v -parse_seqids -taxid_map map -mask_data p.masks >log
        makeblastdb -in n.fa -dbtype nucl -blastdb_version $v -title 'of genes' -out n$v -max_file_sz 1000 >log
        copies i$v prot -blastdb_version $w
        copies n$v nucl -blastdb_version $w -hash_index -max_file_sz 2000
        [ -s got/d.00.nhi ]
    done
    makeblastdb -in p.fa -dbtype prot -blastdb_version 4 -title 'of proteins' -out p4 >log
    copies p4 prot -taxid 7
    echo low 3 >map
    copies i5 prot -parse_seqids -taxid_map map -mask_data p.masks -mask_id again -hash_index
    [ "$(blastdbcmd -db got/d -info | grep -c '^[0-9]\+ .*locut')" = 2 ]
    makeblastdb -in q.fa -dbtype prot -out q -taxid 4 >log
    copies "i5 q" prot -title both
    diff <(blastdbcmd -db want/d -taxids 10,4 -outfmt '%a %T') <(blastdbcmd -db got/d -taxids 10,4 -outfmt '%a %T')
    expect 0 "$TAMIS" makedb -in i4 -input_type blastdb -dbtype prot -out mine
    expect 0 "$TAMIS" blastp -query q.fa -db mine -taxids 10 -outfmt '6 sseqid'
    diff <(blastdbcmd -db i4 -entry P12345,AAA12345.1,1ABC_A,777,low -target_only) \
        <(blastdbcmd -db mine -entry P12345,AAA12345.1,1ABC_A,777,low -target_only)
}

@test "-input_type blastdb: what is wrong, and an input is never replaced" {
    printf '>a|x one\nMKVLA\n>b\nMKVLAMKVLA\n' >p.fa
    "$TAMIS" makedb -in p.fa -dbtype prot -out p -blastdb_version 4 >log
    "$TAMIS" makedb -in p.fa -dbtype prot -out v -blastdb_version 4 -max_file_sz 100 >log
    [ -s v.01.pin ]
    printf 'TITLE both\nDBLIST p v\n' >both.pal
    local same='BLAST options error: Cannot create a BLAST database from an existing one without changing the output name'
    cat p.p* v.*p* both.pal >before
    for try in "p" "p|-out p" "p|-out ./p" "./p|-out p -title x" "v.01|-out v" "v|-out v.00" "./v|-out v" "both|-out p" "./both|-out both"; do
        # shellcheck disable=SC2046
        expect 1 "$TAMIS" makedb -in "${try%%|*}" -input_type blastdb -dbtype prot $(sed -n 's/.*|//p' <<<"$try")
        err_has "$same"
        cat p.p* v.*p* both.pal | cmp - before
    done
    expect 1 "$TAMIS" makedb -in p -input_type blastdb -dbtype prot -out d -logfile p.pin
    err_has 'p.pin: the log would be written into the input p'
    expect 1 "$TAMIS" makedb -in "p v" -input_type blastdb -dbtype prot -out d
    err_is 'BLAST options error: Please provide a title using -title\n'
    expect 2 "$TAMIS" makedb -in nodb -input_type blastdb -dbtype prot -out d
    out_is ''
    err_is "BLAST Database error: No alias or index file found for protein database [nodb] in search path [$PWD::]\n"
    expect 2 "$TAMIS" makedb -in "none p nodb" -input_type blastdb -dbtype prot -out d -title x
    err_is "Error: [makeblastdb] Unable to open input none as BLAST db\nError: [makeblastdb] Unable to open input nodb as BLAST db
BLAST Database error: No alias or index file found for protein database [none] in search path [$PWD::]\n"
    [ "$(tail -n 1 out)" = 'Maximum file size: 1000000000B' ]
    cp p.psq whole
    truncate -s -3 p.psq
    expect 2 "$TAMIS" makedb -in p -input_type blastdb -dbtype prot -out d
    err_has 'p.psq: the file has 15 bytes, but its index says 18'
    cp whole p.psq
    printf '\377' | dd of=p.phr bs=1 seek=2 conv=notrunc 2>/dev/null
    expect 2 "$TAMIS" makedb -in p -input_type blastdb -dbtype prot -out d
    err_has 'p.phr: sequence 0: its deflines'
    [ -z "$(ls -A | grep '^\.\|^d')" ]
}

@test "a log is not written into an input, a title is one line, and a file that only looks like a mask stays" {
    protein 2 >p.fa
    cp p.fa before
    expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -out d -logfile p.fa
    err_has 'p.fa: the log would be written into the input p.fa'
    cmp p.fa before
    [ ! -e d.pin ]
    expect 1 "$TAMIS" makedb -in p.fa -dbtype prot -out d -title $'a\nNSEQ 9'
    err_has '-title: the title must be one line'
    echo key >d.pub
    echo x >d.paa
    echo x >d.pab
    expect 0 "$TAMIS" makedb -in p.fa -dbtype prot -out d
    [ "$(cat d.pub)" = key ]
    [ ! -e d.paa ] && [ ! -e d.pab ]
}
