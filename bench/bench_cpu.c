/*
 * bench_cpu.c - blocked filter on the CPU: 20-byte strings at about 10.5 bits a key (FPR 1 %), the library's batch calls.
 *
 * Times are given as multiples of what XXH3 alone (the xxHash library, inlined) takes over the same strings into an array in the
 * same round: each round times everything once and the medians of the ratios are printed, because a shared
 * machine's speed drifts. The limit is the rate of random reads of 32 bytes in an array of the filter's size.
 *
 * Then 1, 2 and 3 blocks a key in a filter of the size that 3 of them want, one thread: the rounds take turns among them.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "bench.h"
#include "tamis/tamis.h"

#define KEY_BYTES    20
#define ROUNDS       7
#define BITS_PER_KEY 10.5

struct data {
    size_t n;
    uint8_t *present, *missing, *hit;
    uint32_t *offsets;
    uint64_t *hashes;
};

static double xxh3_alone(const struct data *d)
{
    double start = bench_now();
    for (size_t i = 0; i < d->n; i++)
        d->hashes[i] = XXH3_64bits(d->present + d->offsets[i], d->offsets[i + 1] - d->offsets[i]);
    return bench_now() - start;
}

/* Independent random reads of one sector each, 32 at a time under way. */
static double random_reads(const uint32_t *table, size_t n_sectors, size_t n)
{
    volatile uint32_t sink;
    uint32_t seen = 0;
    size_t next[32];
    for (size_t i = 0; i < 32; i++)
        next[i] = core_scale(core_splitmix(7, i), n_sectors);
    double start = bench_now();
    for (size_t i = 0; i < n; i++) {
        const uint32_t *sector = table + 8 * next[i % 32];
        seen ^= sector[0] ^ sector[4];
        next[i % 32] = core_scale(core_splitmix(7, i + 32), n_sectors);
        __builtin_prefetch(table + 8 * next[i % 32]);
    }
    double seconds = bench_now() - start;
    sink = seen;
    (void)sink;
    return seconds;
}

enum { INSERT, QUERY_PRESENT, QUERY_MISSING, N_CASES };

/* Seconds of the three cases for one filter in one round. */
static void time_round(tms_context *ctx, const struct data *d, const tms_filter_params *params, double *seconds, double *fpr)
{
    tms_filter *f;
    bench_must(ctx, tms_filter_create(ctx, params, &f));
    /* Touch the pages: the operating system's zeroing is not the filter's time. */
    tms_keys first = {d->present, d->offsets, 1, 0, 0}, present = {d->present, d->offsets, d->n, 0, 0}, missing = present;
    missing.bytes = d->missing;
    tms_filter_stats stats;
    bench_must(ctx, tms_filter_insert(ctx, f, &first));
    bench_must(ctx, tms_filter_get_stats(ctx, f, &stats));
    tms_filter *touched;
    bench_must(ctx, tms_filter_copy(ctx, f, &touched));
    tms_filter_destroy(f);
    double t0 = bench_now();
    bench_must(ctx, tms_filter_insert(ctx, touched, &present));
    double t1 = bench_now();
    bench_must(ctx, tms_filter_query(ctx, touched, &present, d->hit));
    double t2 = bench_now();
    bench_must(ctx, tms_filter_query(ctx, touched, &missing, d->hit));
    double t3 = bench_now();
    size_t hits = 0;
    for (size_t i = 0; i < d->n; i++)
        hits += d->hit[i];
    *fpr = (double)hits / (double)d->n;
    seconds[INSERT] = t1 - t0;
    seconds[QUERY_PRESENT] = t2 - t1;
    seconds[QUERY_MISSING] = t3 - t2;
    tms_filter_destroy(touched);
}

static void run_level(tms_context *ctx, const struct data *d, int n_threads, const tms_filter_params *params, double read_rate)
{
    static const char *const names[N_CASES] = {"insert", "query present", "query missing"};
    double seconds[N_CASES][ROUNDS], ratios[N_CASES][ROUNDS], fpr = 0;
    bench_must(ctx, tms_context_set_threads(ctx, n_threads));
    for (int round = 0; round < ROUNDS; round++) {
        double alone = xxh3_alone(d), now[N_CASES];
        time_round(ctx, d, params, now, &fpr);
        for (int c = 0; c < N_CASES; c++) {
            seconds[c][round] = now[c];
            ratios[c][round] = now[c] / alone;
        }
    }
    for (int c = 0; c < N_CASES; c++) {
        char backend[64], note[64];
        snprintf(backend, sizeof backend, "cpu %s x%d%s", tms_simd_name(tms_context_simd(ctx)), n_threads, bench_blocks_text(params));
        snprintf(note, sizeof note, "%.2f x XXH3 alone, FPR %.3g%%", bench_median(ratios[c], ROUNDS), 100 * fpr);
        struct bench_row row = {
            names[c], backend, d->n, params->k, params->m_bits, bench_median(seconds[c], ROUNDS), KEY_BYTES + 4 + 32, read_rate * n_threads,
            note};
        bench_print(&row);
    }
}

