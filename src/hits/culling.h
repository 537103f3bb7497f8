/*
 * culling.h - of a query's HSPs in all subjects, keeps those that fewer than `limit` others dominate: BLAST's -culling_limit.
 *
 * An HSP dominates another one if it covers at least half of the other's range of the query, and has the better score for its length. HSPs
 * are kept in an interval tree over the query; a full node is split in half. The result depends on the order in which HSPs are offered,
 * and on the tree, because a new HSP is compared with some of the nodes only.
 */
#ifndef TMS_CULLING_H
#define TMS_CULLING_H

#include "hits/hit_list.h"

struct culling;

/* culling_create() - limit: 1 or more; query_length in residues. Returns TMS_OK or TMS_E_MEMORY; freed with culling_destroy(). */
tms_status culling_create(int query_length, int limit, struct culling **out);
void culling_destroy(struct culling *culling); /* also frees the HSPs that are left; NULL is fine */

/* culling_offer() - offers an HSP, and takes over its script, also if it fails. Returns TMS_OK or TMS_E_MEMORY. */
tms_status culling_offer(struct culling *culling, uint64_t oid, const struct hsp *hsp);

/*
 * culling_take() - gives the caller the HSPs that are left, in the order of the tree, in which NCBI's program lists equal ones. The culling
 * is empty afterwards.
 *   out [out] *n HSPs; the caller owns the array and the scripts
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status culling_take(struct culling *culling, struct arrived_hsp **out, size_t *n);

#endif
