# tamis model plot and report: each figure draws, from the kept tables and from one of sweeps, and says so where it cannot.
# tests/data/model/model_sweeps.tsv has made-up values of a GPU's size, so that every figure of sweeps has rows.
load common

sweeps() { echo "$TAMIS_SOURCE/tests/data/model/model_sweeps.tsv"; }

# names [OPTION...]: of the figures whose measurements are there.
names() {
    "$TAMIS" model plot -q --list "$@" | grep -v '(not there' | cut -d' ' -f1
}

# is_svg FILE: a picture, well-formed as far as can be checked here.
is_svg() {
    head -c 5 "$1" | grep -q '<?xml' && tail -n 3 "$1" | grep -q "</svg>" || return 1
    if command -v xmllint >/dev/null; then xmllint --noout --nonet "$1"; fi
}

# without_gnuplot COMMAND...: nothing in PATH.
without_gnuplot() {
    mkdir -p nothing
    PATH=$PWD/nothing "$@"
}

# profile: as tamis model calibrate writes it, with some of its names.
profile() {
    cat <<'END'
{"tamis_profile": 1,
  "date": "2026-01-31",
  "machine": {"version": "0.1.0", "gpu": "Example <GPU> & \"Co\"", "n_multiprocessors": 132, "l2_bytes": 62914560, "cpu": "Example CPU"},
  "has_gpu": true, "has_cpu": true, "reliable": false, "spread": 0.25,
  "values": {"launch_seconds": 2.1e-06, "shared_reads_per_s": 2.3e12},
  "curves": {"read4": {"x": [4096, 1000000, 16000000000], "y": [5e11, 2e11, 3.5e10]}, "none": {"x": [], "y": []}}
}
END
}

# no COMMAND...: it fails ("!" alone would not end a test).
no() {
    if "$@"; then return 1; fi
}

# nothing_left: no picture, no page, nothing half-written.
nothing_left() {
    [ -z "$(find . -newer mark ! -name out ! -name err ! -name . ! -path './nothing*' ! -path './table*')" ] || {
        ls -la
        return 1
    }
}

@test "plot --list names every figure of the papers" {
    expect 0 "$TAMIS" model plot --list
    for n in 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do grep -q "^ma11\.$n " out; done
    for n in 3 4 5 6 7 9; do grep -q "^ma12\.$n " out; done
    for n in ong13.2 ong13.5 ong13.8 ong13.9 thesis.13 thesis.14 thesis.15 stages candidates end-blocks end-sub-queries end-passed; do grep -q "^$n " out; done
    cut -d' ' -f1 out | sort | uniq -d | cmp - /dev/null
    expect 0 "$TAMIS" model plot --figure list
    grep -q '^ma11\.4 ' out
    expect 0 "$TAMIS" model plot --list --from "$(sweeps)"
    grep -q '^ma11\.4 .*not there: rows 4 of tamis-bench fpr)$' out
}

@test "plot: what comes with tamis draws most figures" {
    need gnuplot
    names >have
    for n in ma11.4 ma11.5 ma11.6 ma11.7 ma11.8 ma11.9 ma11.10 ma11.11 ma11.12 ma11.13 ma11.14 ma11.15 ma11.16 ma11.17 ma11.18 \
        ma12.7 ma12.9 ong13.2 ong13.5 ong13.8 ong13.9 thesis.13 thesis.14 thesis.15 stages candidates end-blocks end-sub-queries end-passed; do
        grep -qx "$n" have
    done
    while read -r n; do
        expect 0 "$TAMIS" model plot --figure "$n"
        out_is ''
        err_is ''
        is_svg "$n.svg"
    done <have
}

