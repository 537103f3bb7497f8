# The documentation tells the truth: commands print what it says that they print, its numbers are those of bench/results, its links lead
# somewhere, and the files and functions that it names exist.
load common

# blocks FILE: each run of indented lines that begins with a command: a script (block.N.sh) and its output (block.N.want).
blocks() {
    awk '
        /^    \$ / { if (!inside) n++; inside = 1; print substr($0, 7) >("block." n ".sh"); printf "" >("block." n ".want"); next }
        inside && /^    / { print substr($0, 5) >("block." n ".want"); next }
        { inside = 0 }' "$1"
}

# runs WORD...: the blocks that have one of the words print what the page says.
runs() {
    local word script n=0
    for script in block.*.sh; do
        for word in "$@"; do
            grep -q -- "$word" "$script" || continue
            n=$((n + 1))
            PATH=$(dirname "$TAMIS"):$PATH bash -euo pipefail "$script" >got 2>err || [ $? -eq 141 ] # head ends its pipe
            cmp "${script%.sh}.want" got || {
                cat "$script" err
                diff "${script%.sh}.want" got
                return 1
            }
            break
        done
    done
    echo "$n blocks"
    [ "$n" -eq $# ]
}

@test "README.md: lists" {
    cp "$TAMIS_SOURCE"/examples/data/* .
    blocks "$TAMIS_SOURCE/README.md"
    runs words.tms
    sort candidates.txt | comm -12 - <(sort words.txt) | cmp - <(sort exact.txt) # the commands whose output goes to files
}

@test "doc/pbf.md: frequencies, frequent lines" {
    need python3
    blocks "$TAMIS_SOURCE/doc/pbf.md"
    runs 'freq --header' heavy
}

@test "README.md: genomes and reads, where large data are" {
    blocks "$TAMIS_SOURCE/README.md"
    [ -s block.1.sh ]
    if [ -n "${TAMIS_TEST_DATA:-}" ]; then
        genomes=$TAMIS_TEST_DATA/genomes
        ln -s "$genomes/ecoli_k12_mg1655.fa.gz" k12.fa.gz
        ln -s "$genomes/ecoli_o157h7_sakai.fa.gz" o157.fa.gz
        ln -s "$TAMIS_TEST_DATA"/reads/ERR6005894_R?.fastq.gz .
        "$TAMIS" build -q --kmer 31 -o shigella.tms "$genomes/shigella_dysenteriae.fa.gz"
        "$TAMIS" build -q --kmer 31 -o human.tms "$genomes/human_hg19_alt_41Mbp.fa.gz"
        runs 'tamis seeds' 'tamis classify'
    fi
}

@test "README.md: each figure of the comparison is in the table of bench/results that its row links to" {
    need python3
    cd "$TAMIS_SOURCE"
    python3 - <<'END'
import re, sys
page = open("README.md").read()
files = dict(re.findall(r"^\[(\d)\]: (\S+)$", page, re.M))
bad, ratios = 0, []
for row in re.findall(r"^\| .*\[\[\d\]\].*$", page, re.M):
    table = "".join(open(files[n]).read() for n in re.findall(r"\[\[(\d)\]\]", row))
    known = [float(x) for x in re.findall(r"\d+(?:\.\d+)?", table)]
    figures = re.findall(r"([\d,]*\d(?:\.\d+)?) (?:(?:s|MB|MiB|right)\b|%)", row) + re.findall(r"(?:right[^|]*: |, tamis )(\d+,\d+)", row)
    for figure in figures:
        if float(figure.replace(",", "")) not in [round(x, len(figure.partition(".")[2])) for x in known]:
            print(figure, "is not in the table of:", row)
            bad = 1
    seconds = [float(x) for x in re.findall(r"([\d.]+) s\b", row)]
    ratios += [x / y for x in seconds for y in seconds if y]
for times in re.findall(r"(\d+)\s+times", page.split("**")[1]):
    if not any(int(times) <= x < 1.3 * int(times) for x in ratios):
        print(times, "times: no row has that ratio")
        bad = 1
sys.exit(bad or not ratios)
END
}

@test "doc/library.md: the program in it is examples/words.c" {
    sed -n '/^```c$/,/^```$/p' "$TAMIS_SOURCE/doc/library.md" | sed '1d; $d' >program
    [ -s program ]
    sed -n '/^#include/,$p' "$TAMIS_SOURCE/examples/words.c" | cmp - program
}

@test "the links of all pages lead somewhere" {
    need python3
    cd "$TAMIS_SOURCE"
    python3 - *.md doc/*.md bench/*.md <<'END'
import os, re, sys
bad = 0
for page in sys.argv[1:]:
    text = open(page).read()
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"^\[\w+\]: (\S+)$", text, re.M):
        path, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if link.startswith("http"):
            continue
        headings = re.findall(r"^#+ (.*)$", open(target).read(), re.M) if anchor and target.endswith(".md") and os.path.exists(target) else [anchor]
        names = [re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings]
        if not os.path.exists(target) or anchor and anchor not in names and target.endswith(".md"):
            print(page, link)
            bad = 1
sys.exit(bad)
END
}
