/*
 * logarithms_avx512.c - eight logarithms at a time, exact enough to know how log() rounds.
 *
 * x is 2^k m, with m from 0.73 to 1.47, and m is nearest to one of 16 numbers 1/c. With r = m c - 1 the logarithm is
 *
 *   k log 2 - log c + r - r^2/2 + r^3 (1/3 - r/4 + r^2/5 - ...)
 *
 * where what is cut off is below 2^-60 of |r|. The sum is kept in two numbers, so that it is known to 0.002 units of the last place of a
 * double. The C library's result is off by 0.52 such units at most (glibc and musl: 0.519, without fused multiplication 0.520), so where
 * the sum is not that close to the middle of two doubles, the nearest one is the library's. For the others, 5 in 100, and for what is no
 * usual number, log() is called.
 */
#include <immintrin.h>
#include <math.h>

#include "score/logarithms.h"

enum { LANES = 8, PIECE = 512 };

#define LN_2_HIGH 0x1.62e42fefa3800p-1 /* a multiple of 2^-42, as are the entries of minus_log_high */
#define LN_2_LOW  0x1.ef35793c76730p-45
#define CERTAIN   0x1.e76c8b4395810p-54 /* 0.476 of the last place, where it is that of 1 */

/* c, for m nearest to 1, 17/16 ... 23/16, 24/32 ... 31/32; and -log(c), as a sum. */
static const double reciprocals[16] = {
    0x1.0000000000000p+0, 0x1.e200000000000p-1, 0x1.c700000000000p-1, 0x1.af00000000000p-1, 0x1.9980000000000p-1, 0x1.8600000000000p-1,
    0x1.7480000000000p-1, 0x1.6400000000000p-1, 0x1.5540000000000p+0, 0x1.47c0000000000p+0, 0x1.3b00000000000p+0, 0x1.2f80000000000p+0,
    0x1.2480000000000p+0, 0x1.1a80000000000p+0, 0x1.1100000000000p+0, 0x1.0840000000000p+0,
};
static const double minus_log_high[16] = {
    0,
    0x1.eea31c0068000p-5,
    0x1.e3707ee304000p-4,
    0x1.60b3100b0a000p-3,
    0x1.c97f8079d4000p-3,
    0x1.16b5ccbad0000p-2,
    0x1.45b8c0a17e000p-2,
    0x1.741d876c68000p-2,
    -0x1.26561f1338000p-2,
    -0x1.fa01c3bb58000p-3,
    -0x1.a8becfc882000p-3,
    -0x1.5c94007598000p-3,
    -0x1.10f8e42254000p-3,
    -0x1.9375e55594000p-4,
    -0x1.0759835990000p-4,
    -0x1.03d5d85e70000p-5,
};
static const double minus_log_low[16] = {
    0,
    0x1.c3dd83606d891p-44,
    0x1.0f684e6766abdp-45,
    -0x1.71456c988f814p-44,
    0x1.3b161a8c6e6c5p-45,
    -0x1.23299042d74bfp-44,
    -0x1.d9120e7d0a853p-47,
    -0x1.13a7b5b11cfa7p-44,
    -0x1.8b48866faa45fp-44,
    0x1.a1f71fae1d786p-46,
    -0x1.e3185cf21b9cfp-44,
    0x1.a8d948cd23322p-44,
    0x1.93b3843396307p-45,
    -0x1.eddc37380c364p-44,
    0x1.b8ecfe4b59987p-44,
    -0x1.f778960ed29cfp-44,
};

/* Their signs are those of r - r^2/2 + ... */
static const double coefficients[] = {1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7, -1.0 / 8, 1.0 / 9, -1.0 / 10, 1.0 / 11, -1.0 / 12};

static inline __m512d entry(const double table[16], __m512i i)
{
    return _mm512_permutex2var_pd(_mm512_loadu_pd(table), i, _mm512_loadu_pd(table + LANES));
}

