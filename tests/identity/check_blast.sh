#!/usr/bin/env bash
# check_blast.sh [DIRECTORY] - tamis blastp, blastn, blastx, tblastn and tblastx beside NCBI's on real sequences: a table of lines, lines that differ, and seconds.
#
# DIRECTORY has queries of proteins, *.fasta, and one database, *.fa.gz; default: $TAMIS_TEST_DATA/proteins. 1,000 proteins drawn from the
# database are queries too. If $TAMIS_TEST_DATA is set (CONTRIBUTING.md names what is there), blastn searches its genomes with genomes and
# reads, tblastn these genomes with proteins, blastx 20,000 proteins drawn from the database with genomes and reads, and tblastx pieces of a
# genome with those of another. What NCBI's program printed is kept in TAMIS_BLAST_CACHE (default: ~/.cache/tamis-check-blast) and used
# again; without NCBI's programs the cases are run of which that is there. Seconds are of the processors, in the programs' own code (user);
# NCBI's are those of the run that is kept. TAMIS: the command. TAMIS_THREADS: of both (default: all), but that NCBI's takes one where its
# result depends on them. TAMIS_BLAST_OPTIONS: more options of tamis, such as --device cuda. TAMIS_BLAST_ONLY: a regular expression, of the
# cases to run: "QUERIES OPTIONS", for the other programs "blastn QUERIES/DATABASE OPTIONS". Fails if a line differs.

set -euo pipefail
tamis=${TAMIS:?TAMIS is the path of the command}
data=${1:-${TAMIS_TEST_DATA:+$TAMIS_TEST_DATA/proteins}}
[[ -n $data ]] || {
    echo "check-blast: name a directory with queries, *.fasta, and a database, *.fa.gz; or set TAMIS_TEST_DATA"
    exit 2
}
data=$(cd "$data" && pwd)
cache=${TAMIS_BLAST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tamis-check-blast}
threads=${TAMIS_THREADS:-$(nproc)}
n_drawn=1000
export LC_ALL=C
unset BATCH_SIZE TAMIS_SIMD OMP_NUM_THREADS

read -r -a more <<<"${TAMIS_BLAST_OPTIONS:-}"
TIMEFORMAT=%U

printf '%-30s %-48s %9s %9s %9s %9s\n' queries options lines differ ncbi tamis
status=0
n_compared=0

# compare PROGRAM NAME FILE DATABASE NCBI_THREADS [OPTION...]: one row. What NCBI's program prints is kept in this directory.
compare() {
    local program=$1 name=$2 file=$3 db=$4 ncbi_threads=$5 options kept code=0 bad=0
    shift 5
    options="$*"
    [[ "$name ${options:-default}" =~ ${TAMIS_BLAST_ONLY:-.} ]] || return 0
    kept=$(printf '%s %s' "$options" "$(cksum <"$file")" | cksum | tr ' ' -)
    if [[ $program != blastp ]]; then kept=$program-$db-$kept; fi
    if [[ ! -s $kept.seconds ]] && ! command -v "$program" >/dev/null; then
        printf '%-30s %-48s not compared: %s is not installed (Debian: ncbi-blast+)\n' "$name" "${options:-default}" "$program"
        return 0
    fi
    n_compared=$((n_compared + 1))
    if [[ ! -s $kept.seconds ]]; then
        { time "$program" -query "$file" -db "$db" -outfmt 6 -num_threads "$ncbi_threads" "$@" >"$kept.part" 2>"$kept.err" </dev/null; } 2>seconds
        mv "$kept.part" "$kept.tsv"
        mv seconds "$kept.seconds"
    fi
    { time "$tamis" "$program" -query "$file" -db "$db" -outfmt 6 -num_threads "$threads" -q "$@" "${more[@]}" >got.tsv </dev/null 2>got.err || code=$?; } 2>seconds
    if [[ $code -ne 0 ]] || ! cmp -s "$kept.tsv" got.tsv; then
        bad=$(diff -a "$kept.tsv" got.tsv | grep -c '^[<>]' || true)
        status=1
        cp got.tsv "$kept.got.tsv"
        echo "exit code $code; what differs: $PWD/$kept.tsv $PWD/$kept.got.tsv"
    fi
    printf '%-30s %-48s %9d %9d %9s %9s\n' "$name" "${options:-default}" "$(wc -l <"$kept.tsv")" "$bad" "$(cat "$kept.seconds")" \
        "$(cat seconds)"
}

# made_file NAME COMMAND...: the command's output is the file, unless it is there.
made_file() {
    local name=$1
    shift
    [[ -s $name ]] || { "$@" >"$name.part" && mv "$name.part" "$name"; }
}