/* Equal size, 1 .. MOST_BLOCKS blocks a key; notes say how many times the one-block filter's time of the same round. */
#define MOST_BLOCKS 3

static void run_blocks(tms_context *ctx, const struct data *d)
{
    static const char *const names[N_CASES] = {"insert", "query present", "query missing"};
    double seconds[MOST_BLOCKS][N_CASES][ROUNDS], ratios[MOST_BLOCKS][N_CASES][ROUNDS], fpr[MOST_BLOCKS];
    tms_filter_params params[MOST_BLOCKS];
    bench_must(ctx, tms_context_set_threads(ctx, 1));
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < MOST_BLOCKS; i++) {
            tms_filter_want want = {.layout = TMS_LAYOUT_BLOCKED,
                                    .hash = TMS_HASH_XXH3,
                                    .m_bits = (uint64_t)(MOST_BLOCKS * BITS_PER_KEY * (double)d->n),
                                    .k = 8,
                                    .blocks_per_key = (uint32_t)i + 1};
            double now[N_CASES];
            bench_must(ctx, tms_filter_size(ctx, &want, &params[i]));
            time_round(ctx, d, &params[i], now, &fpr[i]);
            for (int c = 0; c < N_CASES; c++) {
                seconds[i][c][round] = now[c];
                ratios[i][c][round] = now[c] / seconds[0][c][round];
            }
        }
    for (int i = 0; i < MOST_BLOCKS; i++)
        for (int c = 0; c < N_CASES; c++) {
            char backend[64], note[64];
            snprintf(backend, sizeof backend, "cpu %s x1%s", tms_simd_name(tms_context_simd(ctx)), bench_blocks_text(&params[i]));
            snprintf(note, sizeof note, "%.2f x 1 block, FPR %.3g%%", bench_median(ratios[i][c], ROUNDS), 100 * fpr[i]);
            struct bench_row row = {names[c],           backend, d->n, 8, params[i].m_bits, bench_median(seconds[i][c], ROUNDS),
                                    KEY_BYTES + 4 + 32, 0,       note};
            bench_print(&row);
        }
}

int bench_cpu(int argc, char **argv)
{
    struct data d = {.n = argc > 1 ? (size_t)atof(argv[1]) : 10000000};
    if (d.n < 1000 || d.n > 200000000) {
        fprintf(stderr, "tamis-bench: N must be 1e3 to 2e8\n");
        return 2;
    }
    d.present = bench_alloc(d.n * KEY_BYTES);
    d.missing = bench_alloc(d.n * KEY_BYTES);
    d.hit = bench_alloc(d.n);
    d.offsets = bench_alloc((d.n + 1) * sizeof *d.offsets);
    d.hashes = bench_alloc(d.n * sizeof *d.hashes);
    bench_random_keys(d.present, d.n, KEY_BYTES, 1);
    bench_random_keys(d.missing, d.n, KEY_BYTES, 2);
    for (size_t i = 0; i <= d.n; i++)
        d.offsets[i] = (uint32_t)(i * KEY_BYTES);

    tms_context *ctx;
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    int all_threads = tms_context_threads(ctx);
    tms_simd best = tms_context_simd(ctx);
    tms_filter_want want = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, d.n, 0, (uint64_t)(BITS_PER_KEY * (double)d.n), 0};
    tms_filter_params params;
    bench_must(ctx, tms_filter_size(ctx, &want, &params));
    uint32_t *table = bench_alloc(params.m_bits / 8);
    size_t n_reads = d.n < 20000000 ? d.n : 20000000;
    double read_rate = (double)n_reads / random_reads(table, params.m_bits / 256, n_reads);
    bench_free(table, params.m_bits / 8);

    double alone[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        alone[i] = xxh3_alone(&d);
    struct bench_row row = {"XXH3 alone", "cpu x1", d.n, 0, 0, bench_median(alone, ROUNDS), KEY_BYTES + 12, 0, NULL};
    bench_print(&row);
    for (int level = (int)best; level >= 0; level--) {
        bench_must(ctx, tms_context_set_simd(ctx, (tms_simd)level));
        run_level(ctx, &d, 1, &params, read_rate);
    }
    bench_must(ctx, tms_context_set_simd(ctx, best < TMS_SIMD_AVX2 ? best : TMS_SIMD_AVX2));
    for (int threads = 2; threads < all_threads; threads *= 2)
        run_level(ctx, &d, threads, &params, read_rate);
    if (all_threads > 1)
        run_level(ctx, &d, all_threads, &params, read_rate);
    for (int level = (int)best; level >= 0; level--) {
        bench_must(ctx, tms_context_set_simd(ctx, (tms_simd)level));
        run_blocks(ctx, &d);
    }
    tms_context_destroy(ctx);
    return 0;
}
