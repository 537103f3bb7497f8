/* word_scan_avx2.c - the kernels of word_scan.c for 4 s-mers, 8 m-mers and 32 letters at a time. */
#include <immintrin.h>
#include <string.h>

#include "classify/word_scan.h"
#include "filter/words_core.h"
#include "seq/dna_core.h"

/* By a letter's low four bits, which tell A, C, G and T apart: the lower-case letter (0 matches none), and its code. */
#define LETTERS 0, 'a', 0, 'c', 't', 0, 0, 'g', 0, 0, 0, 0, 0, 0, 0, 0
#define CODES   0, 0, 0, 1, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0

static inline __m256i load(const void *from) { return _mm256_loadu_si256((const __m256i *)from); }
static inline void store(void *to, __m256i x) { _mm256_storeu_si256((__m256i *)to, x); }

/* The bases of 32 letters. Returns which letters are others. */
static inline uint32_t encode(__m256i v, uint64_t *codes)
{
    const __m256i letter_of = _mm256_setr_epi8(LETTERS, LETTERS), code_of = _mm256_setr_epi8(CODES, CODES);
    uint32_t same = (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_shuffle_epi8(letter_of, v), _mm256_or_si256(v, _mm256_set1_epi8(0x20))));
    v = _mm256_maddubs_epi16(_mm256_shuffle_epi8(code_of, v), _mm256_set1_epi16(0x0401)); /* two bases to four bits */
    v = _mm256_madd_epi16(v, _mm256_set1_epi32(0x00100001));                              /* four to eight */
    v = _mm256_packus_epi32(v, v);
    v = _mm256_packus_epi16(v, v);
    *codes = (uint32_t)_mm256_extract_epi32(v, 0) | (uint64_t)(uint32_t)_mm256_extract_epi32(v, 4) << 32;
    return ~same;
}

static bool letters_avx2(const uint8_t *letters, uint32_t n, uint64_t *codes, uint64_t *other)
{
    uint64_t any = 0, others;
    uint32_t i = 0;
    uint8_t rest[32] = {0};
    for (uint32_t j = 0; j <= n / 64; j++)
        other[j] = 0;
    codes[n / 32] = 0;
    for (; i + 32 <= n; i += 32) {
        others = encode(load(letters + i), &codes[i / 32]);
        other[i / 64] |= others << i % 64;
        any |= others;
    }
    if (i == n)
        return any != 0;
    memcpy(rest, letters + i, n - i);
    others = encode(load(rest), &codes[i / 32]) & (((uint64_t)1 << (n - i)) - 1);
    other[i / 64] |= others << i % 64;
    return (any | others) != 0;
}

/* words_rank() */
static inline __m256i ranks(__m256i m_mers, uint64_t seed)
{
    __m256i x = _mm256_mullo_epi32(_mm256_xor_si256(m_mers, _mm256_set1_epi32((int)((uint32_t)seed ^ 0x5bd1e995u))),
                                   _mm256_set1_epi32((int)0x9e3779b1u));
    x = _mm256_mullo_epi32(_mm256_xor_si256(x, _mm256_srli_epi32(x, 15)), _mm256_set1_epi32((int)0x85ebca77u));
    return _mm256_xor_si256(x, _mm256_srli_epi32(x, 13));
}

/* words_place() */
static inline __m256i places_of(__m256i x)
{
    x = _mm256_mullo_epi32(_mm256_xor_si256(x, _mm256_srli_epi32(x, 16)), _mm256_set1_epi32((int)0xc2b2ae3du));
    x = _mm256_mullo_epi32(_mm256_xor_si256(x, _mm256_srli_epi32(x, 15)), _mm256_set1_epi32((int)0x27d4eb2fu));
    return _mm256_xor_si256(x, _mm256_srli_epi32(x, 16));
}

/* The low halves of two vectors: 8 lanes. */
static inline __m256i halves(__m256i low, __m256i high)
{
    __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), _MM_SHUFFLE(2, 0, 2, 0));
    return _mm256_permute4x64_epi64(_mm256_castps_si256(both), _MM_SHUFFLE(3, 1, 2, 0));
}

static inline __m256i shifted_halves(uint64_t word, __m256i low, __m256i high)
{
    __m256i all = _mm256_set1_epi64x((int64_t)word);
    return halves(_mm256_srlv_epi64(all, low), _mm256_srlv_epi64(all, high));
}

