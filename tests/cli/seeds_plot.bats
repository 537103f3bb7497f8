# tamis seeds --plot: pictures of matches. What they look like in a browser: browser.bats.
load common

# two_genomes: a.fa and b.fa, of records that share blocks, forward and reversed.
two_genomes() {
    awk 'function random(m) { x = (x * 16807) % 2147483647; return int(x / 2147483647 * m) }
        function dna(n,    i, out) { for (i = 0; i < n; i++) out = out substr("ACGT", random(4) + 1, 1); return out }
        function reversed(word,    i, out) {
            for (i = length(word); i >= 1; i--) out = out substr("TGCA", index("ACGT", substr(word, i, 1)), 1)
            return out
        }
        BEGIN {
            x = 7; one = dna(3000); two = dna(2000); three = dna(1500)
            print ">chr1 first\n" one two >"a.fa"; print ">chr2\n" three >"a.fa"
            print ">s1\n" one reversed(two) >"b.fa"; print ">s2\n" three dna(700) substr(one, 1, 900) >"b.fa"
        }'
}

@test "plot: lines, shades and the page depend neither on threads nor on batches; BED stays as it is" {
    two_genomes
    expect 0 "$TAMIS" seeds -query a.fa -subject b.fa --bed -out plain.bed
    for form in svg png html; do
        expect 0 "$TAMIS" seeds -q -query a.fa -subject b.fa --plot "first.$form" --threads 1
        out_is ''
        expect 0 "$TAMIS" seeds -q -query a.fa -subject b.fa --plot "second.$form" --threads 5 --batch 777 --bed -out "$form.bed"
        cmp "first.$form" "second.$form"
        cmp plain.bed "$form.bed"
    done
    [ "$(head -c 8 first.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
    # four lines, of which one falls
    grep -q 'class="picture-forward picture-line"' first.svg
    grep -q 'forward: 3 matches' first.svg
    grep -q 'reverse: 1 match<' first.svg
    for name in chr1 chr2 s1 s2; do grep -q ">$name</text>" first.svg; done
    grep -q '6,500 bp (axes in kbp)' first.svg
}

@test "plot: more matches than lines are shades, the same from any number of threads" {
    awk 'BEGIN { x = 5; for (r = 1; r <= 150; r++) { print ">r" r; s = ""; for (i = 0; i < 40; i++) { x = (x * 16807) % 2147483647; s = s substr("ACGT", x % 4 + 1, 1) }
        print s "N" "ACGTTGCATGCCATGA" } }' >many.fa
    expect 0 "$TAMIS" seeds -q -query many.fa -subject many.fa --plot one.svg --threads 1
    expect 0 "$TAMIS" seeds -q -query many.fa -subject many.fa --plot two.svg --threads 4 --batch 500
    cmp one.svg two.svg
    grep -q 'in equal steps of the logarithm' one.svg
    grep -q '150 records, 8,550 bp (one axis, in kbp)' one.svg # each record is too short for two ticks
    [ "$(grep -o '>8</text>' one.svg | wc -l)" -eq 2 ]
    grep -q 'data:image/png;base64,' one.svg
}

@test "plot: --min-length is of BED, of counts and of pictures" {
    two_genomes
    expect 0 "$TAMIS" seeds -q -query a.fa -subject b.fa --bed -word_size 8 -out all.bed
    awk -F'\t' '$3 - $2 >= 11' all.bed >want.bed
    [ "$(wc -l <want.bed)" -gt 4 ] && [ "$(wc -l <want.bed)" -lt "$(wc -l <all.bed)" ]
    expect 0 "$TAMIS" seeds -q -query a.fa -subject b.fa --bed -word_size 8 --min-length 11 -out some.bed --plot some.svg --batch 999
    cmp want.bed some.bed
    expect 0 "$TAMIS" seeds -q -query a.fa -subject b.fa --bed -word_size 8 --min-length 11 --count --batch 999
    out_is "$(wc -l <want.bed)\n"
    [ "$(grep -o 'ward: [0-9]*\|verse: [0-9]*' some.svg | awk '{ n += $2 } END { print n }')" -eq "$(wc -l <want.bed)" ]
    expect 2 "$TAMIS" seeds -query a.fa -subject b.fa --min-length 20
    err_has '--bed'
}

@test "plot: names of files and records are text" {
    printf '>a<b>&"x\nACGTTGCATGCCATGAGGACCA\n' >'q<i>.fa'
    printf '>\xc3\xa9\xff\nACGTTGCATGCCATGAGGACCA\n' >s.fa
    expect 0 "$TAMIS" seeds -q -query 'q<i>.fa' -subject s.fa --plot x.html
    grep -q 'a&lt;b&gt;&amp;&quot;x</text>' x.html
    grep -q '<td>q&lt;i&gt;.fa</td>' x.html
    [ "$(grep -c '<i>\|<b>' x.html)" -eq 0 ]
    iconv -f UTF-8 -t UTF-8 x.html >/dev/null
    expect 0 "$TAMIS" seeds -q -query 'q<i>.fa' -subject s.fa --plot x.png
}

