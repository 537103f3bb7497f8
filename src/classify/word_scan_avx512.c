/* word_scan_avx512.c - the kernels of word_scan.c for 8 s-mers, 16 m-mers and 32 letters at a time. */
#include <immintrin.h>

#include "classify/word_scan.h"
#include "filter/words_core.h"
#include "seq/dna_core.h"

/* By a letter's low four bits, which tell A, C, G and T apart: the lower-case letter (0 matches none), and its code. */
#define LETTERS 0, 'a', 0, 'c', 't', 0, 0, 'g', 0, 0, 0, 0, 0, 0, 0, 0
#define CODES   0, 0, 0, 1, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0

static bool letters_avx512(const uint8_t *letters, uint32_t n, uint64_t *codes, uint64_t *other)
{
    const __m256i letter_of = _mm256_setr_epi8(LETTERS, LETTERS), code_of = _mm256_setr_epi8(CODES, CODES);
    const __m256i pairs = _mm256_set1_epi16(0x0401);     /* two bases to four bits */
    const __m256i quads = _mm256_set1_epi32(0x00100001); /* four to eight */
    uint64_t any = 0;
    for (uint32_t i = 0; i <= n / 64; i++)
        other[i] = 0;
    codes[n / 32] = 0;
    for (uint32_t i = 0; i < n; i += 32) {
        __mmask32 lanes = n - i < 32 ? ((__mmask32)1 << (n - i)) - 1 : ~(__mmask32)0;
        __m256i v = _mm256_maskz_loadu_epi8(lanes, letters + i);
        uint64_t others = _mm256_mask_cmpneq_epi8_mask(lanes, _mm256_shuffle_epi8(letter_of, v),
                                                       _mm256_or_si256(v, _mm256_set1_epi8(0x20)));
        v = _mm256_maddubs_epi16(_mm256_shuffle_epi8(code_of, v), pairs);
        v = _mm256_madd_epi16(v, quads);
        codes[i / 32] = (uint64_t)_mm_cvtsi128_si64(_mm256_cvtepi32_epi8(v));
        other[i / 64] |= others << i % 64;
        any |= others;
    }
    return any != 0;
}

/* words_rank() */
static inline __m512i ranks(__m512i m_mers, uint64_t seed)
{
    __m512i x = _mm512_mullo_epi32(_mm512_xor_si512(m_mers, _mm512_set1_epi32((int)((uint32_t)seed ^ 0x5bd1e995u))),
                                   _mm512_set1_epi32((int)0x9e3779b1u));
    x = _mm512_mullo_epi32(_mm512_xor_si512(x, _mm512_srli_epi32(x, 15)), _mm512_set1_epi32((int)0x85ebca77u));
    return _mm512_xor_si512(x, _mm512_srli_epi32(x, 13));
}

/* words_place() */
static inline __m512i places_of(__m512i x)
{
    x = _mm512_mullo_epi32(_mm512_xor_si512(x, _mm512_srli_epi32(x, 16)), _mm512_set1_epi32((int)0xc2b2ae3du));
    x = _mm512_mullo_epi32(_mm512_xor_si512(x, _mm512_srli_epi32(x, 15)), _mm512_set1_epi32((int)0x27d4eb2fu));
    return _mm512_xor_si512(x, _mm512_srli_epi32(x, 16));
}

/* The low halves of word >> low and of word >> high: 16 lanes. */
static inline __m512i shifted_halves(uint64_t word, __m512i low, __m512i high)
{
    __m512i all = _mm512_set1_epi64((int64_t)word);
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(_mm512_srlv_epi64(all, low))),
                              _mm512_cvtepi64_epi32(_mm512_srlv_epi64(all, high)), 1);
}

