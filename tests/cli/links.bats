# Called by the names of BLAST+'s programs: what clients look at; and tamis links.
load common

programs="blastn blastp blastx tblastn tblastx makeblastdb blastdbcmd segmasker dustmasker"

# by NAME [ARGUMENT...]: tamis by that name.
by() {
    local name=$1
    shift
    [ -e links/"$name" ] || "$TAMIS" links links >/dev/null
    ./links/"$name" "$@"
}

queries() {
    printf '>q1 one\nMKVLAAGIVGLCAKAYRERHPEWQTSDNMKVLAAGIVGLCAKAYRERHPEWQTSDN\n>q2\nMSTNPKPQRKTKRNTNRRPQDVKFPGGGQIVGGVYLLPRRGPRLGVRATRKTSERSQPRG\n' >q.fa
}

# database: db, as makeblastdb makes it.
database() {
    queries
    by makeblastdb -in q.fa -dbtype prot -out db >/dev/null
}

# same CODE NAME [ARGUMENT...]: NCBI's program and tamis by its name write the same on both streams, and end with that code.
same() {
    local code=$1 name=$2
    shift 2
    need "$name"
    expect "$code" "$name" "$@"
    mv out want
    mv err want_err
    expect "$code" by "$name" "$@"
    diff want out
    diff want_err err
}

@test "-version: the first line is NCBI's, the second tamis's, wherever it stands" {
    for name in $programs; do
        expect 0 by "$name" -version
        err_is ''
        case $name in
        *masker) version=1.0.0 ;;
        *) version=2.12.0+ ;;
        esac
        out_is "$name: $version\n Package: tamis $("$TAMIS" --version | cut -d ' ' -f 2)\n"
        ! command -v "$name" >/dev/null || [ "$(head -n 1 out)" = "$("$name" -version | head -n 1)" ]
        expect 0 by "$name" -nosuch -version
        expect 0 by "$name" -version-full
        [ "$(tail -n 1 out)" = " Built-As:  $name" ]
    done
}

# description: the second of the two blocks of -h.
description() { sed -n '/^DESCRIPTION$/,$p' "$1"; }

@test "-h: USAGE of the options that are there, and NCBI's DESCRIPTION" {
    for name in $programs; do
        expect 0 by "$name" -h
        err_is ''
        [ "$(head -n 1 out)" = USAGE ]
        grep -q "^  $name \[-h\] \[-help\] " out
        [ "$(wc -L <out)" -lt 80 ]
        description out >got
        [ "$(sed -n 3p got)" = '' ]
        if command -v "$name" >/dev/null; then
            "$name" -h >want
            diff <(description want) got
            # every option in it is one of NCBI's, but for these two
            tr ' []' '\n' <want | grep '^-[a-z]' | sort >theirs
            tr ' []' '\n' <out | grep '^-[a-z]' | sort | comm -13 theirs - | grep -v -x -e -num_threads -e -version >ours || true
            diff /dev/null ours
        fi
        mv out brief
        expect 0 by "$name" -help
        description out | head -n 3 | diff - <(description brief | head -n 3)
        [ "$(wc -L <out)" -le 80 ]
        grep -q '^  .*-out ' out
    done
    expect 0 by segmasker -help
    [ "$(grep -c -e -level -e '-task' out)" -eq 0 ]
    expect 0 by dustmasker -help
    [ "$(grep -c -e -hicut -e '-task' out)" -eq 0 ]
}

@test "wrong options: USAGE and what is wrong on standard error, status 1" {
    for name in $programs; do
        expect 1 by "$name" -nosuch
        out_is ''
        [ "$(head -n 1 err)" = USAGE ]
        grep -q '^Error: .*nosuch' err
        mv err wrong
        expect 0 by "$name" -h
        head -n "$(wc -l <out)" wrong | diff out -
    done
    expect 1 by makeblastdb -in x
    err_has 'Error: nucl or prot?'
}

