# tamis model: profiles, predictions, tuning, tables of sweeps. What the model predicts is tested in tests/unit; here it is what is printed,
# where profiles are kept, and what is said of bad input.
load common

# Calibrations for all tests, side by side: each takes seconds. They are of the CPU, which every machine has, with small tables. Where there
# is a sanitizer, there is one calibration. The one that is kept is a whole one, but in the first level a quick one.
setup_file() {
    local quick=()
    [ -z "${TAMIS_AGREE_QUICK:-}" ] || quick=(--quick)
    cd "$BATS_FILE_TMPDIR" || return 1
    : >nodir # a file in the place of a directory: this stops root, too
    calibrate() { # calibrate NAME CACHE OPTION...
        local name=$1 cache=$2 code=0
        shift 2
        XDG_CACHE_HOME="$BATS_FILE_TMPDIR/$cache" "$TAMIS" model calibrate --device cpu --max-bytes 1 "$@" >"$name.out" 2>"$name.err" || code=$?
        echo "$code" >"$name.code"
    }
    if (ulimit -v 120000 && "$TAMIS" --version) >/dev/null 2>&1; then
        (
            ulimit -v 120000
            calibrate kept first --force "${quick[@]}" &
            [ -n "${TAMIS_AGREE_QUICK:-}" ] || calibrate nowhere nodir --quick &
            calibrate stdout third -q --quick -o - &
            wait
        )
    else
        calibrate kept first --force --quick
    fi
}

# Every test begins without a profile; `profile` copies the one that was measured.
begin() {
    unset TAMIS_SHARE
    export XDG_CACHE_HOME="$PWD/cache"
    made="$BATS_FILE_TMPDIR"
    kept=$(sed -n 's/^kept  *//p' "$made/kept.out")
    name=$(basename "$kept")
    cp "$kept" profile.json
}

# Profiles that were measured in a hurry may be unreliable, which gets a remark: tests look for other things on standard error.
predict() { "$TAMIS" model predict --app random -m 1Mi -D 1M "$@"; }

# table [LINE...]: two measurements of the CPU, and more lines.
table() {
    printf '# tamis model check\n# cpu: a CPU\n# gpu: -\n# date: 2026-01-31\n# version: 0.1.0\n# command: by hand\n'
    printf 'sweep\tapp\top\tplace\tlayout\tk\tm_bits\tn\tD\tQ\tlength\tblocks\tthreads\tactive_blocks\tseconds\tlow\thigh\tfpr\tpredicted_seconds\tpredicted_paper_seconds\tbinding\n'
    printf 'sizes\trandom\tread4\tcpu\t-\t0\t8388608\t0\t1000000\t0\t0\t0\t1\t0\t0.01\t0.009\t0.011\t-\t-\t-\t-\n'
    printf 'sizes\trandom\tread4\tcpu\t-\t0\t83886080\t0\t1000000\t0\t0\t0\t1\t0\t0.02\t0.019\t0.021\t-\t-\t-\t-\n'
    for line in "$@"; do printf '%b\n' "$line"; done
}

@test "calibrate measures, prints what it found and keeps it by device and version" {
    begin
    [ "$(cat "$made/kept.code")" -eq 0 ]
    grep -q '^cpu  ' "$made/kept.out"
    awk '/^spread  / { found = 1; if (($2 + 0 <= 15) != ($0 ~ /: reliable \(15 % at most\)$/)) exit 1 } END { exit !found }' "$made/kept.out"
    grep -q '^here  *no GPU was measured, only the CPU' "$made/kept.out"
    grep -q 'per_second  .* [GMK], ' "$made/kept.out"
    grep -q '^blastp_cpu_cells_per_second  *[0-9.]* [GM]$' "$made/kept.out"
    [ "$(grep -c '^blastp_gpu\|^gpu_start' "$made/kept.out")" -eq 0 ]
    [ "$(grep -c '^cpu_.*per_second  *4 KiB: .*, 4 MiB: [^,]*$' "$made/kept.out")" -eq 6 ] # and no larger tables
    [ -s "$kept" ]
    version=$("$TAMIS" --version | sed 's/tamis \([0-9]*\.[0-9]*\).*/\1/')
    [ "${name%-tamis"$version".json}" != "$name" ]
    [ "$(dirname "$kept")" = "$made/first/tamis" ]
    [ "$(find "$made/first" -type f | wc -l)" -eq 1 ]
    [ "$(head -c 16 "$kept")" = '{"tamis_profile"' ]
    ! command -v python3 >/dev/null || python3 -m json.tool "$kept" >/dev/null
}

