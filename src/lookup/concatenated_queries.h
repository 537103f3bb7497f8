/* concatenated_queries.h - lays queries out one after the other for the sieved scan. */
#ifndef TMS_CONCATENATED_QUERIES_H
#define TMS_CONCATENATED_QUERIES_H

#include "lookup/two_hit_types.h"

/* concatenated_queries_fit() - whether the two-hit rule applies and the sieved scan supports the numbers, apart from that of positions. */
bool concatenated_queries_fit(const struct two_hit_queries *queries, int word_size);

/*
 * concatenated_queries_init() - sets queries->concatenated if they fit, and have positions of 16 bits or stretches.
 *   rules [in] those of queries->words; letter_of is used as long as `out`
 *   n_positions [in] positions of all queries, with one unused position between two queries
 *   out [out] freed with concatenated_queries_free() after the last use of queries
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status concatenated_queries_init(struct two_hit_queries *queries, const struct word_lookup_rules *rules, int n_positions,
                                     struct concatenated_queries *out);
void concatenated_queries_free(struct concatenated_queries *queries); /* zeroed is fine */

/* The letter of a residue in pairs, for each code. */
extern const uint8_t two_hit_letters[RESIDUE_ROW];

#endif
