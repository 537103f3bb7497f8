/* smith_waterman_avx2.c - rows by vectors of eight scores. */
#include <immintrin.h>
#include <stdint.h>

#define LANES 8

typedef __m256i vector;
typedef const int *scores;

static inline vector v_all(int x) { return _mm256_set1_epi32(x); }
static inline vector v_load(const void *p) { return _mm256_loadu_si256(p); }
static inline void v_store(void *p, vector a) { _mm256_storeu_si256(p, a); }
static inline vector v_max(vector a, vector b) { return _mm256_max_epi32(a, b); }
static inline vector v_add(vector a, vector b) { return _mm256_add_epi32(a, b); }
static inline vector v_sub(vector a, vector b) { return _mm256_sub_epi32(a, b); }
static inline int v_any_above(vector a, vector b) { return !_mm256_testz_si256(_mm256_cmpgt_epi32(a, b), _mm256_cmpgt_epi32(a, b)); }

/* middle: the last half of fill, the first half of a */
#define v_before(a, fill, n) before_##n(a, _mm256_permute2x128_si256(fill, a, 0x21))
static inline vector before_1(vector a, vector middle) { return _mm256_alignr_epi8(a, middle, 12); }
static inline vector before_2(vector a, vector middle) { return _mm256_alignr_epi8(a, middle, 8); }
static inline vector before_4(vector a, vector middle)
{
    (void)a;
    return middle;
}

static inline vector codes_of(const uint8_t *bytes) { return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)bytes)); }
static inline vector v_unless(const uint8_t *bytes, vector a) { return _mm256_and_si256(a, _mm256_cmpeq_epi32(codes_of(bytes), v_all(0))); }
static inline scores v_row(const int *row) { return row; }
static inline vector v_look_up(scores row, const uint8_t *codes) { return _mm256_i32gather_epi32(row, codes_of(codes), 4); }

#include "extend/smith_waterman_row.h"

bool smith_waterman_row_avx2(const struct smith_waterman_row *row, int *score, int *column) { return fill_row(row, score, column); }
