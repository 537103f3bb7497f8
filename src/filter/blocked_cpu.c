/*
 * blocked_cpu.c - the blocked layout on CPU threads.
 *
 * Threads process a batch in chunks: they hash the keys of a chunk into an array, then insert or query the array with prefetching
 * (blocked_kernels.h). One thread on the scalar level is the oracle for everything else.
 *
 * A chunk's hashes fill one MiB rather than the L1 cache: the key bytes are one long stream, and random accesses to
 * the filter in between make the processor's stream prefetcher lose it. 10 M strings of 20 bytes, 13 MB filter, query:
 * 11.0 ns a key with chunks of 512, 9.5 with 2,048, 8.1 with 32,768, 7.4 with 131,072.
 *
 * Insertion by several threads: partitioned_insert.h.
 */
#include <math.h>
#include <string.h>

#include "filter/blocked_cpu.h"
#include "filter/blocked_kernels.h"
#include "filter/keys_core.h"
#include "filter/partitioned_insert.h"
#include "hash/xxh3_core.h"

#define CHUNK_KEYS       131072
#define LEAST_CHUNK_KEYS 8192 /* waking a thread costs more than this */
#define CHUNKS_A_THREAD  4    /* at least, so that a slow thread processes fewer */

_Static_assert(TMS_BLOCKED_MAX_K == 2 * BLOCKED_WORDS, "a key has two bits in a word at most");
_Static_assert(TMS_BLOCKED_MAX_BITS / TMS_BLOCK_BITS <= UINT32_MAX, "a block's number has 32 bits");

typedef void insert_kernel(uint32_t *, uint64_t, uint32_t, const uint64_t *, size_t);
typedef void query_kernel(const uint32_t *, uint64_t, uint32_t, const uint64_t *, size_t, uint8_t *);

void blocked_insert_scalar(uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t *block = blocks + BLOCKED_WORDS * blocked_index(hashes[i], n_blocks);
        for (uint32_t w = 0; w < BLOCKED_WORDS; w++)
            block[w] |= blocked_word(hashes[i], k, w);
    }
}

void blocked_query_scalar(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n, uint8_t *hit)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t *block = blocks + BLOCKED_WORDS * blocked_index(hashes[i], n_blocks);
        hit[i] = 1;
        for (uint32_t w = 0; w < BLOCKED_WORDS && hit[i]; w++) {
            uint32_t bits = blocked_word(hashes[i], k, w);
            hit[i] = (block[w] & bits) == bits;
        }
    }
}

static insert_kernel *insert_kernel_for(const tms_context *ctx)
{
#if TMS_HAVE_X86_SIMD
    if (ctx->simd == TMS_SIMD_AVX512)
        return blocked_insert_avx512;
    if (ctx->simd == TMS_SIMD_AVX2)
        return blocked_insert_avx2;
#endif
    (void)ctx;
    return blocked_insert_scalar;
}

static query_kernel *query_kernel_for(const tms_context *ctx)
{
#if TMS_HAVE_X86_SIMD
    if (ctx->simd == TMS_SIMD_AVX512)
        return blocked_query_avx512;
    if (ctx->simd == TMS_SIMD_AVX2)
        return blocked_query_avx2;
#endif
    (void)ctx;
    return blocked_query_scalar;
}

/* Hashes keys first .. first + n - 1. Fixed-size keys have a separate loop, in which the length is constant. */
void blocked_hash_keys(const tms_keys *keys, uint64_t seed, size_t first, size_t n, uint64_t *hashes)
{
    size_t len;
    if (!keys->offsets && !keys->gap) {
        const uint8_t *p = keys->bytes + first * keys->key_size;
        len = keys->key_size;
        for (size_t i = 0; i < n; i++)
            hashes[i] = xxh3_64(p + i * len, len, seed);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint8_t *p = keys_at(keys, first + i, &len);
        hashes[i] = xxh3_64(p, len, seed);
    }
}

/* The best chunk size for one thread, but small enough for every thread to get several chunks. */
static size_t chunk_keys(const tms_context *ctx, size_t n_keys)
{
    size_t share = n_keys / ((size_t)ctx->n_threads * CHUNKS_A_THREAD) + 1;
    return ctx->n_threads == 1 || share > CHUNK_KEYS ? CHUNK_KEYS : share < LEAST_CHUNK_KEYS ? LEAST_CHUNK_KEYS : share;
}

