/*
 * measure_cpu.c - workloads on the CPU's threads: random accesses, the counterpart of the micro-benchmark of [Ma12, III], and filters of
 * strings. A thread has AT_ONCE accesses in flight.
 *
 * A measurement uses the caller's context, temporarily without its GPU and with the workload's threads, so that cancelling works and
 * the context receives the message of a failure.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/core.h"
#include "filter/filter_struct.h"
#include "model/measure.h"
#include "model/workload.h"

#define AT_ONCE    16
#define A_TASK_HAS ((uint64_t)1 << 20) /* accesses per task: some milliseconds, after which a cancelled call ends */
/* Least work per thread, so that every thread gets a part. Filters have chunks of 8,192 strings, or of 16,384 bits. */
#define LEAST_ACCESSES  4096
#define LEAST_IN_FILTER 65536

static double read_clock(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

/*
 * The seconds of a run are its threads' CPU time divided by their number: the time if each has a processor. Wall time is equal
 * on an idle machine and arbitrary on a shared one. Runs too small to be divided among all threads use wall time.
 */
struct stopwatch {
    double wall, work;
    int n_threads; /* 0: use wall time */
};

static struct stopwatch start_watch(const tms_context *ctx, uint64_t n_items, uint64_t least)
{
    const int divides = n_items / (uint64_t)ctx->n_threads >= least;
    return (struct stopwatch){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID), divides ? ctx->n_threads : 0};
}

/* Linux adds the CPU time of other threads when they sleep, which they soon do (pool.c). */
double measure_cpu_seconds(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static double read_watch(const struct stopwatch *watch)
{
    const double wall = read_clock(CLOCK_MONOTONIC) - watch->wall,
                 work = (watch->n_threads > 1 ? measure_cpu_seconds() : read_clock(CLOCK_PROCESS_CPUTIME_ID)) - watch->work;
    return watch->n_threads > 0 && work > 0 ? fmin(wall, work / watch->n_threads) : wall;
}

/* --- random accesses --- */

struct random_job {
    const tms_workload *w;
    uint64_t *table;
    uint64_t n_items; /* words of 4 bytes, or sectors of 32 */
    uint64_t begin;   /* first pointer; each repeat has different pointers, whose lines are not cached yet */
    size_t n_tasks;
    uint64_t seen;
};

/* A cheap pseudo-random number for each i, so that the accesses dominate. */
static inline uint64_t pointer_of(uint64_t i)
{
    i *= 0xd6e8feb86659fd93u;
    return (i ^ i >> 32) * 0xd6e8feb86659fd93u;
}

static uint64_t read_words(const uint32_t *table, uint64_t n_items, uint64_t first, uint64_t end)
{
    uint64_t seen[AT_ONCE] = {0};
    uint64_t i = first;
    for (; i + AT_ONCE <= end; i += AT_ONCE)
        for (uint64_t j = 0; j < AT_ONCE; j++)
            seen[j] ^= table[core_scale(pointer_of(i + j), n_items)];
    for (; i < end; i++)
        seen[0] ^= table[core_scale(pointer_of(i), n_items)];
    for (uint64_t j = 1; j < AT_ONCE; j++)
        seen[0] ^= seen[j];
    return seen[0];
}

static inline uint64_t read_sector(const uint64_t *table, uint64_t n_items, uint64_t i)
{
    const uint64_t *sector = table + 4 * core_scale(pointer_of(i), n_items);
    return sector[0] ^ sector[1] ^ sector[2] ^ sector[3];
}

static uint64_t read_sectors(const uint64_t *table, uint64_t n_items, uint64_t first, uint64_t end)
{
    uint64_t seen[AT_ONCE] = {0}, i = first;
    for (; i + AT_ONCE <= end; i += AT_ONCE)
        for (uint64_t j = 0; j < AT_ONCE; j++)
            seen[j] ^= read_sector(table, n_items, i + j);
    for (; i < end; i++)
        seen[0] ^= read_sector(table, n_items, i);
    for (uint64_t j = 1; j < AT_ONCE; j++)
        seen[0] ^= seen[j];
    return seen[0];
}

static void set_bits(uint32_t *table, uint64_t n_items, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) {
        const uint64_t pointer = pointer_of(i);
        __atomic_fetch_or(table + core_scale(pointer, n_items), 1u << (pointer & 31), __ATOMIC_RELAXED);
    }
}

