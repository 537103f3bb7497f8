/* gapped_residues_avx2.c - vectors of bytes for residues. A row of scores is in two tables of 16, each in both halves of a register. */
#include "extend/gapped_bytes_avx2.h"

#define TOP 40

typedef struct {
    vector table[2];
} scores;

struct matrix {
    scores rows[RESIDUE_CODES];
};

static inline void v_matrix(const int *rows, struct matrix *out)
{
    const vector four = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0); /* 28 residues: four of the last eight */

    for (int i = 0; i < RESIDUE_CODES; i++) {
        const int *row = rows + RESIDUE_CODES * i;
        out->rows[i] = (scores){
            {table_of(v_load(row), v_load(row + 8)), table_of(v_load(row + 16), _mm256_maskload_epi32(row + 24, four))}};
    }
}

static inline scores v_row(const struct matrix *m, uint8_t code) { return m->rows[code]; }

static inline uint8_t v_code(uint8_t code) { return gapped_code_of_tables(code); }

static inline vector v_look_up(scores row, const void *residues)
{
    const vector codes = v_load(residues), others = _mm256_xor_si256(codes, v_all(INT8_MIN));

    return v_or(_mm256_shuffle_epi8(row.table[0], codes), _mm256_shuffle_epi8(row.table[1], others));
}

#include "extend/gapped_rows.h"

bool gapped_fits_residues(const struct gapped_costs *costs)
{
    int highest = 0;

    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        highest = costs->scores[i] > highest ? costs->scores[i] : highest;
    return costs->match == 0 && highest <= INT8_MAX && fits_bytes(costs, highest, TOP);
}

void gapped_score_residues_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions,
                                int n)
{
    (void)extend_all(costs, columns, NULL, extensions, n);
}