@test "calibrate -o - prints the profile alone, also one that is unreliable" {
    begin
    [ -e "$made/stdout.code" ] || skip "the command takes too many addresses for a quick calibration"
    [ "$(cat "$made/stdout.code")" -eq 0 ]
    [ ! -s "$made/stdout.err" ]
    [ ! -e "$made/third" ]
    cp "$made/stdout.out" mine.json
    expect 0 predict -q --profile mine.json
    grep -q '^profile  *mine.json (given): ' out
    # it was a quick one: every second of the sizes
    points() { sed -n 's/.*"cpu_one_read4_accesses_per_second": {"x": \[\([^]]*\)\].*/\1/p' "$1" | tr ',' '\n' | wc -l; }
    tr -d '\n' <profile.json | sed 's/"cpu_/\n"cpu_/g' >whole.txt
    tr -d '\n' <mine.json | sed 's/"cpu_/\n"cpu_/g' >quick.txt
    [ -n "${TAMIS_AGREE_QUICK:-}" ] || [ "$(points whole.txt)" -eq 19 ]
    [ "$(points quick.txt)" -eq 10 ]
}

@test "a cache that cannot be written: the result is printed, and the exit code is 6" {
    begin
    need_full_sizes
    [ -e "$made/nowhere.code" ] || skip "the command takes too many addresses for a quick calibration"
    [ "$(cat "$made/nowhere.code")" -eq 6 ]
    cp "$made/nowhere.err" err
    err_has "the profile will not be kept: $made/nodir/tamis: cannot be created: Not a directory; use -o FILE to write it elsewhere"
    grep -q '^spread' "$made/nowhere.out"
    grep -qx 'kept        nowhere' "$made/nowhere.out"
    [ -f "$made/nodir" ] && [ ! -s "$made/nodir" ]
}

@test "calibrate checks where it is to write before it measures" {
    begin
    printf 'mine\n' >list
    expect 2 "$TAMIS" model calibrate --device cpu -o list
    err_has "list: already exists and is not a profile of a machine: --force replaces it"
    [ "$(cat list)" = mine ]
    out_is ''
    expect 6 "$TAMIS" model calibrate --device cpu -o nowhere/profile.json
    out_is ''
    expect 2 "$TAMIS" model calibrate --device cpu --max-bytes 0
    err_has "--max-bytes takes a number of bytes from 1 to "
    expect 2 "$TAMIS" model calibrate x
    err_has "calibrate takes no files"
    [ "$(find . -newer list -name '.*.json*' | wc -l)" -eq 0 ]
}

@test "calibrate --device cuda without a GPU is exit code 4, and nothing is written" {
    gpu_usable && skip "a GPU is usable here"
    begin
    expect 4 "$TAMIS" model calibrate --device cuda -o p.json
    out_is ''
    [ ! -e p.json ] && [ ! -e cache ]
}

@test "which profile: given, of this machine, none" {
    begin
    gpu_usable && skip "a GPU is usable here, and is asked about first"
    expect 2 predict
    out_is ''
    err_has "there is no profile of this machine's CPU, and there is no GPU: create one with 'tamis model calibrate', or give --profile FILE"
    expect 4 predict --device cuda
    err_has "there is no GPU: "
    mkdir -p cache/tamis
    cp profile.json "cache/tamis/$name"
    expect 0 predict
    grep -q "^profile  *$PWD/cache/tamis/$name (of this machine): .*, measured 20[0-9-]* with tamis " out
    grep -q '^here  *no GPU: ' out
    expect 0 env -u XDG_CACHE_HOME HOME="$PWD/home" "$TAMIS" model predict --app random -m 1Mi -D 1M --profile profile.json
    mkdir -p home/.cache
    mv cache/tamis home/.cache/
    expect 0 env -u XDG_CACHE_HOME HOME="$PWD/home" "$TAMIS" model predict --app random -m 1Mi -D 1M
    expect 0 env XDG_CACHE_HOME=relative HOME="$PWD/home" "$TAMIS" model predict --app random -m 1Mi -D 1M
    expect 2 env -u XDG_CACHE_HOME -u HOME "$TAMIS" model predict --app random -m 1Mi -D 1M
    err_has "there is no profile"
    expect 2 predict --profile nosuch
    err_has "nosuch: no such file, and no profile of this name comes with tamis"
    expect 2 predict --profile ./nosuch
    err_has "./nosuch: No such file or directory"
    expect 2 predict --profile ''
}

