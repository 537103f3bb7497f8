/*
 * long_words_cuda.cu - words of 4 residues or more. The GPU makes their table from the queries' residues: the table is so much larger that
 * making it takes less time than copying it.
 *
 * To limit its memory, a table covers one range of the queries' positions. Ranges are independent, because the scan takes each hit by
 * itself. The list of diagonals has a capacity. If more are found, they are counted but not kept, and the scan begins again with more
 * space.
 */
#include "device/gpu_algorithms.cuh"
#include "lookup/long_words_kernels.cuh"

#define KEYS_CELL          2e-6              /* diagonals expected for each pair of a residue and a position, with reserve */
#define LEAST_WORDS        ((size_t)1 << 21) /* least number of positions that a table has space for */
#define WORDS_A_KEY        65536             /* in tests: positions that a table has space for, for each entry of the lists */
#define BLOCKS_A_PROCESSOR 8

static unsigned n_blocks(const struct gpu *gpu) { return (unsigned)gpu->n_multiprocessors * BLOCKS_A_PROCESSOR; }

static size_t starts_bytes(uint32_t n_words) { return ((size_t)n_words + 1) * sizeof(uint32_t); }

size_t long_words_least_bytes(uint32_t n_long_words) { return starts_bytes(n_long_words) + LEAST_WORDS * sizeof(uint16_t); }

/* A scan in progress. */
struct long_scan {
    tms_context *ctx;
    struct gpu *gpu;
    struct gpu_scan *s;
    uint32_t *counts;      /* for each position of the queries: words similar to the one there; host memory */
    size_t most_positions; /* most positions of a table, unless it covers a single position of the queries */
    uint16_t *positions;   /* device memory for the positions of the largest table */
    double *d_expected;    /* a sum for each thread block */
    unsigned hits_blocks;
};

