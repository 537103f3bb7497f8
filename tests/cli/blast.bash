# blast.bash - what tests beside NCBI's programs share; behind common.

# proteins N LENGTH: N sequences of letters at random, which are related to each other.
proteins() {
    awk -v n="$1" -v length_of="$2" 'BEGIN {
        srand(7)
        split("A R N D C Q E G H I L K M F P S T W Y V", letters, " ")
        for (i = 1; i <= n; i++) {
            printf ">p%d\n", i
            for (k = 1; k <= length_of; k++) {
                if (i % 20 == 1 || rand() < 0.3) line[k] = letters[int(rand() * 20) + 1]
                printf "%s", line[k]
            }
            print ""
        }
    }'
}

# same_as_ncbi ARGUMENT...: output, exit code, and what is said of queries.
same_as_ncbi() {
    local code=0
    if only_runs "$TAMIS" blastp "$@"; then return; fi
    blastp "$@" >want 2>want_err </dev/null || code=$?
    expect "$code" "$TAMIS" blastp "$@"
    cmp want out || {
        echo "$*"
        diff want out | head -20
        return 1
    }
    diff <(grep -E '^(Warning|FASTA-Reader)' want_err) <(grep -E '^(Warning|FASTA-Reader)' err)
}

# same_as_blastdbcmd CODE OPTION...: blastdbcmd and tamis dbinfo print the same and end with that code.
same_as_blastdbcmd() {
    local code=$1
    shift
    if only_runs "$TAMIS" dbinfo "$@"; then return; fi
    expect "$code" blastdbcmd "$@"
    mv out want
    expect "$code" "$TAMIS" dbinfo "$@"
    cmp want out || {
        echo "$*"
        diff want out | head -20
        return 1
    }
}

# blastn_as_ncbi ARGUMENT...: output and exit code.
blastn_as_ncbi() {
    local code=0
    if only_runs "$TAMIS" blastn "$@"; then return; fi
    blastn "$@" >want 2>want_err </dev/null || code=$?
    expect "$code" "$TAMIS" blastn "$@"
    cmp want out || {
        echo "$*"
        diff want out | head -20
        return 1
    }
}
