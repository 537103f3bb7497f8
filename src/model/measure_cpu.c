/*
 * measure_cpu.c - workloads on the CPU's threads: random accesses, the counterpart of the micro-benchmark of [Ma12, III], and filters of
 * strings. A thread has AT_ONCE accesses under way.
 *
 * Meanwhile the context has no GPU and the workload's threads: so it can be cancelled, and its message is the failure's.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/core.h"
#include "model/measure.h"
#include "model/workload.h"

#define AT_ONCE    16
#define A_TASK_HAS ((uint64_t)1 << 20) /* accesses: some milliseconds, after which a cancelled call ends */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- random accesses --- */

struct random_job {
    const tms_workload *w;
    uint64_t *table;
    uint64_t n_items; /* words of 4 bytes, or sectors of 32 */
    size_t n_tasks;
    uint64_t seen;
};

/* A cheap number for each i, so that the accesses are what is measured. */
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
    const uint64_t first = job->w->D * task / job->n_tasks, end = job->w->D * (task + 1) / job->n_tasks; /* D is 2^40 at most */
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

static tms_status measure_random(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, struct measure_times *times)
{
    const uint64_t bytes = w->m_bits / 8, threads = (uint64_t)tms_context_threads(ctx);
    struct random_job job = {.w = w, .n_items = bytes / (w->op == TMS_OP_READ32 ? 32 : 4)};
    tms_status status = measure_check_memory(ctx, bytes);
    if (status != TMS_OK)
        return status;
    job.n_tasks = (size_t)(threads * (w->D / threads / A_TASK_HAS + 1)); /* as many for each thread */
    job.table = memory_alloc_zeroed((size_t)bytes);
    if (!job.table)
        return context_fail_memory(ctx, "a table of random accesses", bytes);
    memset(job.table, 1, (size_t)bytes);
    for (int run = -1; status == TMS_OK && (run < 0 || measure_go_on(times, n_repeats)); run++) {
        const double begun = now();
        status = tms_context_run(ctx, job.n_tasks, access_part, &job);
        if (run >= 0)
            times->seconds[times->n++] = now() - begun;
    }
    memory_free(job.table, (size_t)bytes);
    return status;
}

/* --- strings --- */

static void random_bytes(uint8_t *bytes, uint64_t n, uint64_t seed)
{
    for (uint64_t i = 0; i + 8 <= n; i += 8)
        core_write64(bytes + i, core_splitmix(seed, i));
}

static tms_status measure_on_filter(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_filter *f, uint8_t *bytes,
                                    uint8_t *hits, struct measure_times *times, double *fpr)
{
    const tms_keys keys = {bytes, NULL, (size_t)w->D, w->length, 0};
    tms_status status = TMS_OK;
    if (w->op != TMS_OP_BUILD)
        for (uint64_t done = 0; done < w->n && status == TMS_OK; done += w->D) {
            tms_keys some = keys;
            some.n_keys = (size_t)(w->n - done < w->D ? w->n - done : w->D);
            random_bytes(bytes, w->D * w->length + 8, 100 + done);
            status = tms_filter_insert(ctx, f, &some);
        }
    random_bytes(bytes, w->D * w->length + 8, 1);
    if (status == TMS_OK && w->op == TMS_OP_QUERY_PRESENT)
        status = tms_filter_insert(ctx, f, &keys);
    for (int run = -1; status == TMS_OK && (run < 0 || measure_go_on(times, n_repeats)); run++) {
        const double begun = now();
        status = w->op == TMS_OP_BUILD ? tms_filter_insert(ctx, f, &keys) : tms_filter_query(ctx, f, &keys, hits);
        if (run >= 0)
            times->seconds[times->n++] = now() - begun;
    }
    if (status == TMS_OK && w->op == TMS_OP_QUERY) {
        uint64_t passed = 0;
        for (uint64_t i = 0; i < w->D; i++)
            passed += hits[i];
        *fpr = (double)passed / (double)w->D;
    }
    return status;
}

static tms_status measure_strings(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, struct measure_times *times, double *fpr)
{
    const tms_filter_params params = {
        .layout = w->layout, .hash = TMS_HASH_XXH3, .m_bits = w->m_bits, .k = w->k, .blocks_per_key = w->layout == TMS_LAYOUT_BLOCKED};
    const size_t bytes_size = (size_t)(w->D * w->length) + 64;
    tms_filter *f = NULL;
    tms_status status = measure_check_memory(ctx, bytes_size + w->D + w->m_bits / 8);
    if (status != TMS_OK)
        return status;
    uint8_t *bytes = memory_alloc_zeroed(bytes_size), *hits = memory_alloc_zeroed((size_t)w->D);
    status = bytes && hits ? TMS_OK : context_fail_memory(ctx, "random strings", bytes_size + w->D);
    if (status == TMS_OK)
        status = tms_filter_create(ctx, &params, &f);
    if (status == TMS_OK)
        status = measure_on_filter(ctx, w, n_repeats, f, bytes, hits, times, fpr);
    tms_filter_destroy(f);
    if (bytes)
        memory_free(bytes, bytes_size);
    if (hits)
        memory_free(hits, (size_t)w->D);
    return status;
}

/* --- both --- */

tms_status measure_cpu(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out)
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
    status = w->app == TMS_APP_RANDOM ? measure_random(ctx, w, n_repeats, &times) : measure_strings(ctx, w, n_repeats, &times, &fpr);
    measure_summary(&times, out);
    out->fpr = fpr;
    out->threads = (uint32_t)ctx->n_threads;
    ctx->gpu = gpu;
    ctx->n_threads = n_threads;
    return status;
}