# shellcheck disable=SC2317 # made_file calls it
# drawn N: of the records of $source, each as likely as any other, in their order
drawn() {
    zcat "$source" | awk -v n="$1" -v left="$(zcat "$source" | grep -c '^>')" '
        BEGIN { srand(1) }
        /^>/ { takes = rand() * left < n; n -= takes; left-- }
        takes'
}

# --- proteins ---

proteins() {
    local file options words ncbi_threads
    source=$(find "$data" -maxdepth 1 -name '*.fa.gz' | sort | head -n 1)
    [[ -n $source ]] || {
        echo "check-blast: there is no *.fa.gz in $data"
        exit 77
    }
    # Another directory, or another database in it, has its own place.
    source_cache=$cache/$(stat -c '%n %s' "$source" | cksum | tr ' ' -)
    mkdir -p "$source_cache"
    cd "$source_cache"
    if [[ ! -e db.made ]]; then
        echo "making a database of $source ..."
        "$tamis" makedb -in "$source" -dbtype prot -title proteins -out db -logfile makedb.log
        touch db.made
    fi
    made_file "drawn$n_drawn.fasta" drawn "$n_drawn"
    while read -r file; do
        for options in "" "-comp_based_stats 0 -seg no" "-evalue 1e-3 -max_target_seqs 5" "-task blastp-fast" "-seg yes -soft_masking true" \
            "-qcov_hsp_perc 50" "-culling_limit 3" "-best_hit_overhang 0.1 -best_hit_score_edge 0.1"; do
            read -r -a words <<<"$options"
            ncbi_threads=$threads
            case $options in # with more threads than one NCBI's program prints other lines, which change from run to run
                -qcov_hsp_perc* | -culling_limit* | -best_hit*) ncbi_threads=1 ;;
            esac
            compare blastp "$(basename "$file" .fasta)" "$file" db "$ncbi_threads" "${words[@]}"
        done
    done < <(
        find "$data" -maxdepth 1 -name '*.fasta' | sort
        echo "$source_cache/drawn$n_drawn.fasta"
    )
    rm -f got.tsv got.err seconds
}

# --- bases ---

# bases_db NAME GENOME...: the database of these genomes of TAMIS_TEST_DATA
bases_db() {
    local name=$1
    shift
    [[ -e $name.made ]] || {
        zcat "${@/#/$genomes/}" | "$tamis" makedb -in - -dbtype nucl -title "$name" -out "$name" -logfile makedb.log
        touch "$name.made"
    }
}

# shellcheck disable=SC2317 # made_file calls it
# pieces LENGTH EVERY: of the one sequence of standard input LENGTH bases out of each EVERY, about, as queries
pieces() {
    awk -v length_of="$1" -v every="$2" '
        /^>/ { next }
        at % every < length_of { if (at % every < length($0)) print ">piece" ++n; print }
        { at += length($0) }'
}

# shellcheck disable=SC2317 # made_file calls it
# reads N FILE: the first N, as FASTA
reads() { zcat "$2" | awk -v n="$1" 'NR <= 4 * n && NR % 4 == 1 { print ">" substr($0, 2) } NR <= 4 * n && NR % 4 == 2'; }

# blastn NAME FILE DATABASE [OPTION...]: NCBI's program with one thread, because its batches of queries, of which lines depend, are those of one
blastn_row() { compare blastn "blastn $1/$3" "$2" "$3" 1 "${@:4}"; }

# blastx NAME FILE [OPTION...]: of the drawn proteins, with one thread, for the same reason
blastx_row() { compare blastx "blastx $1/some" "$2" some 1 "${@:3}"; }

# shellcheck disable=SC2317 # made_file calls it
# 2,000 bases out of each 4,600 of K-12, about: 2 Mbp
two_mbp_of_pieces() { pieces 2000 4600 <k12.fa; }

