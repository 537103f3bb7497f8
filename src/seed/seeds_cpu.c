/*
 * seeds_cpu.c - stage 1 on CPU threads.
 *
 * A subject is cut into tasks of TASK_BASES bases. A thread processes a task's windows in batches: it extracts words, tests the filters and
 * looks up the words that passed. Every step handles a whole batch, so that its memory accesses overlap. A task writes its hits at its own
 * start, and the hits are compacted at the end: the result does not depend on the number of threads.
 */
#include <stdlib.h>
#include <string.h>

#include "seed/seeds_internal.h"

#define TASK_BASES ((size_t)1 << 16)
#define PASS_BYTES ((size_t)4 << 20) /* most memory for one thread's answers, unless one word's answers take more */

_Static_assert(WINDOW_REVERSED == WORD_REVERSED, "a window's mark goes into its hits as it is");

/* A thread's buffers. */
struct worker {
    size_t batch;
    uint64_t *words, *pass;
    uint32_t *starts, *positions;
    tms_seeds_tally tally;
    uint64_t *sub_counts; /* per sub-query: n_subs counts of passes, then n_subs of true passes; NULL if not requested */
};

static bool worker_create(const tms_seeds *seeds, bool with_sub_counts, struct worker *worker)
{
    const struct bank *bank = &seeds->bank;
    size_t batch = bank_query_batch(bank), most = PASS_BYTES * 8 / bank_width(&bank->shape) / 64 * 64;
    if (batch > most)
        batch = most ? most : 64;
    worker->batch = batch;
    worker->words = malloc(batch * sizeof *worker->words);
    worker->starts = malloc(batch * sizeof *worker->starts);
    worker->positions = malloc(batch * bank->shape.k * sizeof *worker->positions);
    worker->pass = malloc(BANK_PASS_U64(bank, batch) * sizeof *worker->pass);
    if (with_sub_counts)
        worker->sub_counts = calloc(2 * (size_t)seeds->info.n_sub_queries, sizeof *worker->sub_counts);
    return worker->words && worker->starts && worker->positions && worker->pass && (worker->sub_counts || !with_sub_counts);
}

static void worker_destroy(struct worker *worker)
{
    free(worker->words);
    free(worker->starts);
    free(worker->positions);
    free(worker->pass);
    free(worker->sub_counts);
}

/* A scan of a subject's windows in tasks. A thread creates its worker with its first task. */
struct job {
    const tms_context *ctx;
    const tms_seeds *seeds;
    const struct windows *windows;
    size_t n_bases;
    bool with_sub_counts;
    struct worker *workers; /* ctx->n_threads */
    tms_seed_hit *hits;     /* NULL: hits are not requested */
    size_t *counts;         /* number of hits, by task */
    int failed;             /* set if memory is insufficient; atomic */
};

static struct worker *job_worker(struct job *job, int thread)
{
    struct worker *worker = &job->workers[thread];
    if (!worker->batch && !worker_create(job->seeds, job->with_sub_counts, worker))
        __atomic_store_n(&job->failed, 1, __ATOMIC_RELAXED);
    return __atomic_load_n(&job->failed, __ATOMIC_RELAXED) ? NULL : worker;
}

static void job_free(struct job *job)
{
    for (int t = 0; job->workers && t < job->ctx->n_threads; t++)
        worker_destroy(&job->workers[t]);
    free(job->workers);
    free(job->counts);
}

static size_t next_batch(const tms_context *ctx, const tms_seeds *seeds, struct worker *worker, struct windows_walk *walk)
{
    size_t n = windows_next(walk, worker->words, worker->starts, worker->batch);
    bank_query_cpu(ctx->simd, &seeds->bank, worker->words, n, worker->positions, worker->pass);
    return n;
}

static struct windows_walk task_windows(const struct windows *windows, size_t task, size_t n_bases)
{
    size_t end = (task + 1) * TASK_BASES;
    return windows_begin(windows, (uint32_t)(task * TASK_BASES), (uint32_t)(end < n_bases ? end : n_bases));
}

/* The first set bit from bit `at` on; `end` if there is none. */
static inline uint64_t next_bit(const uint64_t *bits, uint64_t at, uint64_t end)
{
    while (at < end) {
        uint64_t word = bits[at >> 6] >> (at & 63);
        if (word) {
            at += (unsigned)__builtin_ctzll(word);
            return at < end ? at : end;
        }
        at = (at | 63) + 1;
    }
    return end;
}

