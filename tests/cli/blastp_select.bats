# tamis blastp: parts of queries and subjects, and of databases, against blastp of BLAST+.
load common
load proteins

FORMATS=(0 5 "6 std qlen slen qcovs qcovhsp btop sallseqid" "7 std qlen sallacc staxids" 10 15 16 4)

# compare OPTION...: blastp and tamis print the same in every format.
compare() {
    local format
    need blastp
    for format in "${FORMATS[@]}"; do
        in_sample || continue
        if only_runs "$TAMIS" blastp -q "$@" -outfmt "$format"; then continue; fi
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
    proteins 8 1 q >q.fa
    proteins 20 2 s >s.fa
    compare -query q.fa -subject s.fa -query_loc 31-120
    compare -query q.fa -subject s.fa -query_loc 1-9999 -evalue 1e-3
    compare -query q.fa -subject s.fa -query_loc 60-200 -seg yes -sorthits 4
}

@test "a part of each subject" {
    proteins 6 3 q >q.fa
    proteins 20 4 s | awk '/^>/ { name = $0; next } length($0) > 40 { print name; print }' >s.fa
    compare -query q.fa -subject s.fa -subject_loc 31-150
    compare -query q.fa -subject s.fa -subject_loc 40-9999 -query_loc 5-70 -comp_based_stats 0
}

@test "no words are taken from subjects in lower case" {
    proteins 6 3 q >q.fa
    proteins 20 4 s | awk '/^>/ { name = $0; next } length($0) > 40 { print name; print substr($0, 1, 9) tolower(substr($0, 10, 3)) substr($0, 13) }' >s.fa
    printf '>all\n%s\n' "$(sed -n 2p q.fa | tr '[:upper:]' '[:lower:]')" >>s.fa
    compare -query q.fa -subject s.fa -lcase_masking
    FORMATS=(6)
    compare -query q.fa -subject s.fa -lcase_masking -subject_loc 11-40 -soft_masking true
    FORMATS=(0 6)
    compare -query q.fa -subject s.fa -lcase_masking -comp_based_stats 0 -window_size 0 -evalue 1000
    compare -query q.fa -subject s.fa -lcase_masking -word_size 6 -threshold 21 -seg yes
    # The last letter of a run may be in a word.
    printf '>q\nGHHILKMDEF\n' >q.fa
    for letters in GHHilkmDEF GHHILkMDEF ghhilkmDEF GHHILKMdef gHhIlKmDeF GHHIlKMDEF; do
        printf '>s\nWWW%s\n' $letters >s.fa
        compare -query q.fa -subject s.fa -lcase_masking -window_size 0 -evalue 1e6 -comp_based_stats 0 -word_size 3
    done
}

@test "queries that end before the part are left out, with their numbers" {
    printf '>a\nMKVLAARRWTEGHKLPQSTNDYFCEEGHKL\n>b\nMKV\n>c\nMKVLAARRW\n>d\nMKVLAARRWTEGHKLPQSTNDYFCEE\n' >q.fa
    compare -query q.fa -subject q.fa -query_loc 10-9999
    expect 0 "$TAMIS" blastp -query q.fa -subject q.fa -query_loc 10-9999 -outfmt 7
    err_has "Warning: [blastp] Query_3 c: Sequence contains no data "
    [ "$(tail -n 1 out)" = "# BLAST processed 3 queries" ]
    printf '>\nMKVLAARRWTEGHKLPQSTNDYFCEEGHKL\n>\nMKV\n>b\nMKVLAARRWTEGHKL\n>c:1-20\nMKV\n>\nMKVLAARRWTEGHKLPQST\n' >unnamed.fa
    compare -query unnamed.fa -subject q.fa -query_loc 5-25 -parse_deflines
    expect 3 "$TAMIS" blastp -query q.fa -subject q.fa -query_loc 100-200
    expect 1 "$TAMIS" blastp -query q.fa -subject q.fa -subject_loc 5-200
    err_is 'tamis blastp: q.fa: record 2 has 3 residues or bases, but the requested range begins at 5\n'
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

# merged N SEED OFFSET BASE: BASE.fa, a file of N sequences with one to three names each; BASE.map, taxids of most; BASE.ids, all ids.
merged() {
    proteins "$1" "$2" x | awk -v base="$4" -v offset="$3" '
        function below(m) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % m }
        function name(n,    k) {
            k = below(5)
            if (k == 0) { bare = sprintf("P%05d.%d", 10000 + n, 1 + below(3)); return "sp|" bare "|NAM" n }
            if (k == 1) { bare = sprintf("NP_%06d.1", n); return "ref|" bare "|" }
            if (k == 2) { bare = sprintf("Q%05d", 10000 + n); return "gi|" (5000 + n) "|sp|" bare "|QN" n }
            if (k == 3) { bare = "loc" n; return "lcl|" bare }
            bare = "gnl|mydb|t" n
            return bare
        }
        BEGIN { state = 99 + offset; split("9606 9606 10090 562 0", taxa, " ") }
        /^>/ {
            header = ""
            count = 1 + below(3)
            for (i = 0; i < count; i++) {
                id = name(offset + 10 * NR + i)
                header = header (i ? "\001" : ">") id " title of " id " [X]"
                print id, bare >(base ".ids")
                taxid = taxa[1 + below(5)]
                if (taxid > 0) print bare, taxid >(base ".map")
            }
            print header >(base ".fa")
            next
        }
        { print >(base ".fa") }'
}