@test "implied: segmasker is -task seg, dustmasker -task dust" {
    printf '>a\nMKQQQQQQQQQQQQQQQQQQQQVLA\n' >a.fa
    printf '>a\nACGTAAAAAAAAAAAAAAAAAAAAAAAAAAAACGT\n' >n.fa
    same 0 segmasker -in a.fa
    same 0 dustmasker -in n.fa
    [ -s out ]
    same 0 segmasker -in a.fa -window 0
    same 0 dustmasker -in n.fa -window 7 -level 65 -linker 33
    expect 2 "$TAMIS" mask -task dust -in n.fa -linker 33
    err_has "-linker takes a number from 1 to 32 with -task dust, not '33'"
    expect 2 "$TAMIS" mask -task seg -in a.fa -window 0
    : >empty
    same 0 segmasker -in empty
    same 0 dustmasker -in empty
    expect 1 by segmasker -in nosuch
    err_is 'Error: [segmasker] nosuch: No such file or directory\n'
}

@test "booleans in any case" {
    database
    need blastp
    for word in True TRUE t Yes y 1 False F no N 0; do
        same 0 blastp -query q.fa -db db -soft_masking "$word" -outfmt 6
    done
    for word in '' tr on 2; do
        expect 1 by blastp -query q.fa -db db -soft_masking "$word"
    done
}

@test "more threads than processors are reduced, with NCBI's warning; one where none is asked for" {
    database
    same 0 blastp -query q.fa -db db -outfmt 6
    same 0 blastp -query q.fa -db db -outfmt 6 -num_threads 99999
    same 0 blastp -query q.fa -subject q.fa -outfmt 6 -num_threads 99999
    err_has "is currently ignored"
    OMP_NUM_THREADS=7 expect 0 by blastp -query q.fa -db db -outfmt 6 --stats stats.json
    expect 0 by blastp -query q.fa -db db -num_threads 1
    expect 0 "$TAMIS" blastp -query q.fa -db db -outfmt 6 -num_threads 1025
    err_has 'Number of threads was reduced to'
}

# records N LENGTH: N proteins.
records() { awk -v n="$1" -v length_="$2" 'BEGIN { for (i = 1; i <= n; i++) { printf ">r%d\n", i; for (j = 0; j < length_; j++) printf "%s", substr("ACDEFGHIKLMNPQRSTVWY", (j * j + i) % 20 + 1, 1); print "" } }'; }

@test "few queries for -mt_mode 1 are warned of, as NCBI counts them" {
    [ "$(nproc)" -ge 2 ] || skip "one processor"
    database
    for set in "2 5000" "3 5000" "3 4999" "2 9999" "2 10001"; do
        # shellcheck disable=SC2086
        records $set >m.fa
        same 0 blastp -query m.fa -db db -num_threads 2 -mt_mode 1 -outfmt 6
        same 0 blastp -query m.fa -subject q.fa -num_threads 2 -mt_mode 1 -outfmt 6
    done
    BATCH_SIZE=300 same 0 blastp -query q.fa -db db -num_threads 2 -mt_mode 1 -outfmt 6
    err_has 'at least 300 residues per thread'
    printf '>a\nATGACTGACCATGCAATGCATTGACCATTGACCAGTTACAGT\n' >bases.fa
    same 0 blastx -query bases.fa -db db -num_threads 2 -mt_mode 1 -outfmt 6
    err_has 'at least 10002 bases per thread'
}

@test "nothing on standard error that NCBI's program does not say" {
    need_full_sizes
    database
    for arguments in "-outfmt 6 -max_target_seqs 1" "-outfmt 0" "-outfmt 5 -max_target_seqs 5" "-outfmt 6 -num_descriptions 3"; do
        # shellcheck disable=SC2086
        same 0 blastp -query q.fa -db db $arguments
    done
    records 60 50 >many.fa
    by makeblastdb -in many.fa -dbtype prot -out many >log 2>err
    err_is ''
    same 0 blastp -query many.fa -db many -outfmt 6 -max_target_seqs 5
    printf '\n \n' >blank
    for empty in /dev/null blank; do
        same 0 blastp -query "$empty" -db db -outfmt 5
        err_is 'Warning: [blastp] Query is Empty!\n'
        same 0 blastp -db db <"$empty"
        err_is 'Warning: [blastp] Query is Empty!\n'
        expect 3 by blastp -query q.fa -subject "$empty"
    done
}

@test "a database that is not there: NCBI's very words, status 2" {
    queries
    export BLASTDB=
    same 2 blastp -query q.fa -db nosuch
    same 2 blastdbcmd -db nosuch -info
    same 2 blastdbcmd -entry all
}

