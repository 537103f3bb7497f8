/* smith_waterman_avx512.c - rows by vectors of 16 scores. */
#include <immintrin.h>
#include <stdint.h>

#define LANES 16

typedef __m512i vector;
typedef struct {
    __m512i low, high;
} scores;

static inline vector v_all(int x) { return _mm512_set1_epi32(x); }
static inline vector v_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void v_store(void *p, vector a) { _mm512_storeu_si512(p, a); }
static inline vector v_max(vector a, vector b) { return _mm512_max_epi32(a, b); }
static inline vector v_add(vector a, vector b) { return _mm512_add_epi32(a, b); }
static inline vector v_sub(vector a, vector b) { return _mm512_sub_epi32(a, b); }
static inline int v_any_above(vector a, vector b) { return _mm512_cmpgt_epi32_mask(a, b) != 0; }
#define v_before(a, fill, n) _mm512_alignr_epi32(a, fill, LANES - (n))
static inline vector v_unless(const uint8_t *bytes, vector a)
{
    const __m128i excluded = _mm_loadu_si128((const void *)bytes);

    return _mm512_maskz_mov_epi32(_mm_testn_epi8_mask(excluded, excluded), a);
}
static inline scores v_row(const int *row) { return (scores){_mm512_loadu_si512(row), _mm512_maskz_loadu_epi32(0x0FFF, row + 16)}; }
static inline vector v_look_up(scores row, const uint8_t *codes)
{
    return _mm512_permutex2var_epi32(row.low, _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)codes)), row.high);
}

#include "extend/smith_waterman_row.h"

bool smith_waterman_row_avx512(const struct smith_waterman_row *row, int *score, int *column) { return fill_row(row, score, column); }
