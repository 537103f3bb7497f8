/* search_found.h - lists of preliminary HSPs as callers pass them on (tamis/search.h). */
#ifndef TMS_SEARCH_FOUND_H
#define TMS_SEARCH_FOUND_H

#include "search/search.h"
#include "tamis/search.h"

struct tms_search_found {
    struct hit_list *lists; /* n_lists */
    uint64_t *batches;      /* the query batch of each list */
    uint64_t n_lists;
    tms_found_subject *subjects; /* what tms_search_found_get() has returned last */
    tms_found_hsp *hsps;
    size_t subjects_capacity, hsps_capacity;
};

/*
 * search_found_scan() - scans subjects->part for all queries.
 *   out [out] destroyed with tms_search_found_destroy()
 * Returns the same statuses as search_scan().
 */
tms_status search_found_scan(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                             const struct search_queries *queries, struct search_counts *counts, tms_search_found **out);

/*
 * search_found_prepare() - checks lists that come from a caller, and sets the E-values of their HSPs; search_align_found() can then take
 * them. E-values are not passed on with the lists: they follow from the scores.
 * Returns TMS_OK; TMS_E_FORMAT, with a message; TMS_E_MEMORY.
 */
tms_status search_found_prepare(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                                const struct search_queries *queries, tms_search_found *found);

#endif
