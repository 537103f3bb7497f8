/*
 * best_hit.h - of a query's HSPs in all subjects, keeps the best ones for each range of the query: BLAST's -best_hit_overhang and
 * -best_hit_score_edge.
 *
 * HSP b drops HSP a if b's range of the query, extended on both sides by the share `overhang` of its length, contains a's; if b's E-value
 * is not greater; and if a's score a residue is below 1 - edge of b's. A new HSP is compared with all that are left. As soon as more than
 * `limit` are left, all of them lose their overhang: they drop a new HSP only within their own ranges. The limit then becomes twice their
 * number. (BLAST moves them to a list of results and back, and so forgets their overhang and their order.)
 */
#ifndef TMS_BEST_HIT_H
#define TMS_BEST_HIT_H

#include "hits/hit_list.h"

struct best_hit {
    double overhang, edge;
    struct arrived_hsp *left; /* HSPs that were not dropped, in the order of arrival; those before n_bare as sorted last */
    size_t n, capacity;
    size_t n_bare; /* the first ones of left, which have no overhang any more */
    size_t limit;
};

/* best_hit_offer() - offers an HSP, and takes over its script, also if it fails. Returns TMS_OK or TMS_E_MEMORY. */
tms_status best_hit_offer(struct best_hit *best, uint64_t oid, const struct hsp *hsp);

/*
 * best_hit_take() - returns the HSPs that are left: *n, which the caller owns. They are in the order in which NCBI's program lists equal
 * ones: by their first position of the query, then the last of `left` first. Nothing is left afterwards.
 */
struct arrived_hsp *best_hit_take(struct best_hit *best, size_t *n);
void best_hit_free(struct best_hit *best); /* zeroed is fine */

#endif