@test "plot: all figures of sweeps draw, with their lines, points and intervals" {
    need gnuplot
    names --from "$(sweeps)" >have
    [ "$(wc -l <have)" -ge 24 ]
    for n in ma12.3 ma12.4 ma12.5 ma12.6 ma12.7 ma12.9 ma11.7 ma11.9 ma11.17 check random-cpu strings-query; do grep -qx "$n" have; done
    while read -r n; do
        expect 0 "$TAMIS" model plot --figure "$n" --from "$(sweeps)" -o "$n.svg"
        is_svg "$n.svg"
    done <have
    grep -q 'shared memory, T_r = 1,024' ma12.3.svg
    grep -q 'global memory, T_r = 1,024' ma12.3.svg
    grep -q "predicted, the papers' form" ma12.3.svg
    grep -q 'L2 (60 MiB): hits, eq. 9' ma12.5.svg
    grep -q '16 GiB' ma12.6.svg
    grep -q 'R² = 0\.9' ma12.7.svg
    grep -q 'Example CPU &lt;made up>' random-cpu.svg # escaped
}

@test "plot: numbers of the table come out where they belong" {
    need gnuplot
    mkdir -p fake
    printf '#!/bin/sh\ncat\n' >fake/gnuplot # what gnuplot would be told
    chmod +x fake/gnuplot
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure ma12.6 --from "$(sweeps)" -o -
    awk -F'\t' -v OFS=' ' '$1 == "random-size" && $3 == "or" { print $7 / 8, $15 * 1e3, $16 * 1e3, $17 * 1e3 }' OFMT=%.12g "$(sweeps)" >want
    [ "$(wc -l <want)" -eq 17 ]
    awk 'function far(a, b) { return a - b > 1e-5 * b || b - a > 1e-5 * b }
        FNR == NR { if (NF == 5 && $1 > 0) { n++; for (i = 1; i <= 4; i++) got[n, i] = $i } next }
        { found = 0; for (g = 1; g <= n; g++) if (!far(got[g, 1], $1) && !far(got[g, 2], $2) && !far(got[g, 3], $3) && !far(got[g, 4], $4)) found = 1
          if (!found) { print "not drawn: " $0; bad = 1 } }
        END { exit bad }' out want
    # [Ma12, eq. 9]: at m = 2 C half of the accesses hit
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure ma12.5 --from "$(sweeps)" -o -
    awk -v c=62914560 '/title .L2 .*hits/ { split($0, w, " "); for (i in w) if (w[i] ~ /^\$d/) which = w[i] } { line[NR] = $0 }
        END { for (i = 1; i <= NR; i++) { if (index(line[i], which " <<") == 1) on = 1; else if (line[i] == "EOD") on = 0
              else if (on) { split(line[i], v, " "); want = v[1] < c ? 1 : c / v[1]; d = v[2] - want; if (d > 1e-6 || d < -1e-6) bad = 1; n++ } }
              exit bad || n < 100 }' out
    # [Ma11, eq. 2] for m = 65,536, k = 6 at the last n of the table
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure ma11.4 -o -
    awk -v want="$(awk 'BEGIN { m = 65536; k = 6; n = 10000; print (1 - exp(k * n * log(1 - 1 / m)))^k }')" \
        '$1 == 10000 && NF == 5 && ($2 - want) ^ 2 < 1e-10 { found = 1 } END { exit !found }' out
    # what is in a table never becomes a command of gnuplot
    sed "s/^# gpu: .*/# gpu: a'; system 'touch owned'; '{\/:Bold x}/" "$(sweeps)" >table.tsv
    expect 0 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    [ ! -e owned ]
    grep -qF "a'; system 'touch owned'; '{/:Bold x}" ma12.3.svg
}

@test "plot: the stages of blastn, and the candidates of its filter, are those of the table" {
    need gnuplot
    local kept=$TAMIS_SOURCE/bench/results/epyc-2core/blastn_profile.tsv
    mkdir -p fake
    printf '#!/bin/sh\ncat\n' >fake/gnuplot # what gnuplot would be told
    chmod +x fake/gnuplot
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure stages --from "$kept" -o -
    awk -F'\t' '$1 == "what" && $2 == "task" { for (i = 17; i <= NF; i++) name[i] = $i }
        $1 == "stages" { for (i = 17; i <= NF; i++) print name[i], n + 0, 100 * $i; n++ }' "$kept" | sort >want
    [ "$(wc -l <want)" -ge 42 ]
    # a block of data for each stage, in the order of the columns
    awk '/<< *EOD/ { block++ } NF >= 5 && $1 ~ /^[0-9.]+$/ { split("tables 1a 1b 2 3 alignment output", name); print name[block], $1, $2 }' out | sort >got
    diff want got
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure candidates --from "$kept" -o -
    awk -F'\t' '$1 == "filter" { print $5 / 1024, $8 / $7 }' "$kept" >want
    while read -r x y; do
        awk -v x="$x" -v y="$y" '$1 == x && ($2 / y - 1) ^ 2 < 1e-10 { found = 1 } END { exit !found }' out
    done <want
}