static void places_avx512(const struct scan_shape *shape, struct scan *scan)
{
    const __m512i mask = _mm512_set1_epi32((int)(uint32_t)dna_word_mask(shape->m)), steps = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i sixteen = _mm512_set1_epi64(16), ends = _mm512_sub_epi64(_mm512_set1_epi64(64 - 2 * (int64_t)shape->m), steps);
    const __m512i later = _mm512_add_epi64(steps, sixteen), later_ends = _mm512_sub_epi64(ends, sixteen);
    uint32_t n_windows = shape->s - shape->m + 1, n = scan->n_subwords, *places = scan->places;
    for (uint32_t i = 0; i < n + n_windows - 1; i += 16) {
        uint64_t word = dna_word(scan->codes, i, 32), reverse = dna_reverse_complement(word, 32);
        __m512i plus = _mm512_and_si512(shifted_halves(word, steps, later), mask);
        __m512i minus = _mm512_and_si512(shifted_halves(reverse, ends, later_ends), mask);
        plus = scan->strand == TMS_STRAND_PLUS ? plus : scan->strand == TMS_STRAND_MINUS ? minus : _mm512_min_epu32(plus, minus);
        _mm512_storeu_si512(places + i, ranks(plus, shape->seed));
    }
    for (uint32_t i = 0; i < n; i += 16) { /* what lies beyond n was written, or is of the piece before, and stays beyond */
        __m512i rank = _mm512_loadu_si512(places + i);
        for (uint32_t j = 1; j < n_windows; j++)
            rank = _mm512_min_epu32(rank, _mm512_loadu_si512(places + i + j));
        _mm512_storeu_si512(places + i, places_of(rank));
    }
}

/* words_mark(), in the low halves */
static inline __m512i marks_of(__m512i s_mers, uint64_t seed)
{
    __m512i low = _mm512_xor_si512(s_mers, _mm512_set1_epi64((int64_t)(seed >> 32)));
    __m512i x = _mm512_add_epi64(_mm512_mul_epu32(low, _mm512_set1_epi64(0x9e3779b1)),
                                 _mm512_mul_epu32(_mm512_srli_epi64(s_mers, 32), _mm512_set1_epi64(0xc2b2ae3d)));
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
}

static void marks_avx512(const struct scan_shape *shape, struct scan *scan)
{
    const __m512i mask = _mm512_set1_epi64((int64_t)dna_word_mask(shape->s)), steps = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i ends = _mm512_sub_epi64(_mm512_set1_epi64(64 - 2 * (int64_t)shape->s), steps);
    for (uint32_t i = 0; i < scan->n_subwords; i += 8) {
        uint64_t word = dna_word(scan->codes, i, 32), reverse = dna_reverse_complement(word, 32);
        __m512i plus = _mm512_and_si512(_mm512_srlv_epi64(_mm512_set1_epi64((int64_t)word), steps), mask);
        __m512i minus = _mm512_and_si512(_mm512_srlv_epi64(_mm512_set1_epi64((int64_t)reverse), ends), mask);
        plus = scan->strand == TMS_STRAND_PLUS ? plus : scan->strand == TMS_STRAND_MINUS ? minus : _mm512_min_epu64(plus, minus);
        _mm256_storeu_si256((__m256i *)(void *)(scan->marks + i), _mm512_cvtepi64_epi32(marks_of(plus, shape->seed)));
    }
}

/* Lanes that pass, of eight. */
static inline __mmask8 test_eight(__mmask8 lanes, const uint64_t *blocks, __m512i n_blocks, __m512i places, __m512i marks, uint32_t k)
{
    const __m512i one = _mm512_set1_epi64(1), six_bits = _mm512_set1_epi64(63), three = _mm512_set1_epi64(WORDS_BLOCK_WORDS - 1);
    __m512i block = _mm512_slli_epi64(_mm512_srli_epi64(_mm512_mul_epu32(places, n_blocks), 32), 2);
    __m512i x = _mm512_mul_epu32(marks, _mm512_set1_epi64(0xd1b54a33)), spread = _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
    __m512i word = _mm512_and_si512(_mm512_srli_epi64(spread, 48), three);
    for (uint32_t j = 0; j < k && lanes; j += 2) {
        __m512i bits = _mm512_sllv_epi64(one, _mm512_and_si512(spread, six_bits));
        if (j + 1 < k)
            bits = _mm512_or_si512(bits, _mm512_sllv_epi64(one, _mm512_and_si512(_mm512_srli_epi64(spread, 6), six_bits)));
        __m512i has = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), lanes, _mm512_or_si512(block, word), blocks, 8);
        __m512i missing = _mm512_andnot_si512(has, bits);
        lanes = _mm512_mask_testn_epi64_mask(lanes, missing, missing);
        spread = _mm512_srli_epi64(spread, 12);
        word = _mm512_and_si512(_mm512_add_epi64(word, one), three);
    }
    return lanes;
}

