/*
 * h3_gfni.c - H3 with GF2P8AFFINEQB: eight words at a time, a 64 x 64 Boolean matrix as 8 x 8 blocks of 8 x 8 bits.
 *
 * The instruction multiplies each byte of a 64-bit part by that part's own 8 x 8 matrix. So the eight words are transposed first: part b
 * holds byte b of all eight, and block (o, b) maps it to its contribution to output byte o. A tree of shuffles adds these over b, which
 * leaves output byte o in part o, and the result is transposed back.
 */
#include <immintrin.h>
#include <string.h>

#include "hash/h3_gfni.h"

bool h3_gfni_usable(void)
{
    return __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512vbmi") && cpu_best_simd() == TMS_SIMD_AVX512;
}

/* Block (o, b) is at matrices[8 o + b]: its byte 7 - i holds the bits of input byte b that contribute to output bit 8 o + i. */
void h3_gfni_make(uint64_t *matrices, uint64_t seed, unsigned lane)
{
    memset(matrices, 0, H3_GFNI_WORDS * sizeof *matrices);
    for (unsigned r = 0; r < 64; r++) {
        uint64_t row = h3_row(seed, lane, r);
        for (unsigned o = 0; o < 64; o++)
            matrices[o / 8 * 8 + r / 8] |= (row >> o & 1) << (8 * (7 - o % 8) + r % 8);
    }
    matrices[64] = h3_row(seed, lane, 64);
}

#define SHUFFLE_ADD(a, b)                                                                                                                  \
    _mm512_xor_si512(_mm512_shuffle_i64x2(a, b, _MM_SHUFFLE(2, 0, 2, 0)), _mm512_shuffle_i64x2(a, b, _MM_SHUFFLE(3, 1, 3, 1)))

void h3_gfni(const uint64_t *matrices, const uint64_t *words, size_t n, uint64_t *out)
{
    uint8_t transposed[64];
    __m512i blocks[8];
    for (unsigned i = 0; i < 64; i++)
        transposed[i] = (uint8_t)(i % 8 * 8 + i / 8);
    const __m512i transpose = _mm512_loadu_si512(transposed), constant = _mm512_set1_epi64((int64_t)matrices[64]);
    for (unsigned o = 0; o < 8; o++)
        blocks[o] = _mm512_loadu_si512(matrices + 8 * o);
    for (size_t i = 0; i < n; i += 8) {
        __mmask8 lanes = n - i < 8 ? (__mmask8)((1u << (n - i)) - 1) : (__mmask8)0xff;
        __m512i x = _mm512_permutexvar_epi8(transpose, _mm512_maskz_loadu_epi64(lanes, words + i)), pairs[4];
        for (unsigned p = 0; p < 4; p++) {
            __m512i a = _mm512_gf2p8affine_epi64_epi8(x, blocks[2 * p], 0), b = _mm512_gf2p8affine_epi64_epi8(x, blocks[2 * p + 1], 0);
            pairs[p] = _mm512_xor_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
        }
        __m512i low = SHUFFLE_ADD(pairs[0], pairs[1]), high = SHUFFLE_ADD(pairs[2], pairs[3]);
        __m512i sum = _mm512_permutexvar_epi8(transpose, SHUFFLE_ADD(low, high));
        _mm512_mask_storeu_epi64(out + i, lanes, _mm512_xor_si512(sum, constant));
    }
}