static void access_part(void *arg, size_t task, int thread)
{
    struct random_job *job = arg;
    const uint64_t first = job->begin + job->w->D * task / job->n_tasks; /* D is 2^40 at most */
    const uint64_t end = job->begin + job->w->D * (task + 1) / job->n_tasks;
    uint64_t seen = 0;
    (void)thread;
    if (job->w->op == TMS_OP_READ4)
        seen = read_words((const uint32_t *)job->table, job->n_items, first, end);
    else if (job->w->op == TMS_OP_READ32)
        seen = read_sectors(job->table, job->n_items, first, end);
    else
        set_bits((uint32_t *)job->table, job->n_items, first, end);
    __atomic_fetch_xor(&job->seen, seen, __ATOMIC_RELAXED);
}

#define FILL_BYTES ((size_t)16 << 20) /* bytes per task */
#define HALF_FULL  0.5

struct fill {
    uint64_t *words, n;
    uint32_t chance;    /* probability of a one, in units of 2^-16 */
    uint32_t first_bit; /* lowest set bit of the probability */
};

static void fill_part(void *arg, size_t task, int thread)
{
    const struct fill *fill = arg;
    const uint64_t first = task * (FILL_BYTES / 8), left = fill->n - first;
    const uint64_t end = first + (left < FILL_BYTES / 8 ? left : FILL_BYTES / 8);
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        uint64_t word = 0;
        for (uint32_t bit = fill->first_bit; bit < 16; bit++) { /* from the lowest binary digit of the probability on */
            const uint64_t random = core_splitmix(77 + bit, i);
            word = fill->chance >> bit & 1 ? word | random : word & random;
        }
        fill->words[i] = word;
    }
}

/*
 * Sets random bits with this probability on all processors, whatever the workload's threads: the kernel allocates and zeroes a page
 * near the processor that first writes it.
 */
static tms_status fill_words(tms_context *ctx, uint64_t *words, uint64_t n, double density)
{
    const uint32_t chance = (uint32_t)fmin(fmax(round(density * 65536), 1), 65535);
    struct fill fill = {words, n, chance, (uint32_t)__builtin_ctz(chance)};
    const int n_threads = ctx->n_threads;
    tms_status status = tms_context_set_threads(ctx, 0);
    if (status == TMS_OK)
        status = tms_context_run(ctx, (size_t)((n + FILL_BYTES / 8 - 1) / (FILL_BYTES / 8)), fill_part, &fill);
    ctx->n_threads = n_threads;
    return status;
}

tms_status measure_table_create(tms_context *ctx, uint64_t bytes, struct measure_table *out)
{
    *out = (struct measure_table){0};
    tms_status status = measure_check_memory(ctx, bytes);
    if (status != TMS_OK)
        return status;
    *out = (struct measure_table){memory_alloc_zeroed((size_t)bytes), bytes};
    if (!out->words) {
        out->bytes = 0;
        return context_fail_memory(ctx, "a table of random accesses", bytes);
    }
    status = fill_words(ctx, out->words, bytes / 8, HALF_FULL);
    if (status != TMS_OK)
        measure_table_free(out);
    return status;
}

void measure_table_free(struct measure_table *table)
{
    memory_free(table->words, (size_t)table->bytes);
    *table = (struct measure_table){0};
}

static tms_status measure_random(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, const struct measure_table *table,
                                 struct measure_times *times)
{
    const uint64_t bytes = w->m_bits / 8, threads = (uint64_t)tms_context_threads(ctx);
    const int is_common = table && bytes >= MEASURE_OWN_BYTES && bytes <= table->bytes;
    struct random_job job = {.w = w, .n_items = bytes / (w->op == TMS_OP_READ32 ? 32 : 4)};
    struct measure_table own = {0};
    tms_status status = is_common ? TMS_OK : measure_table_create(ctx, bytes, &own);
    if (status != TMS_OK)
        return status;
    job.n_tasks = (size_t)(threads * (w->D / threads / A_TASK_HAS + 1)); /* the same number for each thread */
    job.table = is_common ? table->words : own.words;
    for (int run = -1; status == TMS_OK && (run < 0 || measure_go_on(times, n_repeats)); run++, job.begin += w->D) {
        const struct stopwatch watch = start_watch(ctx, w->D, LEAST_ACCESSES);
        status = tms_context_run(ctx, job.n_tasks, access_part, &job);
        if (run >= 0)
            times->seconds[times->n++] = read_watch(&watch);
    }
    measure_table_free(&own);
    return status;
}

