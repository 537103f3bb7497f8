/* search_results.h - what a search returns, in arrays of its own (tamis/search.h). */
#ifndef TMS_SEARCH_RESULTS_H
#define TMS_SEARCH_RESULTS_H

#include "search/search.h"
#include "tamis/search.h"

/* The results of a call: the items of all queries, one after the other. */
struct tms_search_results {
    struct search_queries queries; /* their codes and masks are part of the results */
    size_t n;
    tms_search_result *items;
    tms_search_subject *subjects;
    tms_search_hsp *hsps;
    size_t n_hsps;
    tms_aligned_run *runs;
};

/*
 * search_results_run() - search_run(), and its results.
 *   results [in,out] its queries are those to search with; gets everything else. Destroyed by the caller, also after a failure
 * Returns as search_run().
 */
tms_status search_results_run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                              tms_search_results *results, struct search_counts *counts);

/* search_stats_of() - counts in their public form. */
tms_search_stats search_stats_of(const struct search_counts *counts);

#endif
