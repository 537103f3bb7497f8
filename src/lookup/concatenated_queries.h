/* concatenated_queries.h - queries laid out for the fast form of the scan. */
#ifndef TMS_TWO_HIT_STRIP_H
#define TMS_TWO_HIT_STRIP_H

#include "lookup/two_hit_types.h"

/*
 * concatenated_queries_init() - sets queries->strip, if numbers are small enough and two hits are needed: table and scan are faster then.
 *   n_positions [in] of all queries, with one between two of them that is none's
 * Returns TMS_OK or TMS_E_MEMORY. out is freed with concatenated_queries_free() after queries have been used.
 */
tms_status concatenated_queries_init(struct two_hit_queries *queries, int n_positions, struct concatenated_queries *out);
void concatenated_queries_free(struct concatenated_queries *strip); /* zeroed is fine */

#endif