@test "plot: empty sides, short records, and what is refused" {
    two_genomes
    printf '>e\nACG\n' >short.fa
    printf '>e\n>f\nAC\n>g\n' >gaps.fa # records without bases
    for query in gaps.fa short.fa a.fa; do
        expect 0 "$TAMIS" seeds -q -query $query -subject short.fa --plot $query.svg
        expect 0 "$TAMIS" seeds -q -query $query -subject gaps.fa --plot $query.png
        expect 0 "$TAMIS" seeds -q -query $query -subject gaps.fa --plot $query.html
    done
    expect 2 "$TAMIS" seeds -query a.fa -subject b.fa --plot x.pdf
    err_has 'x.pdf: a picture is .svg or .png, and a page .html'
    expect 2 "$TAMIS" seeds -query a.fa -subject b.fa --plot x.svg --count
    expect 2 "$TAMIS" seeds -query a.fa -subject b.fa --plot x.svg --stage filter
    expect 2 "$TAMIS" seeds -query a.fa -subject b.fa --plot x.svg --bed -out x.svg
    echo text >kept.svg
    expect 2 "$TAMIS" seeds -q -query a.fa -subject b.fa --plot kept.svg
    echo text | cmp - kept.svg
    expect 0 "$TAMIS" seeds -q -query a.fa -subject b.fa --plot new.svg
    expect 0 "$TAMIS" seeds -q -query a.fa -subject b.fa --plot new.svg # a picture may be drawn again
}

@test "plot: a query in batches gives the same picture, the same matches and seeds; matches cross the borders" {
    two_genomes
    # records shorter than a word, a long match of each strand, and a repeat
    awk 'BEGIN { for (i = 0; i < 40; i++) print ">tiny" i "\n" substr("ACGTTGCAACGT", 1, i % 13) "N" }' >tiny.fa
    cat a.fa tiny.fa b.fa >q.fa
    cat b.fa a.fa >s.fa
    local size how
    for how in '-word_size 11' '-word_size 31 --min-length 40' '-word_size 12 -strand minus' '-word_size 16 -strand plus'; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" seeds -q $how -query q.fa -subject s.fa --bed --plot want.svg -out want.bed --force
        sort want.bed >want.sorted
        [ "$(wc -l <want.bed)" -gt 5 ]
        for size in 64 71 1000 6000; do
            # shellcheck disable=SC2086
            expect 0 "$TAMIS" seeds -q $how -query q.fa -subject s.fa --bed --plot some.svg -out some.bed --query-batch $size --batch 501 --force
            sort some.bed | cmp want.sorted - || { echo "$how $size"; return 1; }
            cmp want.svg some.svg
            # shellcheck disable=SC2086
            expect 0 "$TAMIS" seeds -q $how -query q.fa -subject s.fa --bed --count --query-batch $size
            out_is "$(wc -l <want.bed)\n"
        done
    done
    expect 0 "$TAMIS" seeds -q -query q.fa -subject s.fa --header
    sort out >want
    expect 0 "$TAMIS" seeds -q -query q.fa -subject s.fa --header --query-batch 500
    [ "$(head -n 1 out)" = "$(printf 'query\tq_start\tsubject\ts_start\tstrand')" ]
    sort out | cmp want -
}

@test "plot: what a query in batches cannot have" {
    two_genomes
    # shellcheck disable=SC2002
    cat b.fa | expect 2 "$TAMIS" seeds -query a.fa -subject - --plot x.svg --query-batch 1000
    err_has 'standard input: the query has 7 batches of up to 1000 bases, and the subject is read once for each: it has to be a file'
    expect 2 "$TAMIS" seeds -query a.fa -subject b.fa --stats x.json --query-batch 1000
    err_has '--stats is of the filters of one batch'
    expect 2 "$TAMIS" seeds -query a.fa -subject b.fa --stage filter --query-batch 1000
    err_has '--stage filter is of the filters of one batch'
    # shellcheck disable=SC2002
    cat b.fa | expect 0 "$TAMIS" seeds -query a.fa -subject - --plot x.svg --query-batch 6500
    # shellcheck disable=SC2002
    cat a.fa | expect 0 "$TAMIS" seeds -query - -subject b.fa --plot y.svg --query-batch 1000
    expect 2 "$TAMIS" seeds -query a.fa -subject b.fa --query-batch 63
    [ ! -e x.json ]
}
