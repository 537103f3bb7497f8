/* main.c - tamis-bench: one program, one part per question. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const struct part {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
    const char *columns; /* NULL: what it prints is no table */
} parts[] = {
    {"cpu", bench_cpu, "[N] 20-byte strings, blocked filter, against XXH3 alone (default 1e7)", BENCH_COLUMNS},
    {"gpu", bench_gpu, "[--sweep] keys in device memory, against the random-access limits", BENCH_COLUMNS},
    {"classic", bench_classic, "GPU schedules of the classic layout over k", BENCH_COLUMNS},
    {"rows", bench_rows, "GPU schedules of the probabilistic layout; the thesis's block layouts", BENCH_COLUMNS},
    {"rates", bench_rates, "[LEAST] blocked filters sized for rates down to LEAST (default 1e-9): expected and measured",
     BENCH_RATES_COLUMNS},
    {"bank", bench_bank, "[target|fig7|fig9|fig15|fig16] [Ma11]: filters of w-mers, both schedules; its Figs. 7-16", BENCH_BANK_COLUMNS},
    {"host", bench_host, "[N] keys in host memory, copies included, against the copies alone", BENCH_COLUMNS},
    {"ong", bench_ong, "[MAX_N] [Ong13]: AP hash, k = 500, fpp = 1/n: serial, threads, CUDA", BENCH_COLUMNS},
    {"thesis", bench_thesis, "[BYTES] [thesis], Figs. 13, 14 (batches up to BYTES), 15: serial, threads, CUDA", BENCH_COLUMNS},
    {"pbf", bench_pbf, "[N] probabilistic filter: plain, geometric, CUDA (at most N keys)", BENCH_COLUMNS},
    {"accuracy", bench_accuracy, "[ITEMS] [KEYS] frequencies estimated by the probabilistic filter and by count-min",
     BENCH_ACCURACY_COLUMNS},
    {"fpr", bench_fpr, "QUERY SUBJECT [W] [Ma11], Figs. 4-6: measured and predicted false positive rates on DNA", BENCH_FPR_COLUMNS},
    {"records", bench_records, "[--once] FILE... FASTA and FASTQ into batches, against the bytes and their lines alone",
     BENCH_RECORDS_COLUMNS},
    {"classify", bench_classify, "READS FILTER.tms... reads to verdicts and outputs, against the same with the test left out",
     BENCH_CLASSIFY_COLUMNS},
    {"parts", bench_parts, "PART... reads the parts of a search, as tamis report does", BENCH_PARTS_COLUMNS},
    {"blastp", bench_blastp, "[--once] DATABASE QUERY.fa... [Zhang14], Figs. 14-17: steps on a GPU, cuBLASTP's and tamis's own",
     BENCH_BLASTP_COLUMNS},
    {"blastn", bench_blastn, "DATABASE QUERY.fa [Ma11]: all of blastn on a GPU, behind a bank of filters and as it is",
     BENCH_BLASTN_COLUMNS},
    {"words", bench_words, "filters of w-mers, sequences in device memory, over their size; [Ma12], Fig. 9", BENCH_COLUMNS},
    {"sieve", bench_sieve, "stage 1 of blastn on a GPU, over words and sizes, against random reads", BENCH_COLUMNS},
    {"shapes", bench_shapes, "the launch shapes that the model picks, against all others, measured", NULL},
    {"model", bench_model, "... [GROUP]: the workloads of the performance model, measured", NULL},
    {"hashes", bench_hashes, "MATRIX [STEPS] [SEED] looks for hashes from which bounds of scores are near", NULL},
    {"keys", bench_keys, "... files to feed the command with: random words, thesis keys, Zipf streams", NULL},
    {"genomes", bench_genomes, "... sequences to feed the command with: mutated copies of genomes, reads", NULL},
};
#define N_PARTS (sizeof parts / sizeof *parts)

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < N_PARTS; i++)
        if (strcmp(argv[1], parts[i].name) == 0) {
            if (parts[i].columns)
                bench_header(argc, argv, parts[i].columns);
            return parts[i].run(argc - 1, argv + 1);
        }
    fprintf(stderr, "usage: tamis-bench PART [OPTIONS]\n\n");
    for (size_t i = 0; i < N_PARTS; i++)
        fprintf(stderr, "  %-8s %s\n", parts[i].name, parts[i].help);
    return argc > 1 ? 2 : 0;
}
