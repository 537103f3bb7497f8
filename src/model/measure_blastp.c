/*
 * measure_blastp.c - how fast BLASTP goes through random proteins, on the CPU and on a GPU. Its first stages take about as long with real
 * ones: hits of words come by chance but for a few.
 */
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "model/measure.h"
#include "tamis/blastp.h"

/* As many queries as fill one table of words on the CPU, and all of a GPU. */
enum { CPU_QUERIES = 33, GPU_QUERIES = 100, LENGTH = 340, N_TIMES = 3 };
/* Of subjects: for some tenths of a second of each thread. With fewer letters threads wait for the last one. */
#define LETTERS_A_THREAD ((size_t)1 << 20)
#define MOST_LETTERS     ((size_t)64 << 20)
#define LETTERS_OF_GPU   ((size_t)1 << 24) /* some hundredths */

/* How often each amino acid comes among so many [Robinson & Robinson 1991]. */
enum { AMINO_ACIDS = 999 };
static const struct {
    char letter;
    int n;
} amino_acids[] = {{'A', 78}, {'R', 51}, {'N', 45}, {'D', 54}, {'C', 19}, {'Q', 43}, {'E', 63}, {'G', 74}, {'H', 22}, {'I', 51},
                   {'L', 91}, {'K', 57}, {'M', 22}, {'F', 39}, {'P', 52}, {'S', 71}, {'T', 58}, {'W', 13}, {'Y', 32}, {'V', 64}};

static uint8_t amino_acid(uint64_t random)
{
    int left = (int)(random % AMINO_ACIDS), i = 0;
    while (left >= amino_acids[i].n)
        left -= amino_acids[i++].n;
    return (uint8_t)amino_acids[i].letter;
}

/* Random proteins of LENGTH letters, without names. */
struct proteins {
    tms_seqs seqs;
    uint8_t *residues;
    uint64_t *residue_starts, *header_starts;
    char *headers;
    uint32_t *name_sizes;
};

static void proteins_free(struct proteins *p)
{
    free(p->residues);
    free(p->residue_starts);
    free(p->header_starts);
    free(p->headers);
    free(p->name_sizes);
}

static void draw_letters(struct proteins *p, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t *to = p->residues + i * (LENGTH + 1);
        for (size_t j = 0; j < LENGTH; j++)
            to[j] = amino_acid(core_splitmix(seed, i * LENGTH + j));
        to[LENGTH] = 0;
    }
}

/* 0: no memory. Freed by the caller in both cases. */
static int make_proteins(size_t n, uint64_t seed, struct proteins *p)
{
    *p = (struct proteins){.residues = malloc(n * (LENGTH + 1)),
                           .residue_starts = malloc((n + 1) * sizeof *p->residue_starts),
                           .header_starts = malloc((n + 1) * sizeof *p->header_starts),
                           .headers = calloc(n, 1),
                           .name_sizes = calloc(n, sizeof *p->name_sizes)};
    if (!p->residues || !p->residue_starts || !p->header_starts || !p->headers || !p->name_sizes)
        return 0;
    draw_letters(p, n, seed);
    for (size_t i = 0; i <= n; i++) {
        p->residue_starts[i] = i * (LENGTH + 1);
        p->header_starts[i] = i;
    }
    p->seqs = (tms_seqs){.n_records = n,
                         .residues = p->residues,
                         .residue_starts = p->residue_starts,
                         .headers = p->headers,
                         .header_starts = p->header_starts,
                         .name_sizes = p->name_sizes};
    return 1;
}

/* Seconds of the first stages, of all threads together: on a GPU of the one that drives it, and of those that take what it found. */
static double seconds_of(const tms_blastp *search)
{
    tms_blastp_stats stats;
    tms_blastp_get_stats(search, &stats);
    return stats.seconds_scan + stats.seconds_gapped;
}

/* The first time does not count. */
static tms_status search_times(tms_blastp *search, const tms_seqs *queries, struct measure_times *times)
{
    tms_status status = TMS_OK;
    for (int turn = -1; turn < N_TIMES && status == TMS_OK; turn++) {
        const double before = seconds_of(search);
        tms_blastp_results *results;
        status = tms_blastp_search(search, queries, &results);
        if (status != TMS_OK)
            break;
        tms_blastp_results_destroy(results);
        if (turn >= 0)
            times->seconds[times->n++] = seconds_of(search) - before;
    }
    return status;
}

/* On the context's device: n_queries against so many letters. */
static tms_status measure_cells(tms_context *ctx, size_t n_queries, size_t n_letters, double *cells)
{
    const size_t n = n_letters / LENGTH;
    struct measure_times times = {0};
    struct proteins queries = {0}, subjects = {0};
    tms_seqdb *db = NULL;
    tms_blastp *search = NULL;
    tms_status status = make_proteins(n_queries, 1, &queries) && make_proteins(n, 2, &subjects) ? TMS_OK : TMS_E_MEMORY;
    if (status == TMS_OK)
        status = tms_seqdb_from_seqs(ctx, &subjects.seqs, TMS_PROTEIN, "", &db);
    if (status == TMS_OK)
        status = tms_blastp_create(ctx, db, NULL, &search);
    if (status == TMS_OK)
        status = search_times(search, &queries.seqs, &times);
    if (status == TMS_OK) {
        tms_measurement m;
        measure_summary(&times, &m);
        *cells = m.seconds > 0 ? (double)(n_queries * LENGTH) * (double)(n * LENGTH) / m.seconds : 0;
    }
    tms_blastp_destroy(search);
    tms_seqdb_destroy(db);
    proteins_free(&queries);
    proteins_free(&subjects);
    return status == TMS_E_MEMORY ? TMS_OK : status;
}

tms_status measure_blastp(tms_context *ctx, double *cpu_cells, double *gpu_cells)
{
    struct gpu *gpu = ctx->gpu;
    const size_t n_letters = (size_t)ctx->n_threads * LETTERS_A_THREAD;
    *cpu_cells = *gpu_cells = 0;
    ctx->gpu = NULL;
    tms_status status = measure_cells(ctx, CPU_QUERIES, n_letters < MOST_LETTERS ? n_letters : MOST_LETTERS, cpu_cells);
    ctx->gpu = gpu;
    return gpu && status == TMS_OK ? measure_cells(ctx, GPU_QUERIES, LETTERS_OF_GPU, gpu_cells) : status;
}