/* Moves the words that pass some sub-query to the front. Returns how many. */
static size_t keep_passed(const tms_seeds *seeds, struct worker *worker, size_t n)
{
    uint64_t width = bank_width(&seeds->bank.shape);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bit = i * width, end = bit + width;
        worker->words[kept] = worker->words[i];
        worker->starts[kept] = worker->starts[i];
        kept += width == 1 ? worker->pass[bit >> 6] >> (bit & 63) & 1 : next_bit(worker->pass, bit, end) < end;
    }
    return kept;
}

/* Counts the sub-queries that contain a word, each once. */
static void count_true(const tms_seeds *seeds, uint32_t entry, uint64_t *n_true)
{
    uint32_t last = UINT32_MAX;
    for (uint32_t i = seeds->table.entries[entry].first; i < seeds->table.entries[entry + 1].first; i++) {
        uint32_t sub = seeds_sub_query(seeds, TMS_SEED_BASE(seeds->table.positions[i]));
        n_true[sub] += sub != last;
        last = sub;
    }
}

/* Adds each sub-query's passes of a batch of n words to its count. */
static void count_passed(const tms_seeds *seeds, const struct worker *worker, size_t n, uint64_t *n_passed)
{
    uint64_t width = bank_width(&seeds->bank.shape);
    for (size_t i = 0; i < n; i++)
        for (uint64_t bit = i * width, end = bit + seeds->info.n_sub_queries; (bit = next_bit(worker->pass, bit, end)) < end; bit++)
            n_passed[bit - i * width]++;
}

/*
 * hits NULL: computes only the tally. A worker with sub_counts also counts passes and true passes per sub-query.
 * Returns the number of hits.
 */
static size_t scan_windows(const tms_context *ctx, const tms_seeds *seeds, struct worker *worker, struct windows_walk walk,
                           tms_seed_hit *hits)
{
    tms_seeds_tally *tally = &worker->tally;
    uint64_t *counts = worker->sub_counts;
    uint32_t entries[WORD_TABLE_BATCH];
    size_t n_hits = 0;
    for (size_t n; (n = next_batch(ctx, seeds, worker, &walk)) > 0;) {
        if (counts)
            count_passed(seeds, worker, n, counts);
        size_t passed = keep_passed(seeds, worker, n);
        tally->n_tested += n;
        tally->n_passed += passed;
        for (size_t first = 0; first < passed; first += WORD_TABLE_BATCH) {
            size_t some = passed - first < WORD_TABLE_BATCH ? passed - first : WORD_TABLE_BATCH;
            word_table_look_up(&seeds->table, worker->words + first, some, entries);
            for (size_t i = 0; i < some; i++) {
                if (entries[i] == WORD_NONE)
                    continue;
                const struct word_entry *entry = &seeds->table.entries[entries[i]];
                uint32_t start = worker->starts[first + i];
                tally->n_seeds += entry[1].first - entry->first;
                if (hits)
                    hits[n_hits] = (tms_seed_hit){start & ~WINDOW_REVERSED, entries[i] | (start & WINDOW_REVERSED)};
                if (counts)
                    count_true(seeds, entries[i], counts + seeds->info.n_sub_queries);
                n_hits++;
            }
        }
    }
    tally->n_true += n_hits;
    return n_hits;
}

static tms_status no_memory(tms_context *ctx) { return context_fail_memory(ctx, "testing w-mers", PASS_BYTES); }

static void scan_task(void *arg, size_t task, int thread)
{
    struct job *job = arg;
    struct worker *worker = job_worker(job, thread);
    if (worker)
        job->counts[task] = scan_windows(job->ctx, job->seeds, worker, task_windows(job->windows, task, job->n_bases),
                                         job->hits ? job->hits + task * TASK_BASES : NULL);
}

