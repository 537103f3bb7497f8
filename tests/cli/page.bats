# -outfmt html: what needs no browser. What the pages show: browser.bats.
load common
load proteins

@test "page: at most 5000 queries, found in the file before the search, and in a pipe when they come" {
    proteins 20 3 s >s.fa
    awk 'BEGIN { for (i = 1; i <= 5001; i++) print ">q" i "\nMKW" }' >many.fa
    gzip -k many.fa
    for file in many.fa many.fa.gz; do
        expect 1 "$TAMIS" blastp -query $file -subject s.fa -outfmt html -out page.html
        err_has 'a page of more than 5000 queries would not open in a browser: search fewer at a time, or give -outfmt 6, or --archive'
        [ ! -e page.html ]
    done
    awk 'BEGIN { for (i = 1; i <= 5001; i++) print "@q" i "\nACGTACGT\n+\n@@@@@@@@" }' >many.fq
    expect 1 "$TAMIS" blastn -query many.fq -subject many.fq -outfmt html
    err_has 'more than 5000 queries'
    # shellcheck disable=SC2002
    cat many.fa | expect 1 "$TAMIS" blastp -query - -subject s.fa -outfmt html -out pipe.html
    grep -q 'more than 5000 queries' err
    [ ! -e pipe.html ] && [ ! -e pipe.html.checkpoint ] # nothing could resume it
    head -n 10000 many.fa >most.fa
    expect 0 "$TAMIS" blastp -query most.fa -subject s.fa -outfmt html -out most.html
    [ "$(grep -c '^<script type="text/plain" class="query">' most.html)" -eq 5000 ]
    expect 0 "$TAMIS" blastp -query many.fa -subject s.fa -outfmt 6
}

@test "page: a full disk or a kill, and --resume: the page is the same; nothing is left of one that cannot be finished" {
    load bases
    bases 100 3 q >q.fa
    bases 60 9 s >s.fa
    local command=("$TAMIS" blastn -q -query q.fa -subject s.fa -outfmt html -num_threads 2)
    export BATCH_SIZE=2000 # many batches
    expect 0 "${command[@]}"
    mv out want
    local kilobytes most
    most=$(($(grep -b '^<script>$' want | cut -d: -f1) / 1024)) # before the script
    for kilobytes in $((most / 2)) $((most - 1)) $((most + 5)); do
        # shellcheck disable=SC2016
        expect 6 bash -c 'ulimit -f "$1"; shift; exec "$@"' - "$kilobytes" "${command[@]}" -out page.html
        err_is 'tamis blastn: page.html: cannot be written: File too large\n'
        [ -e page.html.checkpoint ]
        cmp -n $((kilobytes * 1024)) page.html want
        expect 1 "${command[@]}" -out page.html
        err_has '--resume continues it'
        expect 0 "${command[@]}" -out page.html --resume
        cmp want page.html
        [ ! -e page.html.checkpoint ]
        rm page.html
    done
    "${command[@]}" -out page.html &
    local pid=$!
    until [ -e page.html.checkpoint ] || ! kill -0 $pid 2>/dev/null; do :; done
    kill -9 $pid 2>/dev/null || true
    wait $pid || true
    if [ -e page.html.checkpoint ]; then expect 0 "${command[@]}" -out page.html --resume; fi # else it has ended
    cmp want page.html
    [ -c /dev/full ] || skip "no /dev/full"
    expect 6 "${command[@]}" -out /dev/full
    err_is 'tamis blastn: /dev/full: cannot be written: No space left on device\n'
}

@test "page: whole also if the last queries have no residue" {
    proteins 3 3 s >s.fa
    printf '>none\n>nothing\n' >none.fa
    cat s.fa none.fa >q.fa
    expect 3 env BATCH_SIZE=1 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt html -out page.html
    [ "$(tail -n 1 page.html)" = '</html>' ]
    expect 3 "$TAMIS" blastp -query none.fa -subject s.fa -outfmt html -out none.html
    [ "$(tail -n 1 none.html)" = '</html>' ]
}

