/* blocked_avx2.c - the blocked layout with AVX2: a block is one register. */
#include <immintrin.h>

#include "filter/blocked_kernels.h"

struct salts {
    __m256i first, second; /* first and second bits of the words */
    __m256i use_first;     /* all ones in the first k words */
    __m256i use_second;
};

static inline struct salts load_salts(uint32_t k)
{
    __m256i word = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    struct salts s;
    s.first = _mm256_loadu_si256((const __m256i *)(const void *)blocked_salts_host);
    s.second = _mm256_loadu_si256((const __m256i *)(const void *)(blocked_salts_host + BLOCKED_WORDS));
    s.use_first = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)k), word);
    s.use_second = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)k - BLOCKED_WORDS), word);
    return s;
}

static inline __m256i one_bit(__m256i low, __m256i salts)
{
    return _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(_mm256_mullo_epi32(low, salts), 27));
}

/* kind: k = 8, k < 8 or k > 8; every caller passes a constant. */
enum kind { EIGHT, FEWER, MORE };

static inline __m256i pattern(uint64_t h, const struct salts *s, enum kind kind)
{
    __m256i low = _mm256_set1_epi32((int)(uint32_t)h);
    __m256i bits = one_bit(low, s->first);
    if (kind == FEWER)
        bits = _mm256_and_si256(bits, s->use_first);
    if (kind == MORE)
        bits = _mm256_or_si256(bits, _mm256_and_si256(one_bit(low, s->second), s->use_second));
    return bits;
}

static inline __m256i *block_at(const uint32_t *blocks, uint64_t h, uint64_t n_blocks)
{
    return (__m256i *)(void *)blocked_at(blocks, n_blocks, h);
}

__attribute__((always_inline)) static inline void insert_kind(uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes,
                                                              size_t n, enum kind kind)
{
    struct salts s = load_salts(k);
    blocked_prefetch_first(blocks, n_blocks, hashes, n);
    for (size_t i = 0; i < n; i++) {
        blocked_prefetch(blocks, n_blocks, hashes, i, n);
        __m256i *block = block_at(blocks, hashes[i], n_blocks);
        _mm256_store_si256(block, _mm256_or_si256(_mm256_load_si256(block), pattern(hashes[i], &s, kind)));
    }
}

__attribute__((always_inline)) static inline void query_kind(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes,
                                                             size_t n, uint8_t *hit, enum kind kind)
{
    struct salts s = load_salts(k);
    blocked_prefetch_first(blocks, n_blocks, hashes, n);
    for (size_t i = 0; i < n; i++) {
        blocked_prefetch(blocks, n_blocks, hashes, i, n);
        __m256i block = _mm256_load_si256(block_at(blocks, hashes[i], n_blocks));
        hit[i] = (uint8_t)_mm256_testc_si256(block, pattern(hashes[i], &s, kind));
    }
}

void blocked_insert_avx2(uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n)
{
    if (k == BLOCKED_WORDS)
        insert_kind(blocks, n_blocks, k, hashes, n, EIGHT);
    else if (k < BLOCKED_WORDS)
        insert_kind(blocks, n_blocks, k, hashes, n, FEWER);
    else
        insert_kind(blocks, n_blocks, k, hashes, n, MORE);
}

void blocked_query_avx2(const uint32_t *blocks, uint64_t n_blocks, uint32_t k, const uint64_t *hashes, size_t n, uint8_t *hit)
{
    if (k == BLOCKED_WORDS)
        query_kind(blocks, n_blocks, k, hashes, n, hit, EIGHT);
    else if (k < BLOCKED_WORDS)
        query_kind(blocks, n_blocks, k, hashes, n, hit, FEWER);
    else
        query_kind(blocks, n_blocks, k, hashes, n, hit, MORE);
}