databases() {
    need makeblastdb
    merged 30 8 0 a
    merged 15 9 5000 b
    proteins 4 7 q >q.fa
    for base in a b; do
        makeblastdb -in $base.fa -dbtype prot -parse_seqids -taxid_map $base.map -title "title of $base" -out $base >/dev/null
    done
}

@test "lists of ids" {
    databases
    FORMATS=(0 "6 std sallseqid salltitles sallgi staxids" 15 16 1)
    awk 'NR % 4 == 0 { print $2 }' a.ids >some
    awk 'NR % 3 != 0 { print $2 } NR % 7 == 0 { print "nothing" }' a.ids >most
    compare -query q.fa -db a -seqidlist some -evalue 100
    compare -query q.fa -db "a b" -seqidlist most -comp_based_stats 0
    compare -query q.fa -db a -negative_seqidlist some -evalue 100 -query_loc 5-60
    compare -query q.fa -db a -negative_seqidlist most -dbsize 100000
    awk '$1 ~ /^gi/ && NR % 2 { split($1, f, "|"); print f[2] }' a.ids >gis
    compare -query q.fa -db a -gilist gis -evalue 100
    makeblastdb -in a.fa -dbtype prot -parse_seqids -blastdb_version 4 -title "version 4" -out a4 >/dev/null
    compare -query q.fa -db a4 -seqidlist most -show_gis
}

@test "taxids" {
    databases
    FORMATS=(0 "7 std sallacc staxids" 5)
    compare -query q.fa -db "a b" -taxids "9606, 4"
    compare -query q.fa -db a -negative_taxids 9606,0
    printf '562\n\n10090\r\n' >list
    compare -query q.fa -db a -taxidlist list -max_target_seqs 6
    compare -query q.fa -db "a b" -negative_taxidlist list
    expect 2 "$TAMIS" blastp -query q.fa -db a -taxids 4
    err_has "a: no sequence has a taxid of -taxids"
    expect 1 "$TAMIS" blastp -query q.fa -db a -taxids 9606,x
    err_is "tamis blastp: -taxids takes numbers separated by commas, not 'x'\\n"
}

@test "a list that selects nothing" {
    databases
    echo nothing >list
    compare -query q.fa -db a -seqidlist list
    expect 0 "$TAMIS" blastp -query q.fa -db a -seqidlist list -outfmt 6
    out_is ''
    err_has "Warning: [blastp] Query_1 q1 of q 1: Filtering resulted in an empty database. "
}

@test "lists that are none" {
    printf '>lcl|a\nMKVLAARRWTEGHKLPQSTNDYFCEEGHKL\n' >q.fa
    "$TAMIS" makedb -in q.fa -dbtype prot -out plain >log
    "$TAMIS" makedb -in q.fa -dbtype prot -parse_seqids -blastdb_version 4 -out old >log
    : >empty
    printf '\000\016\001' >binary_ids
    printf '\377\377\377\377\000\000\000\001\000\000\000\005' >binary_gis
    printf '12\nx\n' >words
    for case in "-seqidlist empty" "-seqidlist binary_ids" "-gilist empty" "-gilist binary_gis" "-gilist words"; do
        # shellcheck disable=SC2086
        expect 2 "$TAMIS" blastp -query q.fa -db old $case
    done
    expect 2 "$TAMIS" blastp -query q.fa -db plain -seqidlist words
    err_has "plain: has no ids"
    expect 2 "$TAMIS" blastp -query q.fa -db old -taxids 9606
    err_has "version 4"
    expect 1 "$TAMIS" blastp -query q.fa -db old -taxidlist words
    expect 1 "$TAMIS" blastp -query q.fa -db old -seqidlist missing
    expect 1 "$TAMIS" blastp -query q.fa -db old -seqidlist words -gilist words
    expect 1 "$TAMIS" blastp -query q.fa -subject q.fa -seqidlist words
    expect 1 "$TAMIS" blastp -query q.fa -db old -ipglist words
}