@test "plot: throughput of blastn behind a bank, and what the bank passes, are those of the table" {
    need gnuplot
    local kept=$TAMIS_SOURCE/bench/results/h200/blastn_bank.tsv
    mkdir -p fake
    printf '#!/bin/sh\ncat\n' >fake/gnuplot # what gnuplot would be told
    chmod +x fake/gnuplot
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure end-blocks --from "$kept" -o -
    # a block of data for each n, in their order, then the line of the bitmap
    awk '/<< *EOD/ { block++ } NF >= 5 && $1 ~ /^[0-9.]+$/ { printf "%d %d %.4g\n", block, $1, $2 }' out >got
    awk -F'\t' '$1 == "bank" { block += $5 != n; n = $5; printf "%d %d %.4g\n", block, $9, $25; if ($9 > most) most = $9 }
        $1 == "bitmap" { sum += $25; rows++ }
        END { block++; printf "%d 0 %.4g\n%d %d %.4g\n", block, sum / rows, block, most, sum / rows }' "$kept" >want
    [ "$(wc -l <want)" -ge 30 ]
    diff want got
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure end-sub-queries --from "$kept" -o -
    awk '/<< *EOD/ { block++ } NF >= 5 && block == 1 { printf "%d %.4g\n", $1, $2 }' out >got
    awk -F'\t' '$1 == "bank" { if (!($5 in best)) order[++n] = $5; if ($25 > best[$5] + 0) best[$5] = $25 }
        END { for (i = 1; i <= n; i++) printf "%d %.4g\n", order[i], best[order[i]] }' "$kept" | diff - got
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure end-passed --from "$kept" -o -
    awk '/<< *EOD/ { block++ } NF >= 5 && $1 ~ /^[0-9.]+$/ { printf "%d %d %.4g\n", block, $1, $2 }' out | sort >got
    awk -F'\t' '$1 == "bank" && $5 != n { n = $5; printf "1 %d %.4g\n2 %d %.4g\n3 %d %.4g\n", n, $14 / $11, n, $15 / $11, n, $13 / $12 }' "$kept" |
        sort | diff - got
}

@test "plot: PNG by the suffix, standard output, --force" {
    need gnuplot
    expect 0 "$TAMIS" model plot --figure ong13.5 -o a.png
    [ "$(head -c 4 a.png | od -An -tx1 | tr -d ' ')" = 89504e47 ]
    expect 0 "$TAMIS" model plot --figure ong13.5 -o a.png # a picture may be drawn again
    expect 0 "$TAMIS" model plot --figure ong13.5 -o -
    head -c 5 out | grep -q '<?xml'
    echo 'not a picture' >b.svg
    expect 2 "$TAMIS" model plot --figure ong13.5 -o b.svg
    err_has "b.svg"
    [ "$(cat b.svg)" = 'not a picture' ]
    expect 0 "$TAMIS" model plot --figure ong13.5 -o b.svg --force
    is_svg b.svg
}

