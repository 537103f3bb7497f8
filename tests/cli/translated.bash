# translated.bash - what tests of programs that translate share; behind common.

# A protein, and its gene.
the_protein() { printf MKRISTTWHYDEQLPRCFKNVAMSDEPWYHKLRTGCQNVF; }
the_gene() {
    printf ATGAAACGTATTTCTACTACTTGGCATTATGATGAACAACTTCCTCGTTGTTTTAAAAATGTTGCTATGTCTGATGAACCTTGGTATCATAAACTTCGTACTGGTTGTCAAAATGTTTTT
}

# gene_files NAME: NAME.fa has the gene behind two bases, minus.fa its reverse complement.
gene_files() {
    printf '>%s1 first\nGA%s\n' "$1" "$(the_gene)" >"$1.fa"
    printf '>%s1 first\n%sTC\n' "$1" "$(the_gene | rev | tr ACGT TGCA)" >minus.fa
}

# shifted_gene NAME: shifted.fa has the gene behind two bases, with one base more in its middle.
shifted_gene() {
    local gene
    gene=$(the_gene)
    printf '>%s\nGA%sG%s\n' "$1" "${gene:0:60}" "${gene:60}" >shifted.fa
}

# describes_itself PROGRAM OPTION...: --help has the options, and more; -version.
describes_itself() {
    expect 0 "$TAMIS" "$1" --help
    grep -q "^Usage: tamis $1 " out
    for option in "${@:2}" -query -db -subject -sum_stats -max_intron_length --resume --stats; do grep -qe "$option" out; done
    [ ! -s err ]
    expect 0 "$TAMIS" "$1" -version
    grep -qx "$1: 2.12.0+" out
}

# same_in_parts PROGRAM QUERIES FILE DBTYPE: parts and archives of a search in a database of the file give the report of one run.
same_in_parts() {
    "$TAMIS" makedb -in "$3" -dbtype "$4" -out db >/dev/null
    for format in 0 7; do
        expect 0 "$TAMIS" "$1" -query "$2" -db db -outfmt $format --stats stats
        cp out want
        grep -q "\"program\": \"tamis $1\"" stats
        grep -q expected_by_chance stats # of residues; no stages of bases
        run ! grep -q 1a_filter stats
        "$TAMIS" "$1" -query "$2" -db db --archive a --restart
        for k in 1 2; do "$TAMIS" "$1" -query "$2" -db db --shard $k/2 -out p$k --restart; done
        expect 0 "$TAMIS" report a -outfmt $format
        cmp out want
        expect 0 "$TAMIS" report p1 p2 -outfmt $format
        cmp out want
        rm -f a p1 p2 stats
    done
}

# takes_codes ARGUMENT...: the last one is the option of a genetic code.
takes_codes() {
    for code in 7 8 17 20 32; do
        expect 1 "$TAMIS" "$@" $code
        err_has "${*: -1} takes 1 to 6, 9 to 16, 21 to 31, or 33, not $code"
    done
}

# no_sequences PROGRAM QUERIES SUBJECTS: what files without sequences, ranges beyond them, and missing files are said to be; exit codes as NCBI's.
no_sequences() {
    : >empty.fa
    printf '>e\n' >none.fa
    expect 0 "$TAMIS" "$1" -query empty.fa -subject "$3" -outfmt 6
    out_is ''
    err_has "Warning: [$1] Query is Empty!"
    expect 3 "$TAMIS" "$1" -query none.fa -subject "$3"
    err_has "tamis $1: none.fa: no query has a residue"
    expect 3 "$TAMIS" "$1" -query "$2" -subject "$3" -query_loc 5000-6000
    err_has "tamis $1: $2: no query has a residue in -query_loc 5000-6000"
    expect 3 "$TAMIS" "$1" -query "$2" -subject empty.fa
    err_has "tamis $1: empty.fa: has no sequences"
    expect 0 "$TAMIS" "$1" -query "$2" -subject none.fa -outfmt 6
    out_is ''
    expect 1 "$TAMIS" "$1" -query "$2" -subject "$3" -subject_loc 5000-6000
    err_has 'but the requested range begins at 5000'
    expect 1 "$TAMIS" "$1" -query missing.fa -subject "$3"
    err_has "tamis $1: missing.fa: No such file or directory"
    expect 1 "$TAMIS" "$1" -query "$2" -subject missing.fa
    expect 2 "$TAMIS" "$1" -query "$2" -db missing
    err_has 'No alias or index file found for'
    expect 1 "$TAMIS" "$1" -query "$2"
    err_has 'Give -db NAME or -subject FILE'
}

# resumes_when_full PROGRAM QUERIES SUBJECTS: a report that ends when its file is full is completed by --resume.
resumes_when_full() {
    for _ in {1..40}; do cat "$2"; done >many.fa
    for _ in {1..200}; do cat "$3"; done >subjects.fa
    export BATCH_SIZE=500
    local command=("$TAMIS" "$1" -q -query many.fa -subject subjects.fa -outfmt 0)
    expect 0 "${command[@]}"
    mv out want
    # shellcheck disable=SC2016
    expect 6 bash -c 'ulimit -f 2000; exec "$@"' - "${command[@]}" -out hits
    [ -e hits.checkpoint ]
    expect 0 "${command[@]}" -out hits --resume --stats stats
    cmp want hits
    grep -q "\"program\": \"tamis $1\"" stats
    [ ! -e hits.checkpoint ]
}
