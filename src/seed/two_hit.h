/*
 * two_hit.h - walking over a subject: words that hit a query, two of them near each other on a diagonal, and their ungapped extension.
 *
 * Several queries share a table of words, so that the walk is made for all of them at once. They lie one after the other, and so do their
 * diagonals. A diagonal passes through one query after the other, in different parts of the subject: a hit in one query says nothing in
 * another, because it lies before that query's first letter.
 */
#ifndef TMS_TWO_HIT_H
#define TMS_TWO_HIT_H

#include "extend/ungapped_core.h"
#include "run/context.h"
#include "seed/neighbours.h"

struct two_hit_query {
    const uint8_t *codes; /* with a byte before and after */
    int length, x_drop;
    int cutoff;      /* the score of an extension that is kept */
    int first_place; /* of its first letter in the table; ascending from query to query */
};

struct two_hit_queries {
    const struct neighbours *words;
    const struct two_hit_query *items;
    size_t n;
    const int *scores; /* [UNGAPPED_CODES * query's code + subject's code] */
    int window;        /* two hits begin less than this many letters from each other, and do not overlap; 0: one hit is enough */
};

/* Where the last hit of each diagonal was. It lasts over all subjects; zeroed is empty. */
struct two_hit_diagonals {
    int32_t *last; /* 2 x (place in the subject + base), plus 1 if what follows lies in an extension. Diagonal d is at d & mask */
    uint32_t mask;
    int32_t base; /* grows from subject to subject, so that what they left is long ago */
};

/*
 * two_hit_diagonals_init() - for queries of n_places letters together.
 * Returns TMS_OK or TMS_E_MEMORY. Freed with two_hit_diagonals_free(); zeroed is fine.
 */
tms_status two_hit_diagonals_init(int n_places, int window, struct two_hit_diagonals *out);
void two_hit_diagonals_free(struct two_hit_diagonals *diagonals);

/* An extension that was kept, and the number of its query. */
struct two_hit_hsp {
    struct ungapped_hsp hsp;
    uint32_t query;
};

/* Extensions that were kept, and what led to them. Zeroed is empty; hsps is freed by the caller. */
struct two_hit_found {
    struct two_hit_hsp *hsps;
    size_t n, capacity;
    uint64_t n_hits, n_extensions; /* are added to */
};

/*
 * two_hit_scan() - all of a subject, n letters with a byte before and after. found->hsps are appended to, in the order in which they are
 * found. Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status two_hit_scan(const struct two_hit_queries *queries, const uint8_t *subject, int n, struct two_hit_diagonals *diagonals,
                        struct two_hit_found *found);

#endif
