/* search_results.h - the public results of a search (tamis/search.h), in arrays that own their memory. */
#ifndef TMS_SEARCH_RESULTS_H
#define TMS_SEARCH_RESULTS_H

#include "search/search_found.h"
#include "tamis/search.h"

/* The results of a call. Each array holds the items of all queries, one query after the other. */
struct tms_search_results {
    struct search_queries queries; /* the results borrow the queries' codes and masks */
    size_t n;
    tms_search_result *items;
    tms_search_frame *frames; /* FRAMES for each query, or NULL */
    tms_search_subject *subjects;
    tms_search_hsp *hsps;
    size_t n_hsps;
    tms_aligned_run *runs;
};

/*
 * search_results_run() - runs search_run() and fills in its results.
 *   results [in,out] results->queries are the queries to search with; all other members are set. Destroyed by the caller, also after a
 *     failure
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
