/*
 * smith_waterman.h - the best local alignment of two sequences over all cells: its score and one of its ends [Smith & Waterman 1981, with
 * the affine gaps of Gotoh 1982]. The caller finds further alignments by excluding the boxes of earlier ones.
 */
#ifndef TMS_SMITH_WATERMAN_H
#define TMS_SMITH_WATERMAN_H

#include "extend/gapped.h"

/* Residues query .. query_end - 1 of the query may not be aligned with residues subject .. subject_last of the subject. */
struct smith_waterman_box {
    int query, query_end, subject, subject_last;
};

/* All zero is empty; the caller frees items. */
struct smith_waterman_boxes {
    struct smith_waterman_box *items;
    size_t n, capacity;
};

/* A score, and the residues of its cell. */
struct smith_waterman_cell {
    int score, query, subject;
};

/*
 * smith_waterman() - finds the first cell with the highest score, row by row; a row is a residue of the query.
 *   costs [in] costs.x_drop is not used
 *   step [in] 1: both sequences from their first residues on, so the cell is where the alignment ends; -1: from the last residues backwards
 *   enough [in] a score at which the search stops
 *   out [out] score 0 at 0, 0 if there is no alignment
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status smith_waterman(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_side query,
                          struct gapped_side subject, int step, const struct smith_waterman_boxes *boxes, int enough,
                          struct smith_waterman_cell *out);

#endif