/* Replaces the keys' hashes by the hashes for one part. */
static void hash_for_part(uint64_t *hashes, size_t n, uint32_t part)
{
    for (size_t i = 0; part && i < n; i++)
        hashes[i] = blocked_hash(hashes[i], part);
}

static uint64_t part_bytes(const tms_filter *f) { return filter_part_blocks(&f->params) * (TMS_BLOCK_BITS / 8); }

/* --- insertion: each part as a separate filter --- */

struct insertion {
    tms_filter *filter;
    uint32_t part;
    const tms_keys *keys;
    const uint64_t *hashes;
    insert_kernel *insert;
};

static size_t produce(void *arg, size_t first, size_t n, uint64_t *values, size_t capacity, size_t *n_values)
{
    const struct insertion *in = arg;
    n = n < capacity ? n : capacity;
    if (in->hashes)
        memcpy(values, in->hashes + first, n * sizeof *values);
    else
        blocked_hash_keys(in->keys, in->filter->params.seed, first, n, values);
    hash_for_part(values, n, in->part);
    *n_values = n;
    return n;
}

static void apply(void *arg, uint8_t *bits, const uint64_t *values, size_t n)
{
    const struct insertion *in = arg;
    in->insert((uint32_t *)(void *)bits, filter_part_blocks(&in->filter->params), in->filter->params.k, values, n);
}

tms_status blocked_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n)
{
    struct insertion in = {f, 0, keys, hashes, insert_kernel_for(ctx)};
    tms_status status = TMS_OK;
    for (; in.part < filter_n_parts(&f->params) && status == TMS_OK; in.part++) {
        uint8_t *bits = filter_bits_mutable(f) + in.part * part_bytes(f);
        struct partitioned_insert_work work = {&in, n, 1, 1, bits, part_bytes(f), filter_part_blocks(&f->params), 1, produce, apply};
        status = partitioned_insert(ctx, &work);
    }
    return status;
}

/* --- query --- */

/* The keys of a chunk that passed all parts so far. */
struct survivors {
    uint64_t *hashes;
    uint32_t *keys; /* indices in the chunk */
    uint8_t *hit;
};

/* Gathers the keys of a chunk that passed the previous parts, with their hashes for this part. */
static size_t collect_survivors(const uint64_t *hashes, const uint8_t *hit, size_t n, uint32_t part, const struct survivors *s)
{
    size_t n_left = 0, i = 0;
    for (; i + 8 <= n; i += 8) { /* eight answers at a time: most are 0 */
        uint64_t passed = core_read64(hit + i);
        for (; passed; passed &= passed - 1)
            s->keys[n_left++] = (uint32_t)(i + (size_t)__builtin_ctzll(passed) / 8);
    }
    for (; i < n; i++) {
        s->keys[n_left] = (uint32_t)i;
        n_left += hit[i];
    }
    for (i = 0; i < n_left; i++)
        s->hashes[i] = blocked_hash(hashes[s->keys[i]], part);
    return n_left;
}

/* Part 0 decides nearly all missing keys; the other parts test the remaining keys. */
static void query_chunk(query_kernel *query, const tms_filter *f, const uint64_t *hashes, size_t n, uint8_t *hit, const struct survivors *s)
{
    uint64_t n_blocks = filter_part_blocks(&f->params);
    const uint32_t *blocks = (const uint32_t *)(const void *)filter_bits(f);
    query(blocks, n_blocks, f->params.k, hashes, n, hit);
    for (uint32_t part = 1; part < filter_n_parts(&f->params); part++) {
        size_t n_left = collect_survivors(hashes, hit, n, part, s);
        blocks += BLOCKED_WORDS * n_blocks;
        query(blocks, n_blocks, f->params.k, s->hashes, n_left, s->hit);
        for (size_t i = 0; i < n_left; i++)
            hit[s->keys[i]] = s->hit[i];
    }
}

struct query {
    query_kernel *kernel;
    const tms_filter *filter;
    const tms_keys *keys;
    uint8_t *hit;
    size_t chunk;
    uint64_t *space; /* scratch, `words` numbers per thread */
    size_t words, number_words;
};