@test "a profile that comes with tamis goes by its name" {
    begin
    mkdir -p share/profiles
    cp profile.json share/profiles/lab.json
    export TAMIS_SHARE="$PWD/share"
    expect 0 predict --profile lab
    grep -q "^profile  *$PWD/share/profiles/lab.json (shipped): " out
    mkdir lab # a directory of the name is not meant
    expect 0 predict --profile lab
    rmdir lab
    expect 2 predict --profile other
    err_has "(available: lab)"
    printf 'no profile\n' >lab # a file of the name comes first
    expect 2 predict --profile lab
    err_has "lab: not a profile of a machine"
}

@test "a profile that is damaged, of another format, version or machine is refused by name, also in the cache" {
    begin
    gpu_usable && skip "a GPU is usable here, and is asked about first"
    mkdir -p cache/tamis
    damage() { # damage SED-SCRIPT MESSAGE
        sed "$1" profile.json >"cache/tamis/$name"
        ! cmp -s profile.json "cache/tamis/$name"
        expect 2 predict
        out_is ''
        err_has "$2"
        err_has "$name: "
    }
    damage '$d' "the profile is damaged: line "
    damage 's/"spread"/"spread_"/' "the profile is damaged: 'spread' is missing"
    damage 's/{"tamis_profile": 1/{"tamis_profile": 99/' "a profile of format 99, but tamis "
    damage 's/"version": "[^"]*"/"version": "0.0.1"/' "a profile by tamis 0.0.1, but this is tamis "
    damage 's/"version": "[^"]*"/"version": "0.0.1"/' "'tamis model calibrate'"
    damage 's/"n_processors": [0-9]*/"n_processors": 3000/' "measured on another machine (processors: 3000 there, "
    damage 's/"cpu": "[^"]*"/"cpu": "other"/' "measured on another machine (CPU: other there, "
}

@test "a profile that is unreliable is used with a remark" {
    begin
    sed 's/"reliable": [a-z]*/"reliable": false/; s/"spread": [-+.0-9e]*/"spread": 0.5/' profile.json >p.json
    expect 0 predict --profile p.json
    err_is 'tamis model predict: p.json: unreliable: repeated measurements differed by up to 50 %%\n'
    expect 0 predict --profile p.json -q
    err_is ''
}

@test "predict prints rate, time, throughput and terms, one of which binds" {
    begin
    expect 0 "$TAMIS" model predict --app strings -n 1M -m 16Mi -k 8 -D 2M --length 31 --profile profile.json
    for word in profile workload FPR time throughput factors alone; do grep -q "^$word  " out; done
    [ "$(grep -c '  binds$' out)" -eq 1 ]
    grep -qF 'k = 8, m = 16777216 bits (2 MiB), n = 1000000, D = 2000000, length = 31' out
    expect 0 predict --profile profile.json
    [ "$(grep -c '^FPR' out)" -eq 0 ]
    expect 0 predict --profile profile.json --json -q
    err_is ''
    for key in profile workload prediction seconds throughput fpr f_app f_cache f_sched occupancy binding terms m_bits of_this_machine; do
        grep -q "\"$key\":" out
    done
    grep -q '"fpr": null' out
    grep -q '"m_bits": 1048576' out
    ! command -v python3 >/dev/null || python3 -m json.tool out >/dev/null
    expect 0 predict --profile profile.json --form paper
    expect 0 predict --profile profile.json --without caches,early-exit
}

@test "predict rounds m up as build does, and says what its rate is of" {
    begin
    seq 500 >words
    expect 0 "$TAMIS" build -o f.tms -m 10000 -k 8 -q words
    expect 0 "$TAMIS" info f.tms
    grep -q '10240' out
    expect 0 "$TAMIS" model predict --app strings -n 500 -m 10000 -k 8 -D 1K --profile profile.json
    grep -qF 'm = 10240 bits' out
    expect 0 "$TAMIS" model predict --app classify -n 4.6M -m 40000001 -D 1K --profile "$TAMIS_SOURCE/share/tamis/profiles/h200.json"
    grep -qF 'm = 40000256 bits' out
    grep -q "^FPR  .*, of random sequence; .*'tamis info'" out
}

