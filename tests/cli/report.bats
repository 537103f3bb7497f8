# tamis blastp --shard, --query-shard and --archive, and tamis report: the bytes of one run.
load common
load proteins
load parts

@test "parts of the database and of the queries: all formats" {
    samples
    local s q i grids=(1 2 3 7 16)
    [ -z "${TAMIS_AGREE_QUICK:-}" ] || grids=(3)
    export BATCH_SIZE=1500
    for s in "${grids[@]}"; do
        for q in 1 3; do
            [ "$s" -lt 16 ] || [ "$q" -eq 1 ] || continue
            cells "$s" "$q" -query long.fa -db db
            for i in "${!FORMATS[@]}"; do
                in_sample || continue
                [ -e "want.$i" ] || "$TAMIS" blastp -q --device cpu -query long.fa -db db -outfmt "${FORMATS[i]}" >"want.$i"
                "$TAMIS" report -q parts/*.part -outfmt "${FORMATS[i]}" >out
                cmp "want.$i" out
            done
        done
    done
}

@test "options of the search" {
    samples
    local i options grids=(2 3 7)
    for i in "${!OPTIONS[@]}"; do
        in_sample || continue
        read -ra options <<<"${OPTIONS[i]}"
        cells "${grids[i % 3]}" $((1 + i % 2)) -query q.fa -db db "${options[@]}"
        same 7 -- -query q.fa -db db "${options[@]}"
    done
}

@test "a report's own options; descriptions and alignments belong to the search" {
    samples
    cells 3 1 -query q.fa -db db -num_descriptions 9 -num_alignments 7
    same 0 -line_length 44 -sorthits 4 -sorthsps 1 -parse_deflines -- -query q.fa -db db -num_descriptions 9 -num_alignments 7
    same 0 -html -show_gis -- -query q.fa -db db -num_descriptions 9 -num_alignments 7
    expect 1 "$TAMIS" report parts/*.part -outfmt 6 # a search with format 6 keeps 7 subjects, one with format 0 keeps 9
    err_has 'the number of subjects that are kept'
}

@test "subjects of a file, a list of ids, several volumes, aliases, masks of a database" {
    samples
    more_databases
    local i search grids=(3 4 5)
    for i in "${!SUBJECTS[@]}"; do
        read -ra search <<<"-query q.fa ${SUBJECTS[i]}"
        cells "${grids[i % 3]}" $((1 + i % 2)) "${search[@]}"
        same $((6 + i % 2)) -- "${search[@]}"
    done
}

@test "reports of query shards, one after the other, are one report" {
    samples
    local format i
    export BATCH_SIZE=1000
    cells 2 4 -query q.fa -db db
    for format in "${FORMATS[@]}"; do
        in_sample || continue
        "$TAMIS" blastp -q --device cpu -query q.fa -db db -outfmt "$format" >want
        for i in 1 2 3 4; do # each needs its own parts only
            "$TAMIS" report -q parts/"$i".*.part --query-shard "$i/4" -outfmt "$format" -out "$i.txt"
        done
        cat 1.txt 2.txt 3.txt 4.txt | cmp - want
        rm ?.txt
    done
}

@test "an interrupted report goes on, if it is of the same query shard" {
    samples
    proteins 600 3 q >many.fa
    export BATCH_SIZE=1000
    cells 1 2 -query many.fa -db db
    local size
    "$TAMIS" report -q parts/*.part --query-shard 2/2 -outfmt 7 >want
    cp parts/2.1.part whole
    size=$(stat -c %s whole)
    printf 'damage' | dd of=parts/2.1.part bs=1 seek=$((size * 3 / 4)) conv=notrunc status=none
    expect 1 "$TAMIS" report -q parts/*.part --query-shard 2/2 -outfmt 7 -out hits.txt
    [ -s hits.txt ]
    cmp -n "$(stat -c %s hits.txt)" hits.txt want
    cp whole parts/2.1.part
    expect 1 "$TAMIS" report -q parts/*.part --query-shard 1/2 -outfmt 7 -out hits.txt --resume
    err_has 'belongs to another run'
    expect 1 "$TAMIS" report -q parts/*.part -outfmt 7 -out hits.txt --resume
    expect 0 "$TAMIS" report -q parts/*.part --query-shard 2/2 -outfmt 7 -out hits.txt --resume
    cmp want hits.txt
}

@test "an archive has any format, and is not made twice" {
    samples
    expect 0 "$TAMIS" blastp -q -query q.fa -db db --archive hits.tamis
    out_is ''
    mkdir parts
    cp hits.tamis parts/a.part
    for format in "${FORMATS[@]}"; do same "$format" -- -query q.fa -db db; done
    touch -d '2020-01-01' hits.tamis
    expect 0 "$TAMIS" blastp -q -query q.fa -db db --archive hits.tamis
    [ "$(date -r hits.tamis +%Y)" = 2020 ]
    expect 1 "$TAMIS" blastp -q -query q.fa -db db --archive hits.tamis -evalue 1
    err_has 'without it and -evalue 1'
    [ "$(date -r hits.tamis +%Y)" = 2020 ]
    expect 0 "$TAMIS" blastp -q -query q.fa -db db --archive hits.tamis -evalue 1 --restart
    printf x >text
    expect 1 "$TAMIS" blastp -q -query q.fa -db db --archive text
    [ "$(cat text)" = x ]
}

@test "what is missing" {
    samples
    cells 7 1 -query q.fa -db db
    expect 0 "$TAMIS" report --check parts/*.part
    out_is ''
    rm parts/1.[256].part
    expect 1 "$TAMIS" report --check parts/*.part
    out_is '2,5-6\n'
    expect 1 "$TAMIS" report parts/*.part -out hits.txt
    err_has 'shards are missing, of 7: 2,5-6'
    [ ! -e hits.txt ]
    BATCH_SIZE=1000 cells 3 2 -query q.fa -db db
    rm parts/2.1.part parts/1.3.part
    expect 1 "$TAMIS" report --check parts/*.part
    out_is '3-4\n'
    expect 1 "$TAMIS" report parts/*.part --query-shard 2/2
    err_has 'shards are missing, of 6: 4'
    expect 1 "$TAMIS" report q.fa
    err_has 'none of the files is a part'
}

@test "parts that do not belong together" {
    samples
    cells 2 1 -query q.fa -db db
    mv parts parts_of_one
    mkdir parts
    cp parts_of_one/1.1.part parts/
    other() {
        rm -f other.part
        "$TAMIS" blastp -q --device cpu "$@" --shard 2/2 -out other.part
        expect 1 "$TAMIS" report parts/1.1.part other.part
        err_has 'parts/1.1.part and other.part are parts of two searches'
    }
    other -query q.fa -db db -evalue 1
    err_has 'without it and -evalue 1'
    BATCH_SIZE=500 other -query q.fa -db db
    err_has 'BATCH_SIZE'
    sed 's/K/R/' q.fa >q2.fa
    other -query q2.fa -db db
    err_has "the query file's content"
    sed 's/K/R/' s.fa >s2.fa
    "$TAMIS" makedb -in s2.fa -dbtype prot -out db2 -title s.fa >/dev/null
    other -query q.fa -db db2
    err_has "the database's content"
    "$TAMIS" blastp -q --device cpu -query q.fa -db db --shard 2/3 -out other.part --restart
    expect 1 "$TAMIS" report parts/1.1.part other.part
    err_has 'the number of shards: 2 and 3'
    cp parts_of_one/1.2.part parts_of_one/again.part # the same part twice is one
    expect 0 "$TAMIS" report -q parts_of_one/*.part -outfmt 6
}

# forge OF AS: a part with the manifest of AS and the lists of OF, to standard output, by doc/format-archive.md
forge() {
    python3 - "$1" "$2" <<'END'
import ctypes, struct, sys
xxh3 = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
xxh3.argtypes, xxh3.restype = [ctypes.c_char_p, ctypes.c_size_t], ctypes.c_uint64
number = lambda data, at: struct.unpack_from("<Q", data, at)[0]
hash_of = lambda data: struct.pack("<Q", xxh3(bytes(data), len(data)))
of, as_part = (open(name, "rb").read() for name in sys.argv[1:])
begin, directory, blocks = 32 + number(of, 16), number(of, len(of) - 40), number(of, len(of) - 32)
head = as_part[: 24 + number(as_part, 16)]
content = hash_of(head)
out = head + content + of[begin:directory]
for i in range(blocks):
    content = hash_of(content + of[directory + 56 * i + 16 : directory + 56 * i + 56])
trailer = content + struct.pack("<QQ", len(out), blocks) + hash_of(of[directory:-48])
sys.stdout.buffer.write(out + of[directory:-48] + trailer + hash_of(trailer) + b"TAMISEND")
END
}

@test "a shard twice with other content" {
    need python3
    samples
    cells 2 1 -query q.fa -db db -evalue 1e-9
    mv parts/1.2.part other.part
    cells 2 1 -query q.fa -db db
    forge parts/1.2.part parts/1.2.part 2>err | cmp - parts/1.2.part || {
        grep -q libxxhash err && skip 'no libxxhash.so.0'
        false
    }
    forge other.part parts/1.2.part >forged.part
    expect 0 "$TAMIS" report --check parts/1.1.part forged.part
    for names in "parts/1.2.part forged.part" "forged.part parts/1.2.part"; do
        # shellcheck disable=SC2086 # two words
        expect 1 "$TAMIS" report parts/1.1.part $names -out hits.txt
        err_is "tamis report: ${names/ / and } are both shard 2/2 of query shard 1/1, with other content\\n"
        [ ! -e hits.txt ]
    done
}

@test "a database or queries that have changed since" {
    samples
    cells 2 1 -query q.fa -db db
    expect 0 "$TAMIS" report -q parts/*.part -outfmt 6
    sed 's/K/R/' s.fa >s2.fa
    "$TAMIS" makedb -in s2.fa -dbtype prot -out db -parse_seqids -title s.fa >/dev/null
    expect 1 "$TAMIS" report -q parts/*.part -outfmt 6
    err_has "the database's content"
    mkdir elsewhere
    "$TAMIS" makedb -in s.fa -dbtype prot -out elsewhere/db -parse_seqids >/dev/null
    echo >>q.fa
    expect 1 "$TAMIS" report -q parts/*.part -outfmt 6
    : >q.fa
    expect 1 "$TAMIS" report -q parts/*.part -outfmt 6
    err_has "the query file's size"
}

@test "masks of the database or of -subject that have changed since" {
    samples
    more_databases
    cells 2 1 -query q.fa -db m -db_hard_mask 21
    expect 0 "$TAMIS" report -q parts/*.part -outfmt 6
    "$TAMIS" mask -in db -infmt blastdb -task seg -locut 3 -hicut 3.5 -outfmt maskinfo_asn1_bin -parse_seqids -out m.asnb --force
    "$TAMIS" makedb -in db -input_type blastdb -dbtype prot -mask_data m.asnb -out m >/dev/null
    expect 1 "$TAMIS" report -q parts/*.part -outfmt 6
    err_has "the database's content"
    cells 2 1 -query q.fa -subject s.fa -lcase_masking
    awk '!/>/ { $0 = tolower($0) } { print }' s.fa >lower.fa
    expect 1 "$TAMIS" report -q parts/*.part -outfmt 6 -subject lower.fa
    err_has "the database's content"
}

@test "other paths of the same files" {
    samples
    cells 2 1 -query q.fa -db db
    "$TAMIS" report -q parts/*.part -outfmt 6 >want
    mkdir there
    mv db.* q.fa there
    expect 2 "$TAMIS" report -q parts/*.part -outfmt 6
    expect 0 "$TAMIS" report -q parts/*.part -outfmt 6 -db there/db -query there/q.fa
    cmp want out
    "$TAMIS" blastp -q --device cpu -query there/q.fa -db there/db --shard 2/2 -out again.part # the same part, from elsewhere
    run ! cmp -s parts/1.2.part again.part
    expect 0 "$TAMIS" report -q parts/*.part again.part -outfmt 6 -db there/db -query there/q.fa
    cmp want out
    expect 0 "$TAMIS" blastp -q --device cpu -query there/q.fa -db there/db --shard 2/2 -out parts/1.2.part # and is there already
    expect 0 "$TAMIS" report --check parts/*.part again.part
    cells 2 1 -query there/q.fa -subject s.fa
    mv s.fa there
    expect 0 "$TAMIS" report -q parts/*.part -outfmt 0 -subject there/s.fa
    mv out got
    "$TAMIS" blastp -q --device cpu -query there/q.fa -subject there/s.fa | cmp - got
}

@test "damaged parts are refused, and made again" {
    samples
    cells 2 1 -query q.fa -db db
    "$TAMIS" report -q parts/*.part -outfmt 6 >want
    damage
    "$TAMIS" blastp -q --device cpu -query q.fa -db db --shard 2/2 --query-shard 1/1 -out parts/1.2.part
    cmp whole parts/1.2.part
    expect 0 "$TAMIS" report -q parts/*.part -outfmt 6
    cmp want out
}

@test "a report does not replace a part" {
    samples
    cells 2 1 -query q.fa -db db
    cp parts/1.1.part whole
    ln parts/1.1.part another.txt
    for out in parts/1.1.part another.txt; do
        expect 1 "$TAMIS" report parts/*.part -outfmt 6 -out "$out" --restart
        err_is "tamis report: $out: the output would replace the part parts/1.1.part: give it another name\\n"
        cmp whole parts/1.1.part
    done
}

@test "parts do not depend on formats, threads and the size of calls" {
    samples
    "$TAMIS" blastp -q --device cpu -query q.fa -db db --shard 1/2 -out a.part -num_threads 1
    "$TAMIS" blastp -q --device cpu -query q.fa -db db --shard 1/2 -out b.part -num_threads 3 -outfmt 5 -html
    cmp a.part b.part
}

@test "a killed cell leaves no part" {
    samples
    proteins 2000 3 q >many.fa
    local i
    for i in 1 2 3 4 5; do
        "$TAMIS" blastp -q --device cpu -query many.fa -db db --shard 1/1 -out k.part &
        sleep "0.0$((i * 15))"
        kill -9 $! 2>/dev/null || true
        wait $! || true
        [ ! -e k.part ] || "$TAMIS" report --check k.part
    done
    "$TAMIS" blastp -q --device cpu -query many.fa -db db --shard 1/1 -out k.part &
    sleep 0.1
    kill -TERM $! 2>/dev/null || true
    wait $! || true
    [ "$(find . -name 'k.part*' ! -name '*.tmp*' | wc -l)" -le 1 ]
}

@test "usage" {
    samples
    expect 1 "$TAMIS" blastp -query q.fa -db db --shard 1/2
    err_has 'give -out FILE'
    for text in 0/2 3/2 1 1/0 x a/b 1/ /2 1/2x -1/2; do
        expect 1 "$TAMIS" blastp -query q.fa -db db --shard="$text" -out p
        err_has '--shard takes K/N'
    done
    expect 1 "$TAMIS" blastp -query q.fa -db db --query-shard 2 -out p
    expect 1 "$TAMIS" blastp -query q.fa -db db --archive p -out x
    expect 1 "$TAMIS" blastp -query q.fa -db db --archive p --shard 1/2
    expect 1 "$TAMIS" blastp -query q.fa -db db --shard 1/2 -out p --resume
    expect 1 "$TAMIS" blastp -query - -db db --shard 1/2 -out p <q.fa
    err_has 'a file of queries'
    expect 1 "$TAMIS" report
    err_has 'which parts?'
    cells 2 1 -query q.fa -db db
    expect 1 "$TAMIS" report parts/*.part --query-shard 1/2
    err_has 'the parts are of 1 query shards'
    expect 1 "$TAMIS" report parts/*.part -outfmt 99
    for text in 0/1 2/1 1 x; do
        expect 1 "$TAMIS" report parts/*.part --query-shard="$text"
        err_is "tamis report: --query-shard takes K/N, such as 3/16: K is 1 to N, and N at most a million, not '$text'\\n"
    done
}

@test "empty inputs: the report's status is that of one run" {
    samples
    : >empty.fa
    cells 2 1 -query empty.fa -db db
    "$TAMIS" blastp -query empty.fa -db db >want 2>want_err
    expect 0 "$TAMIS" report parts/*.part
    cmp want out
    printf '>a\n>b\n' >none.fa
    cells 2 2 -query none.fa -db db
    expect 3 "$TAMIS" blastp -query none.fa -db db
    mv out want
    expect 3 "$TAMIS" report parts/*.part
    cmp want out
}
