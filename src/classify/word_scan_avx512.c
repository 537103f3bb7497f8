/* word_scan_avx512.c - word_scan_lanes.h with 16 lanes, and block tests for vectors of 512 bits. */
#include <immintrin.h>

#include "base/core.h"

#define LANES 16

typedef __m512i vector;

static inline vector v_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void v_store(void *p, vector a) { _mm512_storeu_si512(p, a); }
static inline vector v_all32(uint32_t x) { return _mm512_set1_epi32((int)x); }
static inline vector v_min32(vector a, vector b) { return _mm512_min_epu32(a, b); }
static inline vector v_mullo32(vector a, vector b) { return _mm512_mullo_epi32(a, b); }
#define v_srl32(a, n) _mm512_srli_epi32(a, n)
static inline vector v_all64(uint64_t x) { return _mm512_set1_epi64((int64_t)x); }
static inline vector v_add64(vector a, vector b) { return _mm512_add_epi64(a, b); }
static inline vector v_sub64(vector a, vector b) { return _mm512_sub_epi64(a, b); }
#define v_sll64(a, n) _mm512_slli_epi64(a, n)
#define v_srl64(a, n) _mm512_srli_epi64(a, (unsigned)(n))
static inline vector v_sllv64(vector a, vector n) { return _mm512_sllv_epi64(a, n); }
static inline vector v_srlv64(vector a, vector n) { return _mm512_srlv_epi64(a, n); }
static inline vector v_least64(vector a, vector b) { return _mm512_min_epu64(a, b); }
static inline vector v_mul32(vector a, vector b) { return _mm512_mul_epu32(a, b); }
static inline vector v_and(vector a, vector b) { return _mm512_and_si512(a, b); }
static inline vector v_or(vector a, vector b) { return _mm512_or_si512(a, b); }
static inline vector v_xor(vector a, vector b) { return _mm512_xor_si512(a, b); }
static inline vector v_wide(const void *p) { return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)p)); }
static inline void v_store_low(void *p, vector a) { _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi64_epi32(a)); }
static inline __m256i v_load_bytes(const void *p, uint32_t n) { return _mm256_maskz_loadu_epi8(((__mmask32)1 << n) - 1, p); } /* n < 32 */

static inline vector v_halves(vector low, vector high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)), _mm512_cvtepi64_epi32(high), 1);
}

static inline uint32_t v_has_all(uint32_t lanes, const uint64_t *words, vector at, vector bits)
{
    vector has = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), (__mmask8)lanes, at, words, 8),
           missing = _mm512_andnot_si512(has, bits);
    return _mm512_mask_testn_epi64_mask((__mmask8)lanes, missing, missing);
}

#include "classify/word_scan_lanes.h"

/* Inclusive prefix sum over the lanes. */
static inline __m512i sums_up_to(__m512i x)
{
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}

static void lines_avx512(struct scan *scan)
{
    __m512i before = _mm512_set1_epi32((int)~scan->block_hashes[0]);
    uint32_t n = 0;
    for (uint32_t i = 0; i < scan->n_subwords; i += 16) {
        __mmask16 lanes = scan->n_subwords - i < 16 ? (__mmask16)((1u << (scan->n_subwords - i)) - 1) : (__mmask16)0xffff;
        __m512i hashes = _mm512_loadu_si512(scan->block_hashes + i);
        __mmask16 is_new = _mm512_mask_cmpneq_epi32_mask(lanes, hashes, _mm512_alignr_epi32(hashes, before, 15));
        __m512i line = _mm512_add_epi32(sums_up_to(_mm512_maskz_set1_epi32(is_new, 1)), _mm512_set1_epi32((int)n - 1));
        __m512i marks = _mm512_loadu_si512(scan->marks + i);
        __m512i low = spreads(_mm512_cvtepu32_epi64(_mm512_castsi512_si256(marks)));
        __m512i high = spreads(_mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(marks, 1)));
        __m512i first = v_halves(firsts(low), firsts(high));
        _mm512_storeu_si512(scan->lines + n, _mm512_maskz_compress_epi32(is_new, hashes));
        _mm512_storeu_si512(scan->words + i, _mm512_add_epi32(_mm512_slli_epi32(line, 2), first));
        _mm512_storeu_si512(scan->bits + i, two_bits(low));
        _mm512_storeu_si512(scan->bits + i + 8, two_bits(high));
        n += (uint32_t)__builtin_popcount(is_new);
        before = hashes;
    }
    scan->n_lines = n;
}

/* Eight neighbouring s-mers mostly have at most four lines, which fit in two vectors. */
static void test_lines_avx512(const struct scan *scan, const uint64_t *blocks, uint64_t *mask)
{
    for (uint32_t i = 0; i < (scan->n_subwords + 63) / 64; i++)
        mask[i] = 0;
    for (uint32_t i = 0; i < scan->n_subwords; i += 8) {
        __mmask8 lanes = scan->n_subwords - i < 8 ? (__mmask8)((1u << (scan->n_subwords - i)) - 1) : (__mmask8)0xff;
        const uint64_t *from = blocks + (scan->words[i] & ~(WORDS_BLOCK_WORDS - 1u));
        __m512i word = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(scan->words + i)));
        word = _mm512_sub_epi64(word, _mm512_set1_epi64(from - blocks));
        __m512i has = _mm512_permutex2var_epi64(_mm512_loadu_si512(from), word, _mm512_loadu_si512(from + 8));
        if (_mm512_mask_cmpgt_epu64_mask(lanes, word, _mm512_set1_epi64(15)))
            has = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), lanes, word, from, 8);
        __m512i missing = _mm512_andnot_si512(has, _mm512_loadu_si512(scan->bits + i));
        mask[i / 64] |= (uint64_t)_mm512_mask_testn_epi64_mask(lanes, missing, missing) << i % 64;
    }
}

const struct scan_kernels scan_kernels_avx512 = {encode_lanes, block_hashes_lanes, marks_lanes,
                                                 lines_avx512, test_lanes,         test_lines_avx512};
