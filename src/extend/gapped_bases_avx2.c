/* gapped_bases_avx2.c - vectors of bytes for bases. A row of scores is in one register, twice. */
#include "extend/gapped_bytes_avx2.h"

#define TOP 16

typedef __m256i scores;

struct matrix {
    const int *rows;
};

static inline void v_matrix(const int *rows, struct matrix *out) { out->rows = rows; }

static inline scores v_row(const struct matrix *m, uint8_t code)
{
    const int *row = m->rows + RESIDUE_CODES * code;

    return table_of(v_load(row), v_load(row + 8));
}

static inline uint8_t v_code(uint8_t code) { return code; }
static inline vector v_look_up(scores row, const void *codes) { return _mm256_shuffle_epi8(row, v_load(codes)); }

#include "extend/gapped_rows.h"

bool gapped_fits_bases(const struct gapped_costs *costs) { return costs->match > 0 && fits_bytes(costs, costs->match, TOP); }

void gapped_score_bases_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_extension *extensions,
                             int n)
{
    (void)extend_all(costs, columns, NULL, extensions, n);
}

tms_status gapped_align_bases_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns,
                                   struct gapped_directions *directions, struct gapped_extension *extensions, int n)
{
    return extend_all(costs, columns, directions, extensions, n);
}
