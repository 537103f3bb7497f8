/* probabilistic_avx512.c - counts the ones of a key, eight functions at a time; the counterpart of cubic_ones() in probabilistic_cpu.c. */
#include <immintrin.h>

#include "filter/probabilistic_cpu.h"

#define C CLASSIC_CUBIC_SCALE

/* floor(x * m / 2^64) for eight x. */
static inline __m512i scale_eight(__m512i x, __m512i m_low, __m512i m_high)
{
    __m512i x_high = _mm512_srli_epi64(x, 32);
    __m512i a = _mm512_srli_epi64(_mm512_mul_epu32(x, m_low), 32);
    __m512i b = _mm512_add_epi64(_mm512_mul_epu32(x_high, m_low), a);
    __m512i c = _mm512_add_epi64(_mm512_mul_epu32(x, m_high), _mm512_and_si512(b, _mm512_set1_epi64(0xffffffff)));
    return _mm512_add_epi64(_mm512_mul_epu32(x_high, m_high), _mm512_add_epi64(_mm512_srli_epi64(b, 32), _mm512_srli_epi64(c, 32)));
}

/*
 * Lane l evaluates functions l, l + 8, ... With i(i^2 - 1)/6 as the cubic, the differences between eight functions are
 * first 8 h2 + C ((i + 8)^3 - i^3 - 8)/6, second 64 C (i + 8), third 512 C.
 */
uint32_t cubic_ones_avx512(const uint64_t *words, uint64_t m_bits, uint32_t k, uint64_t h1, uint64_t h2, uint32_t most_zeros)
{
    const __m512i m_low = _mm512_set1_epi64((int64_t)(m_bits & 0xffffffff)), m_high = _mm512_set1_epi64((int64_t)(m_bits >> 32));
    const __m512i third = _mm512_set1_epi64((int64_t)(512 * C)), lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i cubic = _mm512_setr_epi64(0, 0, (int64_t)C, (int64_t)(4 * C), (int64_t)(10 * C), (int64_t)(20 * C), (int64_t)(35 * C),
                                            (int64_t)(56 * C));
    const __m512i first = _mm512_setr_epi64((int64_t)(84 * C), (int64_t)(120 * C), (int64_t)(164 * C), (int64_t)(216 * C),
                                            (int64_t)(276 * C), (int64_t)(344 * C), (int64_t)(420 * C), (int64_t)(504 * C));
    __m512i value = _mm512_add_epi64(_mm512_add_epi64(_mm512_set1_epi64((int64_t)h1), cubic),
                                     _mm512_mullo_epi64(lanes, _mm512_set1_epi64((int64_t)h2)));
    __m512i step = _mm512_add_epi64(_mm512_set1_epi64((int64_t)(8 * h2)), first);
    __m512i second = _mm512_mullo_epi64(_mm512_add_epi64(lanes, _mm512_set1_epi64(8)), _mm512_set1_epi64((int64_t)(64 * C)));
    uint32_t ones = 0;
    for (uint32_t i = 0; i < k && i <= ones + most_zeros; i += 8) {
        __m512i position = scale_eight(value, m_low, m_high);
        __m512i word = _mm512_i64gather_epi64(_mm512_srli_epi64(position, 6), words, 8);
        __m512i bit = _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_and_si512(position, _mm512_set1_epi64(63)));
        __mmask8 is_one = _mm512_test_epi64_mask(word, bit);
        if (k - i < 8)
            is_one &= (__mmask8)((1u << (k - i)) - 1);
        ones += (uint32_t)__builtin_popcount(is_one);
        value = _mm512_add_epi64(value, step);
        step = _mm512_add_epi64(step, second);
        second = _mm512_add_epi64(second, third);
    }
    return ones;
}