@test "check says at once how much it measures" {
    begin
    "$TAMIS" model check --device cpu --sweep random-cpu --limit 1 --profile profile.json >/dev/null 2>err &
    for _ in $(seq 600); do [ "$(wc -l <err)" -eq 0 ] || break; sleep 0.1; done # a line is written in pieces
    kill $! # what it measures takes most of a minute
    wait || true
    [ "$(head -n 1 err)" = 'tamis model check: 1 workload to run, on the CPU; large ones take seconds each' ]
}

@test "predict says what is missing, contradictory or impossible" {
    begin
    says() { # says MESSAGE OPTION...
        local message=$1
        shift
        expect 2 "$TAMIS" model predict --profile profile.json "$@"
        out_is ''
        err_has "$message"
    }
    says "which workload? Give --app APP" -D 1
    says "how many pointers, w-mers, strings or reads? Give -D N" --app random -m 1Mi
    says "--app takes 'random', 'bank', 'strings' or 'classify', not 'blast'" --app blast -D 1
    says "--app bank needs -n N" --app bank -m 1Mi -k 4 -D 1
    says "--app strings needs -k K" --app strings -m 1Mi -n 4 -D 1
    says "--app classify needs -m BITS" --app classify -n 4 -D 1
    says "-k does not apply to --app random" --app random -m 1Mi -D 1 -k 4
    says "-k does not apply to --app classify" --app classify -n 1 -m 1Mi -D 1 -k 4
    says "-Q does not apply to --app strings" --app strings -n 1 -m 1Mi -D 1 -k 4 -Q 3
    says "--layout does not apply to --app bank" --app bank -n 1 -m 1Mi -D 1 -k 4 --layout classic
    says "--length does not apply to --app bank" --app bank -n 1 -m 1Mi -D 1 -k 4 --length 4
    says "--place does not apply to --app classify" --app classify -n 1 -m 1Mi -D 1 --place shared
    says "-D takes a number from 1 to 2^40, not '0'" --app random -m 1Mi -D 0
    says "-m takes a number of bits from 1 to 2^" --app random -m 1e40 -D 1
    says "--without takes one or more of 'caches', " --app random -m 1Mi -D 1 --without cache
    says "--form paper has none" --app random -m 1Mi -D 1 --form paper --without caches
    says "--place selects a GPU's memory" --app random -m 1Mi -D 1 --device cpu --place shared
    says "--blocks sets a GPU's launch" --app random -m 1Mi -D 1 --device cpu --blocks 3
    says "--transfers adds copies to a GPU" --app random -m 1Mi -D 1 --device cpu --transfers
    says "read4" --app random -m 1Mi -D 1 --op build
    says "predict takes no files" --app random -m 1Mi -D 1 x
    expect 2 "$TAMIS" model predict --profile profile.json --device cuda --app random -m 1Mi -D 1M # it was measured on the CPU alone
    [ -s err ]
}