/* Counts the words similar to the one at each position. */
static tms_status count_by_position(struct long_scan *b)
{
    struct gpu *gpu = b->gpu;
    const size_t n = (size_t)b->s->n_positions, bytes = n * sizeof *b->counts;
    uint32_t *d_counts;
    tms_status status = gpu_workspace_anew_of(gpu, "words near each position", n, &d_counts);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "words near queries", cudaMemsetAsync(d_counts, 0, bytes, gpu->stream));
    near_words_kernel<COUNT_BY_POSITION><<<n_blocks(gpu), LONG_THREADS, 0, gpu->stream>>>(*b->s, 0, (uint32_t)n, d_counts, NULL);
    GPU_TRY(gpu, "words near queries", cudaGetLastError());
    GPU_TRY(gpu, "words near queries", cudaMemcpyAsync(b->counts, d_counts, bytes, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

/* Returns the end of the range that begins with position `first`, at least first + 1. *n: positions of its table. */
static uint32_t end_of_range(const struct long_scan *b, uint32_t first, size_t *n)
{
    uint32_t end = first;
    for (*n = 0; end < (uint32_t)b->s->n_positions && (end == first || *n + b->counts[end] <= b->most_positions); end++)
        *n += b->counts[end];
    return end;
}

/* Allocates memory for the positions of the largest table; allocating range by range would wait for each range. */
static tms_status reserve_positions(struct long_scan *b)
{
    size_t most = 0, n;
    for (uint32_t first = 0; first < (uint32_t)b->s->n_positions;) {
        first = end_of_range(b, first, &n);
        most = n > most ? n : most;
    }
    return gpu_workspace_anew_of(b->gpu, "positions of words", most, &b->positions);
}

/* Makes the table of positions first .. end - 1: word's positions are those from starts[word] to starts[word + 1] - 1. */
static tms_status make_table(struct long_scan *b, uint32_t first, uint32_t end)
{
    struct gpu *gpu = b->gpu;
    uint32_t *starts;
    tms_status status = gpu_workspace_anew_of(gpu, "words", (size_t)b->s->n_long_words + 1, &starts);
    if (status != TMS_OK)
        return status;
    /*
     * The first pass counts each word's positions in the entry after the word's; sums make these the starts; after the last pass they are
     * the starts of the next words.
     */
    uint32_t *next = starts + 1;
    GPU_TRY(gpu, "words", cudaMemsetAsync(starts, 0, starts_bytes(b->s->n_long_words), gpu->stream));
    near_words_kernel<COUNT_BY_WORD><<<n_blocks(gpu), LONG_THREADS, 0, gpu->stream>>>(*b->s, first, end, next, NULL);
    GPU_TRY(gpu, "words", cudaGetLastError());
    status = gpu_exclusive_sum(gpu, "words", next, next, b->s->n_long_words);
    if (status != TMS_OK)
        return status;
    near_words_kernel<WRITE_POSITIONS><<<n_blocks(gpu), LONG_THREADS, 0, gpu->stream>>>(*b->s, first, end, next, b->positions);
    GPU_TRY(gpu, "words", cudaGetLastError());
    b->s->word_starts = starts;
    b->s->positions = b->positions;
    return TMS_OK;
}

/* Sieves the hits of all ranges. *n_words: positions of all their tables. */
static tms_status sieve_ranges(struct long_scan *b, uint64_t *n_words)
{
    struct gpu *gpu = b->gpu;
    tms_status status = TMS_OK;
    *n_words = 0;
    GPU_TRY(gpu, "hits", cudaMemsetAsync(b->s->sums, 0, sizeof *b->s->sums, gpu->stream));
    GPU_TRY(gpu, "hits", cudaMemsetAsync(b->d_expected, 0, n_blocks(gpu) * sizeof *b->d_expected, gpu->stream));
    for (uint32_t first = 0, end; first < (uint32_t)b->s->n_positions && status == TMS_OK; first = end) {
        size_t n;
        end = end_of_range(b, first, &n);
        *n_words += n;
        if (n == 0)
            continue;
        status = make_table(b, first, end);
        if (status != TMS_OK)
            return status;
        expected_kernel<<<n_blocks(gpu), LONG_THREADS, 0, gpu->stream>>>(*b->s, b->d_expected);
        GPU_TRY(gpu, "hits", cudaGetLastError());
        long_hits_kernel<<<b->hits_blocks, LONG_THREADS, 0, gpu->stream>>>(*b->s);
        GPU_TRY(gpu, "hits", cudaGetLastError());
    }
    return status;
}

/* Sums the thread blocks' values, always in the same order. */
static tms_status read_expected(struct long_scan *b, double *out)
{
    struct gpu *gpu = b->gpu;
    const size_t n = n_blocks(gpu);
    double *sums = (double *)malloc(n * sizeof *sums);
    if (!sums)
        return context_fail_memory(b->ctx, "sums of words", n * sizeof *sums);
    cudaError_t error = cudaMemcpyAsync(sums, b->d_expected, n * sizeof *sums, cudaMemcpyDeviceToHost, gpu->stream);
    tms_status status = error == cudaSuccess ? gpu_wait(gpu) : gpu_fail(gpu, error, "hits");
    *out = 0;
    for (size_t i = 0; i < n && status == TMS_OK; i++)
        *out += sums[i];
    free(sums);
    return status;
}

/* As many thread blocks as run at once, so that each warp has the same share of the words. */
static tms_status set_hits_blocks(struct long_scan *b)
{
    int blocks = 0;
    GPU_TRY(b->gpu, "hits", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, long_hits_kernel, LONG_THREADS, 0));
    b->hits_blocks = (unsigned)(b->gpu->n_multiprocessors * (blocks > 0 ? blocks : 1));
    return TMS_OK;
}

/* Repeats the sieve until the diagonals fit; *fits is false if there are more than the limit. */
static tms_status sieve(struct long_scan *b, const struct two_hit_limits *limits, struct gpu_sums *sums, bool *fits,
                        struct two_hit_gpu_found *out)
{
    struct gpu_scan *s = b->s;
    const double keys = KEYS_CELL * (s->part_end - s->part_first) * s->n_positions + 4096;
    tms_status status = set_hits_blocks(b);
    status = GPU_ALSO(status, count_by_position(b));
    status = GPU_ALSO(status, reserve_positions(b));
    s->keys_capacity = b->ctx->batch_keys ? (uint32_t)b->ctx->batch_keys
                                          : (uint32_t)(keys < (double)limits->keys ? keys : (double)limits->keys);
    for (*fits = false; !*fits && status == TMS_OK;) {
        status = gpu_workspace_anew_of(b->gpu, "diagonals", two_hit_room(s->keys_capacity, limits->keys), &s->keys);
        status = GPU_ALSO(status, sieve_ranges(b, &out->n_words));
        status = GPU_ALSO(status, two_hit_gpu_read_sums(b->gpu, s, sums));
        if (status != TMS_OK || (sums->n_keys > limits->keys && !limits->is_one))
            return status;
        *fits = sums->n_keys <= s->keys_capacity;
        s->keys_capacity = sums->n_keys > s->keys_capacity ? sums->n_keys : s->keys_capacity;
    }
    return GPU_ALSO(status, read_expected(b, &out->expected_hits));
}

tms_status long_words_sieve(tms_context *ctx, const struct two_hit_limits *limits, struct gpu_scan *s, struct gpu_sums *sums, bool *fits,
                            struct two_hit_gpu_found *out)
{
    struct long_scan b = {ctx, ctx->gpu, s, NULL, LEAST_WORDS, NULL, NULL, 0};
    tms_status status = gpu_workspace_anew_of(ctx->gpu, "expected hits", n_blocks(ctx->gpu), &b.d_expected);
    if (status != TMS_OK)
        return status;
    if (limits->long_words_bytes > long_words_least_bytes(s->n_long_words))
        b.most_positions = (limits->long_words_bytes - starts_bytes(s->n_long_words)) / sizeof(uint16_t);
    if (ctx->batch_keys)
        b.most_positions = ctx->batch_keys * WORDS_A_KEY;
    b.counts = (uint32_t *)malloc((size_t)s->n_positions * sizeof *b.counts);
    if (!b.counts)
        return context_fail_memory(ctx, "words near queries", (size_t)s->n_positions * sizeof *b.counts);
    status = sieve(&b, limits, sums, fits, out);
    free(b.counts);
    return status;
}
