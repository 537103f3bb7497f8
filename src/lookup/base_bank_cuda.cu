/*
 * base_bank_cuda.cu - fills the filters and tests pieces of the subjects with the bank's own kernels (bank/bank_cuda.cuh), and joins the
 * answers of all sub-queries to a bit for each word.
 */
#include <stdlib.h>

#include "bank/bank_cuda.cuh"
#include "base/clock.h"
#include "lookup/base_bank_cuda.cuh"

#define THREADS      256
#define PIECE        ((size_t)1 << 24) /* most words that are tested at a time */
#define COLUMNS_BITS ((size_t)1 << 33) /* most answers of a piece */

struct base_bank_gpu {
    struct base_bank *asked;
    struct bank_gpu bank;
    int width; /* bases of a word */
};

static unsigned blocks_for(size_t n) { return (unsigned)((n + THREADS - 1) / THREADS); }

/* --- filling --- */

/* Word i of the queries belongs to sub-query i / sub_query. */
static __global__ void fill_kernel(const uint32_t *positions, size_t n, size_t first, uint32_t sub_query, struct bank_shape shape,
                                   uint32_t *bits)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    for (uint32_t j = 0; j < shape.k; j++) {
        const uint64_t bit = bank_bit(&shape, (uint32_t)((first + i) / sub_query), positions[j * n + i]);
        atomicOr(bits + (bit >> 5), 1u << (bit & 31));
    }
}

/* The words of the table's positions, in their order. Returns their number; words NULL: only that. */
static size_t words_of(const struct base_lookup *lookup, uint64_t *words)
{
    const struct packed_queries *queries = &lookup->strands.queries;
    const struct base_words *w = &lookup->words[0];
    const uint64_t mask = ((uint64_t)1 << 2 * w->width) - 1;
    uint64_t word = 0;
    size_t n = 0;
    for (int end = 1; end <= queries->n; end++) {
        word = word << 2 | (queries->codes[end - 1] & 3);
        if (end < w->width || !base_words_is_indexed(w, end - w->width))
            continue;
        if (words)
            words[n] = word & mask;
        n++;
    }
    return n;
}

static tms_status insert(tms_context *ctx, struct base_bank_gpu *b, const uint64_t *words, size_t n)
{
    uint64_t *d_words;
    uint32_t *d_positions;
    tms_status status = TMS_OK;
    for (size_t first = 0; first < n && status == TMS_OK; first += PIECE) {
        const size_t n_here = n - first < PIECE ? n - first : PIECE;
        status = gpu_workspace_anew_of(ctx->gpu, "words for filters", n_here, &d_words);
        status = GPU_ALSO(status, gpu_workspace_anew_of(ctx->gpu, "positions in filters", n_here * b->asked->k, &d_positions));
        status = GPU_ALSO(status, gpu_upload(ctx->gpu, d_words, words + first, n_here * sizeof *words));
        status = GPU_ALSO(status, bank_positions_cuda(ctx, &b->bank, d_words, n_here, d_positions));
        if (status != TMS_OK)
            return status;
        fill_kernel<<<blocks_for(n_here), THREADS, 0, ctx->gpu->stream>>>(d_positions, n_here, first, b->asked->sub_query, b->bank.shape,
                                                                          b->bank.d_bits);
        GPU_TRY(ctx->gpu, "filling filters", cudaGetLastError());
    }
    return status;
}

static tms_status fill(tms_context *ctx, struct base_bank_gpu *b, const uint64_t *words, size_t n)
{
    const struct base_bank *asked = b->asked;
    const struct bank_shape shape = {asked->m_bits,     1, asked->k, (uint32_t)((n + asked->sub_query - 1) / asked->sub_query), 0, BANK_H3,
                                     (uint32_t)b->width};
    struct bank bank;
    tms_status status = bank_create(ctx, &shape, &bank);
    if (status != TMS_OK)
        return status;
    status = bank_gpu_create(ctx, &bank, &b->bank);
    bank_free(&bank);
    status = GPU_ALSO(status, insert(ctx, b, words, n));
    return GPU_ALSO(status, gpu_wait(ctx->gpu));
}

tms_status base_bank_fill(tms_context *ctx, const struct base_lookup *lookup, struct base_bank_gpu **out)
{
    const double begun = clock_seconds();
    const size_t n = words_of(lookup, NULL);
    struct base_bank_gpu *b = *out = (struct base_bank_gpu *)calloc(1, sizeof *b);
    uint64_t *words = (uint64_t *)malloc((n + 1) * sizeof *words);
    tms_status status = TMS_E_MEMORY;
    if (b && words) {
        b->asked = ctx->tuning.bank;
        b->width = lookup->words[0].width;
        (void)words_of(lookup, words);
        status = fill(ctx, b, words, n);
        b->asked->n_sub_queries += b->bank.shape.n_subs;
        b->asked->seconds_fill += clock_seconds() - begun;
    } else {
        status = context_fail_memory(ctx, "words for filters", n * sizeof *words);
    }
    free(words);
    return status;
}

void base_bank_free(struct base_bank_gpu *bank)
{
    if (bank)
        bank_gpu_free(&bank->bank);
    free(bank);
}

/* --- testing --- */

static __global__ void words_kernel(const uint32_t *bases, uint64_t first, size_t n, int width, uint64_t *words)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        words[i] = subject_at(bases, first + i) >> (64 - 2 * width);
}

/* Of 32 bases from `at` on, a multiple of 32: those at which a word of a chunk begins. */
static __device__ uint32_t word_begins(const struct sieve_chunk *chunks, size_t n_chunks, uint64_t at, int width)
{
    size_t low = 0, high = n_chunks;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (chunks[middle].first <= at)
            low = middle;
        else
            high = middle;
    }
    const int64_t n_words = chunks[low].n - width + 1, n_left = n_words - (int64_t)(at - chunks[low].first);
    return at < chunks[low].first || n_left <= 0 ? 0 : n_left >= 32 ? ~0u : (1u << n_left) - 1;
}

