# tamis plan: the grid of a search on a cluster, its estimate, and the commands that run it. test_plan_grid.c tests the choice.
load common
load proteins
load bases

setup_file() { export TAMIS_TUNE=off; } # no profile of this machine: the built-in numbers

# value KEY...: a number or text of the object in ./out.
value() {
    python3 -c 'import json, sys
at = json.load(open("out"))
for key in sys.argv[1:]:
    at = at[key]
print(at)' "$@"
}

# submit: runs the job that ./out submits, with an sbatch that runs it here, and prints a number; a cell has the number 1.
submit() {
    mkdir -p bin
    cat >bin/sbatch <<'EOF'
#!/bin/bash
while [[ $1 == -* ]]; do shift; done
SLURM_ARRAY_TASK_ID=1 SLURM_CPUS_PER_TASK=1 "$@" >&2
echo 7
EOF
    chmod +x bin/sbatch
    PATH=$PWD/bin:$PATH bash -c "$(sed -n 's/^  \(.*tamis-array.sh submit .*\)/\1/p' out)" >submitted
}

@test "counts queries, batches and residues as the search does" {
    need python3
    proteins 20 1 q >q.fa
    proteins 50 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype prot -out db >/dev/null
    export BATCH_SIZE=500
    expect 0 "$TAMIS" plan -query q.fa -db db --nodes 2 --json -num_threads 3 --memory 8G
    [ "$(value queries n) $(value nodes n) $(value nodes threads) $(value nodes memory_bytes)" = "20 2 3 8000000000" ]
    [ "$(value queries residues)" = "$(grep -v '>' q.fa | tr -d '\n' | wc -c)" ]
    [ "$(value database sequences)" = 50 ]
    [ "$(value database residues)" = "$(grep -v '>' s.fa | tr -d '\n' | wc -c)" ]
    [ "$(value grid cells) $(value grid query_shards) $(value grid shards)" = "1 1 1" ]
    [ "$(value profile)" = None ]
    # as many parts with queries as batches
    local n k
    n=$(value queries batches)
    [ "$n" -gt 3 ]
    for ((k = 1; k <= n; k++)); do
        "$TAMIS" blastp -q -query q.fa -db db --query-shard "$k/$n" -out "$k.part"
        grep -a -q "^records.[1-9]" "$k.part"
    done
    unset BATCH_SIZE
    gzip -k q.fa
    expect 0 "$TAMIS" plan -query q.fa.gz -db db --nodes 2 --json
    [ "$(value queries n) $(value queries batches)" = "20 1" ]
}

@test "text: the grid, the estimate, and the commands" {
    expect 0 "$TAMIS" plan --queries 1000 --query-residues 340K --db-residues 200G --db-sequences 500M --nodes 16 -num_threads 16 --memory 256G \
        -evalue 1e-5 -max_target_seqs 100
    sed 's|^  [^ ]*tamis-array.sh |  tamis-array.sh |' out >text
    cat >want <<'EOF'
queries     1000 with 340 K residues, 34 batches
database    500000000 sequences with 200 G residues
nodes       16, each with 16 threads, 256 GB of memory: 2.24e+12 pairs of residues a second
estimate    by the numbers of an H200 and its host; for yours: tamis model calibrate, on a node
grid        1 query shard x 64 shards of the database: 64 cells, 4 a node
cell        7.9 min, 3.40 GB of memory
search      31.6 min
parts       9.71 MB each, 621 MB in all; with full lists 621 MB in all
report      7.4 s on one node

Slurm:

  tamis-array.sh submit -s 64 -q 1 -b --cpus-per-task=16 -b --mem=4048M -b --time=24 -- -query QUERIES -db DB -evalue 1e-5 -max_target_seqs 100

Snakemake, config.yaml:

  query: QUERIES
  db: DB
  shards: 64
  query_shards: 1
  options: "-evalue 1e-5 -max_target_seqs 100"
  threads: 16
  mem_mb: 4048
  runtime: 24
EOF
    diff want text
}

