/*
 * bench_host.cu - the GPU end to end: keys in pinned host memory, answers back there. The limit is what the copies alone take: the
 * same bytes in and, for queries, the answers out at the same time, in the same pieces.
 */
#include <stdlib.h>

#include "bench.h"
#include "tamis/tamis.h"

#define RUNS 5

static void run_form(tms_context *ctx, const tms_keys *keys, uint8_t *hit, size_t filter_mib, const char *name)
{
    tms_filter_params params = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, (uint64_t)filter_mib << 23, 8};
    tms_filter *f;
    double inserts[RUNS], queries[RUNS];
    double key_bytes = keys->offsets ? 24 : keys->key_size;
    bench_must(ctx, tms_filter_create(ctx, &params, &f));
    for (int run = -1; run < RUNS; run++) {
        double start = bench_now();
        bench_must(ctx, tms_filter_insert(ctx, f, keys));
        double middle = bench_now();
        bench_must(ctx, tms_filter_query(ctx, f, keys, hit));
        if (run >= 0) {
            inserts[run] = middle - start;
            queries[run] = bench_now() - middle;
        }
    }
    double n = (double)keys->n_keys;
    struct bench_row insert = {"insert host",
                               name,
                               keys->n_keys,
                               params.k,
                               params.m_bits,
                               bench_median(inserts, RUNS),
                               key_bytes,
                               n / bench_copies_alone(ctx, keys, NULL, 0),
                               "limit: copies alone"};
    bench_print(&insert);
    struct bench_row query = {"query host",         name,
                              keys->n_keys,         params.k,
                              params.m_bits,        bench_median(queries, RUNS),
                              key_bytes + 1,        n / bench_copies_alone(ctx, keys, hit, 1),
                              "limit: copies alone"};
    bench_print(&query);
    tms_filter_destroy(f);
}

int bench_host(int argc, char **argv)
{
    size_t n = argc > 1 ? (size_t)atof(argv[1]) : 100000000;
    tms_context *ctx;
    void *bytes, *offsets, *hit;
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    bench_must(ctx, tms_host_alloc(ctx, n * 20 + 64, &bytes));
    bench_must(ctx, tms_host_alloc(ctx, (n + 1) * 4, &offsets));
    bench_must(ctx, tms_host_alloc(ctx, n, &hit));
    bench_random_keys((uint8_t *)bytes, n, 20, 1);
    for (size_t i = 0; i <= n; i++)
        ((uint32_t *)offsets)[i] = (uint32_t)(i * 20);
    static const size_t sizes[] = {32, 512};
    for (size_t i = 0; i < 2; i++) {
        tms_keys words = {(uint8_t *)bytes, NULL, n, 8, 0}, strings = {(uint8_t *)bytes, (uint32_t *)offsets, n, 0, 0};
        run_form(ctx, &words, (uint8_t *)hit, sizes[i], "cuda 64-bit");
        run_form(ctx, &strings, (uint8_t *)hit, sizes[i], "cuda 20-byte+offsets");
    }
    tms_host_free(ctx, bytes);
    tms_host_free(ctx, offsets);
    tms_host_free(ctx, hit);
    tms_context_destroy(ctx);
    return 0;
}
