/* gapped_avx2.c - vectors of 16 diagonals. A row of scores is in four registers of eight scores, each of which is there twice. */
#include <immintrin.h>
#include <stdint.h>

#define LANES 16
#define DEAD  INT16_MIN
#define TOP   (1 << 13)

typedef int16_t lane_score;
typedef __m256i vector;
typedef uint16_t mask;
typedef struct {
    __m256i eight[4];
} scores;

static inline vector v_all(int x) { return _mm256_set1_epi16((short)x); }
static inline vector v_load(const void *p) { return _mm256_loadu_si256(p); }
static inline void v_store(void *p, vector a) { _mm256_storeu_si256(p, a); }
static inline vector v_max(vector a, vector b) { return _mm256_max_epi16(a, b); }
static inline vector v_add(vector a, vector b) { return _mm256_adds_epi16(a, b); }
static inline vector v_sub(vector a, vector b) { return _mm256_subs_epi16(a, b); }
static inline vector v_or(vector a, vector b) { return _mm256_or_si256(a, b); }
static inline vector v_if_above(vector a, vector b, vector x, vector y) { return _mm256_blendv_epi8(y, x, _mm256_cmpgt_epi16(a, b)); }

static inline void v_store_bytes(void *p, vector a)
{
    _mm_storeu_si128(p, _mm_packus_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)));
}

static inline mask v_above(vector a, vector b)
{
    const vector is = _mm256_cmpgt_epi16(a, b);

    return (mask)_mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(is), _mm256_extracti128_si256(is, 1)));
}

static inline vector v_pick(mask m, vector a, vector b)
{
    const vector bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, INT16_MIN);

    return _mm256_blendv_epi8(b, a, _mm256_cmpeq_epi16(_mm256_and_si256(v_all(m), bits), bits));
}

/* Copies the last lane of each half to all lanes of the half. */
static inline vector last_of_halves(vector a) { return _mm256_shuffle_epi8(a, v_all(0x0F0E)); }
static inline vector v_last(vector a) { return last_of_halves(_mm256_permute2x128_si256(a, a, 0x11)); }
static inline vector v_next(vector a, vector b) { return _mm256_alignr_epi8(_mm256_permute2x128_si256(a, b, 0x21), a, 2); }
static inline vector v_before(vector a, vector fill) { return _mm256_alignr_epi8(a, _mm256_permute2x128_si256(a, fill, 0x03), 14); }

/* First the running maximum of each half, then that of the second half with the first. */
static inline vector v_highest(vector a, vector dead)
{
    a = v_max(a, _mm256_alignr_epi8(a, dead, 14));
    a = v_max(a, _mm256_alignr_epi8(a, dead, 12));
    a = v_max(a, _mm256_alignr_epi8(a, dead, 8));
    return v_max(a, last_of_halves(_mm256_permute2x128_si256(a, dead, 0x03)));
}

static inline scores v_row(const int *row)
{
    const vector four = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0); /* 28 residues: four of the last eight */
    const vector low = _mm256_packs_epi32(v_load(row), v_load(row + 8));
    const vector high = _mm256_packs_epi32(v_load(row + 16), _mm256_maskload_epi32(row + 24, four));

    /* Packing works in halves: 0-3 8-11 4-7 12-15. */
    return (scores){{_mm256_permute4x64_epi64(low, 0x88), _mm256_permute4x64_epi64(low, 0xDD), _mm256_permute4x64_epi64(high, 0x88),
                     _mm256_permute4x64_epi64(high, 0xDD)}};
}

static inline vector v_look_up(scores row, const void *residues)
{
    const vector code = _mm256_cvtepu8_epi16(_mm_loadu_si128(residues));
    const vector at = _mm256_add_epi16(_mm256_mullo_epi16(code, v_all(0x0202)), v_all(0x0100)); /* bytes 2 code and 2 code + 1 */
    const vector bit_3 = _mm256_slli_epi16(at, 3), bit_4 = _mm256_slli_epi16(at, 2); /* moves bits 3 and 4 to the top of each byte */
    vector of[4];

    for (int i = 0; i < 4; i++)
        of[i] = _mm256_shuffle_epi8(row.eight[i], at);
    return _mm256_blendv_epi8(_mm256_blendv_epi8(of[0], of[1], bit_3), _mm256_blendv_epi8(of[2], of[3], bit_3), bit_4);
}

#include "extend/gapped_rows.h"

/*
 * If the best score is at most TOP, no sum reaches INT16_MAX; and X below the best score, less the cost of gaps across two vectors, is
 * above INT16_MIN.
 */
bool gapped_fits(const struct gapped_costs *costs)
{
    enum { MOST = 24000 };
    const int limits[] = {costs->open, costs->extend, costs->x_drop};
    int highest = 0, open_extend, drop;

    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        highest = costs->scores[i] > highest ? costs->scores[i] : highest;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i] < 0 || limits[i] > MOST)
            return false;
    open_extend = costs->open + costs->extend;
    drop = costs->x_drop > open_extend ? costs->x_drop : open_extend;
    return costs->extend > 0 && highest <= MOST && drop + highest + 2 * open_extend + 32 * costs->extend <= MOST;
}

void gapped_score_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions, int n)
{
    (void)extend_all(costs, columns, NULL, extensions, n);
}

tms_status gapped_align_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_directions *directions,
                             struct gapped_extension *extensions, int n)
{
    return extend_all(costs, columns, directions, extensions, n);
}
