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

enum { TWO_HIT_ROW = 32, TWO_HIT_NEAR = 16 };

/* Queries one after the other, for 16-bit numbers. */
struct two_hit_strip {
    const uint16_t *rows; /* of each place TWO_HIT_ROW x code: its row of scores; a gap's before and after each query */
    uint16_t *memory;
    uint16_t *query_near;                      /* of each TWO_HIT_NEAR places the query that the first is in */
    int32_t scores[TWO_HIT_ROW * TWO_HIT_ROW]; /* x 2^16, minus 1 */
};

struct two_hit_queries {
    const struct neighbours *words;
    const struct two_hit_query *items;
    size_t n;
    const int *scores;                 /* [UNGAPPED_CODES * query's code + subject's code] */
    const struct two_hit_strip *strip; /* NULL: there is none */
    int window; /* two hits begin less than this many letters from each other, and do not overlap; 0: one hit is enough */
};

/*
 * two_hit_strip_init() - sets queries->strip, if numbers are small enough and two hits are needed: table and scan are faster then.
 *   n_places [in] of all queries, with one between two of them that is none's
 * Returns TMS_OK or TMS_E_MEMORY. out is freed with two_hit_strip_free() after queries have been used.
 */
tms_status two_hit_strip_init(struct two_hit_queries *queries, int n_places, struct two_hit_strip *out);
void two_hit_strip_free(struct two_hit_strip *strip); /* zeroed is fine */

/* Where the last hit of each diagonal was. It lasts over all subjects; zeroed is empty. */
struct two_hit_diagonals {
    int32_t *last;    /* 2 x (place in the subject + base), plus 1 if what follows lies in an extension. Diagonal d is at d & mask */
    uint16_t *narrow; /* the same in the fast form, two_hit_narrow.c */
    uint32_t mask;
    int32_t base, narrow_base; /* grow from subject to subject, so that what they left is long ago */
    uint8_t *copy;             /* of a subject */
    size_t copy_capacity;
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

/* two_hit_plain_scan() - the same, always in the plain form. */
tms_status two_hit_plain_scan(const struct two_hit_queries *queries, const uint8_t *subject, int n, struct two_hit_diagonals *diagonals,
                              struct two_hit_found *found);

#endif
