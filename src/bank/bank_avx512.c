/* bank_avx512.c - tests sixteen words at a time against a vector, or 512 bits of a row at a time. */
#include <immintrin.h>

#include "bank/bank.h"

#define PREFETCH_AHEAD 12

/* Mask of the words, out of sixteen, that have all k bits. Stops when no word is left. */
static inline __mmask16 test_sixteen(const int *bits, const uint32_t *positions, size_t stride, uint32_t k, __mmask16 left)
{
    for (uint32_t j = 0; j < k && left; j++, positions += stride) {
        __m512i at = _mm512_maskz_loadu_epi32(left, positions);
        __m512i word = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), left, _mm512_srli_epi32(at, 5), bits, 4);
        __m512i bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(at, _mm512_set1_epi32(31)));
        left = _mm512_mask_test_epi32_mask(left, word, bit);
    }
    return left;
}

static void vector(const uint64_t *bits, const uint32_t *positions, size_t stride, uint32_t k, size_t n, uint64_t *pass)
{
    for (size_t first = 0; first < n; first += 64) {
        uint64_t mask = 0;
        for (size_t i = first; i < n && i < first + 64; i += 16) {
            __mmask16 lanes = n - i < 16 ? (__mmask16)((1u << (n - i)) - 1) : (__mmask16)0xffff;
            mask |= (uint64_t)test_sixteen((const int *)(const void *)bits, positions + i, stride, k, lanes) << (i - first);
        }
        pass[first / 64] = mask;
    }
}

static void rows(const uint64_t *bits, uint32_t row_u64, const uint32_t *positions, size_t stride, uint32_t k, size_t n, uint64_t *pass,
                 size_t pass_u64)
{
    for (size_t i = 0; i < n; i++, pass += pass_u64) {
        if (i + PREFETCH_AHEAD < n)
            for (uint32_t j = 0; j < k; j++) {
                const char *row = (const char *)&bits[(uint64_t)positions[j * stride + i + PREFETCH_AHEAD] * row_u64];
                for (uint32_t b = 0; b < 8 * row_u64; b += 64)
                    _mm_prefetch(row + b, _MM_HINT_T0);
            }
        for (uint32_t w = 0; w < row_u64; w += 8) {
            __mmask8 lanes = row_u64 - w < 8 ? (__mmask8)((1u << (row_u64 - w)) - 1) : (__mmask8)0xff;
            __m512i answer = _mm512_maskz_loadu_epi64(lanes, &bits[(uint64_t)positions[i] * row_u64 + w]);
            for (uint32_t j = 1; j < k; j++)
                answer = _mm512_and_si512(answer,
                                          _mm512_maskz_loadu_epi64(lanes, &bits[(uint64_t)positions[j * stride + i] * row_u64 + w]));
            _mm512_mask_storeu_epi64(pass + w, lanes, answer);
        }
    }
}

const struct bank_kernels bank_kernels_avx512 = {vector, rows};
