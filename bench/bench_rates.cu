/*
 * bench_rates.cu - blocked filters sized for an error rate: bits a key, and the rate that random missing keys meet.
 *
 * For each rate 1, 2, ... blocks a key, up to one more than the default. So many queries that a thousand false positives are
 * expected: 1e12 of them at 1e-9, made and asked on the GPU in batches.
 */
#include <cub/device/device_reduce.cuh>

#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "gpu_limits.cuh"

#define BATCH         ((size_t)1 << 28)
#define EXPECTED_HITS 1000
#define N_KEYS        4000000

struct buffers {
    uint64_t *d_words;
    uint8_t *d_hit;
    uint64_t *d_sum;
    void *d_space;
    size_t space_bytes;
};

static __global__ void words_kernel(uint64_t *words, size_t n, uint64_t seed, uint64_t first)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        words[i] = core_splitmix(seed, first + i);
}

static tms_keys random_words(tms_context *ctx, const struct buffers *b, size_t n, uint64_t seed, uint64_t first)
{
    words_kernel<<<4096, 256, 0, (cudaStream_t)tms_context_stream(ctx)>>>(b->d_words, n, seed, first);
    BENCH_CUDA(cudaGetLastError());
    return tms_keys{(const uint8_t *)b->d_words, NULL, n, sizeof(uint64_t), 0};
}

static void reduce(tms_context *ctx, struct buffers *b, size_t n)
{
    BENCH_CUDA(cub::DeviceReduce::Reduce(b->d_space, b->space_bytes, b->d_hit, b->d_sum, n, ::cuda::std::plus<>{}, (uint64_t)0,
                                         (cudaStream_t)tms_context_stream(ctx)));
}

/* How many of that many missing keys the filter lets pass. */
static uint64_t false_positives(tms_context *ctx, const tms_filter *f, struct buffers *b, double n_queries)
{
    uint64_t hits = 0;
    for (double done = 0; done < n_queries; done += (double)BATCH) {
        uint64_t sum;
        tms_keys keys = random_words(ctx, b, BATCH, 2, (uint64_t)done);
        bench_must(ctx, tms_filter_query_device(ctx, f, &keys, b->d_hit));
        reduce(ctx, b, BATCH);
        bench_must(ctx, tms_context_wait(ctx));
        BENCH_CUDA(cudaMemcpy(&sum, b->d_sum, sizeof sum, cudaMemcpyDeviceToHost));
        hits += sum;
    }
    return hits;
}

/* Limits of the 95 % interval of a Poisson mean from one count (Byar's approximation). */
static double poisson_limit(double count, double z)
{
    double x = count + (z > 0);
    return x > 0 ? x * pow(1 - 1 / (9 * x) + z / (3 * sqrt(x)), 3) : 0;
}

static void run_rate(tms_context *ctx, struct buffers *b, double rate, uint32_t blocks_per_key)
{
    tms_filter_want want = {
        .layout = TMS_LAYOUT_BLOCKED, .hash = TMS_HASH_XXH3, .n_keys = N_KEYS, .fpr = rate, .blocks_per_key = blocks_per_key};
    tms_filter_params p;
    tms_filter_stats stats;
    tms_filter *f;
    bench_must(ctx, tms_filter_size(ctx, &want, &p));
    bench_must(ctx, tms_filter_create(ctx, &p, &f));
    tms_keys keys = random_words(ctx, b, N_KEYS, 1, 0);
    bench_must(ctx, tms_filter_insert_device(ctx, f, &keys));
    bench_must(ctx, tms_filter_get_stats(ctx, f, &stats));
    double n_queries = ceil(EXPECTED_HITS / rate / (double)BATCH) * (double)BATCH;
    double start = bench_now(), hits = (double)false_positives(ctx, f, b, n_queries), seconds = bench_now() - start;
    printf("%g\t%u\t%u\t%d\t%.3f\t%.4g\t%.4g\t%.4g\t%.0f\t%.4g\t%.4g\t%.4g\t%.3f\t%.1f\n", rate, p.blocks_per_key, p.k, N_KEYS,
           (double)p.m_bits / N_KEYS, stats.expected_fpr, stats.actual_fpr, n_queries, hits, hits / n_queries,
           poisson_limit(hits, -1.96) / n_queries, poisson_limit(hits, 1.96) / n_queries, hits / n_queries / stats.expected_fpr,
           n_queries / seconds / 1e9);
    fflush(stdout);
    tms_filter_destroy(f);
}

int bench_rates(int argc, char **argv)
{
    double least = argc > 1 ? atof(argv[1]) : 1e-9;
    if (!(least >= 1e-10 && least < 1)) {
        fprintf(stderr, "tamis-bench: the lowest rate is 1e-10 to 0.1\n");
        return 2;
    }
    tms_context *ctx;
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    struct buffers b = {};
    BENCH_CUDA(cudaMalloc(&b.d_words, BATCH * sizeof(uint64_t)));
    BENCH_CUDA(cudaMalloc(&b.d_hit, BATCH));
    BENCH_CUDA(cudaMalloc(&b.d_sum, sizeof(uint64_t)));
    reduce(ctx, &b, BATCH); /* only asks for the size */
    BENCH_CUDA(cudaMalloc(&b.d_space, b.space_bytes));
    for (double rate = 1e-2; rate > least * 0.99; rate /= 10) {
        tms_filter_want want = {.layout = TMS_LAYOUT_BLOCKED, .hash = TMS_HASH_XXH3, .n_keys = N_KEYS, .fpr = rate};
        tms_filter_params p;
        bench_must(ctx, tms_filter_size(ctx, &want, &p));
        for (uint32_t c = 1; c <= p.blocks_per_key + 1; c++)
            run_rate(ctx, &b, rate, c);
    }
    BENCH_CUDA(cudaFree(b.d_words));
    BENCH_CUDA(cudaFree(b.d_hit));
    BENCH_CUDA(cudaFree(b.d_sum));
    BENCH_CUDA(cudaFree(b.d_space));
    tms_context_destroy(ctx);
    return 0;
}
