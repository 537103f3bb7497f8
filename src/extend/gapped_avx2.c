/* gapped_avx2.c - eight columns at a time; a row of scores is in four registers. */
#include <immintrin.h>
#include <stdint.h>

#define LANES 8

typedef __m256i vector;
typedef uint8_t mask;
typedef struct {
    __m256i eight[4];
} scores;

static inline vector v_all(int x) { return _mm256_set1_epi32(x); }
static inline vector v_load(const void *p) { return _mm256_loadu_si256(p); }
static inline void v_store(void *p, vector a) { _mm256_storeu_si256(p, a); }
static inline vector v_max(vector a, vector b) { return _mm256_max_epi32(a, b); }
static inline vector v_add(vector a, vector b) { return _mm256_add_epi32(a, b); }
static inline vector v_or(vector a, vector b) { return _mm256_or_si256(a, b); }
static inline vector v_sub(vector a, vector b) { return _mm256_sub_epi32(a, b); }
static inline mask v_above(vector a, vector b) { return (mask)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b))); }
static inline vector v_last(vector a) { return _mm256_permutevar8x32_epi32(a, _mm256_set1_epi32(LANES - 1)); }

static inline void v_store_bytes(void *p, vector a)
{
    const vector lowest = _mm256_set1_epi32(0x0C080400), bytes = _mm256_shuffle_epi8(a, lowest); /* four of each half */

    _mm_storel_epi64(p, _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)));
}

static inline vector v_pick(mask m, vector a, vector b)
{
    const vector bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    return _mm256_blendv_epi8(b, a, _mm256_cmpeq_epi32(_mm256_and_si256(v_all(m), bits), bits));
}

/* Halves that lie side by side in fill and a, of which a byte shift takes what it needs. k: 1, 2 or 4. */
#define v_shift(a, k, fill)                                                                                                                \
    ((k) == 4 ? _mm256_permute2x128_si256(a, fill, 0x03)                                                                                   \
              : _mm256_alignr_epi8(a, _mm256_permute2x128_si256(a, fill, 0x03), (k) == 1 ? 12 : 8))

static inline scores v_row(const int *row)
{
    const vector four = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0); /* 28 letters: four of the last eight */

    return (scores){{v_load(row), v_load(row + 8), v_load(row + 16), _mm256_maskload_epi32(row + 24, four)}};
}

static inline vector v_look_up(scores row, const void *letters)
{
    const vector at = _mm256_cvtepu8_epi32(_mm_loadl_epi64(letters));
    const __m256 bit_3 = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)), bit_4 = _mm256_castsi256_ps(_mm256_slli_epi32(at, 27));
    __m256 of[4];

    for (int i = 0; i < 4; i++)
        of[i] = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(row.eight[i], at));
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_blendv_ps(of[0], of[1], bit_3), _mm256_blendv_ps(of[2], of[3], bit_3), bit_4));
}

#include "extend/gapped_rows.h"

struct gapped_extent gapped_score_avx2(const struct gapped_costs *costs, struct gapped_columns columns, struct gapped_side query,
                                       struct gapped_side subject, int step)
{
    struct gapped_extent extent = score_rows(costs, columns, query, subject, step);

    _mm256_zeroupper(); /* gcc 12 forgets it after calls; what follows would take twice its time */
    return extent;
}

tms_status gapped_align_avx2(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_columns columns,
                             struct gapped_side query, struct gapped_side subject, int step, struct gapped_extent *out)
{
    tms_status status = align_rows(ws, costs, columns, query, subject, step, out);

    _mm256_zeroupper();
    return status;
}
