/* report_anchored.h - the rows below a query of formats 1 to 4, and which of their columns are masked. */
#ifndef TMS_REPORT_ANCHORED_H
#define TMS_REPORT_ANCHORED_H

#include "base/array.h"
#include "report/report_struct.h"

/* Residues of a subject before one of the query. */
struct insertion {
    uint64_t before;    /* residue of the query, from 0 */
    size_t residues, n; /* the first in anchored.residues; how many */
};

/* Columns that are masked. */
struct masked_columns {
    uint64_t first, last; /* numbers that grow from left to right; from 0 on, without gaps, after anchored_place_masks() */
    size_t mask;          /* of the subject's masks */
};

/* An HSP; or the query, as the first row. */
struct anchored_row {
    size_t label, label_size;  /* the first byte in anchored.labels; how many */
    uint64_t begin, end;       /* residues of the query, or of its frame */
    size_t residues;           /* the first in anchored.residues: one for each residue of the query, '-' for a gap */
    size_t insertion, last;    /* the next one in anchored.insertions; last: behind those of the row */
    uint64_t position;         /* of the next residue in the whole sequence, from 0 */
    int step;                  /* from a residue to the next: negative on the minus strand, 3 bases with a translation */
    uint32_t longest;          /* columns without a gap */
    const tms_search_hsp *hsp; /* NULL: the query */
    size_t mask, last_mask;    /* in anchored.masks: the first, and behind the last */
};

struct anchored {
    struct report *report;
    int frame; /* of the query, as report_query_frame() counts; 0: not translated */
    struct anchored_row *rows;
    struct insertion *insertions;
    size_t n_rows, rows_capacity, n_insertions, insertions_capacity;
    struct byte_array labels, residues;
    struct masked_columns *masks; /* of the query, then of each subject */
    size_t n_masks, masks_capacity;
    struct byte_array spans; /* HTML: masked columns of a row */
    uint64_t begin, end;     /* of the query: from the first to the last row's */
    uint32_t *gaps;          /* of residue begin + i: columns before it; formats 3 and 4 */
    uint64_t last_position;  /* behind the last residue of any row */
    size_t label_width, position_width;
    size_t n_columns; /* of a block */
    bool is_flat, has_dots;
    struct byte_array line; /* a row's residues in a block */
};

/* Residues of the query that the subject lacks right behind an insertion, run i. */
static inline uint32_t anchored_deleted_behind(const tms_search_hsp *hsp, size_t i)
{
    return i + 1 < hsp->n_runs && hsp->runs[i + 1].kind == TMS_ALIGNED_GAP_IN_SUBJECT ? hsp->runs[i + 1].n : 0;
}

/*
 * anchored_find_masks() - adds the columns from the first to the last residue of each mask in an HSP to a->masks, unless another HSP of the
 * subject, whose masks are from number `first` on, has the mask. Returns false if memory runs out.
 */
bool anchored_find_masks(struct anchored *a, size_t first, const struct report_hsp *h);

/* anchored_find_query_masks() - same for the query, as an HSP with itself. */
bool anchored_find_query_masks(struct anchored *a, const struct report_hsp *h);

/* anchored_place_masks() - gives all masks their columns in the block of all rows, after gaps are known. Returns false if memory runs out.
 */
bool anchored_place_masks(struct anchored *a);

/* anchored_mask_row() - shows the residues of a row in masked columns in lower case. */
void anchored_mask_row(struct anchored *a, const struct anchored_row *row);

#endif
