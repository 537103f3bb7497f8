/*
 * word_scan_lanes.h - the kernels of word_scan.c for vectors of any width. The including file defines the vector: LANES lanes of 32 bits,
 * half as many of 64. The kernels process LANES m-mers or LANES / 2 s-mers at a time.
 *
 *     vector; v_load, v_store
 *     v_all32, v_min32, v_mullo32, v_srl32          32 bits, unsigned
 *     v_all64, v_add64, v_sll64, v_srl64, v_srlv64, v_sllv64, v_least64    64 bits; minimum of numbers below 2^63
 *     v_mul32                                       products of the low halves of 64 bits
 *     v_and, v_or, v_xor
 *     v_halves(low, high)                           the low halves of two vectors, LANES consecutive numbers
 *     v_wide(from)                                  LANES / 2 numbers of 32 bits, widened to 64
 *     v_store_low(to, a)                            the inverse: stores the low halves
 *     v_has_all(lanes, words, at, bits)             bit mask of the lanes whose words[at] has all bits
 *     v_load_bytes(from, n)                         n bytes, at most 32, then zeros: an __m256i
 */
#ifndef TMS_WORD_SCAN_LANES_H
#define TMS_WORD_SCAN_LANES_H

#include "classify/word_scan.h"
#include "filter/words_core.h"
#include "seq/dna_core.h"

#define ALL_LANES ((1u << LANES / 2) - 1)

static const uint64_t even_numbers[] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};

/* Indexed by a base's low four bits, which distinguish A, C, G and T: the lower-case base (0 matches none) and its code. */
#define BASES 0, 'a', 0, 'c', 't', 0, 0, 'g', 0, 0, 0, 0, 0, 0, 0, 0
#define CODES 0, 0, 0, 1, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0

/* Encodes 32 bases. Returns the mask of bytes that are no base. */
static inline uint32_t encode(__m256i v, uint64_t *codes)
{
    const __m256i base_of = _mm256_setr_epi8(BASES, BASES), code_of = _mm256_setr_epi8(CODES, CODES);
    uint32_t same = (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_shuffle_epi8(base_of, v), _mm256_or_si256(v, _mm256_set1_epi8(0x20))));
    v = _mm256_maddubs_epi16(_mm256_shuffle_epi8(code_of, v), _mm256_set1_epi16(0x0401)); /* two bases to four bits */
    v = _mm256_madd_epi16(v, _mm256_set1_epi32(0x00100001));                              /* four to eight */
    v = _mm256_packus_epi32(v, v);
    v = _mm256_packus_epi16(v, v);
    *codes = (uint32_t)_mm256_extract_epi32(v, 0) | (uint64_t)(uint32_t)_mm256_extract_epi32(v, 4) << 32;
    return ~same;
}

static bool encode_lanes(const uint8_t *bases, uint32_t n, uint64_t *codes, uint64_t *other)
{
    uint64_t any = 0, others;
    uint32_t i = 0;
    for (uint32_t j = 0; j <= n / 64; j++)
        other[j] = 0;
    codes[n / 32] = 0;
    for (; i + 32 <= n; i += 32) {
        others = encode(_mm256_loadu_si256((const __m256i *)(const void *)(bases + i)), &codes[i / 32]);
        other[i / 64] |= others << i % 64;
        any |= others;
    }
    if (i == n)
        return any != 0;
    others = encode(v_load_bytes(bases + i, n - i), &codes[i / 32]) & (((uint64_t)1 << (n - i)) - 1);
    other[i / 64] |= others << i % 64;
    return (any | others) != 0;
}

/* words_rank() */
static inline vector ranks(vector m_mers, uint64_t seed)
{
    vector x = v_mullo32(v_xor(m_mers, v_all32((uint32_t)seed ^ 0x5bd1e995u)), v_all32(0x9e3779b1u));
    x = v_mullo32(v_xor(x, v_srl32(x, 15)), v_all32(0x85ebca77u));
    return v_xor(x, v_srl32(x, 13));
}

/* words_block_hash() */
static inline vector block_hashes_of(vector x)
{
    x = v_mullo32(v_xor(x, v_srl32(x, 16)), v_all32(0xc2b2ae3du));
    x = v_mullo32(v_xor(x, v_srl32(x, 15)), v_all32(0x27d4eb2fu));
    return v_xor(x, v_srl32(x, 16));
}

/* The low halves of word >> low and of word >> high. */
static inline vector shifted_halves(uint64_t word, vector low, vector high)
{
    vector all = v_all64(word);
    return v_halves(v_srlv64(all, low), v_srlv64(all, high));
}

