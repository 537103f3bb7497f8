# tamis blastp: parts of queries and subjects, and of databases, against blastp of BLAST+.
load common

FORMATS=(0 5 "6 std qlen slen qcovs qcovhsp btop sallseqid" "7 std qlen sallacc staxids" 10 15)

# proteins N SEED NAME: N records, most of them relatives of eight families, with low complexity and letters in lower case here and there.
proteins() {
    awk -v n="$1" -v seed="$2" -v name="$3" '
        function below(m) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % m }
        function letter() { return substr("ACDEFGHIKLMNPQRSTVWYAAEEGGKKLLLLSSVV", below(36) + 1, 1) }
        function text(m,    s) { s = ""; while (m-- > 0) s = s letter(); return s }
        function relative(of, rate,    s, i, x) {
            s = ""
            for (i = 1; i <= length(of); i++) {
                x = below(1000)
                s = s (x < rate ? letter() : x < rate + 10 ? "" : x < rate + 20 ? substr(of, i, 1) text(3) : substr(of, i, 1))
            }
            return s
        }
        BEGIN {
            state = 7
            for (i = 0; i < 8; i++) family[i] = text(60 + below(250))
            state = seed
            for (i = 1; i <= n; i++) {
                s = i % 5 ? relative(family[below(8)], 100 + 100 * below(5)) : text(3 + below(150))
                if (i % 7 == 0) s = text(below(60)) s "SSSSSSSSSSSSSSSS"
                if (i % 3 == 0) s = substr(s, 1, 20) tolower(substr(s, 21, 30)) substr(s, 51)
                printf ">%s%d of %s %d\n%s\n", name, i, name, i, s
            }
        }'
}

# compare OPTION...: blastp and tamis print the same in every format.
compare() {
    local format
    need blastp
    for format in "${FORMATS[@]}"; do
        blastp "$@" -outfmt "$format" >want 2>want_err
        expect 0 "$TAMIS" blastp -q "$@" -outfmt "$format"
        cmp want out || {
            echo "format $format: $*"
            diff want out | head -20
            return 1
        }
    done
}

@test "a part of each query" {
    proteins 12 1 q >q.fa
    proteins 30 2 s >s.fa
    compare -query q.fa -subject s.fa -query_loc 31-120
    compare -query q.fa -subject s.fa -query_loc 1-9999 -evalue 1e-3
    compare -query q.fa -subject s.fa -query_loc 60-200 -seg yes -sorthits 4
}

@test "a part of each subject" {
    proteins 6 3 q >q.fa
    proteins 30 4 s | awk '/^>/ { name = $0; next } length($0) > 40 { print name; print }' >s.fa
    compare -query q.fa -subject s.fa -subject_loc 31-150
    compare -query q.fa -subject s.fa -subject_loc 40-9999 -query_loc 5-70 -comp_based_stats 0
}

@test "queries that end before the part are left out, with their numbers" {
    printf '>a\nMKVLAARRWTEGHKLPQSTNDYFCEEGHKL\n>b\nMKV\n>c\nMKVLAARRW\n>d\nMKVLAARRWTEGHKLPQSTNDYFCEE\n' >q.fa
    compare -query q.fa -subject q.fa -query_loc 10-9999
    expect 0 "$TAMIS" blastp -query q.fa -subject q.fa -query_loc 10-9999 -outfmt 7
    err_has "Warning: [blastp] Query_3 c: Sequence contains no data "
    [ "$(tail -n 1 out)" = "# BLAST processed 3 queries" ]
    expect 3 "$TAMIS" blastp -query q.fa -subject q.fa -query_loc 100-200
    expect 1 "$TAMIS" blastp -query q.fa -subject q.fa -subject_loc 5-200
    err_is 'tamis blastp: q.fa: record 2 has 3 letters: the part that was asked for begins at letter 5\n'
}

@test "parts that are none" {
    printf '>a\nMKVLAARRWTEGHKLPQSTNDYFCEEGHKL\n' >q.fa
    for part in 0-5 5-5 9-3 5 5-x 5-; do
        expect 3 "$TAMIS" blastp -query q.fa -subject q.fa -query_loc "$part"
        err_has "-query_loc '$part'"
        expect 3 "$TAMIS" blastp -query q.fa -subject q.fa -subject_loc "$part"
    done
    expect 1 "$TAMIS" blastp -query q.fa -db q -subject_loc 1-5
    err_has "give -subject"
}

@test "batches are of whole queries, also with -query_loc" {
    proteins 200 5 q | awk '/^>/ { next } { s = s toupper($0) } END { for (i = 0; i < 6; i++) printf ">q%d\n%s\n", i, substr(s, 1 + 3000 * i, 9000) }' >q.fa
    proteins 20 6 s >s.fa
    FORMATS=(6)
    for size in 100 25000 200000; do
        export BATCH_SIZE=$size
        compare -query q.fa -subject s.fa -query_loc 1-4500
    done
}
