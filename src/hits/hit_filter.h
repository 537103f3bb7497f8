/*
 * hit_filter.h - which HSPs of a query are kept, of all subjects together: culling, or best hits. The outcome depends on the order in which
 * they come.
 */
#ifndef TMS_HIT_FILTER_H
#define TMS_HIT_FILTER_H

#include "blastp/blastp_setup.h"
#include "hits/best_hit.h"
#include "hits/culling.h"

/* In the preliminary stage, where subjects come in their order in the database; and at the end, where the best comes first. */
enum hit_filter_stage { FILTER_PRELIMINARY, FILTER_FINAL };

struct hit_filter {
    struct culling *culling; /* NULL: best hits */
    struct best_hit best;
};

bool hit_filter_is_wanted(const struct search_params *params);

/* hit_filter_init() - Returns TMS_OK or TMS_E_MEMORY. */
tms_status hit_filter_init(const struct search_setup *setup, int query_length, enum hit_filter_stage stage, struct hit_filter *out);

/* hit_filter_offer() - takes over all of a list, which is empty then, in its order, also if it fails. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hit_filter_offer(struct hit_filter *filter, struct hit_list *from);

/* hit_filter_take() - adds what is left to a list. The filter is empty then. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hit_filter_take(struct hit_filter *filter, struct hit_list *to);
void hit_filter_free(struct hit_filter *filter); /* zeroed is fine */

#endif
