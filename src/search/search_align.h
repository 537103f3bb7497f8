/* search_align.h - makes final HSPs of the lists of a scan. */
#ifndef TMS_SEARCH_ALIGN_H
#define TMS_SEARCH_ALIGN_H

#include "search/search_state.h"

/*
 * search_gather() - merges the lists of chunks up to end - 1, which have been scanned, into the lists of their queries, and adds alignment
 * tasks for each query that is complete. May be called again with a larger `end`.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status search_gather(struct search_state *s, size_t end);

/*
 * search_align() - runs an alignment task; s->tasks may be reallocated meanwhile. After the last task of a query, unless one of them waits
 * for align_last(), ends the query, too.
 */
void search_align(struct search_state *s, struct alignment_task *task, int thread);

/* search_end_query() - limits a query's list to what the search reports, and lets it be taken. */
void search_end_query(struct search_state *s, size_t query);

/* search_align_task() - one task for each of s->tasks from s->n_aligned on. */
void search_align_task(void *state, size_t task, int thread);

#endif
