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

# open_page FILE OPTION...: Chromium without a window; ./log has what it says.
open_page() {
    local file=$1
    shift
    timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --enable-logging=stderr "$@" "file://$PWD/$file" 2>log
}

@test "dot plots: a page and a picture open without errors, in the dark, on a phone and on paper" {
    printf '>a<b>\n%s\n>second\n%s\n' "$(awk 'BEGIN { x = 3; for (i = 0; i < 900; i++) { x = (x * 16807) % 2147483647; printf "%s", substr("ACGT", x % 4 + 1, 1) } }')" ACGTTGCATGCCATGAGGACCA >a.fa
    expect 0 "$TAMIS" seeds -q -query a.fa -subject a.fa --plot p.html
    expect 0 "$TAMIS" seeds -q -query a.fa -subject a.fa --plot p.svg
    # requests of other addresses, and how far the page is wider than a phone; the page itself has no script
    sed 's|</body>|<p id="wide"></p><script>document.getElementById("wide").textContent = [document.documentElement.scrollWidth > document.documentElement.clientWidth, performance.getEntriesByType("resource").length, getComputedStyle(document.body).backgroundColor].join(" ")</script></body>|' p.html >w.html
    open_page w.html --window-size=500,900 --dump-dom >dom
    no grep -i CONSOLE log
    grep -q '<p id="wide">false 0 rgb(255, 255, 255)</p>' dom
    open_page w.html --window-size=500,900 --blink-settings=preferredColorScheme=0 --dump-dom >dom
    grep -q '<p id="wide">false 0 rgb(20, 24, 29)</p>' dom
    [ "$(grep -o '<text ' dom | wc -l)" -eq "$(grep -o '<text ' p.html | wc -l)" ]
    open_page p.html --print-to-pdf="$PWD/p.pdf" --no-pdf-header-footer
    [ "$(head -c 5 p.pdf)" = %PDF- ]
    open_page p.svg --screenshot="$PWD/p.png" --window-size=900,1000
    no grep -i CONSOLE log
    [ -s p.png ]
}
