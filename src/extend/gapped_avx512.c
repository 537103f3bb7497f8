/* gapped_avx512.c - vectors of 32 diagonals. A row of scores is in one register. */
#include <immintrin.h>
#include <stdint.h>

#include "alphabet/residues.h"

#define LANES 32
#define DEAD  INT16_MIN
#define TOP   (1 << 13)

typedef int16_t lane_score;
typedef __m512i vector;
typedef __mmask32 mask;
#define LANE_BITS 1
typedef __m512i scores;

static inline vector v_all(int x) { return _mm512_set1_epi16((short)x); }
static inline vector v_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void v_store(void *p, vector a) { _mm512_storeu_si512(p, a); }
static inline vector v_max(vector a, vector b) { return _mm512_max_epi16(a, b); }
static inline vector v_add(vector a, vector b) { return _mm512_adds_epi16(a, b); }
static inline vector v_sub(vector a, vector b) { return _mm512_subs_epi16(a, b); }
static inline vector v_or(vector a, vector b) { return _mm512_or_si512(a, b); }
static inline void v_store_bytes(void *p, vector a) { _mm256_storeu_si256(p, _mm512_cvtepi16_epi8(a)); }
static inline mask v_above(vector a, vector b) { return _mm512_cmpgt_epi16_mask(a, b); }
static inline vector v_pick(mask m, vector a, vector b) { return _mm512_mask_blend_epi16(m, b, a); }
static inline vector v_keep_above(vector a, vector b) { return v_pick(v_above(a, b), a, v_all(DEAD)); }
static inline vector v_where_above(vector a, vector b, vector x) { return _mm512_maskz_mov_epi16(v_above(a, b), x); }
static inline vector v_unless_above(vector a, vector b, vector x) { return _mm512_maskz_mov_epi16(~v_above(a, b), x); }
static inline vector v_last(vector a) { return _mm512_permutexvar_epi16(v_all(LANES - 1), a); }

/* A quarter of a register has eight lanes. */
static inline vector v_before(vector a, vector fill) { return _mm512_alignr_epi8(a, _mm512_alignr_epi64(a, fill, 6), 14); }

/*
 * First the running maximum of each quarter, then that with the last lanes of the quarters before; quarters without such lanes are combined
 * with themselves.
 */
static inline vector v_highest(vector a, vector dead)
{
    const int64_t low = 0x0003000200010000, high = 0x0007000600050004, all = 0x0001000100010001;
    const vector one_before = _mm512_set_epi64(23 * all, 23 * all, 15 * all, 15 * all, 7 * all, 7 * all, high, low);
    const vector two_before = _mm512_set_epi64(15 * all, 15 * all, 7 * all, 7 * all, high + 8 * all, low + 8 * all, high, low);

    a = v_max(a, _mm512_alignr_epi8(a, dead, 14));
    a = v_max(a, _mm512_alignr_epi8(a, dead, 12));
    a = v_max(a, _mm512_alignr_epi8(a, dead, 8));
    a = v_max(a, _mm512_permutexvar_epi16(one_before, a));
    return v_max(a, _mm512_permutexvar_epi16(two_before, a));
}

struct matrix {
    const int *rows;
};

static inline void v_matrix(const int *rows, struct matrix *out) { out->rows = rows; }

static inline scores v_row(const struct matrix *m, uint8_t code)
{
    const int *row = m->rows + RESIDUE_CODES * code;
    const __m256i low = _mm512_cvtsepi32_epi16(_mm512_loadu_si512(row));
    const __m256i high = _mm512_cvtsepi32_epi16(_mm512_maskz_loadu_epi32(0x0FFF, row + 16));

    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

static inline uint8_t v_code(uint8_t code) { return code; }

static inline vector v_look_up(scores row, const void *residues)
{
    return _mm512_permutexvar_epi16(_mm512_cvtepu8_epi16(_mm256_loadu_si256(residues)), row);
}

#include "extend/gapped_rows.h"

void gapped_score_avx512(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions, int n)
{
    (void)extend_all(costs, columns, NULL, extensions, n);
}

tms_status gapped_align_avx512(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_directions *directions,
                               struct gapped_extension *extensions, int n)
{
    return extend_all(costs, columns, directions, extensions, n);
}