@test "tune prints the best choice first, and asks for a requirement" {
    begin
    expect 0 "$TAMIS" model tune --app strings --keys 1M --max-fpr 0.01 --profile profile.json
    grep -q '^wished  *a false-positive rate of at most 0.01$' out
    [ "$(grep -c '^\* ' out)" -eq 1 ]
    grep '^\* ' out | grep -q 'yes$'
    awk '/^  layout/ { from = NR } from && NR == from + 1 && !/^\*/ { exit 1 }' out
    [ "$(grep -c ' yes$\| no$' out)" -le 3 ]
    expect 0 "$TAMIS" model tune --app strings --keys 1M --max-fpr 0.01 --profile profile.json --limit 3
    [ "$(grep -c ' yes$\| no$' out)" -eq 3 ]
    grep -q '^3 of [0-9]* choices; --all prints all$' out
    all=$(sed -n 's/^3 of \([0-9]*\) choices.*/\1/p' out)
    expect 0 "$TAMIS" model tune --app strings --keys 1M --max-fpr 0.01 --profile profile.json --all
    [ "$(grep -c ' yes$\| no$' out)" -eq "$all" ]
    expect 2 "$TAMIS" model tune --app strings --keys 1M --max-fpr 0.01 --profile profile.json --all --limit 3
    expect 0 "$TAMIS" model tune --app strings --keys 1M --max-fpr 0.01 --profile profile.json --limit 1
    grep -q '^\* ' out
    expect 0 "$TAMIS" model tune --app strings --keys 1M --max-fpr 0.01 --max-bytes 16Mi --min-throughput 1K --profile profile.json --json
    for key in choices meets on_front bytes command workload prediction layout; do grep -q "\"$key\":" out; done
    ! command -v python3 >/dev/null || python3 -m json.tool out >/dev/null
    expect 2 "$TAMIS" model tune --app strings --keys 1M --max-fpr 1e-9 --max-bytes 100 --profile profile.json
    out_is ''
    [ -s err ]
    expect 2 "$TAMIS" model tune --app strings --keys 1M --profile profile.json
    err_has "which requirement? Give --max-fpr P, --min-throughput T or --max-bytes B"
    expect 2 "$TAMIS" model tune --app strings --max-fpr 0.1
    err_has "how many keys are there? Give --keys N"
    expect 2 "$TAMIS" model tune --keys 3 --max-fpr 0.1
    err_has "which workload? Give --app APP"
    expect 2 "$TAMIS" model tune --app random --keys 3 --max-fpr 0.1
    err_has "--app takes 'bank', 'strings' or 'classify', not 'random'"
    expect 2 "$TAMIS" model tune --app bank --keys 3 --max-fpr 0.1 --length 31
    err_has "--length does not apply to --app bank"
    expect 2 "$TAMIS" model tune --app bank --keys 3 --max-fpr 1
    expect 2 "$TAMIS" model tune --app bank --keys 3 --max-fpr 0.1 --device cuda --threads 3
    err_has "--threads applies to the CPU"
    expect 2 "$TAMIS" model tune --app bank --keys 1M --max-fpr 0.1 --profile profile.json
    err_has "on the CPU the model covers random accesses and strings, not bank"
    expect 2 "$TAMIS" model tune --app strings --keys 1M --max-fpr 0.1 --profile profile.json --device cuda
    err_has "the profile has no GPU"
    # reads have no k
    expect 0 "$TAMIS" model tune --app classify --keys 1M --max-fpr 1e-6 --profile "$TAMIS_SOURCE/share/tamis/profiles/h200.json"
    grep -q '^given  *classify, 1.00 M keys, D = 1.00 M reads$' out
    awk '/^\* words / && $4 == "-" { found = 1 } END { exit !found }' out
}

@test "tune prints the command that makes its choice, as small as build makes it" {
    begin
    h200="$TAMIS_SOURCE/share/tamis/profiles/h200.json"
    seq 3000 >words
    for wish in '--max-fpr 1/1000' '--max-fpr 0.02' '--max-bytes 4K' '--max-bytes 8K --max-fpr 0.01'; do
        # shellcheck disable=SC2086 # words of a wish
        expect 0 "$TAMIS" model tune --app strings --keys 3000 $wish --profile profile.json
        sed -n "s/^command  *tamis \\(build .*\\)-o FILTER FILE\$/\\1/p" out >line
        read -ra options <line
        [ "${#options[@]}" -eq 7 ]
        m=$(awk '/^\* / { print $3 }' out)
        expect 0 "$TAMIS" "${options[@]}" -o f.tms --force -q words
        expect 0 "$TAMIS" info f.tms
        grep -q "$(echo "$m" | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta')\|$m" out
    done
    bits() { sed -n 's/^command .* -m \([0-9]*\) .*/\1/p' out; }
    expect 0 "$TAMIS" model tune --app strings --keys 166769802 --max-fpr 3.14e-4 --profile "$h200"
    [ "$(bits)" -le $((166769802 * 85 / 4)) ] # 21.25 bits a key, not 24
    expect 0 "$TAMIS" model tune --app strings --keys 7976371 --max-fpr 5.93e-4 --profile "$h200" --device cpu
    [ "$(bits)" -le $((7976371 * 75 / 4)) ]
    expect 0 "$TAMIS" model tune --app classify --keys 4600000 --max-fpr 1e-6 --profile "$h200"
    grep -q '^command  *tamis build --kmer 31 -m [0-9]* -o FILTER REFERENCE$' out
    [ $(($(bits) % 256)) -eq 0 ]
    expect 0 "$TAMIS" model tune --app bank --keys 4600000 -D 5M --max-fpr 1/1000 --profile "$h200"
    grep -q '^command  *tamis seeds --schedule [a-z]* --sub-query [0-9]* -m [0-9]* -k [0-9]* -query QUERY -subject SUBJECT$' out
    # what lets much pass is not among the choices
    leaky() { awk '/ yes$| no$/ { for (i = 2; i <= NF; i++) if ($i ~ /^0\.[1-9][0-9]*$/) n++ } END { print n + 0 }' out; }
    expect 0 "$TAMIS" model tune --app strings --keys 1M --max-bytes 16M --profile "$h200" --limit 4000
    [ "$(leaky)" -eq 0 ]
    expect 0 "$TAMIS" model tune --app strings --keys 1M --max-bytes 16M --profile "$h200" --all
    [ "$(leaky)" -gt 0 ]
    expect 0 "$TAMIS" model tune --app strings --keys 1M --max-bytes 20K --profile "$h200"
    err_has "still has a false-positive rate of "
}

