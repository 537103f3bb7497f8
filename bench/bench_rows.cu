/*
 * bench_rows.cu - the probabilistic layout's kernels on the thesis's keys in device memory: its schedule (a row of a block a key) in
 * all variants it names or rejects against ours. Limits of the same run: random atomic ORs over p k for insertion, random sector reads
 * over k for counting, on an array of the filter's size. Rows fig13: the classical filter with one key a row of threads
 * ("rows", its optimised layout) and with 32 keys a warp ("columns", its unoptimised one) [thesis, Figs. 11 and 13].
 */
#include <stdlib.h>

#include "bench.h"
#include "device/gpu_internal.cuh"
#include "filter/probabilistic_cuda.h"
#include "filter/row_kernels.cuh"
#include "gpu_limits.cuh"

#define KEYS       ((size_t)1 << 23)
#define P          0.01
#define RUNS       5
#define FIG13_BITS ((uint64_t)1 << 28)

/* The unoptimised layout: lane l of every warp has the block's key l, and the block's warp w one function for all of them. */
#define COLUMN_KEYS 32
template <int HASH> static __global__ void __launch_bounds__(1024) column_insert_kernel(row_args a)
{
    __shared__ uint32_t stage[COLUMN_KEYS][ROW_STAGE_WORDS];
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t first = (size_t)blockIdx.x * COLUMN_KEYS, len;
    if (first + warp < a.n) { /* warp w stages key w */
        const uint8_t *p = keys_at(&a.keys, first + warp, &len);
        uint32_t skew = (uint32_t)(uintptr_t)p & 3;
        const uint32_t *from = (const uint32_t *)(p - skew);
        for (uint32_t w = lane; w < (skew + (uint32_t)len + 3) / 4; w += 32)
            stage[warp][w] = __ldg(from + w);
    }
    __syncthreads();
    if (first + lane >= a.n)
        return;
    const uint8_t *p = keys_at(&a.keys, first + lane, &len); /* at most ROW_STAGED_BYTES long here */
    classic_key key = classic_key_make((tms_hash)HASH, a.seed, (const uint8_t *)stage[lane] + ((uint32_t)(uintptr_t)p & 3), len);
    uint32_t i = blockIdx.y * 32 + warp;
    if (i < a.k)
        row_set<false>(a, classic_position((tms_hash)HASH, a.seed, &key, i, a.m_bits));
}

static row_args args_of(const tms_filter_params *p, const tms_keys *d_keys, void *vector, uint32_t *d_ones)
{
    row_args a = {};
    probabilistic_jumps *jumps = (probabilistic_jumps *)malloc(sizeof *jumps);
    if (!jumps)
        exit(5);
    probabilistic_jumps_init(jumps, p->p > 0 ? p->p : 1);
    a.vector = vector;
    a.m_bits = p->m_bits;
    a.seed = p->seed;
    a.k = p->k;
    a.keys = *d_keys;
    a.n = d_keys->n_keys;
    a.q_high = jumps->q_high;
    a.q_low = jumps->q_low;
    a.ones = d_ones;
    free(jumps);
    return a;
}

struct bed {
    tms_context *ctx;
    tms_keys keys;  /* in device memory */
    void *d_vector; /* a byte for each bit of the largest filter */
    uint32_t *d_ones;
    double reads, atomics; /* limits at the filter's size */
};

template <class Work>
static void measure(const struct bed *b, const tms_filter_params *p, const char *what, const char *backend, size_t clear_bytes,
                    void *d_clear, double limit, double bytes, Work work)
{
    cudaStream_t stream = b->ctx->gpu->stream;
    double seconds = bench_gpu_seconds(
        stream, RUNS,
        [&] {
            if (clear_bytes)
                BENCH_CUDA(cudaMemsetAsync(d_clear, 0, clear_bytes, stream));
        },
        work);
    BENCH_CUDA(cudaGetLastError());
    struct bench_row row = {what, backend, b->keys.n_keys, p->k, p->m_bits, seconds, bytes, limit, NULL};
    bench_print(&row);
}

