/* greedy_side.h - data of greedy extension, and the extension to one side, which greedy.c joins with the other. */
#ifndef TMS_GREEDY_SIDE_H
#define TMS_GREEDY_SIDE_H

#include "base/lesser.h"
#include "extend/equal_bases.h"
#include "extend/gapped.h"
#include "extend/packed_bases.h"

enum { GREEDY_NONE = -2 /* reach of a diagonal that has no alignment */ };

/*
 * Costs as the algorithm needs them: a match scores `match`, which is even, and d differences cost d units. In the affine form a mismatch,
 * or a base of a gap, is several differences.
 */
struct greedy_costs {
    int reward, penalty; /* as the user has set them: penalty is below 0 */
    bool is_linear;
    int match, unit, x_drop;           /* all doubled if the reward is odd */
    int behind;                        /* an alignment with d differences is compared with the best with d - behind */
    int mismatch, open_extend, extend; /* affine: differences of a mismatch, and of the first and of another base of a gap */
};

/* Reusable memory. All zero is empty. */
struct greedy_workspace {
    tms_simd simd;
    int *rows[2]; /* linear: the last two rows */
    size_t rows_capacity[2];
    int *cells; /* rows that are kept, one after the other */
    size_t cells_capacity;
    struct greedy_row *kept; /* where each of them is in `cells` */
    size_t kept_capacity;
    int *best; /* the best score with each number of differences */
    size_t best_capacity;
    struct gapped_script back; /* operations from the end of the right side to the start point */
};

/*
 * Two sequences: packed, in the scan of the database; or codes, in the traceback. Positions in the query count from the beginning of its
 * strand.
 */
struct greedy_pair {
    const struct packed_queries *queries; /* NULL: codes */
    int first;                            /* packed: where the strand begins in the concatenated queries */
    const struct packed_bases *packed_subject;
    const uint8_t *query, *subject; /* codes: BLASTNA */
    int query_length, subject_length;
};

/* One side of a start point. */
struct greedy_side {
    const struct greedy_pair *pair;
    int query, subject;     /* start point */
    int n_query, n_subject; /* bases on this side */
    bool is_right;
};

/* A run of equal bases, with its distance from the start point. */
struct greedy_run {
    int query, subject, n;
};

/* The best alignment of a side. */
struct greedy_extent {
    int n_differences;
    int score;                 /* affine; not divided if it was doubled */
    int query, subject;        /* bases of each sequence */
    struct greedy_run longest; /* the longest run that was seen, the first of equals */
};

/* A row that is kept: the cell of a diagonal is cells[start + diagonal times the values of a cell]. */
struct greedy_row {
    ptrdiff_t start;
    int first, last; /* affine: diagonals that may be continued; none if first > last */
};

/*
 * greedy_linear(), greedy_affine() - extend to one side.
 *   back [in,out] NULL, or the operations are appended from the end of the alignment to the start point
 * Return TMS_OK or TMS_E_MEMORY.
 */
tms_status greedy_linear(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_side *side,
                         struct gapped_script *back, struct greedy_extent *out);
tms_status greedy_affine(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_side *side,
                         struct gapped_script *back, struct greedy_extent *out);

/* Operations, if there are any. */
static inline tms_status greedy_add(struct gapped_script *script, enum gapped_operation operation, int n)
{
    return n > 0 ? gapped_script_add(script, operation, n) : TMS_OK;
}

/* The least number of bases of both sequences that an alignment with d differences must reach. */
static inline int greedy_least_reach(const struct greedy_costs *costs, int best_before, int d)
{
    const int half = costs->match / 2, score = best_before + costs->unit * d - costs->x_drop;

    return score > 0 ? (score + half - 1) / half : 0;
}

/* The sequences of a side by value, so that a loop has them in registers. */
struct greedy_view {
    struct packed_queries queries;
    struct packed_bases packed_subject;
    const uint8_t *query_codes, *subject_codes; /* from the start point on */
    int query, subject;                         /* packed: start point, in the concatenated queries and in the subject */
    int n_query, n_subject;
};

static inline struct greedy_view greedy_view_of(const struct greedy_side *side)
{
    const struct greedy_pair *p = side->pair;
    struct greedy_view v = {.n_query = side->n_query, .n_subject = side->n_subject};

    if (p->queries != NULL) {
        v.queries = *p->queries;
        v.packed_subject = *p->packed_subject;
        v.query = p->first + side->query;
        v.subject = side->subject;
    } else {
        v.query_codes = p->query + side->query;
        v.subject_codes = p->subject + side->subject;
    }
    return v;
}

enum greedy_kind { GREEDY_CODES, GREEDY_CODES_LEFT, GREEDY_PACKED, GREEDY_PACKED_LEFT };

static inline enum greedy_kind greedy_kind_of(const struct greedy_side *side)
{
    return side->pair->queries != NULL ? (side->is_right ? GREEDY_PACKED : GREEDY_PACKED_LEFT)
                                       : (side->is_right ? GREEDY_CODES : GREEDY_CODES_LEFT);
}

/* Number of equal bases behind the first i of the query and the first j of the subject. */
static inline int greedy_same(const struct greedy_view *v, enum greedy_kind kind, int i, int j)
{
    const int n = v->n_query - i < v->n_subject - j ? v->n_query - i : v->n_subject - j;

    switch (kind) {
    case GREEDY_CODES:
        return equal_bases_from(v->query_codes + i, v->subject_codes + j, n);
    case GREEDY_CODES_LEFT:
        return equal_bases_before(v->query_codes - i, v->subject_codes - j, n);
    case GREEDY_PACKED:
        return packed_same_from(&v->queries, v->query + i, &v->packed_subject, v->subject + j, n);
    case GREEDY_PACKED_LEFT:
        return packed_same_before(&v->queries, v->query - i, &v->packed_subject, v->subject - j, n);
    }
    return 0;
}

#endif