@test "GPUs, from the profile of one" {
    expect 0 "$TAMIS" plan --queries 1M --db-residues 200G --nodes 64 --gpu --profile h200 --memory 256G
    grep -q '^grid  *960 query shards x 1 shard of the database: 960 cells, 15 a node$' out
    grep -q '^estimate  *by the profile .*/h200.json (shipped)$' out
    grep -q ' -b --cpus-per-task=16 .* -b --gres=gpu:1 -- .* --device cuda$' out
    grep -q '^  options: "--device cuda"$' out
}

@test "what a user should know comes before the commands" {
    expect 0 "$TAMIS" plan --queries 10 --db-residues 1M --nodes 16
    grep -q '^The search is short: one machine is enough' out
    expect 0 "$TAMIS" plan --queries 100K --db-residues 10M --nodes 16 -num_threads 16
    grep -q '^The search is short: more cells than 2 would take less than a minute each' out
    expect 0 "$TAMIS" plan --queries 1M --db-residues 200G --nodes 16 -num_threads 16 --memory 1T
    grep -q '^More cells would be better, but there are at most 1000' out
    grep -q '^grid  *992 query shards' out
    expect 0 "$TAMIS" plan --queries 1M --db-residues 10G --nodes 2000 -num_threads 16 --memory 1T
    grep -q '^More cells would be better' out
    grep -q ' 1000 cells, 1 a node$' out
}

@test "the projection of doc/cluster.md is what it says" {
    need python3
    python3 - <<'END'
import json, os, re, subprocess, sys
page = open(os.environ["TAMIS_SOURCE"] + "/doc/cluster.md", encoding="utf-8").read()
command = re.search(r"by\n`tamis (plan --queries 1000 [^`]*)`", page).group(1).split()
units = {"s": 1, "min": 60, "h": 3600, "days": 86400, "MB": 1e6, "GB": 1e9}
row = r"^\| *([\w,⁶]*) \| (\d*) \| ([CG]PU) \| (\d+) × (\d+) \| ([\d.]+) (\w+) \| ([\d.]+) (\w+) \| ([\d.]+) (\w+) \| ([\d.]+) (\w+) \|$"
rows, bad = re.findall(row, page, re.M), 0
for queries, nodes, device, q, s, *shown in rows:
    command[2] = {"1,000": "1000", "10⁶": "1M", "": command[2]}[queries]
    command[command.index("--nodes") + 1] = nodes
    plan = json.loads(subprocess.check_output([os.environ["TAMIS"], *command, "--json"] + ["--gpu"] * (device == "GPU")))
    seconds, grid = plan["estimated_seconds"], plan["grid"]
    values = [seconds["cell"], seconds["search"], plan["estimated_bytes"]["all_parts"], seconds["report"]]
    same = (grid["query_shards"], grid["shards"]) == (int(q), int(s))
    for value, number, unit in zip(values, shown[::2], shown[1::2]):
        digits = len(number.partition(".")[2])
        same = same and abs(value / units[unit] - float(number)) <= 0.51 * 10 ** -digits
    if not same:
        print(" ".join(command), device, grid, values)
        bad = 1
sys.exit(bad or len(rows) != 8)
END
}

@test "the commands are those that the workflow takes" {
    proteins 20 1 q >"my q.fa"
    proteins 50 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype prot -out db >/dev/null
    expect 0 "$TAMIS" plan -query "my q.fa" -db db --nodes 2 -evalue 1e-3 -num_threads 1
    grep -q '^  query: "my q.fa"$' out
    submit
    "$TAMIS" blastp -q -query "my q.fa" -db db -evalue 1e-3 -outfmt 6 | cmp - hits.txt
}

