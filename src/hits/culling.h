/*
 * culling.h - of a query's HSPs in all subjects those that fewer than `limit` others dominate, as BLAST's -culling_limit keeps them.
 *
 * One HSP dominates another if it covers half of its range of the query, and has the better score for its length. What is kept depends on
 * the order in which HSPs come, and on how they are filed: in a tree over the query, whose nodes are halved when they have filled up.
 */
#ifndef TMS_CULLING_H
#define TMS_CULLING_H

#include "hits/hit_list.h"

struct culling;

/* culling_create() - limit: 1 or more. Returns TMS_OK or TMS_E_MEMORY. */
tms_status culling_create(int query_length, int limit, struct culling **out);
void culling_destroy(struct culling *culling); /* with the HSPs that it has; NULL is fine */

/* culling_offer() - takes over the script of an HSP, also if it fails. Returns TMS_OK or TMS_E_MEMORY. */
tms_status culling_offer(struct culling *culling, uint64_t oid, const struct hsp *hsp);

/*
 * culling_take() - adds what is left to a list: subjects and their HSPs in the order in which they came. The culling is empty afterwards.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status culling_take(struct culling *culling, struct hit_list *to);

#endif
