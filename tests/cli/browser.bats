# What tamis writes for browsers, in one: tests/CMakeLists.txt takes these where Chromium is installed.
load common

# no COMMAND...: it fails ("!" alone would not end a test).
no() {
    if "$@"; then return 1; fi
}

@test "report: opens in a browser without errors, and nothing is missing" {
    need gnuplot
    expect 0 "$TAMIS" model report -o r.html --profile "$TAMIS_SOURCE/share/tamis/profiles/h200.json" \
        --from "$TAMIS_SOURCE/tests/data/model/model_sweeps.tsv"
    browse() { timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --enable-logging=stderr "$@" "file://$PWD/r.html"; }
    browse --window-size=1000,3000 --screenshot="$PWD/r.png" >log 2>&1
    [ -s r.png ]
    no grep -i 'CONSOLE' log
    browse --dump-dom >dom 2>log
    no grep -i 'CONSOLE' log
    [ "$(grep -c '<svg ' dom)" -eq "$(grep -c '<svg ' r.html)" ]
    [ "$(grep -c '<figcaption>' dom)" -eq "$(grep -c '<figcaption>' r.html)" ]
    # a parser that had to repair something would have moved or added elements
    for tag in table tr td th figure section p h2 h3 g path use; do
        [ "$(grep -o "<${tag}[ >]" dom | wc -l)" -eq "$(grep -o "<${tag}[ >]" r.html | wc -l)" ] || {
            echo "$tag: $(grep -o "<${tag}[ >]" dom | wc -l), written $(grep -o "<${tag}[ >]" r.html | wc -l)"
            return 1
        }
    done
    # on a phone nothing but a table that scrolls, or a picture that does, is wider than the screen
    sed 's|</body>|<p id="wide"></p><script>document.getElementById("wide").textContent = "wide " + (document.documentElement.scrollWidth - document.documentElement.clientWidth)</script></body>|' r.html >w.html
    timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --window-size=500,900 --dump-dom "file://$PWD/w.html" >dom 2>log
    grep -q '<p id="wide">wide 0</p>' dom
}

# in_browser PAGE STEP...: browser.py, which fails if a page complains or asks for anything but itself.
in_browser() { timeout 120 python3 "$TAMIS_SOURCE/tests/cli/browser.py" "$@"; }

# fits: an expression: nothing is wider than the screen, and no table of hits scrolls to the side.
fits='document.documentElement.scrollWidth <= document.documentElement.clientWidth &&
    [...document.querySelectorAll(".wide")].every((wide) => wide.scrollWidth <= wide.clientWidth + 1)'

@test "dot plots: a page and a picture, in the dark, on a phone and on paper" {
    need python3
    printf '>a<b>\n%s\n>second\n%s\n' "$(awk 'BEGIN { x = 3; for (i = 0; i < 900; i++) { x = (x * 16807) % 2147483647; printf "%s", substr("ACGT", x % 4 + 1, 1) } }')" ACGTTGCATGCCATGAGGACCA >a.fa
    expect 0 "$TAMIS" seeds -q -query a.fa -subject a.fa --plot p.html
    expect 0 "$TAMIS" seeds -q -query a.fa -subject a.fa --plot p.svg
    # many matches, so that the page has all its parts; names that fill the tables
    awk 'BEGIN { x = 3; for (r = 0; r < 150; r++) { printf ">r%d\n", r; for (i = 0; i < 60; i++) { x = (x * 16807) % 2147483647; printf "%s", substr("ACGT", x % 4 + 1, 1) } print "NACGTTGCATGCCATGA" } }' \
        >many_sequences_in_a_file_with_a_long_name.fasta
    expect 0 "$TAMIS" seeds -q -query many*.fasta -subject many*.fasta --plot m.html
    grep -q 'a pixel' m.html
    in_browser p.html value 'document.querySelectorAll("svg text").length' value 'getComputedStyle(document.body).backgroundColor' \
        dark value 'getComputedStyle(document.body).backgroundColor' print p.pdf screen 390x800 value "$fits" \
        open m.html screen 1000x800 print m.pdf paper 29.7x21 print m.pdf paper 21.6x27.9 print m.pdf paper 27.9x21.6 print m.pdf open p.svg picture p.png >said
    [ "$(sed -n 1p said)" -eq "$(grep -c '<text ' p.html)" ]
    printf 'rgb(255, 255, 255)\nrgb(20, 24, 29)\n1\nTrue\n1\n1\n1\n1\n' | diff - <(sed 1d said) # each on one page
    [ "$(head -c 5 p.pdf)" = %PDF- ]
    [ -s p.png ]
}