@test "plot: pictures have no names of gnuplot, the sweeps of CPU and GPU their machines, and ratios a logarithmic axis" {
    need gnuplot
    for n in check check-cpu ma11.18 ma12.3; do expect 0 "$TAMIS" model plot --figure "$n"; done
    no grep -qi '<title>\|gnuplot_plot_[0-9]*</' check.svg check-cpu.svg ma11.18.svg ma12.3.svg
    grep -q 'NVIDIA H200' check.svg
    no grep -q 'strings-cpu' check.svg
    grep -q 'AMD EPYC' check-cpu.svg
    no grep -q 'NVIDIA\|bank-blocks' check-cpu.svg
    for n in '10,000' '100,000' '150,000' '200,000' '300,000'; do grep -q "n = $n<" ma11.18.svg; done
    grep -q 'requested blocks' ma12.3.svg
    mkdir -p fake
    printf '#!/bin/sh\ncat\n' >fake/gnuplot
    chmod +x fake/gnuplot
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure check -o -
    grep -q '^set logscale y 2$' out
    # each sweep has a look of its own
    grep -o 'with points lc .* ps' out | sort | uniq -d | cmp - /dev/null
    [ "$(grep -c 'with points lc' out)" -eq 9 ]
    # the line of the trade-off goes through its points, within a tenth
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure ma11.18 -o -
    awk '/^\$d/ { series = $1; n[series] = 0; next } /^EOD/ { series = ""; next } series != "" { x[series, n[series]] = $1; y[series, n[series]++] = $2 }
        END { for (i = 0; i < n["$d1"]; i++) { near = 1e9; for (j = 0; j < n["$d0"]; j++) { d = log(x["$d0", j] / x["$d1", i]); if (d < 0) d = -d; if (d < near) { near = d; at = y["$d0", j] } }
                  r = at / y["$d1", i]; if (r > 1.15 || r < 0.87) { print i, r; bad = 1 } }
              exit bad || n["$d1"] < 5 }' out
}

@test "plot: usage" {
    expect 2 "$TAMIS" model plot
    err_has 'which figure?'
    expect 2 "$TAMIS" model plot --figure ma11.3
    err_has "no figure 'ma11.3'"
    expect 2 "$TAMIS" model plot --figure ma11.4 -o x.pdf
    err_has '.svg or .png'
    expect 2 "$TAMIS" model plot --figure ma11.4 extra
    expect 2 "$TAMIS" model plot --list --figure ma11.4
    expect 0 "$TAMIS" model plot --help
    grep -q -- '--figure' out
    expect 0 "$TAMIS" model report --help
    grep -q -- '--profile' out
    expect 2 "$TAMIS" model report
    err_has 'report.html'
    [ ! -e x.pdf ]
}

@test "plot: tables that are missing, damaged, or have other rows" {
    touch -d '1 minute ago' mark
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table_none.tsv
    err_has 'table_none.tsv'
    mkdir -p table_empty
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table_empty
    err_has 'no measurements for figure ma12.3'
    expect 2 "$TAMIS" model plot --figure thesis.13 --from "$(sweeps)"
    err_has 'no measurements for figure thesis.13, which is drawn from rows fig13 of tamis-bench thesis'
    printf '# gpu: x\n' >table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_has 'without rows'
    printf 'a\tb\n1\t2\n' >table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_has 'table.tsv:1: not a table of measurements'
    awk 'NR == 20 { sub(/\t[^\t]*$/, "") } 1' "$(sweeps)" >table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_is 'tamis model plot: table.tsv:20: 20 cells instead of 21, which is the number of columns\n'
    awk -F'\t' -v OFS='\t' 'NR == 12 { $15 = "1e-4x" } 1' "$(sweeps)" >table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_is "tamis model plot: table.tsv:12: column 'seconds' has '1e-4x' instead of a number\n"
    awk -F'\t' -v OFS='\t' 'NR == 8 { $15 = "second" } 1' "$(sweeps)" >table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_has "the table has no column 'seconds'"
    awk -F'\t' -v OFS='\t' 'NR == 8 { $2 = "sweep" } 1' "$(sweeps)" >table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_has "two columns have the name 'sweep'"
    { cat "$(sweeps)"; printf 'a\0b\n'; } >table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_has 'not a text file'
    awk -F'\t' -v OFS='\t' 'NR == 12 { $15 = "nan" } 1' "$(sweeps)" >table.tsv
    expect 2 "$TAMIS" model report -o r.html --from table.tsv
    err_has "table.tsv:12: column 'seconds'"
    gzip -nc "$(sweeps)" | head -c 1000 >table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_has 'gzip stream is truncated'
    TAMIS_SHARE=$PWD/nowhere expect 2 "$TAMIS" model plot --figure ma11.7
    err_has 'TAMIS_SHARE'
    nothing_left
}