static void places_avx2(const struct scan_shape *shape, struct scan *scan)
{
    const __m256i mask = _mm256_set1_epi32((int)(uint32_t)dna_word_mask(shape->m)), steps = _mm256_setr_epi64x(0, 2, 4, 6);
    const __m256i eight = _mm256_set1_epi64x(8), ends = _mm256_sub_epi64(_mm256_set1_epi64x(64 - 2 * (int64_t)shape->m), steps);
    const __m256i later = _mm256_add_epi64(steps, eight), later_ends = _mm256_sub_epi64(ends, eight);
    uint32_t n_windows = shape->s - shape->m + 1, n = scan->n_subwords, *places = scan->places;
    for (uint32_t i = 0; i < n + n_windows - 1; i += 8) {
        uint64_t word = dna_word(scan->codes, i, 32), reverse = dna_reverse_complement(word, 32);
        __m256i plus = _mm256_and_si256(shifted_halves(word, steps, later), mask);
        __m256i minus = _mm256_and_si256(shifted_halves(reverse, ends, later_ends), mask);
        plus = scan->strand == TMS_STRAND_PLUS ? plus : scan->strand == TMS_STRAND_MINUS ? minus : _mm256_min_epu32(plus, minus);
        store(places + i, ranks(plus, shape->seed));
    }
    for (uint32_t i = 0; i < n; i += 8) { /* what lies beyond n was written, or is of the piece before, and stays beyond */
        __m256i rank = load(places + i);
        for (uint32_t j = 1; j < n_windows; j++)
            rank = _mm256_min_epu32(rank, load(places + i + j));
        store(places + i, places_of(rank));
    }
}

/* words_mark(), in the low halves */
static inline __m256i marks_of(__m256i s_mers, uint64_t seed)
{
    __m256i low = _mm256_xor_si256(s_mers, _mm256_set1_epi64x((int64_t)(seed >> 32)));
    __m256i x = _mm256_add_epi64(_mm256_mul_epu32(low, _mm256_set1_epi64x(0x9e3779b1)),
                                 _mm256_mul_epu32(_mm256_srli_epi64(s_mers, 32), _mm256_set1_epi64x(0xc2b2ae3d)));
    return _mm256_xor_si256(x, _mm256_srli_epi64(x, 32));
}

/* As the strand has them. Words of up to 48 bits compare as signed numbers. */
static inline __m256i s_mers_of(tms_strand strand, __m256i plus, __m256i minus)
{
    if (strand == TMS_STRAND_BOTH)
        return _mm256_blendv_epi8(plus, minus, _mm256_cmpgt_epi64(plus, minus));
    return strand == TMS_STRAND_PLUS ? plus : minus;
}

static void marks_avx2(const struct scan_shape *shape, struct scan *scan)
{
    const __m256i mask = _mm256_set1_epi64x((int64_t)dna_word_mask(shape->s)), steps = _mm256_setr_epi64x(0, 2, 4, 6);
    const __m256i ends = _mm256_sub_epi64(_mm256_set1_epi64x(64 - 2 * (int64_t)shape->s), steps), eight = _mm256_set1_epi64x(8);
    const __m256i later = _mm256_add_epi64(steps, eight), later_ends = _mm256_sub_epi64(ends, eight);
    for (uint32_t i = 0; i < scan->n_subwords; i += 8) {
        uint64_t word = dna_word(scan->codes, i, 32), reverse = dna_reverse_complement(word, 32);
        __m256i plus = _mm256_set1_epi64x((int64_t)word), minus = _mm256_set1_epi64x((int64_t)reverse);
        __m256i low = s_mers_of(scan->strand, _mm256_and_si256(_mm256_srlv_epi64(plus, steps), mask),
                                _mm256_and_si256(_mm256_srlv_epi64(minus, ends), mask));
        __m256i high = s_mers_of(scan->strand, _mm256_and_si256(_mm256_srlv_epi64(plus, later), mask),
                                 _mm256_and_si256(_mm256_srlv_epi64(minus, later_ends), mask));
        store(scan->marks + i, halves(marks_of(low, shape->seed), marks_of(high, shape->seed)));
    }
}

/* words_spread(), four. */
static inline __m256i spreads(__m128i marks)
{
    __m256i x = _mm256_mul_epu32(_mm256_cvtepu32_epi64(marks), _mm256_set1_epi64x(0xd1b54a33));
    return _mm256_xor_si256(x, _mm256_srli_epi64(x, 32));
}

static inline __m256i bit_at(__m256i spread, int from)
{
    return _mm256_sllv_epi64(_mm256_set1_epi64x(1), _mm256_and_si256(_mm256_srli_epi64(spread, from), _mm256_set1_epi64x(63)));
}