/* Returns the logarithms; doubtful: lanes whose result may differ from log()'s. */
static inline __m512d logarithms_of(__m512d x, __mmask8 *doubtful)
{
    const __m512i bits = _mm512_castpd_si512(x), half = _mm512_set1_epi64(INT64_C(1) << 47), near = _mm512_add_epi64(bits, half);
    const __m512i i = _mm512_srli_epi64(near, 48); /* the lowest four bits are the index */
    const __m512i exponent = _mm512_srai_epi64(_mm512_add_epi64(near, _mm512_set1_epi64(INT64_C(1) << 51)), 52);
    const __m512i power = _mm512_sub_epi64(exponent, _mm512_set1_epi64(1023));
    const __m512d m = _mm512_castsi512_pd(_mm512_sub_epi64(bits, _mm512_slli_epi64(power, 52))), k = _mm512_cvtepi64_pd(power);
    const __m512d c = entry(reciprocals, i);
    const __m512d product = _mm512_mul_pd(m, c), r_low = _mm512_fmsub_pd(m, c, product), r = _mm512_sub_pd(product, _mm512_set1_pd(1));
    const __m512d whole = _mm512_fmadd_pd(k, _mm512_set1_pd(LN_2_HIGH), entry(minus_log_high, i)); /* exact */
    const __m512d square = _mm512_mul_pd(r, r), half_square = _mm512_mul_pd(square, _mm512_set1_pd(0.5));
    const __m512d first = _mm512_add_pd(whole, r), second = _mm512_sub_pd(first, half_square);
    __m512d low = _mm512_add_pd(_mm512_sub_pd(whole, first), r), series = _mm512_set1_pd(coefficients[9]), sum, left, place;

    for (int j = 8; j >= 0; j--)
        series = _mm512_fmadd_pd(series, r, _mm512_set1_pd(coefficients[j]));
    low = _mm512_add_pd(low, _mm512_sub_pd(_mm512_sub_pd(first, second), half_square));
    low = _mm512_add_pd(low, _mm512_fmadd_pd(k, _mm512_set1_pd(LN_2_LOW), entry(minus_log_low, i)));
    low = _mm512_add_pd(low, _mm512_fmadd_pd(r_low, _mm512_sub_pd(square, r), r_low));
    low = _mm512_fnmadd_pd(_mm512_fmsub_pd(r, r, square), _mm512_set1_pd(0.5), low);
    low = _mm512_fmadd_pd(_mm512_mul_pd(r, square), series, low);
    sum = _mm512_add_pd(second, low);
    left = _mm512_add_pd(_mm512_sub_pd(second, sum), low);
    place = _mm512_and_pd(sum, _mm512_castsi512_pd(_mm512_set1_epi64(INT64_C(0x7FF0000000000000)))); /* the power of two below the sum */
    *doubtful = _mm512_cmp_pd_mask(_mm512_abs_pd(left), _mm512_mul_pd(place, _mm512_set1_pd(CERTAIN)), _CMP_NLT_UQ) |
                _mm512_cmp_pd_mask(_mm512_abs_pd(sum), place, _CMP_EQ_OQ) | /* below a power of two doubles are half as far apart */
                _mm512_cmp_pd_mask(x, _mm512_set1_pd(0x1p-1000), _CMP_NGE_UQ) | _mm512_cmp_pd_mask(x, _mm512_set1_pd(0x1p1000), _CMP_GT_OQ);
    *doubtful &= _mm512_cmp_pd_mask(x, _mm512_set1_pd(1), _CMP_NEQ_UQ);
    return sum;
}

/*
 * Converts at most PIECE numbers. Doubtful ones are computed at the end, because a call inside the loop costs more than the logarithm.
 */
static inline void logarithms_of_piece(double *x, size_t n)
{
    const __m512i in_order = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    double doubtful[PIECE + LANES];
    int64_t positions[PIECE + LANES];
    size_t n_doubtful = 0;

    for (size_t at = 0; at < n; at += LANES) {
        const __mmask8 there = (__mmask8)(n - at >= LANES ? 0xFF : (1u << (n - at)) - 1);
        const __m512d numbers = _mm512_mask_loadu_pd(_mm512_set1_pd(1), there, x + at);
        const __m512i indices = _mm512_add_epi64(_mm512_set1_epi64((int64_t)at), in_order);
        __mmask8 in_doubt;
        _mm512_mask_storeu_pd(x + at, there, logarithms_of(numbers, &in_doubt));
        _mm512_storeu_pd(doubtful + n_doubtful, _mm512_maskz_compress_pd(in_doubt, numbers));
        _mm512_storeu_si512(positions + n_doubtful, _mm512_maskz_compress_epi64(in_doubt, indices));
        n_doubtful += (size_t)__builtin_popcount(in_doubt);
    }
    _mm256_zeroupper(); /* gcc 12 omits it after calls; without it the code that follows takes twice its time */
    for (size_t i = 0; i < n_doubtful; i++)
        x[positions[i]] = log(doubtful[i]);
}

void logarithms_avx512(double *x, size_t n)
{
    for (size_t at = 0; at < n; at += PIECE)
        logarithms_of_piece(x + at, n - at < PIECE ? n - at : PIECE);
}
