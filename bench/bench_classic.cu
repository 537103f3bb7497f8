/*
 * bench_classic.cu - the classic layout on the GPU: which schedule wins at which k. Strings of 4 to 20 letters in device memory, a
 * filter at half fill that fits in L2; every queried string is in the set. The limits are random sector reads (query) and
 * random atomic ORs (insertion) at the filter's size, over k.
 */
#include <stdlib.h>

#include "bench.h"
#include "device/gpu_internal.cuh"
#include "filter/classic_cuda.h"
#include "gpu_limits.cuh"
#include "tamis/tamis.h"

#define WORK     ((size_t)1 << 27) /* keys times k */
#define MAX_KEYS ((size_t)1 << 22)

static void run_case(tms_context *ctx, const tms_keys *all, tms_hash hash, uint32_t k, uint8_t *d_hit, const double *limits)
{
    static const char *const names[] = {"", "thread", "warp", "block"};
    tms_keys keys = *all;
    keys.n_keys = WORK / k < MAX_KEYS ? WORK / k : MAX_KEYS;
    tms_filter_params params = {TMS_LAYOUT_CLASSIC, hash, 0, (uint64_t)((double)keys.n_keys * k / 0.6931), k};
    cudaStream_t stream = ctx->gpu->stream;
    tms_filter *f;
    bench_must(ctx, tms_filter_create(ctx, &params, &f));
    for (int s = CLASSIC_THREAD; s <= CLASSIC_BLOCK; s++) {
        char backend[64];
        snprintf(backend, sizeof backend, "cuda %s %s", tms_hash_name(hash), names[s]);
        double insert = bench_gpu_seconds(
            stream, 3, [&] { BENCH_CUDA(cudaMemsetAsync(f->d_bits, 0, f->bits_bytes, stream)); },
            [&] { bench_must(ctx, classic_insert_cuda(ctx, f, &keys, NULL, keys.n_keys, (enum classic_schedule)s)); });
        double query = bench_gpu_seconds(
            stream, 3, [] {}, [&] { bench_must(ctx, classic_query_cuda(ctx, f, &keys, d_hit, (enum classic_schedule)s)); });
        struct bench_row row = {"classic insert", backend, keys.n_keys, k, params.m_bits, insert, 32.0 * k, limits[1] / k, NULL};
        bench_print(&row);
        row.what = "classic query present";
        row.seconds = query;
        row.limit = limits[0] / k;
        bench_print(&row);
    }
    bench_must(ctx, tms_context_wait(ctx));
    tms_filter_destroy(f);
}

int bench_classic(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    tms_context *ctx;
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    uint8_t *bytes = (uint8_t *)bench_alloc(MAX_KEYS * BENCH_WORD_MAX);
    uint32_t *offsets = (uint32_t *)bench_alloc((MAX_KEYS + 1) * sizeof *offsets);
    bench_random_words(bytes, offsets, MAX_KEYS, 1);
    uint8_t *d_bytes, *d_hit;
    uint32_t *d_offsets;
    BENCH_CUDA(cudaMalloc(&d_bytes, offsets[MAX_KEYS] + 64));
    BENCH_CUDA(cudaMalloc(&d_offsets, (MAX_KEYS + 16) * sizeof *offsets));
    BENCH_CUDA(cudaMalloc(&d_hit, MAX_KEYS));
    BENCH_CUDA(cudaMemcpy(d_bytes, bytes, offsets[MAX_KEYS], cudaMemcpyHostToDevice));
    BENCH_CUDA(cudaMemcpy(d_offsets, offsets, (MAX_KEYS + 1) * sizeof *offsets, cudaMemcpyHostToDevice));
    tms_keys keys = {d_bytes, d_offsets, MAX_KEYS, 0, 0};
    size_t table_bytes = (size_t)((double)WORK / 0.6931 / 256) * 32;
    void *d_table;
    BENCH_CUDA(cudaMalloc(&d_table, table_bytes));
    double limits[2] = {gpu_limit_reads(ctx->gpu->stream, d_table, table_bytes), gpu_limit_atomics(ctx->gpu->stream, d_table, table_bytes)};
    BENCH_CUDA(cudaFree(d_table));
    printf("# limits: %.1f G sector reads/s, %.1f G atomic ORs/s at %zu MiB\n", limits[0] / 1e9, limits[1] / 1e9, table_bytes >> 20);
    static const tms_hash hashes[] = {TMS_HASH_XXH3, TMS_HASH_MURMUR3, TMS_HASH_AP};
    static const uint32_t ks[] = {1, 4, 8, 16, 32, 64, 96, 128, 256, 500, 1000, 3000};
    for (size_t h = 0; h < sizeof hashes / sizeof *hashes; h++)
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
            run_case(ctx, &keys, hashes[h], ks[i], d_hit, limits);
    BENCH_CUDA(cudaFree(d_bytes));
    BENCH_CUDA(cudaFree(d_offsets));
    BENCH_CUDA(cudaFree(d_hit));
    bench_free(bytes, MAX_KEYS * BENCH_WORD_MAX);
    bench_free(offsets, (MAX_KEYS + 1) * sizeof *offsets);
    tms_context_destroy(ctx);
    return 0;
}
