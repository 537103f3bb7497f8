/*
 * gapped.h - gapped extension with affine gaps from a start point, by dynamic programming that drops cells far below the best score
 * (X-drop).
 *
 * The order of cells and the choice among equal scores are those of BLAST, because they decide where an alignment ends and which traceback
 * it has. A sequence is extended away from the start point: upwards (step 1) from its first residue, or downwards (step -1).
 */
#ifndef TMS_GAPPED_H
#define TMS_GAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "extend/gapped_vectors.h"
#include "run/context.h"

/* A run of one operation. The runs of a script follow each other from the start point on. */
enum gapped_operation { GAPPED_MATCH = 0, GAPPED_IN_SUBJECT = 1, GAPPED_IN_QUERY = 2 };

struct gapped_run {
    enum gapped_operation operation; /* a match takes residues of both sequences, a gap in the subject takes residues of the query */
    int n;
};

/* Runs of operations. All zero is empty. */
struct gapped_script {
    struct gapped_run *runs;
    uint32_t n, capacity;
};

/* Rows of a run of matches without directions: row first - 1 and column first - 1 + diagonal is the cell before the run. */
struct gapped_skip {
    int first, end; /* rows first .. end - 1 */
    int diagonal;
};

/*
 * Directions of an extension's cells: row a, column b is items[row_starts[i] + b], where i is a less the number of rows before it that were
 * skipped.
 */
struct gapped_directions {
    uint8_t *items;
    size_t capacity;
    ptrdiff_t *row_starts;
    size_t rows_capacity;
    struct gapped_skip *skips; /* n_skips, ascending */
    size_t n_skips, skips_capacity;
};

/* Reusable memory. All zero is empty, and selects the plain form; freed with gapped_workspace_free(). */
struct gapped_workspace {
    tms_simd simd;    /* instructions that gapped_score() may use; set by the caller */
    int32_t *columns; /* columns of the vector forms */
    size_t columns_capacity;
    int most_query, most_subject; /* residues of the longest sides that the columns were for */
    struct gapped_cell *cells;
    size_t cells_capacity;
    struct gapped_directions directions[GAPPED_AT_ONCE];
    struct gapped_script back; /* of a traceback */
};
void gapped_workspace_free(struct gapped_workspace *ws);

/* A direction is an operation, and whether each gap through the cell was already open before it. */
enum { GAPPED_OPERATION = 3, GAPPED_EXTENDS_IN_SUBJECT = 4, GAPPED_EXTENDS_IN_QUERY = 8 };

/* gapped_grow_rows() - makes space for another row with n columns, `row` in row_starts, after `used` items. Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_grow_rows(struct gapped_directions *directions, int row, size_t used, int n);
static inline tms_status gapped_reserve_row(struct gapped_directions *directions, int row, size_t used, int n)
{
    bool fits = (size_t)row < directions->rows_capacity && used + (size_t)n + GAPPED_SLACK <= directions->capacity;

    return fits ? TMS_OK : gapped_grow_rows(directions, row, used, n);
}

/* gapped_align_...() - same as gapped_score_...(), and stores the directions of each extension. Returns TMS_OK or TMS_E_MEMORY. */
tms_status gapped_align_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_directions *directions,
                             struct gapped_extension *extensions, int n);
tms_status gapped_align_avx512(const struct gapped_costs *costs, const struct gapped_columns *columns, struct gapped_directions *directions,
                               struct gapped_extension *extensions, int n);
tms_status gapped_align_bases_avx2(const struct gapped_costs *costs, const struct gapped_columns *columns,
                                   struct gapped_directions *directions, struct gapped_extension *extensions, int n);

/*
 * gapped_score() - finds scores and extents, without traceback.
 *   extensions [in,out] n extensions, at most GAPPED_AT_ONCE; a sequence may have no residues
 *   restricted [in] gaps begin only at each tenth residue: faster, but only a lower bound
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_score(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *extensions, int n,
                        bool restricted);

/*
 * gapped_reaches() - whether an extension looks at the residue of the subject behind the first n_residues, as if it could tell where these
 * end.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_reaches(struct gapped_workspace *ws, const struct gapped_costs *costs, const struct gapped_extension *extension,
                          int n_residues, bool *out);

/*
 * gapped_align() - finds scores and extents, and the traceback between the start point and the best cell.
 *   script [in,out] the operations of one extension after the other are appended: with step 1 from the start point to the end, with -1 from
 *     the end to the start point; both are the order along the sequences
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_align(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_extension *extensions, int n,
                        struct gapped_script *script);

/*
 * gapped_trace_back() - appends the operations from an extension's best cell back to the start point, following the directions.
 *   e [in] with its extent
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_trace_back(const struct gapped_directions *directions, const struct gapped_extension *e, struct gapped_script *out);

/*
 * gapped_script_reserve() - makes room for n runs.
 * gapped_script_add()     - appends n operations; joins them with the last run if that has the same operation.
 * Both return TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_script_reserve(struct gapped_script *script, uint32_t n);
tms_status gapped_script_add(struct gapped_script *script, enum gapped_operation operation, int n);

#endif