static void test_avx512(uint32_t k, const uint64_t *blocks, uint64_t n_blocks, const uint32_t *places, const uint32_t *marks, uint32_t n,
                        uint64_t *mask)
{
    const __m512i all_blocks = _mm512_set1_epi64((int64_t)n_blocks);
    for (uint32_t i = 0; i < (n + 63) / 64; i++)
        mask[i] = 0;
    for (uint32_t i = 0; i < n; i += 8) {
        __mmask8 lanes = n - i < 8 ? (__mmask8)((1u << (n - i)) - 1) : (__mmask8)0xff;
        __m512i place = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(places + i)));
        __m512i mark = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(marks + i)));
        mask[i / 64] |= (uint64_t)test_eight(lanes, blocks, all_blocks, place, mark, k) << i % 64;
    }
}

/* In each lane the sum of those up to it. */
static inline __m512i sums_up_to(__m512i x)
{
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}

/* words_spread(), eight. */
static inline __m512i spreads(__m256i marks)
{
    __m512i x = _mm512_mul_epu32(_mm512_cvtepu32_epi64(marks), _mm512_set1_epi64(0xd1b54a33));
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
}

/* words_bits() of the first two */
static inline __m512i two_bits(__m512i spread)
{
    const __m512i one = _mm512_set1_epi64(1), six_bits = _mm512_set1_epi64(63);
    return _mm512_or_si512(_mm512_sllv_epi64(one, _mm512_and_si512(spread, six_bits)),
                           _mm512_sllv_epi64(one, _mm512_and_si512(_mm512_srli_epi64(spread, 6), six_bits)));
}

static void lines_avx512(struct scan *scan)
{
    const __m256i three = _mm256_set1_epi32(WORDS_BLOCK_WORDS - 1);
    __m512i before = _mm512_set1_epi32((int)~scan->places[0]);
    uint32_t n = 0;
    for (uint32_t i = 0; i < scan->n_subwords; i += 16) {
        __mmask16 lanes = scan->n_subwords - i < 16 ? (__mmask16)((1u << (scan->n_subwords - i)) - 1) : (__mmask16)0xffff;
        __m512i places = _mm512_loadu_si512(scan->places + i);
        __mmask16 is_new = _mm512_mask_cmpneq_epi32_mask(lanes, places, _mm512_alignr_epi32(places, before, 15));
        __m512i line = _mm512_add_epi32(sums_up_to(_mm512_maskz_set1_epi32(is_new, 1)), _mm512_set1_epi32((int)n - 1));
        __m512i marks = _mm512_loadu_si512(scan->marks + i);
        __m512i low = spreads(_mm512_castsi512_si256(marks)), high = spreads(_mm512_extracti64x4_epi64(marks, 1));
        __m512i first = _mm512_inserti64x4(
            _mm512_castsi256_si512(_mm256_and_si256(_mm512_cvtepi64_epi32(_mm512_srli_epi64(low, 48)), three)),
            _mm256_and_si256(_mm512_cvtepi64_epi32(_mm512_srli_epi64(high, 48)), three), 1);
        _mm512_storeu_si512(scan->lines + n, _mm512_maskz_compress_epi32(is_new, places));
        _mm512_storeu_si512(scan->words + i, _mm512_add_epi32(_mm512_slli_epi32(line, 2), first));
        _mm512_storeu_si512(scan->bits + i, two_bits(low));
        _mm512_storeu_si512(scan->bits + i + 8, two_bits(high));
        n += (uint32_t)__builtin_popcount(is_new);
        before = places;
    }
    scan->n_lines = n;
}

/* Eight s-mers next to each other have four lines at most, mostly: these are in two vectors. */
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

const struct scan_kernels scan_kernels_avx512 = {letters_avx512, places_avx512, marks_avx512, lines_avx512, test_avx512, test_lines_avx512};
