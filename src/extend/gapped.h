/*
 * gapped.h - gapped extension with affine gaps from a start point, by dynamic programming that drops cells far below the best (X-drop).
 *
 * The order of the cells, and what is kept when values are equal, are those of BLAST: they decide where an alignment ends, and how it
 * goes. A sequence is extended away from the start point: upwards (step 1) from its first letter, or downwards (step -1).
 */
#ifndef TMS_GAPPED_H
#define TMS_GAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "extend/gapped_vectors.h"
#include "run/context.h"

/* One after the other: what two sequences have in common, from a start point on. */
enum gapped_operation { GAPPED_MATCH = 0, GAPPED_IN_SUBJECT = 1, GAPPED_IN_QUERY = 2 };

struct gapped_run {
    enum gapped_operation operation; /* letter by letter; a gap in the subject takes letters of the query */
    int n;
};

/* Runs of operations. Zeroed is empty. */
struct gapped_script {
    struct gapped_run *runs;
    size_t n, capacity;
};

/* Memory that is used again. Zeroed is empty, and for the plain form; freed with gapped_workspace_free(). */
struct gapped_workspace {
    tms_simd simd;    /* what gapped_score() may use; set by the caller */
    int32_t *columns; /* of forms that have them in arrays */
    size_t columns_capacity;
    struct gapped_cell *cells;
    size_t cells_capacity;
    uint8_t *directions;
    size_t directions_capacity;
    ptrdiff_t *row_starts;
    size_t rows_capacity;
    struct gapped_run *runs;
    size_t runs_capacity;
};
void gapped_workspace_free(struct gapped_workspace *ws);

/* A direction: an operation, and whether the gaps that go through the cell were open before it. */
enum { GAPPED_OPERATION = 3, GAPPED_EXTENDS_IN_SUBJECT = 4, GAPPED_EXTENDS_IN_QUERY = 8 };

/* gapped_reserve_row() - makes space for the directions of row a, n columns, after `used`. They are at row_starts[a], as if from column 0.
 */
tms_status gapped_grow_rows(struct gapped_workspace *ws, int a, size_t used, int n);
static inline tms_status gapped_reserve_row(struct gapped_workspace *ws, int a, size_t used, int n)
{
    bool fits = (size_t)a < ws->rows_capacity && used + (size_t)n + GAPPED_SLACK <= ws->directions_capacity;

    return fits ? TMS_OK : gapped_grow_rows(ws, a, used, n);
}

/* The rows of gapped_align() by vectors. Returns TMS_OK or TMS_E_MEMORY. */
tms_status gapped_align_avx2(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_columns columns,
                             struct gapped_side query, struct gapped_side subject, int step, struct gapped_extent *out);
tms_status gapped_align_avx512(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_columns columns,
                               struct gapped_side query, struct gapped_side subject, int step, struct gapped_extent *out);

/*
 * gapped_score() - the score and the extent alone.
 *   step [in] 1 or -1
 *   restricted [in] gaps begin only at each tenth letter: faster, and a lower bound
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_score(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_side query, struct gapped_side subject,
                        int step, bool restricted, struct gapped_extent *out);

/*
 * gapped_align() - the same with the way from the start point to the best cell.
 *   script [in,out] with step 1 the operations are appended from the start point to the end; with -1 from the end to the start point, which
 *          is the order along the sequences too
 */
tms_status gapped_align(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_side query, struct gapped_side subject,
                        int step, struct gapped_extent *out, struct gapped_script *script);

/* gapped_script_add() - n operations at the end; joined with the last run if it is of the same kind. */
tms_status gapped_script_add(struct gapped_script *script, enum gapped_operation operation, int n);

#endif
