/*
 * gapped.h - gapped extension with affine gaps from a start point, by dynamic programming that drops cells far below the best (X-drop).
 *
 * The order of the cells, and what is kept when values are equal, are those of BLAST: they decide where an alignment ends, and how it
 * goes. A sequence is extended away from the start point: upwards (step 1) from its first residue, or downwards (step -1).
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
    enum gapped_operation operation; /* residue by residue; a gap in the subject takes residues of the query */
    int n;
};

/* Runs of operations. Zeroed is empty. */
struct gapped_script {
    struct gapped_run *runs;
    size_t n, capacity;
};

/* Of an extension's cells: row a, column b is items[row_starts[a] + b]. */
struct gapped_directions {
    uint8_t *items;
    size_t capacity;
    ptrdiff_t *row_starts;
    size_t rows_capacity;
};

/* Memory that is used again. Zeroed is empty, and for the plain form; freed with gapped_workspace_free(). */
struct gapped_workspace {
    tms_simd simd;    /* what gapped_score() may use; set by the caller */
    int32_t *columns; /* of forms that have them in arrays */
    size_t columns_capacity;
    struct gapped_cell *cells;
    size_t cells_capacity;
    struct gapped_directions directions[GAPPED_AT_ONCE];
    struct gapped_run *runs;
    size_t runs_capacity;
};
void gapped_workspace_free(struct gapped_workspace *ws);

/* A direction: an operation, and whether the gaps that go through the cell were open before it. */
enum { GAPPED_OPERATION = 3, GAPPED_EXTENDS_IN_SUBJECT = 4, GAPPED_EXTENDS_IN_QUERY = 8 };

/* gapped_reserve_row() - makes space for row a, n columns, after `used` items. */
tms_status gapped_grow_rows(struct gapped_directions *directions, int a, size_t used, int n);
static inline tms_status gapped_reserve_row(struct gapped_directions *directions, int a, size_t used, int n)
{
    bool fits = (size_t)a < directions->rows_capacity && used + (size_t)n + GAPPED_SLACK <= directions->capacity;

    return fits ? TMS_OK : gapped_grow_rows(directions, a, used, n);
}

/* gapped_align_...() - gapped_score_...() with directions, for each of the extensions. Returns TMS_OK or TMS_E_MEMORY. */
tms_status gapped_align_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_directions *directions,
                             struct gapped_extension *extensions, int n);
tms_status gapped_align_avx512(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_directions *directions,
                               struct gapped_extension *extensions, int n);

/*
 * gapped_score() - the score and the extent alone.
 *   extensions [in,out] n of them, GAPPED_AT_ONCE at most; a sequence without residues is fine
 *   restricted [in] gaps begin only at each tenth residue: faster, and a lower bound
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_score(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *extensions, int n,
                        bool restricted);

/*
 * gapped_align() - the same with the way between the start point and the best cell.
 *   script [in,out] the operations of one extension after the other are appended: with step 1 from the start point to the end, with -1 from
 *          the end to the start point, which is the order along the sequences too
 */
tms_status gapped_align(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *extensions, int n,
                        struct gapped_script *script);

/*
 * gapped_trace_back() - appends the operations from a cell back to the start point, following the directions.
 *   from [in] the cell: row from.query, column from.subject
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_trace_back(const struct gapped_directions *directions, struct gapped_extent from, struct gapped_script *out);

/* gapped_script_add() - n operations at the end; joined with the last run if it is of the same kind. */
tms_status gapped_script_add(struct gapped_script *script, enum gapped_operation operation, int n);

#endif
