/*
 * measure_blastp.c - the rate of a BLASTP search of random proteins, on the CPU and on a GPU. Its first stages take about as long with real
 * proteins, where nearly all word hits are chance hits too.
 */
#include "base/core.h"
#include "model/measure.h"
#include "score/karlin.h"
#include "score/matrix.h"
#include "seq/seq_batch.h"
#include "tamis/alphabet.h"
#include "tamis/blastp.h"

/* On the CPU about as many queries as those from which on a GPU saves time; a GPU's whole batch. */
enum { CPU_QUERIES = 33, GPU_QUERIES = 100, LENGTH = 340, N_TIMES = 3 };
/* Residues of subjects: some tenths of a second per thread, of which the lookup tables take a twentieth. */
#define LETTERS_A_THREAD ((size_t)1 << 20)
#define MOST_LETTERS     ((size_t)64 << 20)
#define LETTERS_OF_GPU   ((size_t)1 << 24) /* some hundredths of a second */

/* The residue at quantile `at`, 0 .. 1, of the residue frequencies. */
static uint8_t letter_at(const double background[RESIDUE_CODES], double at)
{
    int code = 0;
    while (code + 1 < RESIDUE_CODES && (at -= background[code]) >= 0)
        code++;
    return (uint8_t)tms_alphabet_letters(TMS_ALPHABET_NCBISTDAA)[code];
}

/* Makes random proteins with n_letters residues in total. Returns false if memory is insufficient; the caller frees them in both cases. */
static bool make_proteins(size_t n_letters, uint64_t seed, struct seq_batch *out)
{
    double background[RESIDUE_CODES];
    uint8_t letters[LENGTH];
    score_background(background);
    bool is_made = seq_batch_clear(out, 0, false);
    for (size_t i = 0; is_made && i + LENGTH <= n_letters; i += LENGTH) {
        for (size_t j = 0; j < LENGTH; j++)
            letters[j] = letter_at(background, (double)(core_splitmix(seed, i + j) >> 11) * 0x1p-53);
        is_made = seq_batch_begin(out, "", 0) && seq_batch_residues(out, letters, LENGTH) && seq_batch_end(out);
    }
    return is_made;
}

/*
 * Seconds of the first stages until now: on the CPU, the CPU time of all threads, which is not longer on a busy machine; with a GPU, the
 * time of the thread that drives it and of those that process its results.
 */
static double seconds_of(const tms_context *ctx, const tms_blastp *search)
{
    tms_search_stats stats;
    if (!ctx->gpu)
        return measure_cpu_seconds();
    tms_blastp_get_stats(search, &stats);
    return stats.seconds_scan + stats.seconds_gapped;
}

/* Discards the first run. */
static tms_status scan_times(const tms_context *ctx, tms_blastp *search, const tms_seqs *queries, struct measure_times *times)
{
    tms_status status = TMS_OK;
    for (int turn = -1; turn < N_TIMES && status == TMS_OK; turn++) {
        const double before = seconds_of(ctx, search);
        tms_search_found *found;
        status = tms_blastp_scan(search, queries, &found);
        if (status != TMS_OK)
            break;
        if (turn >= 0)
            times->seconds[times->n++] = seconds_of(ctx, search) - before;
        tms_search_found_destroy(found);
    }
    return status;
}

/* Measures the rate on the context's device with two sets of proteins. */
static tms_status measure_batches(tms_context *ctx, const struct seq_batch *queries, const struct seq_batch *subjects, double *cells)
{
    struct measure_times times = {0};
    tms_seqdb *db = NULL;
    tms_blastp *search = NULL;
    tms_seqs seqs;
    seq_batch_view(subjects, &seqs);
    tms_status status = tms_seqdb_from_seqs(ctx, &seqs, TMS_PROTEIN, "", &db);
    if (status == TMS_OK)
        status = tms_blastp_create(ctx, db, NULL, &search);
    seq_batch_view(queries, &seqs);
    if (status == TMS_OK)
        status = scan_times(ctx, search, &seqs, &times);
    if (status == TMS_OK) {
        tms_measurement m;
        measure_summary(&times, &m);
        *cells = m.seconds > 0 ? (double)(queries->n_records * LENGTH) * (double)(subjects->n_records * LENGTH) / m.seconds : 0;
    }
    tms_blastp_destroy(search);
    tms_seqdb_destroy(db);
    return status;
}

static tms_status measure_cells(tms_context *ctx, size_t n_queries, size_t n_letters, double *cells)
{
    struct seq_batch queries = {0}, subjects = {0};
    tms_status status = TMS_E_MEMORY;
    if (make_proteins(n_queries * LENGTH, 1, &queries) && make_proteins(n_letters, 2, &subjects))
        status = measure_batches(ctx, &queries, &subjects, cells);
    seq_batch_free(&queries);
    seq_batch_free(&subjects);
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
