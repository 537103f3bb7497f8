/* target_frequencies_avx2.c - vectors of four pairs. */
#include <immintrin.h>

#include "tamis/context.h"

#define LANES  4
#define V_SIMD TMS_SIMD_AVX2

typedef __m256d vector;

static inline vector v_all(double x) { return _mm256_set1_pd(x); }
static inline vector v_load(const double *p) { return _mm256_load_pd(p); }
static inline void v_store(double *p, vector a) { _mm256_store_pd(p, a); }
static inline vector v_sqrt(vector a) { return _mm256_sqrt_pd(a); }
static inline vector v_size(vector a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
static inline vector v_below(vector a, vector b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
static inline vector v_at_least(vector a, vector b) { return _mm256_cmp_pd(a, b, _CMP_GE_OQ); }
static inline vector v_is_0(vector a) { return _mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_EQ_OQ); }
static inline vector v_pick(vector lanes, vector a, vector b) { return _mm256_blendv_pd(b, a, lanes); }
static inline int v_is_any(vector lanes) { return _mm256_movemask_pd(lanes) != 0; }
static inline vector v_min(vector a, vector b) { return _mm256_min_pd(a, b); }

#include "score/target_lanes.h"

void target_frequencies_avx2(const double *joint, const struct logarithm_table *table, struct target_pair *pairs, size_t n)
{
    solve_pairs(joint, table, pairs, n);
    _mm256_zeroupper(); /* gcc 12 omits it after calls; without it the code that follows takes twice its time */
}