static void lines_avx2(struct scan *scan)
{
    const __m256i three = _mm256_set1_epi64x(WORDS_BLOCK_WORDS - 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < scan->n_subwords; i += 4) {
        __m256i spread = spreads(_mm_loadu_si128((const __m128i *)(const void *)(scan->marks + i))),
                first = _mm256_and_si256(_mm256_srli_epi64(spread, 48), three);
        _mm_storeu_si128((__m128i *)(void *)(scan->words + i), _mm256_castsi256_si128(halves(first, first)));
        store(scan->bits + i, _mm256_or_si256(bit_at(spread, 0), bit_at(spread, 6)));
    }
    for (uint32_t i = 0; i < scan->n_subwords; i++) {
        n += i == 0 || scan->places[i] != scan->places[i - 1];
        scan->lines[n - 1] = scan->places[i];
        scan->words[i] += WORDS_BLOCK_WORDS * (n - 1);
    }
    scan->n_lines = n;
}

/* A bit a lane: are these bits all there? */
static inline uint32_t has_all(__m256i words, __m256i bits)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(words, bits), bits)));
}

static inline __m256i gather(const uint64_t *words, __m256i at)
{
    return _mm256_i64gather_epi64((const long long *)(const void *)words, at, 8);
}

/* Lanes that pass, of four. */
static inline uint32_t test_four(const uint64_t *blocks, __m256i n_low, __m256i n_high, __m256i places, __m256i spread, uint32_t k)
{
    const __m256i three = _mm256_set1_epi64x(WORDS_BLOCK_WORDS - 1), one = _mm256_set1_epi64x(1);
    /* places * n_blocks >> 32, n_blocks of up to 64 bits */
    __m256i block = _mm256_add_epi64(_mm256_srli_epi64(_mm256_mul_epu32(places, n_low), 32), _mm256_mul_epu32(places, n_high));
    __m256i word = _mm256_and_si256(_mm256_srli_epi64(spread, 48), three);
    uint32_t lanes = 15;
    block = _mm256_slli_epi64(block, 2);
    for (uint32_t j = 0; j < k && lanes; j += 2) {
        __m256i bits = bit_at(spread, 0);
        if (j + 1 < k)
            bits = _mm256_or_si256(bits, bit_at(spread, 6));
        lanes &= has_all(gather(blocks, _mm256_or_si256(block, word)), bits);
        spread = _mm256_srli_epi64(spread, 12);
        word = _mm256_and_si256(_mm256_add_epi64(word, one), three);
    }
    return lanes;
}

static void test_avx2(uint32_t k, const uint64_t *blocks, uint64_t n_blocks, const uint32_t *places, const uint32_t *marks, uint32_t n,
                      uint64_t *mask)
{
    const __m256i n_low = _mm256_set1_epi64x((int64_t)(n_blocks & UINT32_MAX)), n_high = _mm256_set1_epi64x((int64_t)(n_blocks >> 32));
    for (uint32_t i = 0; i < (n + 63) / 64; i++)
        mask[i] = 0;
    for (uint32_t i = 0; i < n; i += 4) {
        uint32_t left = n - i < 4 ? n - i : 4, lanes = (1u << left) - 1;
        __m128i in_use = _mm_cmpgt_epi32(_mm_set1_epi32((int)left), _mm_setr_epi32(0, 1, 2, 3));
        __m256i place = _mm256_cvtepu32_epi64(_mm_maskload_epi32((const int *)(const void *)(places + i), in_use));
        __m128i mark = _mm_maskload_epi32((const int *)(const void *)(marks + i), in_use);
        mask[i / 64] |= (uint64_t)(lanes & test_four(blocks, n_low, n_high, place, spreads(mark), k)) << i % 64;
    }
}

static void test_lines_avx2(const struct scan *scan, const uint64_t *blocks, uint64_t *mask)
{
    uint32_t n = scan->n_subwords, i = 0;
    for (uint32_t j = 0; j < (n + 63) / 64; j++)
        mask[j] = 0;
    for (; i + 4 <= n; i += 4) {
        __m256i at = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(scan->words + i)));
        mask[i / 64] |= (uint64_t)has_all(gather(blocks, at), load(scan->bits + i)) << i % 64;
    }
    for (; i < n; i++)
        mask[i / 64] |= (uint64_t) !(scan->bits[i] & ~blocks[scan->words[i]]) << i % 64;
}

const struct scan_kernels scan_kernels_avx2 = {letters_avx2, places_avx2, marks_avx2, lines_avx2, test_avx2, test_lines_avx2};
