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