@test "translated searches: bases or residues, batches of the program, and the commands are those that the workflow takes" {
    need python3
    bases 40 1 q >q.fa
    bases 80 2 s >s.fa
    proteins 50 2 s >p.fa
    "$TAMIS" makedb -in s.fa -dbtype nucl -out nucl >/dev/null
    "$TAMIS" makedb -in p.fa -dbtype prot -out prot >/dev/null
    # plans TASK PROGRAM QUERIES DB QUERY-LETTERS DB-LETTERS
    plans() {
        expect 0 "$TAMIS" plan -task "$1" -query "$3" -db "$4" --nodes 2 -evalue 1e-3 -num_threads 1
        grep -q "^queries .* $5, " out
        grep -q "^database .* $6\$" out
        grep -q "^  program: $2\$" out
        rm -rf parts hits.txt
        submit
        "$TAMIS" "$2" -q -query "$3" -db "$4" -evalue 1e-3 -outfmt 6 | cmp - hits.txt
        expect 0 "$TAMIS" plan -task "$1" -query "$3" -db "$4" --nodes 2 --json
        [ "$(value program) $(value queries n)" = "$2 $(grep -c '>' "$3")" ]
        [ "$(value queries residues)" = "$(grep -v '>' "$3" | tr -d '\n' | wc -c)" ]
    }
    plans blastx blastx q.fa prot bases residues
    plans tblastn tblastn p.fa nucl residues bases
    plans tblastx tblastx q.fa nucl bases bases
    run ! grep -q -e ' -task ' <(value slurm)
    # query batches of 10,002 bases
    awk 'BEGIN { srand(1); for (i = 1; i <= 9; i++) { printf ">l%d\n", i; for (k = 0; k < 6000; k++) printf "%s", substr("ACGT", 1 + int(4 * rand()), 1); print "" } }' >long.fa
    for task in blastx tblastx; do
        expect 0 "$TAMIS" plan -task "$task" -query long.fa --db-residues 1G --nodes 2 --json
        [ "$(value queries batches)" = 5 ]
    done
    expect 2 "$TAMIS" plan -task tblastx -query q.fa -db prot --nodes 2
}