@test "plot: tables of tamis-bench fpr, with the columns of today and of before" {
    need gnuplot
    table=$TAMIS_SOURCE/bench/results/xeon-2core/fpr_human41_chr3.tsv
    sed '/^fig\thash\tw/{s/fpr_measured/mean_fpr/;s/fpr_eq2_n/theory_fpr/;}' "$table" >table.tsv
    grep -q mean_fpr table.tsv
    for n in ma11.4 ma11.5 ma11.6; do
        expect 0 "$TAMIS" model plot --figure "$n" --from table.tsv -o a.svg
        expect 0 "$TAMIS" model plot --figure "$n" --from "$table" -o b.svg
        cmp a.svg b.svg
    done
}

@test "plot: the key is below the label of the x axis" {
    need gnuplot
    # gap FILE: how far below, in a picture of 900 x 600; text of the key is of size 12, labels are of 14
    gap() {
        awk '/<g transform="translate\(/ && /font-size="1[24]\.00"/ {
                split($0, part, "[(,)]"); y = part[3] + 0
                if (/font-size="12/) { if (key == "" || y < key) key = y } else if (y > label) label = y }
            END { print int(key - label); exit key == "" }' "$1"
    }
    names >have
    while read -r n; do
        expect 0 "$TAMIS" model plot --figure "$n" -o "$n.svg"
        [ "$(gap "$n.svg")" -ge 20 ] || { echo "$n: $(gap "$n.svg")"; return 1; }
    done <have
}

@test "plot: time over k is of rows with one launch, where there are both" {
    need gnuplot
    mkdir -p fake
    printf '#!/bin/sh\ncat\n' >fake/gnuplot # what gnuplot would be told
    chmod +x fake/gnuplot
    PATH=$PWD/fake:$PATH expect 0 "$TAMIS" model plot --figure ma11.7 -o -
    awk 'BEGIN { FS = "\t" } $1 == "fig7-8" && $2 == "shared, passes" && $3 == 10000 { printf "%d %.6g\n", $5, $14 * 1e3 }' \
        "$TAMIS_SOURCE/bench/results/h200/bank.tsv" >want
    [ "$(wc -l <want)" -eq 7 ]
    awk '/^\$d0 / { on = 1; next } /^EOD/ { on = 0 } on { printf "%d %.6g\n", $1, $2 }' out | diff want -
}

@test "plot: many curves, one row, values of all sizes" {
    need gnuplot
    head -n 8 "$(sweeps)" >table.tsv
    for t in $(seq 1 60); do
        printf 'random-blocks\trandom\tread4\tshared\t-\t-\t65536\t-\t33554432\t-\t-\t1\t%d\t2\t1e-4\t-\t-\t-\t-\t-\t-\n' "$t"
    done >>table.tsv
    expect 2 "$TAMIS" model plot --figure ma12.3 --from table.tsv
    err_has 'more than 48 curves'
    head -n 9 table.tsv >table1.tsv
    expect 0 "$TAMIS" model plot --figure ma12.3 --from table1.tsv -o one.svg
    is_svg one.svg
    for seconds in 1e-300 1e300 1e-9 5e3; do
        head -n 8 "$(sweeps)" >table.tsv
        printf 'random-size\trandom\tread4\tglobal\t-\t-\t%s\t-\t33554432\t-\t-\t1\t32\t2\t%s\t-\t-\t-\t-\t-\t-\n' 1e300 "$seconds" 1 "$seconds" 65536 1 >>table.tsv
        expect 0 "$TAMIS" model plot --figure ma12.6 --from table.tsv -o any.svg
        is_svg any.svg
    done
}

@test "plot and report: gnuplot is missing" {
    touch -d '1 minute ago' mark
    expect 2 without_gnuplot "$TAMIS" model plot --figure ma11.7
    err_is 'tamis model plot: gnuplot is not installed; it draws the figures (Debian and Ubuntu: apt-get install gnuplot-nox)\n'
    expect 2 without_gnuplot "$TAMIS" model report -o r.html
    err_has 'gnuplot is not installed'
    nothing_left
}

@test "plot: gnuplot that fails, or says nothing" {
    mkdir -p nothing
    touch -d '1 minute ago' mark
    printf '#!/bin/sh\necho "line 1: no such terminal" >&2\nexit 3\n' >nothing/gnuplot
    chmod +x nothing/gnuplot
    expect 6 without_gnuplot "$TAMIS" model plot --figure ma11.7
    err_is 'tamis model plot: figure ma11.7: gnuplot failed (exit code 3): line 1: no such terminal\n'
    printf '#!/bin/sh\nkill -9 $$\n' >nothing/gnuplot
    expect 6 without_gnuplot "$TAMIS" model plot --figure ma11.7
    err_has 'gnuplot failed (signal 9)'
    printf '#!/bin/sh\nexit 0\n' >nothing/gnuplot
    expect 6 without_gnuplot "$TAMIS" model report -o r.html
    nothing_left
}

@test "plot and report: no place to write to" {
    : >file
    touch -d '1 minute ago' mark file
    expect 6 "$TAMIS" model plot --figure ma11.7 -o file/x.svg
    expect 6 "$TAMIS" model report -o nowhere/x.html
    expect 2 "$TAMIS" model plot --figure ma12.3 --from "$(sweeps)" -o "$(sweeps)"
    nothing_left
    [ "$(wc -l <"$(sweeps)")" -gt 400 ]
    need gnuplot
    got=0
    "$TAMIS" model plot --figure ma11.7 -o - >/dev/full 2>err || got=$?
    [ "$got" -eq 6 ]
}

@test "plot: profiles that are none" {
    touch -d '1 minute ago' mark
    profile >table_profile.json # lacks most of what a profile has
    expect 2 "$TAMIS" model plot --figure ma12.7 --profile table_profile.json
    err_has 'table_profile.json: the profile is damaged'
    expect 2 "$TAMIS" model plot --figure ma12.7 --profile "$(sweeps)"
    err_has 'tamis model calibrate'
    expect 2 "$TAMIS" model plot --figure ma12.7 --profile nowhere
    err_has 'nowhere: no such file'
    expect 2 "$TAMIS" model plot --list --profile nowhere
    nothing_left
}

@test "plot: lines by a profile that comes with tamis" {
    need gnuplot
    for json in "$TAMIS_SOURCE"/share/tamis/profiles/*.json; do
        [ -e "$json" ] || skip "no profile comes with tamis"
        for n in ma11.9 ma11.17 ma12.7; do
            expect 0 "$TAMIS" model plot --figure "$n" --profile "$(basename "$json" .json)"
            grep -q 'predicted by the profile of' "$n.svg"
        done
        expect 0 "$TAMIS" model plot --figure check --from "$(sweeps)" --profile "$json"
        # what tamis model check writes is drawn, and the page has the errors that it prints
        expect 0 "$TAMIS" model check --from "$(sweeps)" --profile "$json" -o table.tsv --force
        r2=$(awk '$1 == "bank" && $2 == "extended" { print $4 }' out)
        expect 0 "$TAMIS" model report -o r.html --from table.tsv
        grep -q "row\">bank</th><td class=\"n\">60</td><td class=\"n\">$r2</td>" r.html
    done
}

@test "report: of a CPU alone, whose sweeps have a table of their own" {
    need gnuplot
    profile | sed 's/"gpu": "[^,]*", "n_multi[a-z]*": 132/"gpu": "", "simd": 2, "n_multiprocessors": 0/; s/"has_gpu": true/"has_gpu": false/; s/2.1e-06/0/' >profile.json
    mkdir nothing_else
    sed '/^#/!{/^sweep\t/!{/\tcpu\t/!d}}; s/^# gpu: .*/# gpu: -/' "$(sweeps)" >nothing_else/model_sweeps_cpu.tsv
    expect 0 "$TAMIS" model report -o r.html --profile profile.json --from nothing_else
    grep -q '<h1>tamis: performance model, Example CPU</h1>' r.html
    grep -q 'simd</th><td>avx512' r.html
    no grep -q 'n multiprocessors\|launch seconds\|gpu: -' r.html # what it does not have
    grep -q 'row">random-size</th><td class="n">[1-9]' r.html
    expect 0 "$TAMIS" model plot --figure check-cpu --from nothing_else -o check.svg
    grep -q 'Example CPU' check.svg
    expect 2 "$TAMIS" model plot --figure check --from nothing_else
}

@test "report: one page with everything in it, all strings escaped" {
    need gnuplot
    export XDG_CACHE_HOME="$PWD/cache" # without a profile
    profile >profile.json
    expect 0 "$TAMIS" model report -o r.html --profile profile.json --from "$(sweeps)"
    out_is ''
    err_is ''
    [ "$(head -n 1 r.html)" = '<!DOCTYPE html>' ]
    [ "$(tail -n 1 r.html)" = '</html>' ]
    grep -qF '<h1>tamis: performance model, Example &lt;GPU&gt; &amp; &quot;Co&quot;</h1>' r.html
    grep -qF 'Example CPU &lt;made up&gt;, 16 processors' r.html
    no grep -qF '<made up>' r.html
    grep -qF '<strong>This is not reliable' r.html
    grep -q 'Figures without measurements' r.html
    grep -q 'launch seconds</th><td>2.1e-06' r.html
    [ "$(grep -c '<svg ' r.html)" -eq $(($(names --from "$(sweeps)" | wc -l) + 1)) ] # and a curve
    for sweep in random-blocks random-size bank classify strings-build; do grep -q "^<tr><th scope=\"row\">$sweep</th>" r.html; done
    no grep -qE 'https?://' <(sed 's|http://www.w3.org/[0-9]*/svg||g' r.html) # no network
    no grep -qiE '<script|<iframe|onload=|javascript:' r.html
    grep -oE ' id=["'\''][^"'\'']*' r.html | sort | uniq -d | cmp - /dev/null
    # every name that is used is there
    grep -oE "(href='#|url\(#|href=\"#)[^'\")]*" r.html | sed 's/.*#//' | sort -u >used
    grep -oE ' id=["'\''][^"'\'']*' r.html | sed 's/.*["'\'']//' | sort -u >there
    comm -23 used there | cmp - /dev/null
    expect 0 "$TAMIS" model report -o r.html # what comes with tamis; a page may be written again
    no grep -q 'Figures without measurements' r.html
    grep -q '<h1>tamis: performance model, NVIDIA H200</h1>' r.html
    grep -qF "$(sed -n 's/^# \(commit: [0-9a-f]*\).*/\1/p' "$TAMIS_SOURCE/bench/results/h200/model_sweeps.tsv")" r.html
    grep -q '<h2 id="limits">' r.html # of the shipped profile of that GPU
    # it begins with what the profile's machine does, and errors and figures have the machines that were measured
    head -c 6000 r.html >begin.html
    grep -q '<h2 id="device">The machine in short</h2>' begin.html
    grep -q '<h3>NVIDIA H200</h3>' begin.html
    grep -q 'The fastest layout is <strong>blocked</strong>, at every size: [0-9.]* to [0-9.]* times as fast as classic. Memory limits the rate from filters of <strong>[0-9]* MiB</strong> on' begin.html
    rate=$("$TAMIS" model predict --app strings -m 8Gi -n 508276600 -k 8 -D 10M --profile h200 -q --json | sed -n 's/.*"throughput": \([0-9.e+]*\),.*/\1/p')
    grep 'row">1 GiB</th>' begin.html | grep -qF "<td class=\"n\">$(awk -v r="$rate" 'BEGIN { n = sprintf("%.0f", r / 1e6); print substr(n, 1, length(n) - 3) "," substr(n, length(n) - 2) }')</td>"
    grep -q '<caption>Predicted against measured time, by sweep, on NVIDIA H200' r.html
    grep -q '<caption>Predicted against measured time, by sweep, on AMD EPYC' r.html
    no grep -q 'class="n">-[0-9]' r.html # R2 below 0 is said to be that
    grep -q 'class="n">&lt; 0</td>' r.html
    [ "$(grep -c '<title>' r.html)" -eq 1 ] # the page's own: pictures do not show gnuplot's names
    [ "$(grep -n 'id="limits"' r.html | cut -d: -f1)" -gt "$(grep -n 'id="figures"' r.html | cut -d: -f1)" ]
    mv r.html by_itself.html
    if in_sample; then
        expect 0 "$TAMIS" model report -o r.html --profile h200
        cmp r.html by_itself.html
    fi
    expect 2 "$TAMIS" model report -o r.html --profile h201
    err_has 'no profile of this name comes with tamis'
    expect 0 "$TAMIS" model report -o r.html --from "$(sweeps)" --force
    grep -q 'No profile was given' r.html
    no grep -q '<h2 id="limits">' r.html
    # every term of a prediction is explained
    for w in '--app random -m 1G' '--app bank -n 50K -m 256Ki -k 6 --place shared' '--app strings -n 1M -m 32M -k 8' '--app classify -n 1M -m 32M'; do
        # shellcheck disable=SC2086 # words of a workload
        expect 0 "$TAMIS" model predict $w -D 1M --transfers --profile h200 --json
        sed -n '/"terms": {/,/}/s/^ *"\([^"]*\)": [0-9].*/\1/p' out >terms
        [ "$(wc -l <terms)" -ge 3 ]
        while read -r term; do grep -q "<th scope=\"row\">$term</th>" r.html || { echo "no $term"; return 1; }; done <terms
    done
}

