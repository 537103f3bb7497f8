/* gapped_bytes_avx2.h - vectors of 32 diagonals whose scores and X-drops fit into 8 bits, for gapped_rows.h. */
#ifndef TMS_GAPPED_BYTES_AVX2_H
#define TMS_GAPPED_BYTES_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "extend/gapped_vectors.h"

#define LANES     32
#define LANE_BITS 1
#define DEAD      INT8_MIN

typedef int8_t lane_score;
typedef __m256i vector;
typedef uint32_t mask;

static inline vector v_all(int x) { return _mm256_set1_epi8((char)x); }
static inline vector v_load(const void *p) { return _mm256_loadu_si256(p); }
static inline void v_store(void *p, vector a) { _mm256_storeu_si256(p, a); }
static inline vector v_max(vector a, vector b) { return _mm256_max_epi8(a, b); }
static inline vector v_add(vector a, vector b) { return _mm256_adds_epi8(a, b); }
static inline vector v_sub(vector a, vector b) { return _mm256_subs_epi8(a, b); }
static inline vector v_or(vector a, vector b) { return _mm256_or_si256(a, b); }
static inline vector v_keep_above(vector a, vector b) { return _mm256_min_epi8(a, _mm256_xor_si256(_mm256_cmpgt_epi8(a, b), v_all(DEAD))); }
static inline vector v_where_above(vector a, vector b, vector x) { return _mm256_and_si256(_mm256_cmpgt_epi8(a, b), x); }
static inline vector v_unless_above(vector a, vector b, vector x) { return _mm256_andnot_si256(_mm256_cmpgt_epi8(a, b), x); }
static inline void v_store_bytes(void *p, vector a) { _mm256_storeu_si256(p, a); }
static inline mask v_above(vector a, vector b) { return (mask)_mm256_movemask_epi8(_mm256_cmpgt_epi8(a, b)); }

static inline vector v_pick(mask m, vector a, vector b)
{
    const vector of_byte = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const vector bits = _mm256_set1_epi64x((long long)0x8040201008040201u);
    const vector spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)m), of_byte);

    return _mm256_blendv_epi8(b, a, _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits));
}

/* Copies the last lane of each half to all lanes of the half. */
static inline vector last_of_halves(vector a) { return _mm256_shuffle_epi8(a, v_all(15)); }
static inline vector v_last(vector a) { return last_of_halves(_mm256_permute2x128_si256(a, a, 0x11)); }
static inline vector v_before(vector a, vector fill) { return _mm256_alignr_epi8(a, _mm256_permute2x128_si256(a, fill, 0x03), 15); }

/* First the running maximum of each half, then that of the second half with the first. */
static inline vector v_highest(vector a, vector dead)
{
    a = v_max(a, _mm256_alignr_epi8(a, dead, 15));
    a = v_max(a, _mm256_alignr_epi8(a, dead, 14));
    a = v_max(a, _mm256_alignr_epi8(a, dead, 12));
    a = v_max(a, _mm256_alignr_epi8(a, dead, 8));
    return v_max(a, last_of_halves(_mm256_permute2x128_si256(a, dead, 0x03)));
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