@test "blastn: the task chooses the program, BATCH_SIZE is planned, and the commands are those that the workflow takes" {
    need python3
    bases 40 1 q >q.fa
    bases 80 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype nucl -out db >/dev/null
    expect 0 "$TAMIS" plan -task blastn -query q.fa -db db --nodes 2 -evalue 1e-3 -num_threads 1 --json
    [ "$(value program) $(value batch_size) $(value queries n) $(value queries batches)" = "blastn 100000 40 1" ]
    [ "$(value queries residues)" = "$(grep -v '>' q.fa | tr -d '\n' | wc -c)" ]
    [ "$(value profile)" = None ]
    BATCH_SIZE=3000 expect 0 "$TAMIS" plan -task blastn -query q.fa -db db --nodes 2 -evalue 1e-3 -num_threads 1
    grep -q 'queries     40 with .* bases, [2-9] batches' out
    grep -q 'submit -p blastn -z 3000 -s 1 -q 1 .* -- -query q.fa -db db -task blastn -evalue 1e-3$' out
    grep -q '^  program: blastn$' out
    grep -q '^  batch_size: 3000$' out
    mkdir bin
    cat >bin/sbatch <<'EOF'
#!/bin/bash
array=0
while [[ $1 == -* ]]; do
    [[ $1 != --array=* ]] || array=${1#*-}
    [[ $1 != --array=* ]] || array=${array#*-}
    shift
done
[ "$array" != 0 ] || exec "$@" >&2
n=$(grep -o '[0-9]*$' <<<"$array")
for ((i = 1; i <= n; i++)); do SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=1 "$@" >&2; done
echo 7
EOF
    chmod +x bin/sbatch
    BATCH_SIZE=3000 "$TAMIS" blastn -q -task blastn -query q.fa -db db -evalue 1e-3 -outfmt 6 >want
    [ -s want ]
    PATH=$PWD/bin:$PATH "$TAMIS_SOURCE/share/tamis/workflow/tamis-array.sh" submit -p blastn -z 3000 -s 3 -q 2 -d grid -o grid.txt -- \
        -task blastn -query q.fa -db db -evalue 1e-3 2>err
    cmp want grid.txt
    expect 2 "$TAMIS_SOURCE/share/tamis/workflow/tamis-array.sh" submit -p blastn -s 3 -- -query q.fa -db db
    err_has 'give -z 100000'
}

@test "blastn: the estimate grows with batches, bases and tasks, and what does not belong together is refused" {
    need python3
    seconds() {
        "$TAMIS" plan --queries 1M --query-residues "$2" --db-residues "$3" --nodes 16 -num_threads 16 --memory 256G -task "$1" --json >out
        value estimated_seconds search
    }
    local megablast dc blastn short double
    megablast=$(seconds megablast 150M 10G)
    dc=$(seconds dc-megablast 150M 10G)
    blastn=$(seconds blastn 150M 10G)
    short=$(seconds blastn-short 150M 10G)
    double=$(seconds blastn 150M 20G)
    python3 -c "import sys; sys.exit(not ($megablast < $dc < $blastn < $short and 1.5 < $double / $blastn < 2.5))"
    [ "$(value batch_size)" -ge 100000 ]
    [ "$(value grid cells)" -le 1000 ]
    local gpu
    gpu=$("$TAMIS" plan --queries 1M --query-residues 150M --db-residues 20G --nodes 16 -num_threads 16 --memory 256G -task blastn --gpu \
        --json >out && value estimated_seconds search)
    python3 -c "import sys; sys.exit(not $gpu < $double)"
    [ "$(value nodes gpu) $(value profile)" = 'True None' ]
    expect 0 "$TAMIS" plan --queries 1M --query-residues 150M --db-residues 20G --nodes 16 -num_threads 16 --memory 256G -task blastn --gpu
    grep -q '^estimate    by the rates of an EPYC and an H100; ' out
    grep -q ' -b --gres=gpu:1 -- .* -task blastn --device cuda$' out
    for task in blastn-short dc-megablast; do
        expect 1 "$TAMIS" plan --queries 10 --db-residues 1M --nodes 2 -task $task --gpu
        err_is 'tamis plan: a GPU does not take the words of this task: leave out --gpu\n'
    done
    expect 1 "$TAMIS" plan --queries 10 --db-residues 1M --nodes 2 -task blastn --profile h200
    err_has 'leave out --profile'
    bases 3 1 q >q.fa
    proteins 3 1 p >p.fa
    "$TAMIS" makedb -in p.fa -dbtype prot -out prot >/dev/null
    expect 2 "$TAMIS" plan -query q.fa -db prot --nodes 2 -task megablast
    err_has 'prot'
}

# estimate OPTION...: what --device auto expects of a search on the CPU, seconds.
estimate() {
    "$TAMIS" blastp -q -query q.fa -db db -num_threads 1 --restart --stats out "$@" >report
    value estimated_seconds cpu
}

@test "--device auto estimates the part of a cell" {
    need python3
    proteins 40 1 q >q.fa
    proteins 200 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype prot -out db >/dev/null
    export BATCH_SIZE=500
    local whole cell
    whole=$(estimate -outfmt 6)
    [ "$(estimate --archive a.part)" = "$whole" ]
    cell=$(estimate --shard 2/4 -out b.part)
    python3 -c "import sys; sys.exit(not abs(4 * $cell / $whole - 1) < 1e-3)"
    cell=$(estimate --shard 1/2 --query-shard 1/3 -out c.part)
    python3 -c "import sys; sys.exit(not abs(6 * $cell / $whole - 1) < 1e-3)"
}

@test "--device auto of blastn has the rates of the plan, and no GPU for words that none takes" {
    need python3
    bases 40 1 q >q.fa
    bases 80 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype nucl -out db >/dev/null
    local task plan auto
    for task in megablast blastn blastn-short dc-megablast; do
        rm -f out
        BATCH_SIZE=100000000 "$TAMIS" blastn -q -query q.fa -db db -num_threads 1 -task $task --stats out >report
        grep -q '"choice": "cpu"' out
        auto=$(value estimated_seconds cpu)
        python3 -c "import sys; sys.exit(not $(value estimated_seconds gpu) > $auto)"
        BATCH_SIZE=100000000 expect 0 "$TAMIS" plan -query q.fa -db db -num_threads 1 -task $task --nodes 1 --json
        plan=$(value estimated_seconds cell) # with 0.1 s to begin
        python3 -c "import sys; sys.exit(not abs(($plan - 0.1) / $auto - 1) < 0.01)"
    done
    rm out
    "$TAMIS" blastn -q -query q.fa -db db -num_threads 1 -task blastn -word_size 9 --stats out >report
    python3 -c "import sys; sys.exit(not abs($(value estimated_seconds gpu) - $(value estimated_seconds cpu) - 0.4) < 1e-4)"
}

@test "errors" {
    proteins 3 1 q >q.fa
    : >none.fa
    printf '>a\n>b\n' >empty.fa
    printf '>n\nACGTACGTTGCATTGCATGGATTTGACCA\n' >n.fa
    "$TAMIS" makedb -in n.fa -dbtype nucl -out nucl >/dev/null
    expect 1 "$TAMIS" plan -query q.fa --db-residues 1G --nodes 0
    err_has "--nodes takes a number of nodes from 1 to 1000000, not '0'"
    expect 1 "$TAMIS" plan -query q.fa --db-residues 1G
    err_has "how many nodes?"
    expect 1 "$TAMIS" plan -query q.fa --nodes 2
    err_has "which database? Give -db NAME, or --db-residues N"
    expect 1 "$TAMIS" plan --db-residues 1G --nodes 2
    err_has "which queries? Give -query FILE, or --queries N"
    expect 1 "$TAMIS" plan -query - --db-residues 1G --nodes 2
    err_has "a cell needs a file of queries"
    expect 1 "$TAMIS" plan -query none.fa --db-residues 1G --nodes 2
    err_is 'tamis plan: none.fa: has no queries\n'
    expect 1 "$TAMIS" plan -query empty.fa --db-residues 1G --nodes 2
    err_is 'tamis plan: empty.fa: no query has a residue\n'
    expect 1 "$TAMIS" plan -query missing.fa --db-residues 1G --nodes 2
    err_has "missing.fa: No such file"
    expect 2 "$TAMIS" plan -query q.fa -db missing --nodes 2
    err_has "[missing]"
    expect 2 "$TAMIS" plan -query q.fa -db nucl --nodes 2
    err_has "nucl"
    expect 1 "$TAMIS" plan -query q.fa -db db --db-residues 1G --nodes 2
    err_has "-db and --db-residues cannot be used together"
    expect 1 "$TAMIS" plan -query q.fa --query-residues 5 --db-residues 1G --nodes 2
    err_has "--query-residues has no effect alone"
    expect 1 "$TAMIS" plan -query q.fa --db-residues 1G --nodes 2 --memory 10M
    err_has "a cell needs 202 MB of memory, even with a shard of 1000 of the database, and a node has 10 MB"
    expect 1 "$TAMIS" plan -query q.fa --db-residues 1G --nodes 2 --profile none
    err_has "no profile of this name"
    expect 1 "$TAMIS" plan -query q.fa --db-residues 1G --nodes 2 more
    err_has "files are named with -query and -db"
    [ ! -s out ]
}

@test "the job does not ask for more memory than a node has" {
    expect 0 "$TAMIS" plan --queries 1000000 --db-residues 200G --nodes 64 --gpu --memory 25G -num_threads 16
    local mebibytes
    mebibytes=$(sed -n 's/^  mem_mb: //p' out)
    [ "$mebibytes" -gt 20000 ]
    [ "$((mebibytes * 1048576))" -le 25000000000 ]
    grep -q -- "--mem=${mebibytes}M" out
}
