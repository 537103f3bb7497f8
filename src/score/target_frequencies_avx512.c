/* target_frequencies_avx512.c - vectors of eight pairs. */
#include <immintrin.h>

#include "tamis/context.h"

#define LANES  8
#define V_SIMD TMS_SIMD_AVX512

typedef __m512d vector;

static inline vector v_all(double x) { return _mm512_set1_pd(x); }
static inline vector v_load(const double *p) { return _mm512_load_pd(p); }
static inline void v_store(double *p, vector a) { _mm512_store_pd(p, a); }
static inline vector v_sqrt(vector a) { return _mm512_sqrt_pd(a); }
static inline vector v_size(vector a) { return _mm512_abs_pd(a); }
static inline __mmask8 v_below(vector a, vector b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline __mmask8 v_at_least(vector a, vector b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
static inline __mmask8 v_is_0(vector a) { return _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_EQ_OQ); }
static inline vector v_pick(__mmask8 lanes, vector a, vector b) { return _mm512_mask_blend_pd(lanes, b, a); }
static inline int v_is_any(__mmask8 lanes) { return lanes != 0; }
static inline vector v_min(vector a, vector b) { return _mm512_min_pd(a, b); }

#include "score/target_lanes.h"

void target_frequencies_avx512(const double *joint, const struct logarithm_table *table, struct target_pair *pairs, size_t n)
{
    solve_pairs(joint, table, pairs, n);
    _mm256_zeroupper(); /* gcc 12 omits it after calls; without it the code that follows takes twice its time */
}
