/* search_results.h - the public results of a search (tamis/search.h), in arrays that own their memory. */
#ifndef TMS_SEARCH_RESULTS_H
#define TMS_SEARCH_RESULTS_H

#include "search/search_found.h"
#include "tamis/search.h"

/* The results of a call. */
struct tms_search_results {
    struct search_queries queries; /* after the search; the results borrow the queries' codes and masks */
    size_t n;
    tms_search_result *items;
    tms_search_frame *frames; /* FRAMES for each query, or NULL */
    void **alignments;        /* of each query: its subjects, then their HSPs, then the runs of these, in one array; NULL: none */
    size_t n_hsps;
    tms_take_result *take; /* NULL: none */
    void *take_arg;
};

/*
 * search_results_run() - runs search_run(), and fills in the result of each query as soon as it is complete.
 *   results [in,out] results->queries are the queries to search with, of which only what results show is left; take and take_arg are the
 *     caller's; all other members are set.
 *     Destroyed by the caller, also after a failure
 * Returns the same statuses as search_run().
 */
tms_status search_results_run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                              tms_search_results *results, struct search_counts *counts);

/* search_results_align() - as search_results_run(), of what scans have found: found is empty afterwards. */
tms_status search_results_align(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                                tms_search_found *found, tms_search_results *results, struct search_counts *counts);

/* search_stats_of() - converts counts to their public form. */
tms_search_stats search_stats_of(const struct search_counts *counts);

#endif