@test "tune: small wishes, and what comes closest to those that are too small" {
    begin
    h200="$TAMIS_SOURCE/share/tamis/profiles/h200.json"
    for keys in 1 10; do
        for app in strings classify; do
            expect 0 "$TAMIS" model tune --app $app --keys $keys --max-fpr 0.01 --profile "$h200"
        done
    done
    expect 0 "$TAMIS" model tune --app bank --keys 1M --max-bytes 500K --profile "$h200"
    expect 2 "$TAMIS" model tune --app bank --keys 1M --max-bytes 1M --max-fpr 1e-9 --min-throughput 1T --profile "$h200"
    err_has "no choice meets the requirements; the closest one takes "
    expect 2 "$TAMIS" model tune --app strings --keys 1M --max-bytes 10 --profile "$h200"
    err_has "nothing fits: 1000000 keys need more bytes than 10"
}

@test "report is of the profile that is kept of this machine" {
    need_full_sizes
    need gnuplot
    begin
    gpu_usable && skip "a GPU is usable here, and is asked about first"
    expect 0 "$TAMIS" model report -o r.html
    grep -q '<h1>tamis: performance model, NVIDIA H200</h1>' r.html # which the measurements are of
    mkdir -p cache/tamis
    cp profile.json "cache/tamis/$name"
    expect 0 "$TAMIS" model report -o r.html
    cpu=$(sed -n 's/^ *"cpu": "\(.*\)",*$/\1/p' profile.json | head -n 1)
    grep -q "(of this machine)" r.html
    no_h200=$(head -c 5000 r.html | grep -c 'NVIDIA' || true)
    [ "$no_h200" -eq 0 ]
    [ -z "$cpu" ] || grep -qF "<h3>$cpu, " r.html
}

@test "check reads measurements from a table, and writes them with predictions" {
    begin
    table | sed 's/^# command/# machine: 7 multiprocessors, L2 8 bytes\n# commit: abc\n&/' >t.tsv
    expect 0 "$TAMIS" model check --from t.tsv --profile profile.json -o u.tsv
    [ "$(grep '^#' t.tsv | sort)" = "$(grep '^#' u.tsv | sort)" ]
    grep -q '^measured  *t.tsv: a CPU, 2026-01-31, tamis 0.1.0, 2 workloads$' out
    grep -q '^sizes  *extended  *2 ' out
    err_has "t.tsv: measured on a CPU, but the profile is of "
    expect 0 "$TAMIS" model check --from t.tsv --profile profile.json -q
    err_is ''
    expect 0 "$TAMIS" model check --from t.tsv --profile profile.json -o u.tsv --force
    grep -q '^sizes  *paper  *[02] ' out
    cp out first
    [ "$(wc -l <u.tsv)" -eq 11 ]
    [ "$(awk -F '\t' 'NF == 21' u.tsv | wc -l)" -eq 3 ]
    awk -F '\t' '$1 == "sizes" && !($19 > 0) { bad = 1 } END { exit bad }' u.tsv
    # what was written has the same figures again, whatever the order of its columns
    awk -F '\t' -v OFS='\t' 'NF == 21 { last = $21; $21 = $1; $1 = last; $0 = $0 "\tmore" } { print }' u.tsv | gzip >v.tsv.gz
    expect 0 "$TAMIS" model check --from v.tsv.gz --profile profile.json
    sed 's/v.tsv.gz/t.tsv/' out | diff first -
    expect 0 "$TAMIS" model check --from t.tsv --profile profile.json --limit 1
    grep -q '^sizes  *extended  *1 ' out
    grep -q ', 1 workload$' out
}