static void block_hashes_lanes(const struct scan_shape *shape, struct scan *scan)
{
    const vector mask = v_all32((uint32_t)dna_word_mask(shape->m)), steps = v_load(even_numbers), later = v_load(even_numbers + LANES / 2);
    const vector to_end = v_all64(64 - 2 * (uint64_t)shape->m), ends = v_sub64(to_end, steps), later_ends = v_sub64(to_end, later);
    uint32_t n_windows = shape->s - shape->m + 1, n = scan->n_subwords, *hashes = scan->block_hashes;
    for (uint32_t i = 0; i < n + n_windows - 1; i += LANES) {
        uint64_t word = dna_word(scan->codes, i, 32), reverse = dna_reverse_complement(word, 32);
        vector plus = v_and(shifted_halves(word, steps, later), mask);
        vector minus = v_and(shifted_halves(reverse, ends, later_ends), mask);
        plus = scan->strand == TMS_STRAND_PLUS ? plus : scan->strand == TMS_STRAND_MINUS ? minus : v_min32(plus, minus);
        v_store(hashes + i, ranks(plus, shape->seed));
    }
    for (uint32_t i = 0; i < n; i += LANES) { /* reads beyond n see initialised or stale values, whose results also lie beyond n */
        vector rank = v_load(hashes + i);
        for (uint32_t j = 1; j < n_windows; j++)
            rank = v_min32(rank, v_load(hashes + i + j));
        v_store(hashes + i, block_hashes_of(rank));
    }
}

/* words_mark(), in the low halves */
static inline vector marks_of(vector s_mers, uint64_t seed)
{
    vector low = v_xor(s_mers, v_all64(seed >> 32));
    vector x = v_add64(v_mul32(low, v_all64(0x9e3779b1)), v_mul32(v_srl64(s_mers, 32), v_all64(0xc2b2ae3d)));
    return v_xor(x, v_srl64(x, 32));
}

/* Of the 32 bases in a word, eight begin an s-mer that lies entirely in the word. */
static void marks_lanes(const struct scan_shape *shape, struct scan *scan)
{
    const vector mask = v_all64(dna_word_mask(shape->s)), to_end = v_all64(64 - 2 * (uint64_t)shape->s);
    for (uint32_t i = 0; i < scan->n_subwords; i += 8) {
        const uint64_t word = dna_word(scan->codes, i, 32);
        const vector all = v_all64(word), reverse = v_all64(dna_reverse_complement(word, 32));
        for (uint32_t j = 0; j < 8; j += LANES / 2) {
            vector steps = v_load(even_numbers + j), plus = v_and(v_srlv64(all, steps), mask);
            vector minus = v_and(v_srlv64(reverse, v_sub64(to_end, steps)), mask);
            plus = scan->strand == TMS_STRAND_PLUS ? plus : scan->strand == TMS_STRAND_MINUS ? minus : v_least64(plus, minus);
            v_store_low(scan->marks + i + j, marks_of(plus, shape->seed));
        }
    }
}

/* words_spread() */
static inline vector spreads(vector marks)
{
    vector x = v_mul32(marks, v_all64(0xd1b54a33));
    return v_xor(x, v_srl64(x, 32));
}

static inline vector bit_at(vector spread, int from) { return v_sllv64(v_all64(1), v_and(v_srl64(spread, from), v_all64(63))); }

/* words_bits() of the first two bits */
static inline vector two_bits(vector spread) { return v_or(bit_at(spread, 0), bit_at(spread, 6)); }

/* words_first() */
static inline vector firsts(vector spread) { return v_and(v_srl64(spread, 48), v_all64(WORDS_BLOCK_WORDS - 1)); }

static void test_lanes(uint32_t k, const uint64_t *blocks, uint64_t n_blocks, const uint32_t *hashes, const uint32_t *marks, uint32_t n,
                       uint64_t *mask)
{
    const vector n_low = v_all64(n_blocks & UINT32_MAX), n_high = v_all64(n_blocks >> 32), three = v_all64(WORDS_BLOCK_WORDS - 1);
    for (uint32_t i = 0; i < (n + 63) / 64; i++)
        mask[i] = 0;
    for (uint32_t i = 0; i < n; i += LANES / 2) {
        uint32_t lanes = n - i < LANES / 2 ? (1u << (n - i)) - 1 : ALL_LANES;
        vector hash = v_wide(hashes + i), spread = spreads(v_wide(marks + i)), word = firsts(spread);
        /* hash * n_blocks >> 32, n_blocks of up to 64 bits */
        vector block = v_sll64(v_add64(v_srl64(v_mul32(hash, n_low), 32), v_mul32(hash, n_high)), 2);
        for (uint32_t j = 0; j < k && lanes; j += 2) {
            lanes = v_has_all(lanes, blocks, v_or(block, word), j + 1 < k ? two_bits(spread) : bit_at(spread, 0));
            spread = v_srl64(spread, 12);
            word = v_and(v_add64(word, v_all64(1)), three);
        }
        mask[i / 64] |= (uint64_t)lanes << i % 64;
    }
}

#endif