/* --- strings --- */

static void random_bytes(uint8_t *bytes, uint64_t n, uint64_t seed)
{
    for (uint64_t i = 0; i + 8 <= n; i += 8)
        core_write64(bytes + i, core_splitmix(seed, i));
}

/* As in measure_cuda.cu: above this many bits, set as many random bits instead of inserting strings. */
#define FILLED_BITS ((double)(1u << 24))
static int is_filled_densely(const tms_workload *w) { return (double)w->n * w->k > FILLED_BITS; }

/*
 * Each repeat uses different strings, whose filter lines are not cached yet; after BATCHES repeats the strings recur. Their total size is
 * limited to BATCH_BYTES.
 */
#define BATCHES     4
#define BATCH_BYTES ((uint64_t)1 << 29)

struct strings_run {
    const tms_workload *w;
    tms_filter *filter;
    uint8_t *bytes, *hits; /* n_batches times w->D strings; w->D answers */
    uint64_t n_batches;
};

static tms_keys batch_of(const struct strings_run *run, uint64_t i)
{
    return (tms_keys){run->bytes + i % run->n_batches * run->w->D * run->w->length, NULL, (size_t)run->w->D, run->w->length, 0};
}

/* Inserts n strings that differ from the queried ones, or sets as many random bits. */
static tms_status fill_filter(tms_context *ctx, const struct strings_run *run)
{
    const tms_workload *w = run->w;
    tms_status status = TMS_OK;
    if (is_filled_densely(w))
        return fill_words(ctx, (uint64_t *)(void *)filter_bits_mutable(run->filter), run->filter->bits_bytes / 8, workload_fill(w));
    for (uint64_t done = 0; done < w->n && status == TMS_OK; done += w->D) {
        tms_keys keys = batch_of(run, 0);
        keys.n_keys = (size_t)(w->n - done < w->D ? w->n - done : w->D);
        random_bytes(run->bytes, w->D * w->length + 8, 100 + done);
        status = tms_filter_insert(ctx, run->filter, &keys);
    }
    return status;
}

/* Fills the filter, unless the workload builds it. */
static tms_status measure_on_filter(tms_context *ctx, const struct strings_run *run, uint32_t n_repeats, struct measure_times *times,
                                    double *fpr)
{
    const tms_workload *w = run->w;
    tms_status status = TMS_OK;
    tms_keys keys;
    random_bytes(run->bytes, run->n_batches * w->D * w->length + 8, 1);
    for (uint64_t i = 0; i < run->n_batches && w->op == TMS_OP_QUERY_PRESENT && status == TMS_OK; i++) {
        keys = batch_of(run, i);
        status = tms_filter_insert(ctx, run->filter, &keys);
    }
    for (int turn = -1; status == TMS_OK && (turn < 0 || measure_go_on(times, n_repeats)); turn++) {
        keys = batch_of(run, (uint64_t)(turn + 1));
        const struct stopwatch watch = start_watch(ctx, w->layout == TMS_LAYOUT_CLASSIC ? w->D * w->k : w->D, LEAST_IN_FILTER);
        status = w->op == TMS_OP_BUILD ? tms_filter_insert(ctx, run->filter, &keys) : tms_filter_query(ctx, run->filter, &keys, run->hits);
        if (turn >= 0)
            times->seconds[times->n++] = read_watch(&watch);
    }
    /* single random bits are not distributed over blocks as keys' bits are */
    if (status == TMS_OK && w->op == TMS_OP_QUERY && !(w->layout == TMS_LAYOUT_BLOCKED && is_filled_densely(w))) {
        uint64_t passed = 0;
        for (uint64_t i = 0; i < w->D; i++)
            passed += run->hits[i];
        *fpr = (double)passed / (double)w->D;
    }
    return status;
}

/* A run that sets many bits leaves the table more than half full; then the table is filled again. */
#define REFILLED_BYTES ((uint64_t)512 << 20)

