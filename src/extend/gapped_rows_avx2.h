/*
 * gapped_rows_avx2.h - what vectors for gapped_rows.h have in common with AVX2, whether lanes have 8 or 16 bits. A file that includes it
 * first defines LANE_BYTES.
 */
#ifndef TMS_GAPPED_ROWS_AVX2_H
#define TMS_GAPPED_ROWS_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#define LANES     (32 / LANE_BYTES)
#define LANE_BITS LANE_BYTES

typedef __m256i vector;
typedef uint32_t mask;

static inline vector v_load(const void *p) { return _mm256_loadu_si256(p); }
static inline void v_store(void *p, vector a) { _mm256_storeu_si256(p, a); }
static inline vector v_or(vector a, vector b) { return _mm256_or_si256(a, b); }

static inline vector v_max(vector a, vector b) { return LANE_BYTES == 1 ? _mm256_max_epi8(a, b) : _mm256_max_epi16(a, b); }

static inline vector v_pick(mask m, vector a, vector b)
{
    const vector of_byte = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const vector bits = _mm256_set1_epi64x((long long)0x8040201008040201u);
    const vector spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)m), of_byte);

    return _mm256_blendv_epi8(b, a, _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits));
}

/* Copies the last lane of each half to all lanes of the half. */
static inline vector last_of_halves(vector a) { return _mm256_shuffle_epi8(a, _mm256_set1_epi16(LANE_BYTES == 1 ? 0x0F0F : 0x0F0E)); }
static inline vector v_last(vector a) { return last_of_halves(_mm256_permute2x128_si256(a, a, 0x11)); }

static inline vector v_before(vector a, vector fill)
{
    return _mm256_alignr_epi8(a, _mm256_permute2x128_si256(a, fill, 0x03), 16 - LANE_BYTES);
}

/* First the running maximum of each half, then that of the second half with the first. */
static inline vector v_highest(vector a, vector dead)
{
    if (LANE_BYTES == 1)
        a = v_max(a, _mm256_alignr_epi8(a, dead, 15));
    a = v_max(a, _mm256_alignr_epi8(a, dead, 14));
    a = v_max(a, _mm256_alignr_epi8(a, dead, 12));
    a = v_max(a, _mm256_alignr_epi8(a, dead, 8));
    return v_max(a, last_of_halves(_mm256_permute2x128_si256(a, dead, 0x03)));
}

#endif
