/*
 * query_stretches.h - lookup tables of stretches of the positions of queries that are too many for one table of 16-bit positions, so that
 * the sieved scan can take one stretch after the other.
 */
#ifndef TMS_QUERY_STRETCHES_H
#define TMS_QUERY_STRETCHES_H

#include "lookup/two_hit_types.h"

enum { QUERY_STRETCH = 32000 /* most positions of a stretch that diagonals have memory for */ };

/*
 * query_stretches_build() - makes the tables of queries with n_positions positions together.
 *   words [in] queries->n queries; queries [in] their items, and the window of the rule
 *   most [in] positions of a stretch, more than overlaps take
 *   out [out] n_out of them; freed with query_stretches_free(), also after a failure
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status query_stretches_build(const struct word_lookup_rules *rules, const struct word_lookup_query *words,
                                 const struct two_hit_queries *queries, int n_positions, int most, struct query_stretch **out,
                                 size_t *n_out);

/* query_stretches_words() - the entries of the tables, of words of WORD_LOOKUP_LONGEST_DIRECT letters at most; those of positions in two
 * stretches count once. */
size_t query_stretches_words(const struct query_stretch *stretches, size_t n);
void query_stretches_free(struct query_stretch *stretches, size_t n); /* NULL and 0 are fine */

#endif
