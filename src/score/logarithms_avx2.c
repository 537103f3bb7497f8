/* logarithms_avx2.c - vectors of four numbers. */
#include <immintrin.h>

#include "score/logarithms.h"

#define LANES 4

typedef __m256d vector;
typedef __m256i integers;

static inline vector v_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void v_store(double *p, vector a) { _mm256_storeu_pd(p, a); }
static inline vector v_all(double x) { return _mm256_set1_pd(x); }
static inline vector v_fused(vector a, vector b, vector c) { return _mm256_fmadd_pd(a, b, c); }
static inline vector v_pick(vector lanes, vector a, vector b) { return _mm256_blendv_pd(b, a, lanes); }
static inline int v_is_any(integers lanes) { return !_mm256_testz_si256(lanes, lanes); }

/* By loads: where processors are protected against leaks of data that they gather, a gather takes ten times as long. */
static inline void v_entries(const double *e, integers i, vector *c, vector *l)
{
    const __m128d e0 = _mm_loadu_pd(e + _mm256_extract_epi64(i, 0)), e1 = _mm_loadu_pd(e + _mm256_extract_epi64(i, 1));
    const __m128d e2 = _mm_loadu_pd(e + _mm256_extract_epi64(i, 2)), e3 = _mm_loadu_pd(e + _mm256_extract_epi64(i, 3));
    const vector even = _mm256_set_m128d(e2, e0), odd = _mm256_set_m128d(e3, e1);

    *c = _mm256_unpacklo_pd(even, odd);
    *l = _mm256_unpackhi_pd(even, odd);
}

#include "score/logarithm_lanes.h"

void logarithms_avx2(const struct logarithm_table *table, double *x, size_t n)
{
    convert_all(table, x, n);
    _mm256_zeroupper(); /* gcc 12 omits it after calls; without it the code that follows takes twice its time */
}
