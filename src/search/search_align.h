/* search_align.h - from the lists of what was scanned to final HSPs. */
#ifndef TMS_SEARCH_ALIGN_H
#define TMS_SEARCH_ALIGN_H

#include "search/search_state.h"

/*
 * search_gather() - chunks up to end - 1 have been scanned: merges their lists into those of the queries, and adds an alignment task for
 * some subjects of each query that is whole. Is called again with a larger `end`.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status search_gather(struct search_state *s, size_t end);

/* search_align() - makes an alignment task; s->tasks may move meanwhile. */
void search_align(struct search_state *s, struct alignment_task *task, int thread);

/* search_align_task() - a task for each of s->tasks from s->n_aligned on. */
void search_align_task(void *state, size_t task, int thread);

#endif
