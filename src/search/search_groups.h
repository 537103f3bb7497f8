/* search_groups.h - queries that share a scan of the database. */
#ifndef TMS_SEARCH_GROUPS_H
#define TMS_SEARCH_GROUPS_H

#include "search/search_state.h"

/*
 * search_cut_groups() - decides which queries share a group.
 *   n_threads [in] for whose tasks groups are small enough, where subjects are few
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status search_cut_groups(struct search_state *s, int n_threads);

/* search_build_group() - one task for each group: builds its lookup table, unless a GPU makes it. */
void search_build_group(void *state, size_t task, int thread);

/* search_build_cpu_group() - one task for each group of cpu_groups: builds the lookup tables that are still missing. */
void search_build_cpu_group(void *state, size_t task, int thread);

void query_group_free(const struct search_setup *setup, struct query_group *group); /* zeroed is fine */

#endif
