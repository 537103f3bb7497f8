/* search_rate.h - E-values of the HSPs of a query with a subject, of chains of these with linking. */
#ifndef TMS_SEARCH_RATE_H
#define TMS_SEARCH_RATE_H

#include "search/search_setup.h"
#include "search/subject_frames.h"

/*
 * search_rate() - sets the E-values of HSPs with a subject of subject_length residues; links them, if the search does, and then sorts them
 * by score.
 *   query      [in] the whole query, which the contexts of the HSPs are of
 *   statistics [in] NULL: those of each HSP's context; else those of scaled scores
 * Returns TMS_OK or TMS_E_MEMORY.
 *
 * search_keep_significant() - also drops HSPs above a limit.
 */
tms_status search_rate(const struct search_setup *setup, const struct search_query *query, const struct gapped_statistics *statistics,
                       int subject_length, struct hsp_list *list);
tms_status search_keep_significant(const struct search_setup *setup, const struct search_query *query,
                                   const struct gapped_statistics *statistics, int subject_length, double limit, struct hsp_list *list);

/* search_rated_length() - the length of a subject that preliminary E-values refer to. */
int search_rated_length(const struct search_setup *setup, const struct subject_frames *subject);

#endif