bases() {
    local genomes=$TAMIS_TEST_DATA/genomes file name task options words
    mkdir -p "$cache/bases"
    cd "$cache/bases"
    made_file k12.fa zcat "$genomes/ecoli_k12_mg1655.fa.gz"
    made_file chr3.fa zcat "$genomes/human_chr3_2Mbp.fa.gz"
    made_file yeast.fa zcat "$genomes/yeast_s288c.fa.gz"
    made_file k12_pieces.fa pieces 2100 70000 <k12.fa
    made_file yeast_pieces.fa pieces 2100 210000 <yeast.fa
    made_file chr3_pieces.fa pieces 2000 100000 <chr3.fa
    made_file chr3_few.fa pieces 500 400000 <chr3.fa
    bases_db o157 ecoli_o157h7_sakai.fa.gz
    bases_db three ecoli_k12_mg1655.fa.gz ecoli_o157h7_sakai.fa.gz shigella_dysenteriae.fa.gz
    bases_db k12 ecoli_k12_mg1655.fa.gz
    bases_db yeast yeast_s288c.fa.gz
    bases_db human human_hg19_alt_41Mbp.fa.gz

    blastn_row k12 k12.fa o157
    blastn_row k12 k12.fa three
    blastn_row k12_pieces k12_pieces.fa three -task blastn
    blastn_row k12_pieces k12_pieces.fa o157 -task dc-megablast
    blastn_row yeast yeast.fa yeast -evalue 1e-10
    blastn_row yeast_pieces yeast_pieces.fa yeast -task blastn
    blastn_row chr3 chr3.fa human -evalue 1e-10 # minutes of NCBI's program
    blastn_row chr3 chr3.fa human -evalue 1e-10 -dust no
    blastn_row chr3_pieces chr3_pieces.fa human -dust no -max_target_seqs 5 -evalue 1e-30
    # of all 2 Mbp these would be hours of NCBI's program, and gigabytes
    blastn_row chr3_pieces chr3_pieces.fa human -task blastn -evalue 1e-5
    blastn_row chr3_pieces chr3_pieces.fa human -task blastn -evalue 1e-5 -dust no
    blastn_row chr3_pieces chr3_pieces.fa human -task dc-megablast -evalue 1e-5
    blastn_row chr3_few chr3_few.fa human -task blastn-short -evalue 1e-5
    for file in "$TAMIS_TEST_DATA"/reads/*.f*q.gz; do
        name=$(basename "$file" | sed 's/\.f.*//')
        made_file "$name.fa" reads 10000 "$file"
        made_file "$name.few.fa" reads 1000 "$file"
        for task in megablast blastn dc-megablast; do blastn_row "$name" "$name.fa" k12 -task "$task"; done
        blastn_row "$name.few" "$name.few.fa" k12 -task blastn-short # minutes of NCBI's program on all
    done
    for options in "" "-comp_based_stats 0" "-seg no -evalue 1e-5 -max_intron_length 3000" "-task tblastn-fast" "-sum_stats false -db_gencode 11"; do
        read -r -a words <<<"$options"
        compare tblastn "tblastn batch100/k12" "$TAMIS_TEST_DATA/proteins/batch100.fasta" k12 1 "${words[@]}"
        compare tblastn "tblastn batch100/human" "$TAMIS_TEST_DATA/proteins/batch100.fasta" human 1 "${words[@]}"
    done
    made_file drawn20000.fasta drawn 20000
    [[ -e some.made ]] || { "$tamis" makedb -in drawn20000.fasta -dbtype prot -title some -out some -logfile makedb.log && touch some.made; }
    made_file h_influenzae.fa zcat "$genomes/h_influenzae.fa.gz"
    made_file two_mbp_pieces.fa two_mbp_of_pieces
    for options in "" "-comp_based_stats 0 -evalue 1e-3" "-seg no -max_target_seqs 5 -query_gencode 11" "-task blastx-fast" "-sum_stats false -strand plus"; do
        read -r -a words <<<"$options"
        blastx_row two_mbp_pieces two_mbp_pieces.fa "${words[@]}"
    done
    blastx_row h_influenzae h_influenzae.fa # whole, in chunks
    made_file h_influenzae_half.fa pieces 2000 4600 <h_influenzae.fa # 0.8 Mbp
    [[ -e pieces.made ]] || {
        "$tamis" makedb -in two_mbp_pieces.fa -dbtype nucl -title pieces -out pieces -logfile makedb.log && touch pieces.made
    }
    for options in "" "-seg no -evalue 1e-5" "-sum_stats false -strand minus -query_gencode 11 -db_gencode 11" "-culling_limit 2" \
        "-best_hit_overhang 0.1 -best_hit_score_edge 0.1 -max_target_seqs 5"; do
        read -r -a words <<<"$options"
        compare tblastx "tblastx h_influenzae/k12 pieces" h_influenzae_half.fa pieces 1 "${words[@]}"
    done
    for file in "$TAMIS_TEST_DATA"/reads/*.f*q.gz; do
        name=$(basename "$file" | sed 's/\.f.*//')
        blastx_row "$name" "$name.fa"
    done
    rm -f got.tsv got.err seconds
}

proteins
if [[ -n ${TAMIS_TEST_DATA:-} ]]; then bases; fi
[[ $n_compared -gt 0 ]] || exit 77
exit "$status"
