/* gapped_avx512.c - sixteen columns at a time; a row of scores is in two registers. */
#include <immintrin.h>

#define LANES 16

typedef __m512i vector;
typedef __mmask16 mask;
typedef struct {
    __m512i low, high;
} scores;

static inline vector v_all(int x) { return _mm512_set1_epi32(x); }
static inline vector v_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void v_store(void *p, vector a) { _mm512_storeu_si512(p, a); }
static inline vector v_max(vector a, vector b) { return _mm512_max_epi32(a, b); }
static inline vector v_add(vector a, vector b) { return _mm512_add_epi32(a, b); }
static inline vector v_or(vector a, vector b) { return _mm512_or_si512(a, b); }
static inline void v_store_bytes(void *p, vector a) { _mm_storeu_si128(p, _mm512_cvtepi32_epi8(a)); }
static inline vector v_sub(vector a, vector b) { return _mm512_sub_epi32(a, b); }
static inline mask v_above(vector a, vector b) { return _mm512_cmpgt_epi32_mask(a, b); }
static inline vector v_pick(mask m, vector a, vector b) { return _mm512_mask_blend_epi32(m, b, a); }
static inline vector v_last(vector a) { return _mm512_permutexvar_epi32(_mm512_set1_epi32(LANES - 1), a); }
#define v_shift(a, k, fill) _mm512_alignr_epi32(a, fill, LANES - (k))

static inline scores v_row(const int *row) { return (scores){_mm512_loadu_si512(row), _mm512_maskz_loadu_epi32(0x0FFF, row + LANES)}; }

static inline vector v_look_up(scores row, const void *letters)
{
    return _mm512_permutex2var_epi32(row.low, _mm512_cvtepu8_epi32(_mm_loadu_si128(letters)), row.high);
}

#include "extend/gapped_rows.h"

struct gapped_extent gapped_score_avx512(const struct gapped_costs *costs, struct gapped_columns columns, struct gapped_side query,
                                         struct gapped_side subject, int step)
{
    struct gapped_extent extent = score_rows(costs, columns, query, subject, step);

    _mm256_zeroupper(); /* gcc 12 forgets it after calls; what follows would take twice its time */
    return extent;
}

tms_status gapped_align_avx512(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_columns columns,
                               struct gapped_side query, struct gapped_side subject, int step, struct gapped_extent *out)
{
    tms_status status = align_rows(ws, costs, columns, query, subject, step, out);

    _mm256_zeroupper();
    return status;
}
