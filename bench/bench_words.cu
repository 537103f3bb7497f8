/*
 * bench_words.cu - filters of w-mers on a GPU, sequences in device memory: insertion and query of 31-mers over the filter's size, and the
 * false positives among random w-mers. Rows fig9: query of 10^5 reads over the blocks that are asked for [Ma12, Fig. 9].
 */
#include <stdlib.h>

#include "bench.h"
#include "classify/word_scan_kernels.cuh"
#include "device/gpu_internal.cuh"
#include "filter/filter_struct.h"

#define RUNS         5
#define WORD_SIZE    31
#define BITS_A_WORD  21.5 /* as in the peer's measurements */
#define FIG9_READS   100000
#define FIG9_LETTERS 100

struct words_bench {
    tms_context *ctx;
    struct gpu_words_shape shape;
    struct gpu_words_filters filters;
    uint64_t n; /* bases */
    uint8_t *d_letters;
    uint64_t *d_codes;
    struct scan_stretch *d_stretch;
    uint32_t *d_planes;
    unsigned blocks;
};

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "tamis-bench: %s: %s\n", what, cudaGetErrorString(error));
    exit(4);
}

template <class T> static T *allocate(size_t n)
{
    T *memory;
    must(cudaMalloc(&memory, n * sizeof(T)), "device memory");
    return memory;
}

/* SplitMix64 of a word's number. */
static __global__ void random_codes(uint64_t *codes, uint64_t n, uint64_t seed)
{
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x) {
        uint64_t x = (i + seed) * 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        codes[i] = x ^ x >> 31;
    }
}

/* A byte that is no base comes after every read_length bases; 0: never. */
static __global__ void spell(const uint64_t *codes, uint8_t *letters, uint64_t n, uint64_t read_length)
{
    const char bases[5] = "ACGT";
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x) {
        const bool is_end = read_length > 0 && i % (read_length + 1) == read_length;
        letters[i] = is_end ? 0 : (uint8_t)bases[codes[i / 32] >> 2 * (i % 32) & 3];
    }
}

static void make_letters(struct words_bench *b, uint64_t seed, uint64_t read_length)
{
    random_codes<<<4096, 256>>>(b->d_codes, b->n / 32 + 4, seed);
    spell<<<4096, 256>>>(b->d_codes, b->d_letters, b->n, read_length);
    must(cudaDeviceSynchronize(), "random bases");
}

static void insert(const struct words_bench *b)
{
    if (b->shape.n_windows != WINDOWS_USUAL)
        exit(1);
    insert_kernel<WINDOWS_USUAL><<<b->blocks, THREADS>>>(b->shape, b->filters.items[0], (const uint32_t *)b->d_codes, 2 * (b->n / 32 + 1),
                                                         0, b->n, b->d_stretch, 1);
}

static void query(const struct words_bench *b)
{
    hits_kernel<WINDOWS_USUAL><<<b->blocks, THREADS>>>(b->shape, b->filters, b->d_letters, b->n, b->n, b->d_planes, (b->n + 63) / 64);
}

static double seconds_of(const struct words_bench *b, void (*run)(const struct words_bench *))
{
    double seconds[RUNS];
    cudaEvent_t begun, ended;
    must(cudaEventCreate(&begun), "timing");
    must(cudaEventCreate(&ended), "timing");
    for (int i = -1; i < RUNS; i++) { /* one that is not counted */
        float ms;
        must(cudaEventRecord(begun), "timing");
        run(b);
        must(cudaGetLastError(), "a kernel");
        must(cudaEventRecord(ended), "timing");
        must(cudaEventSynchronize(ended), "a kernel");
        must(cudaEventElapsedTime(&ms, begun, ended), "timing");
        if (i >= 0)
            seconds[i] = 1e-3 * ms;
    }
    cudaEventDestroy(begun);
    cudaEventDestroy(ended);
    return bench_median(seconds, RUNS);
}

static uint64_t count_hits(const struct words_bench *b)
{
    const size_t n_words = (b->n + 63) / 64;
    uint64_t *plane = (uint64_t *)malloc(n_words * sizeof *plane), n = 0;
    if (plane == NULL)
        exit(5);
    must(cudaMemcpy(plane, b->d_planes + 2 * n_words, n_words * sizeof *plane, cudaMemcpyDeviceToHost), "hits");
    for (size_t i = 0; i < n_words; i++)
        n += (uint64_t)__builtin_popcountll(plane[i]);
    free(plane);
    return n;
}

static void print_row(const struct words_bench *b, const char *what, double seconds, const tms_filter *f, double peer, const char *note)
{
    char backend[64];
    snprintf(backend, sizeof backend, "cuda %u blocks", b->blocks);
    const struct bench_row row = {.what = what,
                                  .backend = backend,
                                  .n = (size_t)b->n,
                                  .k = f->params.k,
                                  .m_bits = f->params.m_bits,
                                  .seconds = seconds,
                                  .bytes_per_key = 0,
                                  .limit = peer,
                                  .note = note};
    bench_print(&row);
}

