/*
 * key_sources.cuh - how a kernel gets the 64-bit hash of key i. One type per form of keys in device memory; each
 * kernel is compiled for every type.
 *
 *   HashSource      hashes, ready
 *   WordSource      keys of 8 bytes, aligned: one load
 *   FixedSource     keys of one size; ALIGNED: a multiple of 4, so words are read whole; SHORT: 17 to 32 bytes.
 *                   <false, false>: also zero-padded keys
 *   OffsetSource    keys of any length in an arena
 *
 * All threads of a block call stage() for the keys that the block will hash. It copies string keys to shared memory in whole vectors
 * if they fit, which pays for thousands of keys per block (partitioning; in a query the barrier costs more than
 * it saves). Kernels read key bytes only once, with streaming loads that leave the filter in L2.
 *
 * QUERY_KEYS: keys per thread in a query; QUERY_BLOCKS: thread blocks of a query per multiprocessor, limited by registers;
 * PARTS_BLOCKS: thread blocks per multiprocessor in a query with several blocks per key and one key per thread.
 */
#ifndef TMS_KEY_SOURCES_CUH
#define TMS_KEY_SOURCES_CUH

#include "filter/keys_core.h"
#include "hash/xxh3_core.h"

struct HashSource {
    static const bool STAGED = false;
    static const int QUERY_KEYS = 4, QUERY_BLOCKS = 8, PARTS_BLOCKS = 8;
    const uint64_t *hashes;
    __device__ HashSource stage(size_t, uint32_t, uint8_t *, uint32_t) const { return *this; }
    __device__ uint64_t hash(size_t i) const { return __ldcs((const unsigned long long *)hashes + i); }
};

struct WordSource {
    static const bool STAGED = false;
    static const int QUERY_KEYS = 4, QUERY_BLOCKS = 8, PARTS_BLOCKS = 8;
    const uint64_t *words;
    uint64_t seed;
    __device__ WordSource stage(size_t, uint32_t, uint8_t *, uint32_t) const { return *this; }
    __device__ uint64_t hash(size_t i) const
    {
        uint64_t word = __ldcs((const unsigned long long *)words + i);
        return xxh3_64_word((uint32_t)word, (uint32_t)(word >> 32), 8, seed);
    }
};

/* Copies [from, to) to shared memory if it fits; returns the address that corresponds to `base` in the copy, or `base`. Ends with a
 * barrier. */
static __device__ const uint8_t *stage_bytes(const uint8_t *base, size_t from, size_t to, uint8_t *space, uint32_t capacity)
{
    size_t skew = (size_t)(base + from) & 15;
    size_t n_vectors = (skew + (to - from) + 15) / 16;
    if (n_vectors * 16 + 16 > capacity)
        return base;
    const uint4 *source = (const uint4 *)(const void *)(base + from - skew);
    for (uint32_t i = threadIdx.x; i < n_vectors; i += blockDim.x)
        ((uint4 *)(void *)space)[i] = __ldcs(source + i);
    __syncthreads();
    return space + skew - from;
}

template <bool ALIGNED, bool SHORT> struct FixedSource {
    static const bool STAGED = true;
    static const int QUERY_KEYS = SHORT ? 4 : 2, QUERY_BLOCKS = 4, PARTS_BLOCKS = SHORT ? 8 : 6;
    tms_keys keys;
    uint64_t seed;
    __device__ FixedSource stage(size_t first, uint32_t n, uint8_t *space, uint32_t capacity) const
    {
        FixedSource staged = *this;
        size_t size = keys.key_size;
        staged.keys.bytes = stage_bytes(keys.bytes, first * size, (first + n) * size, space, capacity);
        return staged;
    }
    __device__ uint64_t hash(size_t i) const
    {
        uint32_t size = keys.key_size;
        const uint8_t *p = keys.bytes + i * size;
        if (ALIGNED)
            p = (const uint8_t *)__builtin_assume_aligned(p, 4);
        if (!ALIGNED && keys.gap == TMS_KEYS_ZERO_PADDED)
            size = (uint32_t)keys_unpadded(p, size);
        if (!SHORT)
            return xxh3_64(p, size, seed);
        __builtin_assume(size <= 32);
        return xxh3_64_17to128(p, size, seed);
    }
};

struct OffsetSource {
    static const bool STAGED = true;
    static const int QUERY_KEYS = 2, QUERY_BLOCKS = 4, PARTS_BLOCKS = 6;
    tms_keys keys;
    uint64_t seed;
    __device__ OffsetSource stage(size_t first, uint32_t n, uint8_t *space, uint32_t capacity) const
    {
        OffsetSource staged = *this;
        staged.keys.bytes = stage_bytes(keys.bytes, __ldg(keys.offsets + first), __ldg(keys.offsets + first + n), space, capacity);
        return staged;
    }
    __device__ uint64_t hash(size_t i) const
    {
        size_t len;
        const uint8_t *p = keys_at_offset(&keys, i, &len);
        return xxh3_64(p, len, seed);
    }
};

/* Calls `use(source)` with the source type that fits the keys (device pointers). */
template <class Use> static tms_status with_key_source(const tms_keys *keys, uint64_t seed, Use use)
{
    uint32_t size = keys->key_size;
    if (keys->offsets)
        return use(OffsetSource{*keys, seed});
    if (keys->gap == TMS_KEYS_ZERO_PADDED)
        return use(FixedSource<false, false>{*keys, seed});
    if (size == 8)
        return use(WordSource{(const uint64_t *)(const void *)keys->bytes, seed});
    if (size > 16 && size <= 32 && size % 4 == 0)
        return use(FixedSource<true, true>{*keys, seed});
    if (size % 4 == 0)
        return use(FixedSource<true, false>{*keys, seed});
    return use(FixedSource<false, false>{*keys, seed});
}

#endif
