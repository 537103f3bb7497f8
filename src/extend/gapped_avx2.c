/* gapped_avx2.c - vectors of 16 diagonals. A row of scores is in two tables of 16: the low bytes in one half, the high bytes in the other.
 */
#include <immintrin.h>
#include <stdint.h>

#include "alphabet/residues.h"
#include "extend/gapped_vectors.h"

#define LANE_BYTES 2
#define DEAD       INT16_MIN
#define TOP        (1 << 13)

#include "extend/gapped_rows_avx2.h"

typedef int16_t lane_score;

typedef struct {
    __m256i table[2];
} scores;

static inline vector v_all(int x) { return _mm256_set1_epi16((short)x); }
static inline vector v_add(vector a, vector b) { return _mm256_adds_epi16(a, b); }
static inline vector v_sub(vector a, vector b) { return _mm256_subs_epi16(a, b); }
static inline vector v_keep_above(vector a, vector b)
{
    return _mm256_min_epi16(a, _mm256_xor_si256(_mm256_cmpgt_epi16(a, b), v_all(DEAD)));
}

static inline vector v_where_above(vector a, vector b, vector x) { return _mm256_and_si256(_mm256_cmpgt_epi16(a, b), x); }
static inline vector v_unless_above(vector a, vector b, vector x) { return _mm256_andnot_si256(_mm256_cmpgt_epi16(a, b), x); }

static inline void v_store_bytes(void *p, vector a)
{
    _mm_storeu_si128(p, _mm_packus_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)));
}

static inline mask v_above(vector a, vector b) { return (mask)_mm256_movemask_epi8(_mm256_cmpgt_epi16(a, b)); }

/* The low bytes of 16 scores, then the high ones. */
static inline vector bytes_of(vector a)
{
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(_mm256_and_si256(a, v_all(0xFF)), _mm256_srli_epi16(a, 8)), 0xD8);
}

struct matrix {
    scores rows[RESIDUE_CODES];
};

/* Packing works in halves: 0-3 8-11 4-7 12-15, and so on. */
static inline void v_matrix(const int *rows, struct matrix *out)
{
    const vector four = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0); /* 28 residues: four of the last eight */

    for (int i = 0; i < RESIDUE_CODES; i++) {
        const int *row = rows + RESIDUE_CODES * i;
        const vector low = _mm256_packs_epi32(v_load(row), v_load(row + 8));
        const vector high = _mm256_packs_epi32(v_load(row + 16), _mm256_maskload_epi32(row + 24, four));
        out->rows[i] = (scores){{bytes_of(_mm256_permute4x64_epi64(low, 0xD8)), bytes_of(_mm256_permute4x64_epi64(high, 0xD8))}};
    }
}

static inline scores v_row(const struct matrix *m, uint8_t code) { return m->rows[code]; }

static inline uint8_t v_code(uint8_t code) { return gapped_code_of_tables(code); }

static inline vector v_look_up(scores row, const void *residues)
{
    const vector interleaved = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5,
                                                13, 6, 14, 7, 15);
    const vector codes = _mm256_broadcastsi128_si256(_mm_loadu_si128(residues)),
                 others = _mm256_xor_si256(codes, _mm256_set1_epi8(INT8_MIN));
    const vector halves = v_or(_mm256_shuffle_epi8(row.table[0], codes), _mm256_shuffle_epi8(row.table[1], others));

    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(halves, 0xD8), interleaved);
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
