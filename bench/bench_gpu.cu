/*
 * bench_gpu.cu - blocked filters on the GPU, keys in device memory.
 *
 * For each filter size: the limits (random sector reads, random atomic ORs, copy bandwidth), then query and insertion of 64-bit
 * keys and of 20-byte strings. The limit of a row is the smaller of the random-access rate at that size and of what streaming
 * the keys in and the answers out allows. Insertions go into an empty filter: n = m / 16 keys, and for filters
 * in L2 also many more than it is sized for ("steady"), because n = m / 16 is over in microseconds there. Then 64-bit keys and strings
 * again, with 2 and 3 blocks a key and m / 32 and m / 48 of them.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "device/gpu_internal.cuh"
#include "filter/blocked_cuda.h"
#include "gpu_limits.cuh"
#include "tamis/tamis.h"

#define STEADY_KEYS  ((size_t)200000000)
#define BITS_PER_KEY 16

static __global__ void random_words_kernel(uint64_t *words, size_t n, uint64_t seed)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        words[i] = core_splitmix(seed, i);
}

struct bench_keys {
    uint8_t *d_present, *d_missing; /* n * size bytes */
    uint8_t *d_hit;
    uint32_t *d_offsets;
    size_t n;
};

static void random_bytes(uint8_t *d_bytes, size_t size, uint64_t seed)
{
    random_words_kernel<<<4096, 256>>>((uint64_t *)(void *)d_bytes, size / 8, seed);
    BENCH_CUDA(cudaGetLastError());
}

static __global__ void offsets_kernel(uint32_t *offsets, size_t n, uint32_t size)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += step)
        offsets[i] = (uint32_t)(i * size);
}

/* The first n_distinct keys again and again, so that the keys of a small filter make a long run. */
static void repeat_keys(uint8_t *d_bytes, size_t key_size, size_t n_distinct, size_t n)
{
    for (size_t done = n_distinct; done < n; done *= 2)
        BENCH_CUDA(
            cudaMemcpy(d_bytes + done * key_size, d_bytes, (done < n - done ? done : n - done) * key_size, cudaMemcpyDeviceToDevice));
}

struct limits {
    double reads, atomics, copy_bytes;
};

static double least(double a, double b) { return a < b ? a : b; }

struct form {
    const char *name;
    uint32_t key_size;
    bool with_offsets;
};

static tms_keys make_keys(const struct form *form, const struct bench_keys *b, const uint8_t *d_bytes, size_t n)
{
    tms_keys keys = {d_bytes, form->with_offsets ? b->d_offsets : NULL, n, form->key_size, 0};
    return keys;
}