static void query_task(void *arg, size_t task, int thread)
{
    const struct query *q = arg;
    uint64_t *hashes = q->space + (size_t)thread * q->words, *numbers = hashes + 2 * q->chunk;
    struct survivors s = {hashes + q->chunk, (uint32_t *)numbers, (uint8_t *)(numbers + q->number_words)};
    size_t first = task * q->chunk, left = q->keys->n_keys - first, n = left < q->chunk ? left : q->chunk;
    blocked_hash_keys(q->keys, q->filter->params.seed, first, n, hashes);
    query_chunk(q->kernel, q->filter, hashes, n, q->hit + first, &s);
}

tms_status blocked_query_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit)
{
    size_t most = chunk_keys(ctx, keys->n_keys), chunk = keys->n_keys < most ? keys->n_keys : most;
    struct query q = {
        .kernel = query_kernel_for(ctx), .filter = f, .keys = keys, .hit = hit, .chunk = chunk, .number_words = chunk / 2 + 1};
    if (!chunk)
        return TMS_OK;
    q.words = 2 * chunk + q.number_words + chunk / 8 + 1; /* a filter with one part touches only the hashes */
    q.space = context_scratch(ctx, (size_t)ctx->n_threads * q.words * sizeof *q.space);
    if (!q.space)
        return context_fail_memory(ctx, "a chunk of hashes", (size_t)ctx->n_threads * q.words * sizeof *q.space);
    return tms_context_run(ctx, (keys->n_keys + chunk - 1) / chunk, query_task, &q);
}

/* The scalar code decides a single key, which cannot fill a vector. */
bool blocked_has(const tms_filter *f, const uint8_t *key, size_t size)
{
    const uint32_t *blocks = (const uint32_t *)(const void *)filter_bits(f);
    uint64_t hash = xxh3_64(key, size, f->params.seed), n_blocks = filter_part_blocks(&f->params);
    uint8_t hit = 1;
    for (uint32_t part = 0; part < filter_n_parts(&f->params) && hit; part++) {
        uint64_t of_part = blocked_hash(hash, part);
        blocked_query_scalar(blocks + BLOCKED_WORDS * n_blocks * part, n_blocks, f->params.k, &of_part, 1, &hit);
    }
    return hit;
}

/* --- false-positive rate of a random missing key, from the current bits --- */

#define FPR_BLOCKS ((size_t)1 << 13) /* per task; sums are added in task order, the same for any number of threads */

struct fpr_sums {
    const uint32_t *blocks;
    uint32_t k;
    double *sums;
};

static void sum_passing(void *arg, size_t first, size_t end)
{
    const struct fpr_sums *s = arg;
    double sum = 0;
    for (size_t b = first; b < end; b++) {
        double pass = 1;
        for (uint32_t j = 0; j < s->k; j++)
            pass *= __builtin_popcount(s->blocks[b * BLOCKED_WORDS + j % BLOCKED_WORDS]) / 32.0;
        sum += pass;
    }
    s->sums[first / FPR_BLOCKS] = sum;
}

static tms_status part_fpr(tms_context *ctx, const tms_filter *f, uint32_t part, double *rate)
{
    uint64_t n_blocks = filter_part_blocks(&f->params), n_sums = (n_blocks + FPR_BLOCKS - 1) / FPR_BLOCKS;
    struct fpr_sums s = {(const uint32_t *)(const void *)(filter_bits(f) + part * part_bytes(f)), f->params.k,
                         context_scratch(ctx, n_sums * sizeof(double))};
    if (!s.sums)
        return context_fail_memory(ctx, "the blocks' rates", n_sums * sizeof(double));
    tms_status status = context_run_ranges(ctx, n_blocks, FPR_BLOCKS, sum_passing, &s);
    double sum = 0, same_bits = (double)f->n_keys / (double)n_blocks * BLOCKED_SAME_BITS; /* see blocked_sizing.c */
    for (uint64_t i = 0; i < n_sums; i++)
        sum += s.sums[i];
    *rate = fmin(1, sum / (double)n_blocks + same_bits);
    return status;
}

tms_status blocked_actual_fpr_cpu(tms_context *ctx, const tms_filter *f, double *rate)
{
    double all = 1, of_part = 1;
    for (uint32_t part = 0; part < filter_n_parts(&f->params); part++) {
        tms_status status = part_fpr(ctx, f, part, &of_part);
        if (status != TMS_OK)
            return status;
        all *= of_part;
    }
    *rate = fmin(1, all + blocked_same_hash(f->n_keys));
    return TMS_OK;
}