enum { TESTED, CANDIDATES, PASSED, N_SUMS };

/* The answers of a piece. Its first base is a multiple of 32. */
struct join_args {
    const uint32_t *columns;
    uint32_t n_subs;
    size_t n_tiles;
    const struct sieve_chunk *chunks;
    size_t n_chunks;
    uint64_t first;
    int width;
};

/* A thread joins the answers to 32 words. passed: of all bases; sums [in,out] N_SUMS counts */
static __global__ void __launch_bounds__(THREADS) join_kernel(struct join_args a, uint32_t *passed, unsigned long long *sums)
{
    const size_t tile = (size_t)blockIdx.x * THREADS + threadIdx.x;
    unsigned long long counts[N_SUMS] = {0, 0, 0};
    if (tile < a.n_tiles) {
        const uint32_t begins = word_begins(a.chunks, a.n_chunks, a.first + 32 * tile, a.width);
        uint32_t any = 0;
        for (uint32_t s = 0; s < a.n_subs; s++) {
            const uint32_t answers = a.columns[s * a.n_tiles + tile] & begins;
            any |= answers;
            counts[CANDIDATES] += __popc(answers);
        }
        passed[a.first / 32 + tile] = any;
        counts[TESTED] = (unsigned long long)__popc(begins) * a.n_subs;
        counts[PASSED] = __popc(any);
    }
    for (int i = 0; i < N_SUMS; i++) {
        for (unsigned step = 16; step > 0; step /= 2)
            counts[i] += __shfl_down_sync(~0u, counts[i], step);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&sums[i], counts[i]);
    }
}

/* Words of a piece: a multiple of 32. */
static size_t piece_words(uint32_t n_subs)
{
    const size_t most = COLUMNS_BITS / (n_subs + 1) / 32 * 32;
    return most < PIECE ? most + (most == 0) * 32 : PIECE;
}

static tms_status test_piece(tms_context *ctx, struct base_bank_gpu *b, const uint32_t *d_bases, uint64_t first, size_t n,
                             uint32_t **columns)
{
    const struct bank_plan plan = {b->asked->blocks, b->asked->threads, 1, 0};
    uint64_t *d_words;
    uint32_t *d_positions;
    tms_status status = gpu_workspace_anew_of(ctx->gpu, "words for filters", n, &d_words);
    status = GPU_ALSO(status, gpu_workspace_anew_of(ctx->gpu, "positions in filters", n * b->asked->k, &d_positions));
    status = GPU_ALSO(status, gpu_workspace_anew_of(ctx->gpu, "answers of filters", (n + 31) / 32 * b->bank.shape.n_subs, columns));
    if (status != TMS_OK)
        return status;
    words_kernel<<<blocks_for(n), THREADS, 0, ctx->gpu->stream>>>(d_bases, first, n, b->width, d_words);
    GPU_TRY(ctx->gpu, "words for filters", cudaGetLastError());
    status = bank_positions_cuda(ctx, &b->bank, d_words, n, d_positions);
    return GPU_ALSO(status, bank_shared_cuda(ctx, &b->bank, &plan, d_positions, n, *columns));
}

/* Adds the sums of a test to the report. */
static tms_status report(tms_context *ctx, struct base_bank *asked, const unsigned long long *d_sums, double begun)
{
    unsigned long long sums[N_SUMS];
    const tms_status status = gpu_download(&ctx->fault, gpu_index(ctx->gpu), sums, d_sums, sizeof sums);
    if (status != TMS_OK)
        return status;
    asked->n_tests += sums[TESTED];
    asked->n_candidates += sums[CANDIDATES];
    asked->n_passed += sums[PASSED];
    asked->seconds_test += clock_seconds() - begun;
    return TMS_OK;
}

tms_status base_bank_test(tms_context *ctx, struct base_bank_gpu *bank, const uint32_t *d_bases, const struct sieve_chunk *d_chunks,
                          size_t n_chunks, uint64_t n_bases, const uint32_t **d_passed)
{
    const double begun = clock_seconds();
    const size_t piece = piece_words(bank->bank.shape.n_subs);
    uint32_t *passed, *columns;
    unsigned long long *d_sums;
    tms_status status = gpu_workspace_anew_of(ctx->gpu, "words that filters pass", n_bases / 32 + 1, &passed);
    status = GPU_ALSO(status, gpu_workspace_of(ctx->gpu, "sums of filters", N_SUMS, &d_sums));
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx->gpu, "filters", cudaMemsetAsync(d_sums, 0, N_SUMS * sizeof *d_sums, ctx->gpu->stream));
    for (uint64_t first = 0; first < n_bases; first += piece) {
        const size_t n = n_bases - first < piece ? (size_t)(n_bases - first) : piece, n_tiles = (n + 31) / 32;
        status = test_piece(ctx, bank, d_bases, first, n, &columns);
        if (status != TMS_OK)
            return status;
        const struct join_args args = {columns, bank->bank.shape.n_subs, n_tiles, d_chunks, n_chunks, first, bank->width};
        join_kernel<<<blocks_for(n_tiles), THREADS, 0, ctx->gpu->stream>>>(args, passed, d_sums);
        GPU_TRY(ctx->gpu, "joining answers of filters", cudaGetLastError());
    }
    status = gpu_wait(ctx->gpu);
    *d_passed = passed;
    return GPU_ALSO(status, report(ctx, bank->asked, d_sums, begun));
}