static void count_hits(const struct bench_keys *b, size_t n, char *note, size_t note_size, const char *what)
{
    size_t sample = n < ((size_t)1 << 24) ? n : (size_t)1 << 24, hits = 0;
    uint8_t *host = (uint8_t *)malloc(sample);
    BENCH_CUDA(cudaMemcpy(host, b->d_hit, sample, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < sample; i++)
        hits += host[i];
    free(host);
    snprintf(note, note_size, "%s %.4g%%", what, 100.0 * (double)hits / (double)sample);
}

static void run_queries(tms_context *ctx, tms_filter *f, const struct form *form, const struct bench_keys *b, size_t inserted,
                        const struct limits *limits)
{
    cudaStream_t stream = ctx->gpu->stream;
    const tms_filter_params *p = tms_filter_get_params(f);
    double key_bytes = form->key_size + (form->with_offsets ? 4 : 0);
    double limit = least(limits->reads, limits->copy_bytes / (key_bytes + 1));
    for (int present = 0; present < 2; present++) {
        size_t n = b->n / inserted * inserted;
        tms_keys keys = make_keys(form, b, present ? b->d_present : b->d_missing, n);
        char note[64], backend[64];
        double t = bench_gpu_seconds(
            stream, 5, [] {}, [&] { bench_must(ctx, tms_filter_query_device(ctx, f, &keys, b->d_hit)); });
        bench_must(ctx, tms_context_wait(ctx));
        count_hits(b, n, note, sizeof note, present ? "found" : "FPR");
        snprintf(backend, sizeof backend, "cuda %s%s", form->name, bench_blocks_text(p));
        struct bench_row row = {present ? "query present" : "query missing", backend, n, p->k, p->m_bits, t, key_bytes + 33, limit, note};
        bench_print(&row);
    }
}

static void time_insert(tms_context *ctx, tms_filter *f, const struct form *form, const struct bench_keys *b, size_t n,
                        const struct blocked_plan *plan, const char *what, const char *plan_name, const struct limits *limits)
{
    const tms_filter_params *p = tms_filter_get_params(f);
    double key_bytes = form->key_size + (form->with_offsets ? 4 : 0);
    tms_keys keys = make_keys(form, b, b->d_present, n);
    char backend[64];
    double t = bench_gpu_seconds(
        ctx->gpu->stream, 5, [&] { BENCH_CUDA(cudaMemsetAsync(f->d_bits, 0, f->bits_bytes, ctx->gpu->stream)); },
        [&] { bench_must(ctx, blocked_insert_cuda(ctx, f, &keys, NULL, n, plan)); });
    bench_must(ctx, tms_context_wait(ctx));
    snprintf(backend, sizeof backend, "cuda %s%s %s", form->name, bench_blocks_text(p), plan_name);
    struct bench_row row = {what, backend, n, p->k, p->m_bits, t, key_bytes + 32, least(limits->atomics, limits->copy_bytes / key_bytes),
                            NULL};
    bench_print(&row);
}

static const char *plan_name(const struct blocked_plan *plan, char *name, size_t size)
{
    static const char *const ways[] = {"direct", "part-shared", "part-l2"};
    if (plan->way == BLOCKED_DIRECT)
        return ways[0];
    snprintf(name, size, "%s %uK", ways[plan->way], 32u << plan->slice_shift >> 10);
    return name;
}

static void run_inserts(tms_context *ctx, tms_filter *f, const struct form *form, const struct bench_keys *b, size_t n, const char *what,
                        bool sweep, const struct limits *limits)
{
    char name[64];
    struct blocked_plan plan = blocked_plan_insert(ctx->gpu, f, n);
    time_insert(ctx, f, form, b, n, &plan, what, plan_name(&plan, name, sizeof name), limits);
    if (!sweep)
        return;
    plan = blocked_plan_for(f, n, BLOCKED_DIRECT, 0);
    time_insert(ctx, f, form, b, n, &plan, "  sweep", plan_name(&plan, name, sizeof name), limits);
    for (unsigned shift = 9; shift <= 19; shift++) {
        enum blocked_way way = shift <= 12 ? BLOCKED_PART_SHARED : BLOCKED_PART_L2;
        uint64_t n_slices = ((filter_part_blocks(tms_filter_get_params(f)) - 1) >> shift) + 1;
        if (n_slices > 4096 || n_slices < 32)
            continue;
        plan = blocked_plan_for(f, n, way, shift);
        time_insert(ctx, f, form, b, n, &plan, "  sweep", plan_name(&plan, name, sizeof name), limits);
    }
}

static void run_size(tms_context *ctx, size_t mib, uint32_t blocks_per_key, const struct form *forms, int n_forms, struct bench_keys *b,
                     double copy_bytes, bool sweep)
{
    tms_filter_params params = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, ((uint64_t)mib << 15) / blocks_per_key * blocks_per_key << 8, 8};
    params.blocks_per_key = blocks_per_key;
    tms_filter *f;
    bench_must(ctx, tms_filter_create(ctx, &params, &f));
    cudaStream_t stream = ctx->gpu->stream;
    struct limits limits = {gpu_limit_reads(stream, f->d_bits, f->bits_bytes), gpu_limit_atomics(stream, f->d_bits, f->bits_bytes),
                            copy_bytes};
    printf("# filter %zu MiB, %u block%s a key: limits %.1f G sector reads/s, %.1f G atomic ORs/s\n", mib, blocks_per_key,
           blocks_per_key == 1 ? "" : "s", limits.reads / 1e9, limits.atomics / 1e9);
    size_t n = params.m_bits / (BITS_PER_KEY * blocks_per_key);
    n = n < b->n ? n : b->n;
    for (int i = 0; i < n_forms; i++) {
        if (mib <= 64)
            run_inserts(ctx, f, &forms[i], b, STEADY_KEYS < b->n ? STEADY_KEYS : b->n, "insert steady", sweep, &limits);
        run_inserts(ctx, f, &forms[i], b, n, "insert", sweep, &limits);
        repeat_keys(b->d_present, forms[i].key_size, n, b->n);
        run_queries(ctx, f, &forms[i], b, n, &limits);
        random_bytes(b->d_present, b->n * 20, 1);
        BENCH_CUDA(cudaDeviceSynchronize());
    }
    tms_filter_destroy(f);
}

int bench_gpu(int argc, char **argv)
{
    bool sweep = argc > 1 && strcmp(argv[1], "--sweep") == 0;
    tms_context *ctx;
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    static const struct form forms[] = {{"64-bit", 8, false}, {"20-byte", 20, false}, {"20-byte+offsets", 20, true}};
    struct bench_keys b = {};
    b.n = STEADY_KEYS;
    size_t bytes = b.n * 20 + 64;
    BENCH_CUDA(cudaMalloc(&b.d_present, bytes));
    BENCH_CUDA(cudaMalloc(&b.d_missing, bytes));
    BENCH_CUDA(cudaMalloc(&b.d_hit, b.n));
    BENCH_CUDA(cudaMalloc(&b.d_offsets, (b.n + 16) * 4));
    random_bytes(b.d_present, bytes, 1);
    random_bytes(b.d_missing, bytes, 2);
    offsets_kernel<<<4096, 256>>>(b.d_offsets, b.n, 20);
    BENCH_CUDA(cudaDeviceSynchronize());
    double copy_bytes = gpu_limit_copy(ctx->gpu->stream, b.d_present, b.d_present + bytes / 32 * 16, bytes / 32 * 16);
    random_bytes(b.d_present, bytes, 1);
    BENCH_CUDA(cudaDeviceSynchronize());
    printf("# copy: %.2f TB/s read + written\n", copy_bytes / 1e12);
    static const size_t sizes[] = {8, 32, 64, 512, 2048};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run_size(ctx, sizes[i], 1, forms, sizeof forms / sizeof *forms, &b, copy_bytes, sweep);
        for (uint32_t c = 2; c <= 3; c++)
            run_size(ctx, sizes[i], c, forms, 2, &b, copy_bytes, false);
    }
    cudaFree(b.d_present);
    cudaFree(b.d_missing);
    cudaFree(b.d_hit);
    cudaFree(b.d_offsets);
    tms_context_destroy(ctx);
    return 0;
}