# all_of_page: an expression: of each query the table as it is copied, and the rows of all alignments.
all_of_page='(async () => {
    const out = [], until = async (is) => { while (!is()) await new Promise((go) => setTimeout(go, 5)); };
    let copied = "";
    document.addEventListener("copied", (event) => { copied = event.detail; });
    const button = (text) => [...document.querySelectorAll("button")].find((b) => b.textContent === text);
    await until(() => document.body.dataset.ready);
    const n = document.querySelectorAll("script.query").length;
    for (let q = 1; q <= n; q++) {
        location.hash = "q" + q;
        await until(() => document.body.dataset.ready === "q" + q);
        if (!button("Copy table as TSV")) continue;
        copied = "";
        button("Copy table as TSV").click();
        await until(() => copied);
        out.push(...copied.trim().split("\n").slice(1).map((line) => "T " + line));
        for (let b; (b = [...document.querySelectorAll("button")].find((b) => !b.hidden && b.textContent.startsWith("Show all")));) b.click();
        for (const b of document.querySelectorAll("td.name button")) b.click();
        for (let b; (b = [...document.querySelectorAll("button")].find((b) => !b.hidden && b.textContent.startsWith("Show all")));) b.click();
        for (const pre of document.querySelectorAll("pre"))
            out.push(...pre.textContent.split("\n").filter((line) => line.trim()).map((line) => "A " + line.trim().replace(/ +/g, " ")));
    }
    return out.join("\n");
})()'

# same_as_formats PAGE FOLD: what the page shows is what formats 6 and 0 print.
same_as_formats() {
    in_browser page.html value "$all_of_page" >said
    sed -n 's/^T //p' said | cmp - table.tsv
    sed -n 's/^A //p' said | "$@" | sort >rows.page
    awk '/^Query  [0-9]/ { print; getline; print } /^Sbjct  [0-9]/' text | sed 's/^ *//; s/ *$//; s/  */ /g' | grep . | "$@" | sort >rows.text
    cmp rows.page rows.text
    [ "$(wc -l <rows.page)" -gt 300 ]
}

@test "hits page: tables and alignments are those of formats 6 and 0" {
    need python3
    load proteins
    load bases
    proteins 12 5 q >q.fa
    proteins 60 9 s >s.fa
    for format in html:page.html 6:table.tsv 0:text; do
        rm -f "${format#*:}"
        expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt "${format%:*}" -out "${format#*:}" -evalue 1e-3 -seg yes -lcase_masking
    done
    same_as_formats cat
    bases 6 3 q >nq.fa
    bases 20 8 s >ns.fa
    for format in html:page.html 6:table.tsv 0:text; do
        rm -f "${format#*:}"
        expect 0 "$TAMIS" blastn -task blastn -query nq.fa -subject ns.fa -outfmt "${format%:*}" -out "${format#*:}"
    done
    same_as_formats tr n N # a middle row of one "n"
    bases 8 4 x >xq.fa
    for format in html:page.html 6:table.tsv 0:text; do
        rm -f "${format#*:}"
        expect 0 "$TAMIS" blastx -query xq.fa -subject s.fa -evalue 1000 -outfmt "${format%:*}" -out "${format#*:}"
    done
    same_as_formats tr a-z A-Z # formats leave the case of a mask's last residue on the minus strand
    for format in html:page.html 6:table.tsv 0:text; do
        rm -f "${format#*:}"
        expect 0 "$TAMIS" tblastn -query s.fa -subject xq.fa -evalue 1000 -seg no -outfmt "${format%:*}" -out "${format#*:}"
    done
    same_as_formats cat
}