static void run_probabilistic(const struct bed *b, uint64_t m_bits, uint32_t k)
{
    tms_context *ctx = b->ctx;
    cudaStream_t stream = ctx->gpu->stream;
    tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 1, m_bits, k, P, TMS_SAMPLING_GEOMETRIC};
    double ors = b->atomics / (P * k), reads = b->reads / k, set_bytes = 75.5 + 32 * P * k, read_bytes = 75.5 + 32.0 * k;
    tms_filter *f;
    bench_must(ctx, tms_filter_create(ctx, &p, &f));
    size_t n = b->keys.n_keys, bits_bytes = f->bits_bytes;
    row_args bits = args_of(&p, &b->keys, f->d_bits, b->d_ones), bytes = args_of(&p, &b->keys, b->d_vector, b->d_ones);
    measure(b, &p, "pbf insert", "cuda geometric thread", bits_bytes, f->d_bits, ors, set_bytes,
            [&] { bench_must(ctx, probabilistic_insert_cuda(ctx, f, &b->keys, NULL, n, 0, PROBABILISTIC_THREAD)); });
    measure(b, &p, "pbf insert", "cuda plain warp", bits_bytes, f->d_bits, ors, set_bytes,
            [&] { bench_must(ctx, probabilistic_insert_cuda(ctx, f, &b->keys, NULL, n, 0, PROBABILISTIC_WARP)); });
    measure(b, &p, "pbf insert", "cuda plain rows", bits_bytes, f->d_bits, ors, set_bytes,
            [&] { bench_must(ctx, probabilistic_insert_cuda(ctx, f, &b->keys, NULL, n, 0, PROBABILISTIC_ROWS)); });
    measure(b, &p, "pbf insert", "cuda plain rows bytes", m_bits, b->d_vector, ors, set_bytes,
            [&] { row_insert_kernel<TMS_HASH_XXH3, true, true><<<row_grid(n, k), row_block(k), 0, stream>>>(bytes); });
    measure(b, &p, "pbf count", "cuda warp", 0, NULL, reads, read_bytes,
            [&] { bench_must(ctx, probabilistic_count_cuda(ctx, f, &b->keys, b->d_ones, PROBABILISTIC_WARP)); });
    measure(b, &p, "pbf count", "cuda rows", 0, NULL, reads, read_bytes,
            [&] { bench_must(ctx, probabilistic_count_cuda(ctx, f, &b->keys, b->d_ones, PROBABILISTIC_ROWS)); });
    measure(b, &p, "pbf count", "cuda rows atomicAdd", 0, NULL, reads, read_bytes, [&] {
        BENCH_CUDA(cudaMemsetAsync(b->d_ones, 0, n * sizeof *b->d_ones, stream));
        row_count_kernel<TMS_HASH_XXH3, false, true><<<row_grid(n, k), row_block(k), 0, stream>>>(bits);
    });
    measure(b, &p, "pbf count", "cuda rows bytes", 0, NULL, reads, read_bytes, [&] {
        BENCH_CUDA(cudaMemsetAsync(b->d_ones, 0, n * sizeof *b->d_ones, stream));
        row_count_kernel<TMS_HASH_XXH3, true, false><<<row_grid(n, k), row_block(k), 0, stream>>>(bytes);
    });
    bench_must(ctx, tms_context_wait(ctx));
    tms_filter_destroy(f);
}

static void run_fig13(const struct bed *b, uint32_t k)
{
    cudaStream_t stream = b->ctx->gpu->stream;
    tms_filter_params p = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 1, FIG13_BITS, k};
    struct bed some = *b;
    some.keys.n_keys = BENCH_FIG13_KEYS;
    size_t n = some.keys.n_keys;
    row_args a = args_of(&p, &some.keys, b->d_vector, NULL);
    measure(&some, &p, "fig13", "cuda rows", p.m_bits / 8, b->d_vector, b->atomics / k, 75.5 + 32.0 * k,
            [&] { row_insert_kernel<TMS_HASH_XXH3_SQUARE, false, false><<<row_grid(n, k), row_block(k), 0, stream>>>(a); });
    measure(&some, &p, "fig13", "cuda columns", p.m_bits / 8, b->d_vector, b->atomics / k, 75.5 + 32.0 * k, [&] {
        dim3 grid((unsigned)((n + COLUMN_KEYS - 1) / COLUMN_KEYS), (k + 31) / 32);
        column_insert_kernel<TMS_HASH_XXH3_SQUARE><<<grid, 1024, 0, stream>>>(a);
    });
}

int bench_rows(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct bed b = {};
    if (tms_context_create(&b.ctx) != TMS_OK)
        return 5;
    bench_must(b.ctx, tms_context_set_device(b.ctx, 0));
    cudaStream_t stream = b.ctx->gpu->stream;
    tms_keys keys = bench_thesis_batch(b.ctx, KEYS, 1);
    b.keys = bench_device_alloc(&keys);
    bench_device_copy(b.ctx, &b.keys, &keys);
    static const uint64_t sizes[] = {(uint64_t)1 << 23, (uint64_t)1 << 28};
    BENCH_CUDA(cudaMalloc(&b.d_vector, sizes[1]));
    BENCH_CUDA(cudaMalloc(&b.d_ones, KEYS * sizeof *b.d_ones));
    BENCH_CUDA(cudaMemset(b.d_vector, 0, sizes[1]));
    for (size_t s = 0; s < 2; s++) {
        b.reads = gpu_limit_reads(stream, b.d_vector, sizes[s] / 8);
        b.atomics = gpu_limit_atomics(stream, b.d_vector, sizes[s] / 8);
        printf("# limits: %.1f G sector reads/s, %.1f G atomic ORs/s at %llu KiB\n", b.reads / 1e9, b.atomics / 1e9,
               (unsigned long long)sizes[s] >> 13);
        for (uint32_t k = 1000; k <= 3000; k += 1000)
            run_probabilistic(&b, sizes[s], k);
    }
    b.atomics = gpu_limit_atomics(stream, b.d_vector, FIG13_BITS / 8);
    for (uint32_t k = 8; k <= 4096; k *= 2)
        run_fig13(&b, k);
    BENCH_CUDA(cudaFree(b.d_vector));
    BENCH_CUDA(cudaFree(b.d_ones));
    bench_device_free(&b.keys);
    bench_free_keys(b.ctx, &keys);
    tms_context_destroy(b.ctx);
    return 0;
}
