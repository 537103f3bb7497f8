/* search_scan.h - scans ranges of the database with groups of queries, and collects lists of preliminary HSPs. */
#ifndef TMS_SEARCH_SCAN_H
#define TMS_SEARCH_SCAN_H

#include "search/search_state.h"

/* search_scan_task() - one task for each range and each group of cpu_groups; the tasks of one range have consecutive numbers. */
void search_scan_task(void *state, size_t task, int thread);

/*
 * search_add_hits() - adds the hits that a task has found for a query or chunk to s->found, or offers them to its filter, whose turn it
 * then has to be; does nothing if status is a failure. Frees `mine`.
 * Returns status, or TMS_E_MEMORY.
 */
tms_status search_add_hits(struct search_state *s, size_t query, struct hit_list *mine, tms_status status);

/*
 * search_take_subject() - adds the ungapped HSPs of a subject, those at the end of scratch->found that are no pair's, to scratch->pairs,
 * query by query.
 *   i       [in] number of the subject
 *   subject [in] its codes are borrowed until search_extend_pairs()
 * search_extend_pairs() - runs the gapped stage on all pairs, and empties scratch->pairs and scratch->found. Pays off for many at once.
 *   hits    [in,out] one list for each place of group->placed; the HSPs of all frames of a query go to the list of one of them
 * Both return TMS_OK or TMS_E_MEMORY.
 */
tms_status search_take_subject(const struct query_group *group, uint64_t i, const struct subject_frames *subject,
                               struct search_scratch *scratch);
tms_status search_extend_pairs(struct search_state *s, struct search_scratch *scratch, struct hit_list *hits);

#endif