@test "check measures the sweeps of the CPU, and leaves out what memory is too small for" {
    begin
    (ulimit -v 150000 && "$TAMIS" --version) >/dev/null 2>&1 || skip "the command takes too many addresses for a limit"
    small_check() { (ulimit -v 150000 && "$TAMIS" model check --device cpu --profile profile.json "$@"); }
    expect 0 small_check --sweep random-cpu-or --limit 6 -o t.tsv
    err_has " of 6 workloads are left out: "
    grep -q '^measured  *here, [1-5] workloads\?$' out
    grep -q '^random-cpu-or  *extended  *[1-5]  ' out
    [ "$(awk -F '\t' '$1 == "random-cpu-or" && $4 == "cpu" && $15 > 0 && $19 > 0' t.tsv | wc -l)" -eq "$(grep -c '^random-cpu-or' t.tsv)" ]
    expect 0 small_check --sweep random-cpu-or --limit 6 -q
    [ "$(grep -c 'left out' err)" -eq 0 ]
    expect 5 small_check --sweep random-cpu --limit 1
    out_is ''
    err_has "nothing was measured: "
    expect 2 "$TAMIS" model check --device cpu --profile profile.json --sweep bank
    err_has "the sweeps are for a GPU, and none is in use"
}

@test "check: the sweeps of the CPU that are kept have the figures of doc/model.md again" {
    kept="$TAMIS_SOURCE/bench/results/epyc-2core"
    expect 0 "$TAMIS" model check --from "$kept/model_sweeps_cpu.tsv" --profile "$kept/model_profile.json" -q
    awk '$2 == "extended" { print "| " $1 " | " $3 " | " $4 " | " $5 " % | " $7 " % |" }' out >rows
    [ "$(wc -l <rows)" -eq 5 ]
    while read -r row; do grep -qF "$row" "$TAMIS_SOURCE/doc/model.md"; done <rows
}

@test "check: the sweeps of the H200 that are kept have the figures of doc/model.md again" {
    expect 0 "$TAMIS" model check --from "$TAMIS_SOURCE/bench/results/h200/model_sweeps.tsv" --profile h200 -q
    awk '$2 == "extended" { print "^[|] " $1 " [|][^|]*[|] " $3 " [|] " $4 " [|] " $5 " % [|] " $7 " % [|]" }' out >rows
    [ "$(wc -l <rows)" -eq 9 ]
    while read -r row; do grep -q "$row" "$TAMIS_SOURCE/doc/model.md"; done <rows
}

@test "check names file and line of what is wrong in a table" {
    begin
    says() { # says MESSAGE, of t.tsv
        expect 2 "$TAMIS" model check --from t.tsv --profile profile.json -o u.tsv
        out_is ''
        err_has "$1"
        [ ! -e u.tsv ]
    }
    table 'sizes\trandom' >t.tsv
    says "t.tsv:10: 2 columns instead of 21, which is the number of names"
    table 'sizes\tsieve\tread4\tcpu\t-\t0\t8388608\t0\t1\t0\t0\t0\t1\t0\t1\t1\t1\t-\t-\t-\t-' >t.tsv
    says "t.tsv:10: column app cannot be 'sieve'"
    table 'sizes\trandom\tread4\tcpu\t-\t0\t8388608\t0\tx\t0\t0\t0\t1\t0\t1\t1\t1\t-\t-\t-\t-' >t.tsv
    says "t.tsv:10: column D cannot be 'x'"
    table 'sizes\trandom\tread4\tcpu\t-\t-1\t8388608\t0\t1\t0\t0\t0\t1\t0\t1\t1\t1\t-\t-\t-\t-' >t.tsv
    says "t.tsv:10: column k cannot be '-1'"
    table 'sizes\trandom\tread4\tdisk\t-\t0\t8388608\t0\t1\t0\t0\t0\t1\t0\t1\t1\t1\t-\t-\t-\t-' >t.tsv
    says "t.tsv:10: column place cannot be 'disk'"
    table 'sizes\trandom\tread4\tcpu\t-\t0\t8388608\t0\t1\t0\t0\t0\t1\t0\t0\t1\t1\t-\t-\t-\t-' >t.tsv
    says "t.tsv:10: column seconds must be above 0"
    table 'sizes\trandom\tread4\tcpu\t-\t0\t8388608\t0\t1\t0\t0\t0\t1\t0\tnan\t1\t1\t-\t-\t-\t-' >t.tsv
    says "t.tsv:10: column seconds cannot be 'nan'"
    table 'sizes\trandom\tbuild\tcpu\t-\t0\t8388608\t0\t1\t0\t0\t0\t1\t0\t1\t1\t1\t-\t-\t-\t-' >t.tsv
    says "t.tsv:10: " # the library says what is impossible
    table | head -c -5 >t.tsv
    says "t.tsv:9: the last line has no line feed: the file is truncated"
    table | sed 's/seconds/secs/' >t.tsv
    says "t.tsv:7: not a table of sweeps: it has no column 'seconds'"
    table | sed 's/binding/app/' >t.tsv
    says "t.tsv:7: two columns have the name 'app'"
    table | head -7 >t.tsv
    says "t.tsv: the table has no measurements"
    head -c 100 /dev/zero >t.tsv
    says "t.tsv:1: "
    rm t.tsv
    says "t.tsv: No such file or directory"
}

