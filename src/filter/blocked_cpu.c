/*
 * blocked_cpu.c - the blocked layout on CPU threads.
 *
 * A batch is worked off in chunks: hash the keys of a chunk into an array, then insert or query the array with prefetching
 * (blocked_kernels.h). One thread on the scalar level is the oracle for everything else.
 *
 * A chunk's hashes fill a MiB, not the first cache: the key bytes are one long stream, and whenever random accesses to
 * the filter come between, the processor's stream prefetcher loses it. 10 M strings of 20 bytes, 13 MB filter, query:
 * 11.0 ns a key with chunks of 512, 9.5 with 2,048, 8.1 with 32,768, 7.4 with 131,072.
 *
 * Insertion by several threads: owners.h.
 */
#include <math.h>
#include <string.h>

#include "filter/blocked_cpu.h"
#include "filter/blocked_kernels.h"
#include "filter/keys_core.h"
#include "filter/owners.h"
#include "hash/xxh3_core.h"

#define CHUNK_KEYS 131072
#define SERIAL_BELOW_KEYS 8192       /* starting threads costs more than this */

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

void blocked_query_scalar(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n,
                          uint8_t *hit)
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

/* Hash keys first .. first + n - 1. Fixed-size keys get a loop of their own, so that the length is decided once. */
static void hash_keys(const tms_keys *keys, uint64_t seed, size_t first, size_t n, uint64_t *hashes)
{
    size_t len;
    if (!keys->offsets) {
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

void blocked_hash_cpu(const tms_context *ctx, uint64_t seed, const tms_keys *keys, uint64_t *hashes)
{
    int64_t n_chunks = (int64_t)((keys->n_keys + CHUNK_KEYS - 1) / CHUNK_KEYS);
#pragma omp parallel for num_threads(ctx->n_threads) schedule(static) if (keys->n_keys >= SERIAL_BELOW_KEYS)
    for (int64_t c = 0; c < n_chunks; c++) {
        size_t first = (size_t)c * CHUNK_KEYS;
        size_t n = keys->n_keys - first < CHUNK_KEYS ? keys->n_keys - first : CHUNK_KEYS;
        hash_keys(keys, seed, first, n, hashes + first);
    }
}

/* From the keys' hashes to those of a part, in place. */
static void hash_for_part(uint64_t *hashes, size_t n, uint32_t part)
{
    for (size_t i = 0; part && i < n; i++)
        hashes[i] = blocked_hash(hashes[i], part);
}

static uint64_t part_bytes(const tms_filter *f) { return filter_part_blocks(&f->params) * (TMS_BLOCK_BITS / 8); }

/* --- insertion: part by part, as if each were a filter --- */

struct insertion {
    tms_filter *filter;
    uint32_t part;
    const tms_keys *keys;
    const uint64_t *hashes;
    insert_kernel *insert;
};

static size_t produce(void *arg, size_t first, size_t n, uint64_t *values, size_t room, size_t *n_values)
{
    const struct insertion *in = arg;
    n = n < room ? n : room;
    if (in->hashes)
        memcpy(values, in->hashes + first, n * sizeof *values);
    else
        hash_keys(in->keys, in->filter->params.seed, first, n, values);
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
        struct owners_work work = {&in, n, 1, 1, bits, part_bytes(f), filter_part_blocks(&f->params), 1, produce, apply};
        status = owners_insert(ctx, &work);
    }
    return status;
}

/* --- query --- */

/* For a chunk of keys: those that passed all parts so far. */
struct survivors {
    uint64_t *hashes;
    uint32_t *keys; /* their numbers in the chunk */
    uint8_t *hit;
};

/* The keys of a chunk that passed the parts before this one, with their hashes for it. */
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

/* Part 0 decides nearly all missing keys; the next parts are asked about the rest. */
static void query_chunk(query_kernel *query, const tms_filter *f, const uint64_t *hashes, size_t n, uint8_t *hit,
                        const struct survivors *s)
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

tms_status blocked_query_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit)
{
    query_kernel *query = query_kernel_for(ctx);
    int n_threads = keys->n_keys < SERIAL_BELOW_KEYS ? 1 : ctx->n_threads;
    size_t share = (keys->n_keys + (size_t)n_threads - 1) / (size_t)n_threads;
    size_t chunk = share < CHUNK_KEYS ? share : CHUNK_KEYS;
    size_t number_words = chunk / 2 + 1, hit_words = chunk / 8 + 1;
    size_t words = 2 * chunk + number_words + hit_words; /* of a thread; all but the hashes touched with several parts only */
    uint64_t *space = context_scratch(ctx, (size_t)n_threads * words * sizeof *space);
    if (!space)
        return context_fail_memory(ctx, "a chunk of hashes", (size_t)n_threads * words * sizeof *space);
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
    for (int t = 0; t < n_threads; t++) {
        uint64_t *hashes = space + (size_t)t * words;
        uint64_t *numbers = hashes + 2 * chunk;
        struct survivors s = {hashes + chunk, (uint32_t *)numbers, (uint8_t *)(numbers + number_words)};
        size_t end = ((size_t)t + 1) * share < keys->n_keys ? ((size_t)t + 1) * share : keys->n_keys;
        for (size_t first = (size_t)t * share; first < end; first += chunk) {
            size_t n = end - first < chunk ? end - first : chunk;
            hash_keys(keys, f->params.seed, first, n, hashes);
            query_chunk(query, f, hashes, n, hit + first, &s);
        }
    }
    return TMS_OK;
}

/* --- the rate that the bits, as they are, give a random missing key --- */

static double part_fpr(const tms_context *ctx, const tms_filter *f, uint32_t part)
{
    const uint32_t *blocks = (const uint32_t *)(const void *)(filter_bits(f) + part * part_bytes(f));
    int64_t n_blocks = (int64_t)filter_part_blocks(&f->params);
    uint32_t k = f->params.k;
    double sum = 0;
#pragma omp parallel for num_threads(ctx->n_threads) schedule(static) reduction(+ : sum)
    for (int64_t b = 0; b < n_blocks; b++) {
        double pass = 1;
        for (uint32_t j = 0; j < k; j++)
            pass *= __builtin_popcount(blocks[b * BLOCKED_WORDS + j % BLOCKED_WORDS]) / 32.0;
        sum += pass;
    }
    double same_bits = (double)f->n_keys / (double)n_blocks / 4294967296.0; /* see blocked_sizing.c */
    return fmin(1, sum / (double)n_blocks + same_bits);
}

double blocked_actual_fpr_cpu(const tms_context *ctx, const tms_filter *f)
{
    double rate = 1;
    for (uint32_t part = 0; part < filter_n_parts(&f->params); part++)
        rate *= part_fpr(ctx, f, part);
    return fmin(1, rate + blocked_same_hash(f->n_keys));
}