@test "hits page: sorts, filters, and opens alignments, by keys too; hostile titles; dark, phone, paper" {
    need python3
    load proteins
    proteins 3 5 q | sed 's/^>q1 .*/>q1 <script>alert(1)<\/script> \&amp; "x"/' >q.fa
    proteins 60 9 s | sed 's/^>s42 .*/>s42 <\/script><img src=x onerror=alert(2)>\xff<!--/' >s.fa
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt html -out page.html --threads 1
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt html -out other.html --threads 4
    cmp page.html other.html
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt html --archive hits.tamis
    expect 0 "$TAMIS" report hits.tamis -outfmt html -out third.html
    cmp page.html third.html
    local column='[...document.querySelectorAll("tbody tr:not([id])")].map((row) => Number(row.children[5].textContent.replace(" %", "")))'
    in_browser page.html until 'document.body.dataset.ready' \
        value 'document.title + " " + document.querySelectorAll("tbody tr").length' \
        value 'document.querySelector("td.name").textContent' \
        key Tab key Tab key Tab value 'document.activeElement.textContent' \
        value 'document.querySelector("td.name button").focus()' key Enter until 'document.body.dataset.ready === "q1"' \
        value 'document.activeElement.tagName' \
        value '[...document.querySelectorAll("td.name")].find((cell) => cell.textContent.startsWith("s42")).textContent' \
        value '[...document.querySelectorAll("th button")].find((b) => b.textContent === "Identity").focus()' key Enter \
        value 'document.querySelector("th[aria-sort]").getAttribute("aria-sort")' \
        value "(() => { const n = $column; return n.length > 5 && n.every((x, i) => i === 0 || n[i - 1] >= x); })()" key Enter \
        value "(() => { const n = $column; return n.every((x, i) => i === 0 || n[i - 1] <= x); })()" \
        value 'document.querySelectorAll("input")[0].focus()' type s42 \
        value 'document.querySelectorAll("td.name").length + " " + document.querySelectorAll("polygon").length + " " + document.querySelector("p[role=status]").textContent.replace(/\d+$/, "")' \
        key Tab key Tab key Tab key Tab key Tab value 'document.activeElement.textContent' \
        value 'document.querySelector("td.name button").focus()' key Enter \
        value 'document.activeElement.getAttribute("aria-expanded") + " " + (document.querySelectorAll("pre").length > 0)' \
        screen 390x800 value "$fits" dark value 'getComputedStyle(document.body).backgroundColor' print page.pdf \
        value 'document.images.length + document.querySelectorAll("main script").length' >said
    cat >want <<'END'
blastp: hits in s.fa 3
q1 <script>alert(1)</script> &amp; "x"
#
None
H2
s42 </script><img src=x onerror=alert(2)>�<!--
None
descending
True
True
None
1 1 1 hit of 
Copy all as FASTA
None
true true
True
rgb(20, 24, 29)
1
0
END
    diff want said
    [ "$(head -c 5 page.pdf)" = %PDF- ]
}

@test "hits page: links for known accessions alone; copies as FASTA" {
    need python3
    load proteins
    proteins 3 5 q >q.fa
    proteins 30 9 s | sed 's/^>s1 .*/>sp|P69905|HBA_HUMAN one/; s/^>s2 .*/>NP_000549.1 two/; s/^>s3 .*/>A0A024R161 three/
        s/^>s4 .*/>ref|XP_1"x|y four/; s/^>s5 .*/>javascript:alert(1) five/' >s.fa
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -evalue 1000 -outfmt html -out page.html
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -evalue 1000 -outfmt '6 qaccver saccver sstart send sseq' -out rows
    local all='(async () => {
        const out = [], until = async (is) => { while (!is()) await new Promise((go) => setTimeout(go, 5)); };
        let copied = "";
        document.addEventListener("copied", (event) => { copied = event.detail; });
        for (const n of [1, 2, 3]) {
            location.hash = "q" + n;
            await until(() => document.body.dataset.ready === "q" + n);
            const button = [...document.querySelectorAll("button")].find((b) => b.textContent === "Copy all as FASTA");
            if (!button) continue;
            copied = "";
            button.click();
            await until(() => copied);
            out.push(copied.trim());
            for (const b of document.querySelectorAll("td.name button")) b.click();
            for (const a of document.querySelectorAll("a.away")) out.push("L " + a.href);
        }
        return out.join("\n");
    })()'
    in_browser page.html until 'document.body.dataset.ready' value "$all" >said
    awk -F'\t' '{ gsub("-", "", $5); print ">" $2 ":" $3 "-" $4, toupper($5) }' rows | sort >want
    grep -v '^L ' said | awk '/^>/ { if (NR > 1) print s; s = $1 " "; next } { s = s $0 } END { print s }' | sort >got
    diff want got
    grep '^L ' said | sort -u >links
    printf 'L https://www.ncbi.nlm.nih.gov/protein/NP_000549.1\nL https://www.uniprot.org/uniprotkb/A0A024R161\nL https://www.uniprot.org/uniprotkb/P69905\n' | diff - links
}

@test "hits page: who shows the rest by keys goes on from there" {
    need python3
    load proteins
    proteins 1 5 q >q.fa
    awk '/^>/ { next } { s = s $0 } END { for (i = 1; i <= 120; i++) print ">s" i "\n" s }' q.fa >s.fa
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt html -out page.html
    local press='[...document.querySelectorAll(".rest button")].find((b) => b.textContent.startsWith("%s")).focus()'
    # shellcheck disable=SC2059
    in_browser page.html until 'document.body.dataset.ready' value 'document.querySelectorAll("polygon").length' \
        value "$(printf "$press" Draw)" key Enter value 'document.activeElement.textContent + " " + document.querySelectorAll("polygon").length' \
        value "$(printf "$press" Show)" key Enter value 'document.activeElement.textContent + " " + document.querySelectorAll("td.name").length' |
        grep -v None >said
    printf '50\nAll 120 hits are drawn. 120\nAll 120 rows are shown. 120\n' | diff - said
}