@test "check: options that do not go together, sweeps that there are not, outputs that would destroy something" {
    begin
    table >t.tsv
    cp t.tsv kept.tsv
    expect 2 "$TAMIS" model check --from t.tsv --device cpu --profile profile.json
    err_has "--device selects where to measure, but --from has the measurements"
    expect 2 "$TAMIS" model check --from t.tsv --sweep foo --profile profile.json
    err_has "there is no sweep 'foo'; there are: sizes"
    expect 2 "$TAMIS" model check --from t.tsv --app bank --profile profile.json
    err_has "t.tsv: there is no measurement of --app bank"
    expect 2 "$TAMIS" model check --sweep foo --profile profile.json
    err_has "there is no sweep 'foo'; there are: random-blocks, "
    expect 2 "$TAMIS" model check --from t.tsv --profile profile.json -o t.tsv
    err_has "the output would replace the input"
    cmp t.tsv kept.tsv
    printf 'mine\n' >list
    expect 2 "$TAMIS" model check --from t.tsv --profile profile.json -o list
    [ "$(cat list)" = mine ]
    expect 0 "$TAMIS" model check --from t.tsv --profile profile.json -o list --force
    head -1 list | grep -qx '# tamis model check'
    expect 6 "$TAMIS" model check --from t.tsv --profile profile.json -o nowhere/u.tsv
    expect 2 "$TAMIS" model check --limit 0
    expect 2 "$TAMIS" model check t.tsv
    sed 's/# gpu: -/# gpu: A GPU/; s/\tcpu\t/\tglobal\t/' kept.tsv >gpu.tsv # and the profile is of the CPU alone
    expect 2 "$TAMIS" model check --from gpu.tsv
    err_has "there is no profile of A GPU"
    expect 2 "$TAMIS" model check --from gpu.tsv --profile profile.json
    out_is ''
    if ! gpu_usable; then
        expect 2 "$TAMIS" model check --profile profile.json --app bank
        err_has "the sweeps are for a GPU, and none is in use"
    fi
}

@test "verbs: help, unknown ones, completion" {
    expect 2 "$TAMIS" model
    err_has "which verb? calibrate, predict, tune, check, plot, report"
    out_is ''
    expect 2 "$TAMIS" model foo
    err_has "no verb 'foo'; the verbs are calibrate, predict, tune, check, plot, report"
    expect 2 "$TAMIS" model --foo
    expect 0 "$TAMIS" model --help
    "$TAMIS" model -h | cmp out -
    for verb in calibrate predict tune check plot report; do
        grep -q "^  $verb " out
        "$TAMIS" model $verb --help >help
        grep -q "^Usage: tamis model $verb " help
        [ "$(wc -L <help)" -le 80 ]
        "$TAMIS" help model $verb | cmp help -
        expect 2 "$TAMIS" model $verb --frobnicate
        err_is "tamis model $verb: no option '--frobnicate'\nTry 'tamis model $verb --help'.\n"
        "$TAMIS" model --help >out
    done
}
