/* word_scan_avx2.c - word_scan_lanes.h with 8 lanes, and block tests for vectors of 256 bits. */
#include <immintrin.h>
#include <string.h>

#include "base/core.h"

#define LANES 8

typedef __m256i vector;

static inline vector v_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline void v_store(void *p, vector a) { _mm256_storeu_si256((__m256i *)p, a); }
static inline vector v_all32(uint32_t x) { return _mm256_set1_epi32((int)x); }
static inline vector v_min32(vector a, vector b) { return _mm256_min_epu32(a, b); }
static inline vector v_mullo32(vector a, vector b) { return _mm256_mullo_epi32(a, b); }
#define v_srl32(a, n) _mm256_srli_epi32(a, n)
static inline vector v_all64(uint64_t x) { return _mm256_set1_epi64x((int64_t)x); }
static inline vector v_add64(vector a, vector b) { return _mm256_add_epi64(a, b); }
static inline vector v_sub64(vector a, vector b) { return _mm256_sub_epi64(a, b); }
#define v_sll64(a, n) _mm256_slli_epi64(a, n)
#define v_srl64(a, n) _mm256_srli_epi64(a, n)
static inline vector v_sllv64(vector a, vector n) { return _mm256_sllv_epi64(a, n); }
static inline vector v_srlv64(vector a, vector n) { return _mm256_srlv_epi64(a, n); }
static inline vector v_least64(vector a, vector b) { return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b)); }
static inline vector v_mul32(vector a, vector b) { return _mm256_mul_epu32(a, b); }
static inline vector v_and(vector a, vector b) { return _mm256_and_si256(a, b); }
static inline vector v_or(vector a, vector b) { return _mm256_or_si256(a, b); }
static inline vector v_xor(vector a, vector b) { return _mm256_xor_si256(a, b); }
static inline vector v_wide(const void *p) { return _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)p)); }

static inline vector v_halves(vector low, vector high)
{
    __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), _MM_SHUFFLE(2, 0, 2, 0));
    return _mm256_permute4x64_epi64(_mm256_castps_si256(both), _MM_SHUFFLE(3, 1, 2, 0));
}

static inline void v_store_low(void *p, vector a) { _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(v_halves(a, a))); }

static inline __m256i v_load_bytes(const void *p, uint32_t n)
{
    uint8_t bases[32] = {0};
    memcpy(bases, p, n);
    return v_load(bases);
}

/* Unused lanes also hold valid offsets of blocks. */
static inline uint32_t v_has_all(uint32_t lanes, const uint64_t *words, vector at, vector bits)
{
    vector has = _mm256_i64gather_epi64((const long long *)(const void *)words, at, 8);
    return lanes & (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(v_and(has, bits), bits)));
}

#include "classify/word_scan_lanes.h"

static void lines_avx2(struct scan *scan)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < scan->n_subwords; i += 4) {
        vector spread = spreads(v_wide(scan->marks + i));
        v_store_low(scan->words + i, firsts(spread));
        v_store(scan->bits + i, two_bits(spread));
    }
    for (uint32_t i = 0; i < scan->n_subwords; i++) {
        n += i == 0 || scan->block_hashes[i] != scan->block_hashes[i - 1];
        scan->lines[n - 1] = scan->block_hashes[i];
        scan->words[i] += WORDS_BLOCK_WORDS * (n - 1);
    }
    scan->n_lines = n;
}

static void test_lines_avx2(const struct scan *scan, const uint64_t *blocks, uint64_t *mask)
{
    uint32_t n = scan->n_subwords, i = 0;
    for (uint32_t j = 0; j < (n + 63) / 64; j++)
        mask[j] = 0;
    for (; i + 4 <= n; i += 4)
        mask[i / 64] |= (uint64_t)v_has_all(ALL_LANES, blocks, v_wide(scan->words + i), v_load(scan->bits + i)) << i % 64;
    for (; i < n; i++)
        mask[i / 64] |= (uint64_t) !(scan->bits[i] & ~blocks[scan->words[i]]) << i % 64;
}

const struct scan_kernels scan_kernels_avx2 = {encode_lanes, block_hashes_lanes, marks_lanes, lines_avx2, test_lanes, test_lines_avx2};
