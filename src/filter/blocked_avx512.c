/*
 * blocked_avx512.c - the blocked layout with AVX-512.
 *
 * One 512-bit register holds all 16 bits of a key: the words' first bits in the lower half, their second bits in the upper.
 * Up to k = 8 a register holds the bits of two keys, since a multiply costs the same at either width.
 */
#include <immintrin.h>

#include "filter/blocked_kernels.h"

static inline __m256i *block_at(const uint32_t *blocks, uint64_t h, uint64_t n_blocks)
{
    return (__m256i *)(void *)blocked_at(blocks, n_blocks, h);
}

static inline __m512i bits_of(__m512i low, __m512i salts, __mmask16 use)
{
    return _mm512_maskz_sllv_epi32(use, _mm512_set1_epi32(1), _mm512_srli_epi32(_mm512_mullo_epi32(low, salts), 27));
}

/* k > 8: one key a register. */
static inline __m256i pattern_wide(uint64_t h, __m512i salts, __mmask16 use)
{
    __m512i bits = bits_of(_mm512_set1_epi32((int)(uint32_t)h), salts, use);
    return _mm256_or_si256(_mm512_castsi512_si256(bits), _mm512_extracti64x4_epi64(bits, 1));
}

/* k <= 8: two keys a register. */
static inline __m512i patterns_of_two(uint64_t a, uint64_t b, __m512i salts, __mmask16 use)
{
    __m512i low = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_set1_epi32((int)(uint32_t)a)), _mm256_set1_epi32((int)(uint32_t)b), 1);
    return bits_of(low, salts, use);
}

static inline __m512i salts_wide(void) { return _mm512_loadu_si512(blocked_salts_host); }

static inline __m512i salts_twice(void)
{
    return _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)(const void *)blocked_salts_host));
}

static inline __mmask16 words_twice(uint32_t k) { return (__mmask16)(((1u << k) - 1) * 0x101u); }

static void insert_narrow(uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n)
{
    __m512i salts = salts_twice();
    __mmask16 use = words_twice(k);
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        blocked_prefetch(blocks, n_blocks, hashes, i, n);
        blocked_prefetch(blocks, n_blocks, hashes, i + 1, n);
        __m512i bits = patterns_of_two(hashes[i], hashes[i + 1], salts, use);
        __m256i *block = block_at(blocks, hashes[i], n_blocks);
        _mm256_store_si256(block, _mm256_or_si256(_mm256_load_si256(block), _mm512_castsi512_si256(bits)));
        block = block_at(blocks, hashes[i + 1], n_blocks); /* may be the previous block, so load it after the store */
        _mm256_store_si256(block, _mm256_or_si256(_mm256_load_si256(block), _mm512_extracti64x4_epi64(bits, 1)));
    }
    if (i < n) {
        __m256i *block = block_at(blocks, hashes[i], n_blocks);
        __m256i bits = _mm512_castsi512_si256(patterns_of_two(hashes[i], hashes[i], salts, use));
        _mm256_store_si256(block, _mm256_or_si256(_mm256_load_si256(block), bits));
    }
}

static inline int covers(__m256i block, __m256i bits) { return _mm256_testc_si256(block, bits); }

static void query_narrow(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n, uint8_t *hit)
{
    __m512i salts = salts_twice();
    __mmask16 use = words_twice(k);
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        blocked_prefetch(blocks, n_blocks, hashes, i, n);
        blocked_prefetch(blocks, n_blocks, hashes, i + 1, n);
        __m512i bits = patterns_of_two(hashes[i], hashes[i + 1], salts, use);
        __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_load_si256(block_at(blocks, hashes[i], n_blocks))),
                                          _mm256_load_si256(block_at(blocks, hashes[i + 1], n_blocks)), 1);
        unsigned missing = _mm512_test_epi32_mask(_mm512_andnot_si512(both, bits), _mm512_set1_epi32(-1));
        hit[i] = (missing & 0xff) == 0;
        hit[i + 1] = (missing >> 8) == 0;
    }
    if (i < n)
        hit[i] = (uint8_t)covers(_mm256_load_si256(block_at(blocks, hashes[i], n_blocks)),
                                 _mm512_castsi512_si256(patterns_of_two(hashes[i], hashes[i], salts, use)));
}

void blocked_insert_avx512(uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n)
{
    blocked_prefetch_first(blocks, n_blocks, hashes, n);
    if (k <= BLOCKED_WORDS) {
        insert_narrow(blocks, n_blocks, k, hashes, n);
        return;
    }
    __m512i salts = salts_wide();
    __mmask16 use = (__mmask16)((1u << k) - 1);
    for (size_t i = 0; i < n; i++) {
        blocked_prefetch(blocks, n_blocks, hashes, i, n);
        __m256i *block = block_at(blocks, hashes[i], n_blocks);
        _mm256_store_si256(block, _mm256_or_si256(_mm256_load_si256(block), pattern_wide(hashes[i], salts, use)));
    }
}

void blocked_query_avx512(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n, uint8_t *hit)
{
    blocked_prefetch_first(blocks, n_blocks, hashes, n);
    if (k <= BLOCKED_WORDS) {
        query_narrow(blocks, n_blocks, k, hashes, n, hit);
        return;
    }
    __m512i salts = salts_wide();
    __mmask16 use = (__mmask16)((1u << k) - 1);
    for (size_t i = 0; i < n; i++) {
        blocked_prefetch(blocks, n_blocks, hashes, i, n);
        hit[i] = (uint8_t)covers(_mm256_load_si256(block_at(blocks, hashes[i], n_blocks)), pattern_wide(hashes[i], salts, use));
    }
}
