/*
 * blocked_kernels.h - insert and query of prehashed keys on one thread, one set of functions per instruction set.
 *
 * blocks: n_blocks blocks of 8 words, aligned to 32 bytes. hashes: n of them. hit: n bytes, 0 or 1.
 */
#ifndef TMS_BLOCKED_KERNELS_H
#define TMS_BLOCKED_KERNELS_H

#include "filter/blocked_core.h"

/*
 * Prefetch distance in keys: enough to cover a memory access (100 ns and more) at 2 to 3 ns a key, but few enough
 * that the blocks are not evicted before use. Prefetching while the keys are hashed, a chunk
 * ahead, was slower: it competes with the stream of key bytes.
 */
#define BLOCKED_PREFETCH_AHEAD 32

static inline uint32_t *blocked_at(const uint32_t *blocks, uint64_t n_blocks, uint64_t hash)
{
    return (uint32_t *)(uintptr_t)(blocks + BLOCKED_WORDS * blocked_index(hash, n_blocks));
}

/* Call before processing key i of n. */
static inline void blocked_prefetch(const uint32_t *blocks, uint64_t n_blocks, const uint64_t *hashes, size_t i, size_t n)
{
    if (i + BLOCKED_PREFETCH_AHEAD < n)
        __builtin_prefetch(blocked_at(blocks, n_blocks, hashes[i + BLOCKED_PREFETCH_AHEAD]));
}

/* Call before the first key. */
static inline void blocked_prefetch_first(const uint32_t *blocks, uint64_t n_blocks, const uint64_t *hashes, size_t n)
{
    for (size_t i = 0; i < n && i < BLOCKED_PREFETCH_AHEAD; i++)
        __builtin_prefetch(blocked_at(blocks, n_blocks, hashes[i]));
}

void blocked_insert_scalar(uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n);
void blocked_query_scalar(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n, uint8_t *hit);
#if TMS_HAVE_X86_SIMD
void blocked_insert_avx2(uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n);
void blocked_query_avx2(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n, uint8_t *hit);
void blocked_insert_avx512(uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n);
void blocked_query_avx512(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n, uint8_t *hit);
#endif

#endif
