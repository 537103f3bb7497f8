/* search_scan.h - groups of queries against ranges of the database, up to lists of preliminary HSPs. */
#ifndef TMS_SEARCH_SCAN_H
#define TMS_SEARCH_SCAN_H

#include "search/search_state.h"

/* search_scan_task() - one task for each range and each group of cpu_groups; the tasks of a range come one after the other. */
void search_scan_task(void *state, size_t task, int thread);

/*
 * search_add_hits() - adds what a task has found for a query or chunk to what the others have, unless status is a failure. Frees mine.
 * Returns status, or TMS_E_MEMORY.
 */
tms_status search_add_hits(struct search_state *s, size_t query, struct hit_list *mine, tms_status status);

/*
 * search_extend_subject() - takes the ungapped HSPs of a subject, scratch->found, through the gapped stage, query by query.
 *   i       [in] number of the subject; n codes
 *   parts   [in] as gapped_stage() takes them
 *   hits    [in,out] a list for each query of group->placed
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status search_extend_subject(struct search_state *s, const struct query_group *group, uint64_t i, const uint8_t *subject, int n,
                                 const struct residue_range *parts, struct search_scratch *scratch, struct hit_list *hits);

#endif
