/*
 * two_hit.h - walking over a subject: words that hit a query, two of them near each other on a diagonal, and their ungapped extension.
 *
 * Several queries share a table of words, so that the walk is made for all of them at once. They lie one after the other, and so do their
 * diagonals. A diagonal passes through one query after the other, in different parts of the subject: a hit in one query says nothing in
 * another, because it lies before that query's first residue.
 */
#ifndef TMS_TWO_HIT_H
#define TMS_TWO_HIT_H

#include "lookup/two_hit_types.h"

/*
 * two_hit_diagonals_init() - for queries of n_positions residues together.
 * Returns TMS_OK or TMS_E_MEMORY. Freed with two_hit_diagonals_free(); zeroed is fine.
 */
tms_status two_hit_diagonals_init(int n_positions, int window, struct two_hit_diagonals *out);
void two_hit_diagonals_free(struct two_hit_diagonals *diagonals);

/* two_hit_scan() - a subject. found->hsps are appended to, in no particular order. Returns TMS_OK or TMS_E_MEMORY. */
tms_status two_hit_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject, struct two_hit_diagonals *diagonals,
                        struct two_hit_found *found);

/* two_hit_plain_scan() - the same, always in the plain form. */
tms_status two_hit_plain_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject,
                              struct two_hit_diagonals *diagonals, struct two_hit_found *found);

#endif
