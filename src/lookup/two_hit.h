/*
 * two_hit.h - scans a subject for words that hit a query, finds two hits near each other on a diagonal, and extends them without gaps.
 *
 * Several queries share a lookup table, so that one scan serves all of them. Their residues lie one after the other, and so do their
 * diagonals. A diagonal passes through one query after the other, in different parts of the subject. A hit in one query does not count in
 * another, because it lies before the other query's first residue.
 */
#ifndef TMS_TWO_HIT_H
#define TMS_TWO_HIT_H

#include "lookup/two_hit_types.h"

/*
 * two_hit_diagonals_init() - for queries with n_positions positions together.
 *   out [out] freed with two_hit_diagonals_free(); all zero is fine
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status two_hit_diagonals_init(int n_positions, int window, struct two_hit_diagonals *out);
void two_hit_diagonals_free(struct two_hit_diagonals *diagonals);

/* two_hit_scan() - scans a subject, and appends HSPs to found->hsps in no particular order. Returns TMS_OK or TMS_E_MEMORY. */
tms_status two_hit_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject, struct two_hit_diagonals *diagonals,
                        struct two_hit_found *found);

/* two_hit_plain_scan() - same as two_hit_scan(), always in the plain form. */
tms_status two_hit_plain_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject,
                              struct two_hit_diagonals *diagonals, struct two_hit_found *found);

#endif