@test "blastdbcmd reports on no database unless asked to, and its failures are NCBI's" {
    database
    same 1 blastdbcmd -db db
    err_is "Error: [blastdbcmd] Must specify query type: one of 'entry', 'entry_batch', or 'pig'\n"
    same 0 blastdbcmd -db db -info
    same 0 blastdbcmd -db db -entry all
    same 1 blastdbcmd -db db -taxids 9606
    expect 1 by blastdbcmd -db db -entry nosuch
    err_is 'Error: [blastdbcmd] Entry not found: nosuch\nError: [blastdbcmd] DB contains no accession info.\n'
    expect 0 "$TAMIS" dbinfo -db db
    grep -q "2 sequences; 116 total residues" out
}

@test "blastdbcmd skips what a file of entries names and the database lacks" {
    queries
    by makeblastdb -in q.fa -dbtype prot -parse_seqids -out named >/dev/null
    by makeblastdb -in q.fa -dbtype prot -out plain >/dev/null
    printf 'q1\nNOSUCH\nP12345.2\nq2\n' >entries
    for db in named plain; do
        expect 1 by blastdbcmd -db $db -entry_batch entries -outfmt %a
        grep -qx 'Error: \[blastdbcmd\] Skipped NOSUCH' err
    done
    same 1 blastdbcmd -db named -entry_batch entries -outfmt %a
    printf 'NOSUCH\nP12345.2\n' >entries
    same 1 blastdbcmd -db plain -entry_batch entries -outfmt %a
    expect 1 "$TAMIS" dbinfo -db named -entry_batch entries
    err_is 'tamis dbinfo: Entry not found: NOSUCH\ntamis dbinfo: Entry not found: P12345.2\n'
}

@test "BATCH_SIZE that is no number is status 255, and 0 status 3" {
    database
    for name in by plain; do
        plain() { "$TAMIS" "$@"; }
        for size in x '' ' 5' 1K; do
            BATCH_SIZE=$size expect 255 "$name" blastp -query q.fa -db db
            out_is ''
            err_has "BATCH_SIZE takes a number of residues, not '$size'"
        done
        BATCH_SIZE=0 expect 3 "$name" blastp -query q.fa -db db
    done
}

@test "an interrupted output is replaced, as NCBI's program does" {
    database
    printf 'old\n' >o
    printf 'something\n' >o.checkpoint
    expect 0 by blastp -query q.fa -db db -outfmt 6 -out o
    grep -q '^q1' o
}

@test "tamis links: a folder with all of them, which lead here, twice the same" {
    expect 0 "$TAMIS" links there/deep
    out_is "$PWD/there/deep\n"
    err_is ''
    for name in $programs; do [ "there/deep/$name" -ef "$TAMIS" ]; done
    [ "$(find there/deep -mindepth 1 | wc -l)" -eq 9 ]
    expect 0 "$TAMIS" links there/deep
    expect 2 "$TAMIS" links a b
    ln -sfn /nowhere/tamis there/deep/blastp # of a version that is gone
    expect 0 "$TAMIS" links there/deep
    [ there/deep/blastp -ef "$TAMIS" ]
}

@test "tamis links replaces no program without --force, and then makes no link" {
    mkdir bin
    echo mine >bin/dustmasker
    expect 2 "$TAMIS" links bin
    err_is 'tamis links: bin/dustmasker is a program, not a link to tamis: name another directory, or replace it with --force\n'
    [ "$(ls bin)" = dustmasker ]
    expect 0 "$TAMIS" links --force bin
    [ bin/dustmasker -ef "$TAMIS" ]
    mkdir -p other/segmasker
    expect 2 "$TAMIS" links --force other
    err_has 'other/segmasker is a directory'
    [ "$(ls other)" = segmasker ]
}

@test "tamis links without a folder: those installed with it, or some in the user's cache" {
    expect 0 "$TAMIS" links
    [ -L "$(cat out)/blastp" ]
    [ "$(cat out)/blastp" -ef "$TAMIS" ]
    cp "$TAMIS" alone
    XDG_CACHE_HOME=$PWD/cache expect 0 ./alone links
    out_is "$PWD/cache/tamis/bin-$("$TAMIS" --version | cut -d ' ' -f 2)\n"
    [ "$(cat out)/blastp" -ef alone ]
    XDG_CACHE_HOME='' HOME='' expect 2 ./alone links
    err_has 'name a directory'
    [ "$(PATH=$("$TAMIS" links):$PATH blastp -version | sed -n 's/^ Package: \([a-z]*\).*/\1/p')" = tamis ]
}
