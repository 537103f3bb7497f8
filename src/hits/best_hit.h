/*
 * best_hit.h - of a query's HSPs in all subjects those that are the best for their place in the query, as BLAST's -best_hit_* keep them.
 *
 * HSP b drops a if b's range of the query, longer on both sides by the share `overhang` of its length, has all of a's; if b's E-value is
 * not greater; and if a's score for each residue is below 1 - edge of b's. Each HSP that comes is compared with those that are left. When
 * more than `limit` are left, all of them are settled: they neither drop nor are dropped any more. The limit is twice as many then.
 */
#ifndef TMS_BEST_HIT_H
#define TMS_BEST_HIT_H

#include "hits/hit_list.h"

struct best_hit {
    double overhang, edge;
    struct arrived_hsp *left;
    size_t n, capacity, n_settled, limit;
    uint64_t n_offered;
};

/* best_hit_offer() - takes over the script of an HSP, also if it fails. Returns TMS_OK or TMS_E_MEMORY. */
tms_status best_hit_offer(struct best_hit *best, uint64_t oid, const struct hsp *hsp);

/*
 * best_hit_take() - adds what is left to a list: subjects and their HSPs in the order in which they came. Nothing is left afterwards.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status best_hit_take(struct best_hit *best, struct hit_list *to);
void best_hit_free(struct best_hit *best); /* zeroed is fine */

#endif