@test "hits page: copies of a gene do not hide each other" {
    need python3
    load bases
    bases 1 4 q >q.fa
    local gene
    gene=$(sed 1d q.fa | tr -d '\n')
    printf '>three\n%sACGTACGGTTCA%s%s\n' "$gene" "$(tr ACGT TGCA <<<"$gene" | rev)" "$gene" >s.fa
    expect 0 "$TAMIS" blastn -query q.fa -subject s.fa -outfmt html -out page.html
    in_browser page.html until 'document.body.dataset.ready' \
        value 'new Set([...document.querySelectorAll("polygon")].map((bar) => bar.getBoundingClientRect().top)).size' >said
    printf '3\n' | cmp - said
}

@test "sample page: opens on a screen, on a phone, in the dark and on paper" {
    need python3
    expect 0 "$TAMIS" build -q --kmer 21 -o k12.tms "$TAMIS_SOURCE/tests/data/classify/k12.fa"
    expect 0 "$TAMIS" build -q --kmer 21 -o sal.tms "$TAMIS_SOURCE/tests/data/classify/salmonella.fa"
    expect 0 "$TAMIS" classify -q -f k12.tms -f sal.tms --html page.html "$TAMIS_SOURCE/tests/data/classify/reads_a.fa"
    in_browser page.html value 'document.querySelectorAll("svg rect").length > 5' screen 390x800 value "$fits" \
        dark value 'getComputedStyle(document.body).backgroundColor' print page.pdf >said
    printf 'True\nTrue\nrgb(20, 24, 29)\n1\n' | cmp - said
    [ "$(head -c 5 page.pdf)" = %PDF- ]
}

# valid FILE...: HTML without errors or warnings. tidy does not know inputmode, and would leave out coloured boxes, which are empty elements.
valid() {
    local file
    for file in "$@"; do
        tidy -q -e "$file" 2>&1 | grep -v 'proprietary attribute "inputmode"$\|trimming empty <\(i\|span\)>$' | sed "s|^|$file: |"
    done >tidy.log || true
    cat tidy.log
    [ ! -s tidy.log ]
}

@test "pages are valid HTML, as they are written and as scripts draw them" {
    need python3
    need tidy
    load proteins
    load bases
    proteins 3 5 q | sed 's/^>q1 .*/>q1 <b>"x" \&amp;/; s/^>q2 .*/>q2/' >q.fa
    printf '>none\nMKWVTFISLL\n' >>q.fa
    proteins 30 9 s >s.fa
    bases 3 4 x >x.fa
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt html -out blastp.html
    expect 0 "$TAMIS" blastn -query x.fa -subject x.fa -outfmt html -out blastn.html
    expect 0 "$TAMIS" blastx -query x.fa -subject s.fa -evalue 1000 -outfmt html -out blastx.html
    expect 0 "$TAMIS" tblastn -query s.fa -subject x.fa -evalue 1000 -outfmt html -out tblastn.html
    expect 0 "$TAMIS" seeds -q -query x.fa -subject x.fa --plot seeds.html
    expect 0 "$TAMIS" build -q --kmer 21 -o k12.tms "$TAMIS_SOURCE/tests/data/classify/k12.fa"
    expect 0 "$TAMIS" build -q --kmer 21 -o sal.tms "$TAMIS_SOURCE/tests/data/classify/salmonella.fa"
    expect 0 "$TAMIS" classify -q -f k12.tms -f sal.tms --html sample.html "$TAMIS_SOURCE/tests/data/classify/reads_a.fa"
    valid *.html
    local steps=() page
    local open_all='[...document.querySelectorAll("td.name button")].slice(0, 3).map((b) => b.click()).length > 0'
    for page in blastp blastn blastx tblastn; do
        steps+=(open "$page.html" until 'document.body.dataset.ready' source "$page-all.html"
            value 'document.querySelector("td.name button").click()' until 'document.body.dataset.ready.startsWith("q")'
            value "$open_all" until 'document.querySelector("pre")' source "$page-one.html")
    done
    in_browser blastp.html "${steps[@]}"
    valid ./*-all.html ./*-one.html
    grep -q '<pre ' blastp-one.html
    # and the check itself sees what is wrong
    sed 's|<footer>|<footer id="main"></p>|' blastp.html >wrong.html
    if valid wrong.html; then return 1; fi
}