@test "page: NCBI's numbers of formats stay as they are" {
    proteins 3 3 s >s.fa
    for format in 11 19 htm HTML -1 'html6'; do
        expect 1 "$TAMIS" blastp -query s.fa -subject s.fa -outfmt "$format"
        err_has "-outfmt '$format'"
    done
    for format in 6 0; do
        expect 0 "$TAMIS" blastp -query s.fa -subject s.fa -outfmt $format
        [ "$(head -c 2 out)" != '<!' ]
    done
    expect 0 "$TAMIS" blastp -query s.fa -subject s.fa -outfmt html
    [ "$(head -n 1 out)" = '<!DOCTYPE html>' ]
}

@test "page: titles are text, whatever is in them" {
    proteins 4 3 s | sed 's/^>\(s[24]\) .*/>\1 <\/script><script>alert(1)<\/script> <!-- \&amp; "\xc3\xa9\xff\x01/' >s.fa
    expect 0 "$TAMIS" blastp -query s.fa -subject s.fa -outfmt html
    # the data of the search, of four queries, and the page's own script: titles open no element
    [ "$(grep -o '<script' out | wc -l)" -eq 6 ]
    [ "$(grep -o '</script' out | wc -l)" -eq 6 ]
    [ "$(grep -c 'alert(1)' out)" -eq 2 ]
    grep -q 'u003cscript\\u003ealert(1)' out
    iconv -f UTF-8 -t UTF-8 out >/dev/null
}

@test "page: the same bytes from any number of threads, and from an archive" {
    proteins 30 3 q >q.fa
    proteins 60 9 s >s.fa
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt html -out one.html --threads 1
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt html -out four.html --threads 4
    cmp one.html four.html
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa --archive a.tamis
    expect 0 "$TAMIS" report a.tamis -outfmt html -out archive.html
    cmp one.html archive.html
}

@test "sample page: the numbers of --summary, scores that add up, names as text; the same from any number of threads" {
    local data="$TAMIS_SOURCE/tests/data/classify"
    expect 0 "$TAMIS" build -q --kmer 21 -o 'k<12>.tms' "$data/k12.fa"
    expect 0 "$TAMIS" build -q --kmer 21 -o sal.tms "$data/salmonella.fa"
    cat "$data"/reads_?.fa >reads.fa
    expect 0 "$TAMIS" classify -q -f 'k<12>.tms' -f sal.tms --html one.html --summary one.tsv --sample '<x>&' --threads 1 reads.fa
    expect 0 "$TAMIS" classify -q -f 'k<12>.tms' -f sal.tms --html four.html --sample '<x>&' --threads 4 reads.fa
    out_is ''
    cmp one.html four.html
    grep -q '<title>Sample &lt;x&gt;&amp;: reads by reference</title>' one.html
    [ "$(grep -c '<12>' one.html)" -eq 0 ]
    # name, number: of the table, and of the histograms; unmatched reads without a hit are in none
    sed -n 's/^<tr><td>\(<i class="picture-[a-z0-9]*".*<\/i>\)*\([^<]*\)<\/td><td class="n">\([0-9,]*\)<.*%.*/\2\t\3/p' one.html | tr -d , | sed 's/&lt;/</; s/&gt;/>/' | sort >page.tsv
    sed 1d one.tsv | cut -f1,2 | sort | cmp - page.tsv
    [ "$(awk '$2 > 0' page.tsv | wc -l)" -ge 4 ]
    sed -n 's/.*<figcaption><i class="picture-series[01]"><\/i>\(.*\), \([0-9,]*\)<\/figcaption>.*/\1\t\2/p' one.html | tr -d , | sed 's/&lt;/</; s/&gt;/>/' | sort >scores.tsv
    grep -v 'total\|unmatched\|ambiguous' page.tsv | awk '$2 > 0' | cmp - scores.tsv
    expect 2 "$TAMIS" classify -f sal.tms --html x.html --shard 1/2 reads.fa
    err_has '--html has no place for the mark of a shard'
}