static tms_status measure_in_table(tms_context *ctx, const struct strings_run *run, uint32_t n_repeats, struct measure_times *times,
                                   double *fpr)
{
    tms_filter *f = run->filter;
    tms_status status = TMS_OK;
    if (f->bits_bytes <= REFILLED_BYTES)
        status = fill_words(ctx, (uint64_t *)(void *)filter_bits_mutable(f), f->bits_bytes / 8, HALF_FULL);
    return status == TMS_OK ? measure_on_filter(ctx, run, n_repeats, times, fpr) : status;
}

static tms_status measure_in_filter(tms_context *ctx, const tms_filter_params *params, struct strings_run *run, uint32_t n_repeats,
                                    struct measure_times *times, double *fpr)
{
    tms_status status = tms_filter_create(ctx, params, &run->filter);
    if (status == TMS_OK && run->w->op != TMS_OP_BUILD)
        status = fill_filter(ctx, run);
    if (status == TMS_OK)
        status = measure_on_filter(ctx, run, n_repeats, times, fpr);
    tms_filter_destroy(run->filter);
    return status;
}

/* Tests whether the filter may use the beginning of the table. */
static int fits_table(const tms_workload *w, const struct measure_table *table)
{
    return table && w->m_bits / 8 >= MEASURE_OWN_BYTES && w->m_bits % TMS_BLOCK_BITS == 0 && is_filled_densely(w) &&
           IMAGE_HEADER_BYTES + w->m_bits / 8 <= table->bytes && fabs(workload_fill(w) - HALF_FULL) < 0.01;
}

static tms_status measure_strings(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, const struct measure_table *table,
                                  struct measure_times *times, double *fpr)
{
    const tms_filter_params params = {
        .layout = w->layout, .hash = TMS_HASH_XXH3, .m_bits = w->m_bits, .k = w->k, .blocks_per_key = w->layout == TMS_LAYOUT_BLOCKED};
    const int is_common = fits_table(w, table);
    const uint64_t n_batches = w->D * w->length <= BATCH_BYTES / BATCHES ? BATCHES : 1;
    const size_t bytes_size = (size_t)(n_batches * w->D * w->length) + 64;
    struct strings_run run = {.w = w, .n_batches = n_batches};
    tms_status status = measure_check_memory(ctx, bytes_size + w->D + (is_common ? 0 : w->m_bits / 8));
    if (status != TMS_OK)
        return status;
    run.bytes = memory_alloc_zeroed(bytes_size);
    run.hits = memory_alloc_zeroed((size_t)w->D);
    status = run.bytes && run.hits ? TMS_OK : context_fail_memory(ctx, "random strings", bytes_size + w->D);
    if (status == TMS_OK && is_common) {
        tms_filter in_table = {.params = params,
                               .bits_bytes = params.m_bits / 8,
                               .image = (uint8_t *)(void *)table->words,
                               .owns_image = 1, /* makes the image writable */
                               .device = TMS_DEVICE_CPU};
        run.filter = &in_table;
        status = measure_in_table(ctx, &run, n_repeats, times, fpr);
    } else if (status == TMS_OK) {
        status = measure_in_filter(ctx, &params, &run, n_repeats, times, fpr);
    }
    if (run.bytes)
        memory_free(run.bytes, bytes_size);
    if (run.hits)
        memory_free(run.hits, (size_t)w->D);
    return status;
}

/* --- both --- */

tms_status measure_cpu(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, const struct measure_table *table, tms_measurement *out)
{
    struct measure_times times = {0};
    double fpr = NAN;
    struct gpu *gpu = ctx->gpu;
    const int n_threads = ctx->n_threads;
    if (w->app != TMS_APP_RANDOM && w->app != TMS_APP_STRINGS)
        return context_fail(ctx, TMS_E_ARG, "on the CPU the model measures random accesses and strings, not %s", tms_app_name(w->app));
    tms_status status = tms_context_set_threads(ctx, (int)(w->n_threads_cpu < INT_MAX ? w->n_threads_cpu : INT_MAX));
    if (status != TMS_OK)
        return status;
    ctx->gpu = NULL;
    status = w->app == TMS_APP_RANDOM ? measure_random(ctx, w, n_repeats, table, &times)
                                      : measure_strings(ctx, w, n_repeats, table, &times, &fpr);
    measure_summary(&times, out);
    out->fpr = fpr;
    out->threads = (uint32_t)ctx->n_threads;
    ctx->gpu = gpu;
    ctx->n_threads = n_threads;
    return status;
}
