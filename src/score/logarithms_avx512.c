/* logarithms_avx512.c - vectors of eight numbers. */
#include <immintrin.h>

#include "score/logarithms.h"

#define LANES 8

typedef __m512d vector;
typedef __m512i integers;

static inline vector v_load(const double *p) { return _mm512_loadu_pd(p); }
static inline void v_store(double *p, vector a) { _mm512_storeu_pd(p, a); }
static inline vector v_all(double x) { return _mm512_set1_pd(x); }
static inline vector v_fused(vector a, vector b, vector c) { return _mm512_fmadd_pd(a, b, c); }
static inline vector v_pick(vector lanes, vector a, vector b) { return _mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)lanes), b, a); }
static inline int v_is_any(integers lanes) { return _mm512_test_epi64_mask(lanes, lanes) != 0; }

static inline __m512d four_entries(const double *e, __m256i i)
{
    const __m256d first = _mm256_set_m128d(_mm_loadu_pd(e + _mm256_extract_epi64(i, 1)), _mm_loadu_pd(e + _mm256_extract_epi64(i, 0)));
    const __m256d second = _mm256_set_m128d(_mm_loadu_pd(e + _mm256_extract_epi64(i, 3)), _mm_loadu_pd(e + _mm256_extract_epi64(i, 2)));

    return _mm512_insertf64x4(_mm512_castpd256_pd512(first), second, 1);
}

/* By loads: where processors are protected against leaks of data that they gather, a gather takes ten times as long. */
static inline void v_entries(const double *e, integers i, vector *c, vector *l)
{
    const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0), odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    const __m512d low = four_entries(e, _mm512_castsi512_si256(i)), high = four_entries(e, _mm512_extracti64x4_epi64(i, 1));

    *c = _mm512_permutex2var_pd(low, even, high);
    *l = _mm512_permutex2var_pd(low, odd, high);
}

#include "score/logarithm_lanes.h"

void logarithms_avx512(const struct logarithm_table *table, double *x, size_t n)
{
    convert_all(table, x, n);
    _mm256_zeroupper(); /* gcc 12 omits it after calls; without it the code that follows takes twice its time */
}
