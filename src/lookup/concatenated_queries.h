/* concatenated_queries.h - lays queries out one after the other for the 16-bit form of the scan. */
#ifndef TMS_CONCATENATED_QUERIES_H
#define TMS_CONCATENATED_QUERIES_H

#include "lookup/two_hit_types.h"

/*
 * concatenated_queries_init() - sets queries->concatenated if the numbers fit into 16 bits and the two-hit rule applies; building the table
 * and scanning are then faster. n_positions [in] positions of all queries, with one unused position between two queries out [out] freed
 * with concatenated_queries_free() after the last use of queries Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status concatenated_queries_init(struct two_hit_queries *queries, int n_positions, struct concatenated_queries *out);
void concatenated_queries_free(struct concatenated_queries *queries); /* zeroed is fine */

#endif
