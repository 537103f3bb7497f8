/*
 * classic_cpu.c - the classic layout on CPU threads. One thread is the oracle; insertion by several: partitioned_insert.h.
 */
#include "filter/classic_cpu.h"
#include "filter/hash_families.h"
#include "filter/partitioned_insert.h"

#define CHUNK_KEYS 256
#define TASK_WORK  16384 /* keys times k of a task: waking a thread for less does not pay */
#define PREFETCH_K 64    /* up to this k a query prefetches the first bits of a chunk before it tests them */

void classic_hash_keys(const tms_keys *keys, uint64_t seed, size_t first, size_t n, uint64_t *hashes)
{
    for (size_t i = 0; i < n; i++) {
        size_t len;
        const uint8_t *p = keys_at(keys, first + i, &len);
        xxh3_hash128 hash = xxh3_128(p, len, seed);
        hashes[2 * i] = hash.low;
        hashes[2 * i + 1] = hash.high;
    }
}

_Static_assert((uint64_t)(3 * CLASSIC_CUBIC_SCALE_THIRD) == CLASSIC_CUBIC_SCALE, "a third of it, modulo 2^64");
_Static_assert(TMS_CLASSIC_MAX_K <= 65536 && TMS_PROBABILISTIC_MAX_K <= 65536, "classic_value() has pairs of functions in 32 bits");

/* Every caller passes a constant hash, so the family is chosen once per chunk and not k times per key. */
__attribute__((always_inline)) static inline void values_family(const tms_filter *f, const tms_keys *keys, const uint64_t *hashes,
                                                                size_t first, size_t n, uint64_t *values, tms_hash hash)
{
    uint32_t k = f->params.k;
    for (size_t i = 0; i < n; i++) {
        classic_key key = classic_key_at(&f->params, keys, hashes, first + i);
        for (uint32_t j = 0; j < k; j++)
            values[i * k + j] = classic_value(hash, f->params.seed, &key, j);
    }
}

__attribute__((always_inline)) static inline void query_family(const tms_filter *f, const tms_keys *keys, size_t first, size_t n,
                                                               uint8_t *hit, tms_hash hash)
{
    const uint64_t *words = (const uint64_t *)(const void *)filter_bits(f);
    const tms_filter_params p = f->params;
    classic_key chunk[CHUNK_KEYS];
    for (size_t i = 0; i < n; i++) {
        chunk[i] = classic_key_at(&f->params, keys, NULL, first + i);
        if (classic_hashes_once(hash) && p.k <= PREFETCH_K)
            for (uint32_t j = 0; j < 2 && j < p.k; j++) /* at half fill, these two bits reject three of four missing keys */
                __builtin_prefetch(words + (classic_position(hash, p.seed, &chunk[i], j, p.m_bits) >> 6));
    }
    for (size_t i = 0; i < n; i++) {
        uint8_t all = 1;
        for (uint32_t j = 0; j < p.k && all; j++) {
            uint64_t position = classic_position(hash, p.seed, &chunk[i], j, p.m_bits);
            all = words[position >> 6] >> (position & 63) & 1;
        }
        hit[first + i] = all;
    }
}

static size_t produce(void *arg, size_t first, size_t n, uint64_t *values, size_t capacity, size_t *n_values)
{
    const struct classic_insertion *in = arg;
    size_t most = capacity / in->filter->params.k;
    n = n < most ? n : most;
    *n_values = n * in->filter->params.k;
    WITH_HASH_FAMILY(in->filter->params.hash, values_family(in->filter, in->keys, in->hashes, first, n, values, FAMILY));
    return n;
}

void classic_apply(void *arg, uint8_t *bits, const uint64_t *values, size_t n)
{
    const uint64_t m_bits = ((const struct classic_insertion *)arg)->filter->params.m_bits;
    uint64_t *words = (uint64_t *)(void *)bits;
    for (size_t i = 0; i < n; i++) {
        uint64_t position = core_scale(values[i], m_bits);
        words[position >> 6] |= 1ull << (position & 63);
    }
}

tms_status classic_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n)
{
    struct classic_insertion in = {f, keys, hashes};
    uint32_t k = f->params.k;
    struct partitioned_insert_work work = {&in,          n, k, k, filter_bits_mutable(f), f->bits_bytes, f->params.m_bits, 64, produce,
                                           classic_apply};
    return partitioned_insert(ctx, &work);
}

static void query_chunk(const tms_filter *f, const tms_keys *keys, size_t first, size_t n, uint8_t *hit)
{
    WITH_HASH_FAMILY(f->params.hash, query_family(f, keys, first, n, hit, FAMILY));
}

bool classic_has(const tms_filter *f, const uint8_t *key, size_t size)
{
    const tms_keys keys = {.bytes = key, .n_keys = 1, .key_size = (uint32_t)size};
    uint8_t hit;
    query_chunk(f, &keys, 0, 1, &hit);
    return hit;
}

struct query {
    const tms_filter *filter;
    const tms_keys *keys;
    uint8_t *hit;
};

static void query_range(void *arg, size_t first, size_t end)
{
    const struct query *q = arg;
    for (; first < end; first += CHUNK_KEYS)
        query_chunk(q->filter, q->keys, first, end - first < CHUNK_KEYS ? end - first : CHUNK_KEYS, q->hit);
}

tms_status classic_query_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit)
{
    struct query query = {f, keys, hit};
    size_t grain = (TASK_WORK / f->params.k / CHUNK_KEYS + 1) * CHUNK_KEYS;
    return context_run_ranges(ctx, keys->n_keys, grain, query_range, &query);
}
