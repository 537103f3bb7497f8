/* blastn_link.h - E-values of a query's HSPs with a subject, with sum statistics those of chains. */
#ifndef TMS_BLASTN_LINK_H
#define TMS_BLASTN_LINK_H

#include "blastn/blastn_setup.h"
#include "search/search_queries.h"

/* blastn_link_batch() - with sum statistics, sets the cutoffs of queries and chunks that depend on their batch or chunk; else does nothing.
 */
void blastn_link_batch(const struct search_setup *setup, struct search_queries *queries);

/*
 * blastn_rate() - sets the E-values of a list's HSPs, and drops those above the search's limit.
 *   is_final [in] the HSPs are not preliminary: with sum statistics, small gaps are not considered
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status blastn_rate(const struct search_setup *setup, const struct search_query *query, int subject_length, bool is_final,
                       struct hsp_list *list);

#endif