static tms_filter *make_filter(tms_context *ctx, uint64_t n_words)
{
    tms_filter_want want = {};
    tms_filter_params params;
    tms_filter *f;
    want.layout = TMS_LAYOUT_WORDS;
    want.hash = TMS_HASH_XXH3;
    want.word_size = WORD_SIZE;
    want.strand = TMS_STRAND_BOTH;
    want.n_keys = n_words;
    want.m_bits = (uint64_t)(BITS_A_WORD * (double)n_words);
    bench_must(ctx, tms_filter_size(ctx, &want, &params));
    bench_must(ctx, tms_filter_create(ctx, &params, &f));
    return f;
}

static struct words_bench begin(tms_context *ctx, tms_filter *f, uint64_t n)
{
    struct words_bench b = {};
    const struct scan_stretch all = {0, n, 0};
    b.ctx = ctx;
    b.n = n;
    b.shape = gpu_words_shape{f->params.word_size,
                              f->params.subword_size,
                              f->params.minimizer_size,
                              f->params.word_size - f->params.subword_size + 1,
                              f->params.subword_size - f->params.minimizer_size + 1,
                              f->params.seed,
                              f->params.strand};
    b.filters.n = 1;
    b.filters.items[0] = gpu_words_filter{(unsigned long long *)f->d_bits, f->params.m_bits / TMS_BLOCK_BITS, f->params.k};
    b.d_letters = allocate<uint8_t>(n + 64);
    b.d_codes = allocate<uint64_t>(n / 32 + 4);
    b.d_stretch = allocate<struct scan_stretch>(1);
    b.d_planes = allocate<uint32_t>(4 * ((n + 63) / 64));
    must(cudaMemcpy(b.d_stretch, &all, sizeof all, cudaMemcpyHostToDevice), "a stretch");
    b.blocks = (unsigned)((n + TILE - 1) / TILE < (uint64_t)ctx->gpu->n_multiprocessors * SCAN_GPU_BLOCKS
                              ? (n + TILE - 1) / TILE
                              : (uint64_t)ctx->gpu->n_multiprocessors * SCAN_GPU_BLOCKS);
    return b;
}

static void end(struct words_bench *b, tms_filter *f)
{
    cudaFree(b->d_letters);
    cudaFree(b->d_codes);
    cudaFree(b->d_stretch);
    cudaFree(b->d_planes);
    tms_filter_destroy(f);
}

static void bench_size(tms_context *ctx, uint64_t n)
{
    tms_filter *f = make_filter(ctx, n);
    struct words_bench b = begin(ctx, f, n);
    char note[96];
    double insertion, missing;
    make_letters(&b, 1, 0);
    insertion = seconds_of(&b, insert);
    print_row(&b, "insert 31-mers", insertion, f, 37e9, "limit: cuSBF's rate");
    print_row(&b, "query present", seconds_of(&b, query), f, 54e9, "limit: cuSBF's rate");
    if (count_hits(&b) != n - WORD_SIZE + 1) {
        fprintf(stderr, "tamis-bench: w-mers are missing\n");
        exit(1);
    }
    make_letters(&b, 1u << 30, 0);
    missing = seconds_of(&b, query);
    snprintf(note, sizeof note, "%.3g of them pass; limit: cuSBF's rate", (double)count_hits(&b) / (double)n);
    print_row(&b, "query missing", missing, f, 54e9, note);
    end(&b, f);
}

static void bench_fig9(tms_context *ctx)
{
    const uint64_t n = (uint64_t)FIG9_READS * (FIG9_LETTERS + 1);
    tms_filter *f = make_filter(ctx, 1 << 24);
    struct words_bench b = begin(ctx, f, n);
    make_letters(&b, 1, FIG9_LETTERS);
    const unsigned tiles = (unsigned)((n + TILE - 1) / TILE);
    for (unsigned blocks = 1; blocks < tiles; blocks = blocks < 8 ? 2 * blocks : blocks * 5 / 4) {
        b.blocks = blocks;
        print_row(&b, "fig9: query", seconds_of(&b, query), f, 0, "10^5 reads of 100 letters");
    }
    b.blocks = tiles;
    print_row(&b, "fig9: query", seconds_of(&b, query), f, 0, "10^5 reads of 100 letters");
    end(&b, f);
}

int bench_words(int argc, char **argv)
{
    static const uint64_t sizes[] = {4600000, 100000000, 1000000000};
    tms_context *ctx;
    (void)argc;
    (void)argv;
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    for (uint64_t n : sizes)
        bench_size(ctx, n);
    bench_fig9(ctx);
    tms_context_destroy(ctx);
    return 0;
}
