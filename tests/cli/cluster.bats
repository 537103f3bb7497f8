# The commands of doc/cluster.md for Slurm and Nextflow, with a fake sbatch: each job of an array runs at once.
load common
load proteins
load bases

# fake_sbatch: bin/sbatch, which runs --wrap, or the script behind its options, for each number of --array, and prints the number of a job.
fake_sbatch() {
    mkdir bin
    ln -s "$TAMIS" bin/tamis
    cat >bin/sbatch <<'EOF'
#!/bin/bash
array= wrap=
while [[ ${1:-} == -* ]]; do
    [[ $1 != --array=* ]] || array=${1#*=}
    [[ $1 != --wrap ]] || wrap=$2 && [[ $1 != --wrap ]] || shift
    shift
done
[ -z "$wrap" ] || set -- bash -c "$wrap"
for range in ${array//,/ }; do
    for n in $(seq "${range%-*}" "${range#*-}"); do
        SLURM_ARRAY_TASK_ID=$n SLURM_CPUS_PER_TASK=1 "$@" >&2
    done
done
[ -n "$array" ] || "$@" >&2
echo 7
EOF
    chmod +x bin/sbatch
    PATH=$PWD/bin:$PATH
}

# page: the indented lines of doc/cluster.md, without comments
page() { sed -n 's/^    \(.*[^ ]\) *$/\1/p' "$TAMIS_SOURCE/doc/cluster.md" | sed 's/   *# .*//'; }

# lines PATTERN: those of the page that have it; fails if none has
lines() { page | grep -- "$1"; }

# search: q.fa, the database db, and want, which is one run's output.
search() {
    proteins 20 1 q >q.fa
    proteins 60 2 s >s.fa
    "$TAMIS" makedb -in s.fa -dbtype prot -out db >/dev/null
    "$TAMIS" blastp -q --device cpu -query q.fa -db db "$@" -outfmt 6 >want
    [ -s want ]
}

@test "Slurm: an array and its report; what is missing or damaged is made by the same line" {
    fake_sbatch
    search -evalue 1e-5
    lines 'tamis-array.sh submit' | sed "s|/usr/share/tamis|$TAMIS_SOURCE/share/tamis|; s|/shared/nr|db|" >submit
    expect 0 bash -euo pipefail submit
    out_is '7\n'
    cmp want hits.tsv
    rm parts/2.part parts/16.part hits.tsv
    head -c 100 parts/5.part >damaged
    mv damaged parts/5.part
    expect 1 "$TAMIS" report --check parts/*.part
    out_is '2,5,16\n'
    expect 0 bash -euo pipefail submit
    cmp want hits.tsv
    # the report job alone, and without any part
    rm parts/7.part
    expect 2 "$TAMIS_SOURCE/share/tamis/workflow/tamis-array.sh" report parts hits.tsv 6
    err_has 'cells 7 are missing: run the same submit again'
    rm parts/*.part
    expect 2 "$TAMIS_SOURCE/share/tamis/workflow/tamis-array.sh" report parts hits.tsv 6
    err_has 'cells of all numbers are missing'
}

@test "Nextflow: the script of the process, each in a folder of its own, and the report" {
    fake_sbatch
    search
    local k script report
    script=$(lines '^  script: "tamis blastp' | sed 's/^  script: "\(.*\)"$/\1/; s/\${params\.\(db\|shards\)}/$\1/g')
    report=$(grep -o 'runs `tamis report \*.part [^`]*`' "$TAMIS_SOURCE/doc/cluster.md" | sed 's/^runs `//; s/`$//; s/\${params\.db}/$db/')
    [ -n "$report" ]
    export db=$PWD/db shards=3 query=q.fa k
    for k in 1 2 3; do
        mkdir "work$k"
        ln -s "$PWD/q.fa" "work$k"
        (cd "work$k" && bash -euo pipefail -c "$script" && [ "$(echo *.part)" = "$k.part" ])
    done
    mkdir all
    ln -s "$PWD"/work?/*.part "$PWD/q.fa" all
    (cd all && bash -euo pipefail -c "$report")
    cmp want all/hits.tsv
}

@test "a filter: cells as an array, the missing ones again, and the whole filter" {
    fake_sbatch
    mkdir words parts
    local i
    for i in 1 2 3 4 5; do words 2000 "w$i." | gzip >"words/$i.gz"; done
    lines "^cell='tamis build" | sed 's/4G/20K/' >cells
    lines '^sbatch --array=1-16' >>cells
    expect 0 bash -euo pipefail cells
    rm parts/2.tms parts/1[0-2].tms
    head -c 300 parts/7.tms >damaged
    mv damaged parts/7.tms
    expect 1 bash -euo pipefail -c "$(lines '^tamis merge --check')"
    out_is '2,7,10-12\n'
    { head -n 1 cells && lines '^sbatch --array=$(tamis merge --check'; } >again
    expect 0 bash -uo pipefail again
    expect 0 bash -euo pipefail -c "$(lines '^tamis merge --expect 16')"
    "$TAMIS" build -q --expected 20K -o whole.tms words/*.gz
    cmp whole.tms all.tms
}

@test "reads: shards, their check, the sum of the summaries, and the reads that are left" {
    fake_sbatch
    local k
    bases 40 1 g | awk '!/>/ { print ">" NR; print }' >g.fa
    "$TAMIS" build -q --kmer 21 -o all.tms g.fa
    { cat g.fa && bases 90 3 r; } | awk '!/>/ { q = $0; gsub(/./, "I", q); print "@r" ++n "\n" $0 "\n+\n" q }' | gzip >r1.fq.gz
    bases 130 4 r | awk '!/>/ { q = $0; gsub(/./, "I", q); print "@r" ++n "\n" $0 "\n+\n" q }' | gzip >r2.fq.gz
    lines '^tamis classify -f all.tms --shard 3/16' | sed 's|3\([/.]\)|$k\1|g' >shard
    mkdir s
    export k
    for k in {1..16}; do expect 0 bash -euo pipefail shard; done
    expect 0 bash -euo pipefail -c "$(lines '^tamis report --check s')"
    lines '^tamis report s/' >join
    lines '^cat s/' >>join
    expect 0 bash -euo pipefail join
    "$TAMIS" classify -q -f all.tms --json want.json --remove -o want.fq.gz r1.fq.gz r2.fq.gz
    cmp want.json sample_mqc.json
    cmp <(gzip -dc want.fq.gz) <(gzip -dc clean.fq.gz)
    gzip -dc clean.fq.gz | grep -q .
    rm s/4.json
    expect 1 bash -euo pipefail -c "$(lines '^tamis report --check s')"
    out_is '4\n'
}