@test "report: errors of a sweep are those that awk computes" {
    need gnuplot
    expect 0 "$TAMIS" model report -o r.html --from "$(sweeps)"
    awk -F'\t' '$1 == "bank" { n++; y[n] = $15; p[n] = $19; sum += $15; e = ($19 - $15) / $15; if (e < 0) e = -e; err[n] = e }
        END { for (i = 1; i <= n; i++) { d = y[i] - sum / n; v += d * d; d = y[i] - p[i]; r += d * d }
              for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (err[j] < err[i]) { t = err[i]; err[i] = err[j]; err[j] = t }
              m = n % 2 ? err[(n + 1) / 2] : (err[n / 2] + err[n / 2 + 1]) / 2
              printf "<tr><th scope=\"row\">bank</th><td class=\"n\">%d</td><td class=\"n\">%.4f</td><td class=\"n\">%.1f %%</td><td class=\"n\">%.1f %%</td>", n, 1 - r / v, 100 * m, 100 * err[n] }' "$(sweeps)" >want
    grep -qF "$(cat want)" r.html
}

@test "report: damaged profiles" {
    touch -d '1 minute ago' mark
    profile >table_profile.json
    sed 's/"x": \[4096, /"x": [/' table_profile.json >table_bad.json
    expect 2 "$TAMIS" model report -o r.html --profile table_bad.json
    err_has "the curve 'read4'"
    sed 's/2.1e-06/"fast"/' table_profile.json >table_bad.json
    expect 2 "$TAMIS" model report -o r.html --profile table_bad.json
    err_has "'launch_seconds' is not a number"
    sed 's/"tamis_profile"/"other"/' table_profile.json >table_bad.json
    expect 2 "$TAMIS" model report -o r.html --profile table_bad.json
    head -c 100 table_profile.json >table_bad.json
    expect 2 "$TAMIS" model report -o r.html --profile table_bad.json
    err_has 'line '
    expect 2 "$TAMIS" model report -o r.html --profile "$(sweeps)"
    err_has 'tamis model calibrate'
    expect 2 "$TAMIS" model report -o r.html --profile table_none.json
    expect 2 "$TAMIS" model report -o table_profile.json --profile table_profile.json --force
    nothing_left
}
