# tamis classify --shard and tamis report: the shards' outputs, one after the other, and their summaries, added up, are those of one run.
load common

# samples: references a.tms, b.tms, d.fa; reads r1.fq and r2.fq (mates), il.fq (interleaved), long.fa (a read longer than a batch).
samples() {
    awk -v n="${1:-150}" '
        function some(k,  r) { for (r = ""; k > 0; k--) r = r substr("ACGT", 1 + int(rand() * 4), 1); return r }
        BEGIN {
            srand(7)
            of["a"] = some(3000); of["b"] = some(3000); of["c"] = some(500); of["d"] = some(800)
            print ">a\n" of["a"] of["c"] > "a.fa"
            print ">b\n" of["b"] of["c"] > "b.fa"
            print ">d\n" of["d"] > "d.fa"
            split("10 60 100", lengths, " ")
            for (i = 0; i < n; i++) {
                kind = substr("abcnd", 1 + int(rand() * 5), 1)
                from = kind == "n" ? some(500) : of[kind]
                for (mate = 1; mate <= 2; mate++) {
                    size = lengths[1 + int(rand() * 3)]
                    s = substr(from, 1 + int(rand() * (length(from) - size)), size)
                    record = "@" kind i "/" mate " comment\n" s "\n+\n" substr(sprintf("%200s", ""), 1, 0)
                    q = s; gsub(/./, "I", q)
                    printf "%s%s\n", record, q > ("r" mate ".fq")
                    printf "%s%s\n", record, q > "il.fq"
                }
            }
        }'
    "$TAMIS" build -q --kmer 16 -o a.tms a.fa
    "$TAMIS" build -q --kmer 16 -o b.tms b.fa
}

# shards N OPTION...: the summaries, as table and as JSON, and the table of reads of each shard, in a folder.
shards() {
    local n=$1 k
    shift
    rm -rf s
    mkdir s
    for ((k = 1; k <= n; k++)); do
        "$TAMIS" classify -q -f a.tms -f b.tms -f d.fa --shard "$k/$n" --summary "s/$k.tsv" --json "s/$k.json" -o "s/$k.rows" "$@"
    done
}

# in_order FOLDER EXTENSION: the files 1.EXTENSION, 2.EXTENSION, ... of a folder.
in_order() {
    find "$1" -name "*.$2" | sort -V
}

