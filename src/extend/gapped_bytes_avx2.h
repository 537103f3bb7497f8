/* gapped_bytes_avx2.h - vectors of 32 diagonals whose scores and X-drops fit into 8 bits, for gapped_rows.h. */
#ifndef TMS_GAPPED_BYTES_AVX2_H
#define TMS_GAPPED_BYTES_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "extend/gapped_vectors.h"

#define LANE_BYTES 1
#define DEAD       INT8_MIN

#include "extend/gapped_rows_avx2.h"

typedef int8_t lane_score;

static inline vector v_all(int x) { return _mm256_set1_epi8((char)x); }
static inline vector v_add(vector a, vector b) { return _mm256_adds_epi8(a, b); }
static inline vector v_sub(vector a, vector b) { return _mm256_subs_epi8(a, b); }
static inline vector v_keep_above(vector a, vector b) { return _mm256_min_epi8(a, _mm256_xor_si256(_mm256_cmpgt_epi8(a, b), v_all(DEAD))); }
static inline vector v_where_above(vector a, vector b, vector x) { return _mm256_and_si256(_mm256_cmpgt_epi8(a, b), x); }
static inline vector v_unless_above(vector a, vector b, vector x) { return _mm256_andnot_si256(_mm256_cmpgt_epi8(a, b), x); }
static inline void v_store_bytes(void *p, vector a) { _mm256_storeu_si256(p, a); }
static inline mask v_above(vector a, vector b) { return (mask)_mm256_movemask_epi8(_mm256_cmpgt_epi8(a, b)); }

/*
 * Sixteen scores as bytes, in each half. Packing works in halves: 0-3 8-11 4-7 12-15, twice. Scores below 8 bits are as dead as the least
 * one.
 */
static inline vector table_of(vector low, vector high)
{
    const vector sixteen = _mm256_packs_epi32(low, high);

    return _mm256_permutevar8x32_epi32(_mm256_packs_epi16(sixteen, sixteen), _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5));
}

/*
 * Whether costs fit, of which no pair scores more than `highest`. The best score is at most TOP and a match when a row ends: with the
 * greatest ramp (gapped_rows.h) it is not above INT8_MAX. X below it, less the cost of a new gap, is not below INT8_MIN. A score that
 * saturates below rises by a match or by the extension of a gap at most, and is still dead.
 */
static inline bool fits_bytes(const struct gapped_costs *costs, int highest, int top)
{
    const int extend = costs->extend, open_extend = costs->open + extend;
    const int drop = costs->x_drop > open_extend ? costs->x_drop : open_extend, rise = highest > extend ? highest : extend;

    return extend > 0 && costs->open >= 0 && costs->x_drop >= 0 && top + highest + LANES * extend <= INT8_MAX &&
           drop + open_extend <= INT8_MAX && drop + rise + 1 <= INT8_MAX;
}

#endif