tms_status seeds_scan_cpu(tms_context *ctx, const tms_seeds *seeds, struct seeds_scan_call *call)
{
    size_t n_tasks = (call->n_bases + TASK_BASES - 1) / TASK_BASES;
    tms_seed_hit *hits = call->hits;
    struct job job = {.ctx = ctx,
                      .seeds = seeds,
                      .windows = call->windows,
                      .n_bases = call->n_bases,
                      .hits = hits,
                      .with_sub_counts = call->subs != NULL,
                      .workers = calloc((size_t)ctx->n_threads, sizeof *job.workers),
                      .counts = calloc(n_tasks + 1, sizeof *job.counts)};
    tms_status status = job.workers && job.counts ? tms_context_run(ctx, n_tasks, scan_task, &job) : no_memory(ctx);
    if (status == TMS_OK && job.failed)
        status = no_memory(ctx);
    for (size_t task = 0; task < n_tasks && hits && status == TMS_OK; task++) {
        memmove(hits + call->n_hits, hits + task * TASK_BASES, job.counts[task] * sizeof *hits);
        call->n_hits += job.counts[task];
    }
    for (int t = 0; t < ctx->n_threads && status == TMS_OK; t++) {
        const tms_seeds_tally *own = &job.workers[t].tally;
        call->tally.n_tested += own->n_tested;
        call->tally.n_passed += own->n_passed;
        call->tally.n_true += own->n_true;
        call->tally.n_seeds += own->n_seeds;
        for (uint32_t i = 0; i < seeds->info.n_sub_queries && job.workers[t].sub_counts; i++) {
            call->subs[i].n_passed += job.workers[t].sub_counts[i];
            call->subs[i].n_true += job.workers[t].sub_counts[seeds->info.n_sub_queries + i];
        }
    }
    job_free(&job);
    return status;
}

/* ---- stage 1a alone ---------------------------------------------------------------------------------------------- */

/*
 * All threads test a round of batches; one thread writes the passes in order. A round that does not fit is cut before the first word
 * that does not fit, and later tests are wasted: so the size of a round allows for up to a quarter of the tests passing.
 */
struct filtered {
    struct worker worker;
    size_t n;
};

struct filtering {
    tms_simd simd;
    const tms_seeds *seeds;
    struct filtered *batches;
};

static void test_batch(void *arg, size_t i, int thread)
{
    const struct filtering *f = arg;
    const struct filtered *batch = &f->batches[i];
    (void)thread;
    bank_query_cpu(f->simd, &f->seeds->bank, batch->worker.words, batch->n, batch->worker.positions, batch->worker.pass);
}

/* Writes a batch's passes. Returns true if all fit; otherwise `next` is the first w-mer whose passes do not fit. */
static int write_passes(const tms_seeds *seeds, const struct filtered *batch, struct seeds_filter_call *call)
{
    uint64_t width = bank_width(&seeds->bank.shape);
    uint32_t n_subs = seeds->info.n_sub_queries;
    for (size_t i = 0; i < batch->n; i++) {
        uint32_t start = batch->worker.starts[i] & ~WINDOW_REVERSED;
        size_t before = call->n_passes;
        uint64_t end = i * width + n_subs;
        for (uint64_t bit = i * width; (bit = next_bit(batch->worker.pass, bit, end)) < end; bit++) {
            if (call->n_passes == call->capacity) {
                call->n_passes = before;
                call->next = start;
                return 0;
            }
            call->passes[call->n_passes++] = (tms_seed_pass){start, (uint32_t)(bit - i * width)};
        }
        call->tally.n_tested++;
        call->tally.n_passed += call->n_passes > before;
    }
    return 1;
}

tms_status seeds_filter_cpu(tms_context *ctx, const tms_seeds *seeds, struct seeds_filter_call *call)
{
    int n_threads = ctx->n_threads, failed = 0, goes_on = 1;
    size_t fits = 4 * (call->capacity / seeds->info.n_sub_queries / (size_t)n_threads) + 1;
    struct filtered *batches = calloc((size_t)n_threads, sizeof *batches);
    struct filtering filtering = {ctx->simd, seeds, batches};
    tms_status status = TMS_OK;
    struct windows_walk walk = windows_begin(call->windows, (uint32_t)call->from, (uint32_t)call->n_bases);
    if (!batches)
        return no_memory(ctx);
    for (int t = 0; t < n_threads; t++)
        failed |= !worker_create(seeds, false, &batches[t].worker);
    for (size_t n = 1; !failed && goes_on && n > 0 && status == TMS_OK;) {
        n = 0;
        for (int t = 0; t < n_threads; t++)
            n += batches[t].n = windows_next(&walk, batches[t].worker.words, batches[t].worker.starts,
                                             fits < batches[t].worker.batch ? fits : batches[t].worker.batch);
        status = tms_context_run(ctx, (size_t)n_threads, test_batch, &filtering);
        for (int t = 0; t < n_threads && goes_on && status == TMS_OK; t++)
            goes_on = write_passes(seeds, &batches[t], call);
    }
    if (failed)
        status = no_memory(ctx);
    if (goes_on)
        call->next = call->n_bases;
    for (int t = 0; t < n_threads; t++)
        worker_destroy(&batches[t].worker);
    free(batches);
    return status;
}
