# tamis blastn: sequences that are searched in chunks.
load common
load blast
load bases

@test "a subject longer than a chunk: HSPs on both sides of the border, and across" {
    long_bases 5040000 3 >line
    { echo '>long' && cat line; } >s.fa
    pieces line 60 1 4999500 5000400 >q.fa
    for options in "" "-task blastn" "-task blastn -ungapped" "-word_size 12" "-ungapped -word_size 16"; do
        # shellcheck disable=SC2086 # several words
        blastn_as_ncbi -query q.fa -subject s.fa -outfmt 6 $options
        [ "$(wc -l <out)" -gt 30 ]
    done
}

@test "queries longer than two chunks, at the sizes of each task" {
    need_full_sizes
    long_bases 2100000 5 >line
    { echo '>long' && cat line; } >q.fa
    { pieces line 20 1 1000000 1100000 && pieces line 20 2 0 2100000; } >s.fa
    blastn_as_ncbi -task blastn -query q.fa -subject s.fa -outfmt 6
    [ "$(wc -l <out)" -gt 30 ]
    long_bases 10200000 6 >line
    { echo '>long' && cat line; } >q.fa
    { pieces line 20 1 5099000 5101000 && pieces line 20 2 0 10200000; } >s.fa
    blastn_as_ncbi -query q.fa -subject s.fa -outfmt 6
    [ "$(wc -l <out)" -gt 20 ]
}

@test "hard masks in a subject longer than a chunk" {
    need convert2blastmask
    long_bases 5040000 3 >line
    {
        echo '>long'
        awk '{ for (i = 1; i <= length($0); i += 1000) { p = substr($0, i, 1000); print i % 3 ? p : tolower(substr(p, 1, 137)) substr(p, 138) } }' line
        echo '>after' && cut -c1-3001 line
    } >s.fa
    convert2blastmask -in s.fa -masking_algorithm repeat -masking_options test -outfmt maskinfo_asn1_bin -out masks
    makeblastdb -in s.fa -dbtype nucl -mask_data masks -out masked >/dev/null
    { pieces line 30 1 4999500 5000400 && pieces line 10 4 0 1000000; } >q.fa
    for options in "-task blastn -num_threads 3" "-ungapped"; do
        # shellcheck disable=SC2086 # several words
        blastn_as_ncbi -query q.fa -db masked -db_hard_mask 40 -outfmt 6 $options
        [ "$(wc -l <out)" -gt 20 ]
    done
}

@test "a CHUNK_SIZE that would make too many tables of words is refused" {
    bases 30 1 q >q.fa
    BATCH_SIZE=100000 CHUNK_SIZE=101 expect 1 "$TAMIS" blastn -query q.fa -subject q.fa
    grep -q 'chunks of 101 bases' err
}

@test "queries in small chunks, by CHUNK_SIZE" {
    bases 30 1 q >q.fa
    bases 20 2 s >s.fa
    for size in 1500 2000 5000; do
        for options in "" "-task blastn -word_size 4" "-dust no -soft_masking false -lcase_masking" "-task dc-megablast -strand minus"; do
            in_sample || continue
            # shellcheck disable=SC2086 # several words
            CHUNK_SIZE=$size blastn_as_ncbi -query q.fa -subject s.fa -outfmt 6 $options
            # shellcheck disable=SC2086
            BATCH_SIZE=6000 CHUNK_SIZE=$size blastn_as_ncbi -query q.fa -subject s.fa -outfmt 6 $options
        done
    done
}

@test "lower case is longer by a base in chunks, but not if it ends before them" {
    local island=GATTACAGGCATCCGTTAGC options=(-query q.fa -subject s.fa -lcase_masking -dust no -task blastn -word_size 20)
    long_bases 6000 4 >line
    printf '>s\nTTTTTTT%sTTTTTTTT\n' $island >s.fa
    export BATCH_SIZE=5000 CHUNK_SIZE=2000
    for at in 100 1965 1966 1967 1968 2066 2067; do # the second chunk begins with base 1967, from 0 on
        printf '>q\n%sacg%scat%s\n' "$(head -c $((at - 3)) line)" $island "$(head -c $((6000 - 23)) line | tail -c +$((at + 1)))" >q.fa
        blastn_as_ncbi "${options[@]}" -outfmt 6
        [ "$(wc -l <out)" = $((at == 1967)) ]
        CHUNK_SIZE=6000 blastn_as_ncbi "${options[@]}" -outfmt 6
        [ "$(wc -l <out)" = 1 ]
    done
}

# NCBI's program takes the effective search space of a part of a query from the query of the batch that has the part's number in its chunk.
@test "a short query before one that is cut into chunks lends those its search space" {
    bases 5 1 short | sed 's/\(^[^>]\{80\}\).*/\1/' >q.fa
    { echo '>long' && bases 30 1 q | grep -v '>' | tr -d '\n' && echo; } >>q.fa
    bases 20 2 s >s.fa
    BATCH_SIZE=100000 CHUNK_SIZE=2000 blastn_as_ncbi -task blastn -word_size 7 -dust no -query q.fa -subject s.fa -outfmt 6
    mv out chunks
    BATCH_SIZE=100000 blastn_as_ncbi -task blastn -word_size 7 -dust no -query q.fa -subject s.fa -outfmt 6
    run ! cmp -s chunks out
}
