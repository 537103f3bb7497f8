/*
 * smith_waterman.h - the best local alignment of two sequences, in all cells: its score, and one of its ends [Smith & Waterman 1981, with
 * the affine gaps of Gotoh 1982]. Further alignments are found by excluding what the earlier ones took.
 */
#ifndef TMS_SMITH_WATERMAN_H
#define TMS_SMITH_WATERMAN_H

#include "extend/gapped.h"

/* Residues of the query from query to query_end - 1 may not be aligned with those of the subject from subject to subject_last. */
struct smith_waterman_box {
    int query, query_end, subject, subject_last;
};

/* Zeroed is none; items is freed by the caller. */
struct smith_waterman_boxes {
    struct smith_waterman_box *items;
    size_t n, capacity;
};

/* A score, and the residues of its cell. */
struct smith_waterman_cell {
    int score, query, subject;
};

/*
 * smith_waterman() - the first cell of the highest score, row by row; a row is a residue of the query.
 *   costs [in] its x_drop does not count
 *   step [in] 1: both sequences from their first residues on, so the cell is where the alignment ends. -1: from the last residues backwards
 *   enough [in] a score at which to stop
 *   out [out] score 0 at 0, 0 if there is none
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status smith_waterman(struct gapped_workspace *ws, const struct gapped_costs *costs, struct gapped_side query,
                          struct gapped_side subject, int step, const struct smith_waterman_boxes *boxes, int enough,
                          struct smith_waterman_cell *out);

#endif