# same N OPTION...: the reports of N shards are those of one run.
same() {
    local n=$1
    shift
    "$TAMIS" classify -q --force -f a.tms -f b.tms -f d.fa --summary want.tsv --json want.json --kreport want.kreport -o want.rows "$@"
    shards "$n" "$@"
    in_order s rows | xargs cat | cmp - want.rows
    expect 0 "$TAMIS" report s/*.tsv
    err_is ''
    cmp out want.tsv
    expect 0 "$TAMIS" report s/*.json -out got.json
    out_is ''
    cmp got.json want.json
    # shellcheck disable=SC2046
    expect 0 "$TAMIS" report $(printf '%s\n' s/*.json | sort -r) --kreport got.kreport
    out_is ''
    cmp got.kreport want.kreport
    expect 0 "$TAMIS" report --check s/*.tsv
    out_is ''
}

@test "reads: plain, gzip, FASTA, one file and lanes" {
    local n sizes=(1 2 3 7)
    [ -z "${TAMIS_AGREE_QUICK:-}" ] || sizes=(3)
    samples
    gzip -k r1.fq r2.fq
    awk 'NR % 4 == 1 { print ">" substr($0, 2) } NR % 4 == 2' r2.fq >r.fa
    for n in "${sizes[@]}"; do
        same "$n" r1.fq
        same "$n" --rule facs r2.fq.gz
        same "$n" r.fa --max-false 100 --sample 'a b%é'
        same "$n" -1 r1.fq,r2.fq.gz --threads 3
    done
}

@test "pairs: two files, interleaved, lanes" {
    local n sizes=(1 2 3 7)
    [ -z "${TAMIS_AGREE_QUICK:-}" ] || sizes=(3)
    samples
    gzip -k r2.fq
    head -n 40 r1.fq >L1.1.fq
    head -n 40 r2.fq >L1.2.fq
    tail -n +41 r1.fq >L2.1.fq
    tail -n +41 r2.fq >L2.2.fq
    for n in "${sizes[@]}"; do
        same "$n" r1.fq r2.fq.gz
        same "$n" --interleaved il.fq --rule facs-perl
        same "$n" -1 L1.1.fq,L2.1.fq -2 L1.2.fq,L2.2.fq --min-hits 3
    done
}

@test "few reads, none, and reads longer than a batch" {
    samples 5
    same 7 r1.fq
    same 7 r1.fq r2.fq
    cp /dev/null empty.fq
    same 3 empty.fq
    { cat a.fa; awk 'BEGIN { print ">long" } NR == 2 { for (i = 0; i < 3000; i++) print }' b.fa; cat d.fa b.fa; } >long.fa
    same 3 long.fa
    same 2 long.fa
}

@test "the reads of the shards, one after the other" {
    local n k
    samples
    for how in "--keep" "--remove"; do
        "$TAMIS" classify -q --force -f a.tms $how -o want.1.fq -O want.2.fq r1.fq r2.fq
        for n in 2 7; do
            rm -rf s
            mkdir s
            for ((k = 1; k <= n; k++)); do
                "$TAMIS" classify -q -f a.tms $how --shard "$k/$n" -o "s/$k.1.fq" -O "s/$k.2.fq.gz" r1.fq r2.fq
            done
            in_order s 1.fq | xargs cat | cmp - want.1.fq
            in_order s 2.fq.gz | xargs cat | gzip -dc | cmp - want.2.fq
        done
    done
    "$TAMIS" classify -q -f a.tms -f b.tms --split want/x r1.fq
    rm -rf s
    for k in 1 2 3; do "$TAMIS" classify -q -f a.tms -f b.tms --split "s/$k" --shard "$k/3" r1.fq; done
    for name in a b unmatched ambiguous; do
        cat s/{1,2,3}."$name.fq" | cmp - "want/x.$name.fq"
    done
}

@test "a missing shard, or a damaged one" {
    local at n
    samples
    "$TAMIS" classify -q -f a.tms -f b.tms -f d.fa --summary want.tsv r1.fq
    shards 7 r1.fq
    cp -r s all
    rm s/[256].*
    expect 1 "$TAMIS" report s/*.tsv -out got.tsv
    err_is 'tamis report: shards are missing, of 7: 2,5-6; make them, and report again\n'
    [ ! -e got.tsv ]
    expect 1 "$TAMIS" report --check s/*.tsv
    out_is '2,5-6\n'
    expect 1 "$TAMIS" report --check s/{1..7}.json
    out_is '2,5-6\n'
    # each byte counts: changed, cut off, one more
    for kind in tsv json; do
        n=$(stat -c %s all/3.$kind)
        for ((at = 0; at < n; at += 97)); do
            in_sample || continue
            cp all/*.$kind s/
            printf '~' | dd of=s/3.$kind bs=1 seek="$at" conv=notrunc status=none
            cmp -s s/3.$kind all/3.$kind && continue
            expect 1 "$TAMIS" report --check s/*.$kind
            out_is '3\n'
            err_has 's/3.'
            [ "$at" -gt 0 ] || continue
            head -c "$at" all/3.$kind >s/3.$kind
            expect 1 "$TAMIS" report s/*.$kind
            err_has 'shards are missing, of 7: 3;'
        done
        { cat all/3.$kind; echo; } >s/3.$kind
        expect 1 "$TAMIS" report --check s/*.$kind
        out_is '3\n'
    done
    # twice the same
    expect 0 "$TAMIS" report -q all/*.tsv all/2.tsv -out got.tsv
    cmp got.tsv want.tsv
}

@test "shards that do not belong together" {
    samples
    shards 2 r1.fq
    mv s two
    shards 3 r1.fq
    mv s three
    shards 2 r2.fq --sample r1
    mv s reads
    shards 2 r1.fq -t 0.5
    mv s threshold
    rm -rf s
    mkdir s
    "$TAMIS" classify -q -f b.tms -f a.tms -f d.fa --shard 2/2 --summary s/2.tsv r1.fq
    "$TAMIS" classify -q -f a.tms --summary whole.tsv --json whole.json r1.fq
    refused() {
        local why=$1
        shift
        expect 1 "$TAMIS" report -out got "$@"
        err_has "$why"
        expect 1 "$TAMIS" report --check "$@"
        err_has "$why"
        [ ! -e got ]
    }
    refused 'two/1.tsv and three/2.tsv are shards of two runs: shards: 2 and 3' two/1.tsv three/2.tsv
    refused 'two/1.tsv and reads/2.tsv are shards of two runs: input: ' two/1.tsv reads/2.tsv
    refused 'two/1.json and threshold/2.json are shards of two runs: threshold: 0.05' two/1.json threshold/2.json
    refused 'two/1.tsv and s/2.tsv are shards of two runs: reference: a and b' two/1.tsv s/2.tsv
    refused 'two/1.tsv is a table, and two/2.json JSON: give one kind of file' two/1.tsv two/2.json
    refused 'none of the files is a summary of a shard' whole.tsv
    refused 'it has no mark of tamis classify --shard' whole.json
    expect 1 "$TAMIS" report -outfmt 6 two/*.tsv
    err_has '-outfmt is for parts of searches'
    printf 'TAMISARCnothing' >part
    refused 'part is a part of a search, and two/1.tsv a summary of tamis classify' part two/1.tsv
    expect 1 "$TAMIS" report part --kreport got
    err_has '--kreport is for summaries'
    # an input is not overwritten
    expect 1 "$TAMIS" report two/*.tsv -out two/1.tsv
}

@test "a shard that is done ends at once" {
    local before
    samples
    shards 3 r1.fq
    before=$(stat -c %i s/2.json s/2.tsv s/2.rows)
    again() { "$TAMIS" classify -f a.tms -f b.tms -f d.fa --shard "$1/3" --summary s/2.tsv --json s/2.json -o s/2.rows "${@:2}"; }
    expect 0 again 2 -q r1.fq
    err_is ''
    [ "$before" = "$(stat -c %i s/2.json s/2.tsv s/2.rows)" ]
    expect 2 again 1 r1.fq
    err_has 's/2.json: is of another shard or run (shard: 2 and 1): remove it, or give --force'
    expect 2 again 2 r2.fq --sample r1
    err_has 'is of another shard or run (input: '
    expect 2 again 2 -t 0.5 r1.fq
    expect 2 again 2 --split x r1.fq
    err_has '(outputs: summary rows and summary rows split)'
    expect 0 again 2 -q --force r1.fq
    [ "$before" != "$(stat -c %i s/2.json s/2.tsv s/2.rows)" ]
    rm s/2.rows
    expect 2 again 2 r1.fq # its other outputs are in the way
    rm s/2.*
    expect 0 again 2 -q r1.fq
    "$TAMIS" report s/*.json >/dev/null
}

@test "what --shard needs" {
    samples 5
    needs() {
        expect 2 "$TAMIS" classify -f a.tms "${@:2}"
        err_has "$1"
    }
    needs '--shard takes K/N' --shard 4/3 r1.fq
    needs '--kreport has no place' --shard 1/3 --kreport x r1.fq
    needs 'not standard input' --shard 1/3
    mkfifo pipe
    needs 'no regular file' --shard 1/3 pipe
    # short reads only in a shard are no error; in all of them they are, as in one run
    printf '>x\nACGTACGTACGTACGT\n>y\nACGTACGTACGTACGA\n' >short.fa
    expect 2 "$TAMIS" classify -f a.tms --summary x.tsv --min-hits 5 short.fa
    cp err want
    for k in 1 2; do expect 0 "$TAMIS" classify -q -f a.tms --shard "$k/2" --summary "$k.tsv" --min-hits 5 short.fa; done
    expect 1 "$TAMIS" report 1.tsv 2.tsv
    sed 's/classify/report/' want | cmp - err
}
