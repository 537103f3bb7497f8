/*
 * search_align.h - the second round: the subjects that the first has left are aligned. The third: those that wait for the matrix of
 * another one.
 */
#ifndef TMS_BLASTP_SECOND_H
#define TMS_BLASTP_SECOND_H

#include "search/search_state.h"

/*
 * search_gather() - the lists of the pieces of queries before `end` are complete: they become one for each query, and of queries that are
 * whole by then the tasks of the second round are added to work->tasks. Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status search_gather(struct search_state *work, size_t end);

/* search_align_task() - a task of the second round. */
void search_align_task(struct search_state *work, struct alignment_task *task, int thread);
void search_align_round(void *work, size_t task, int thread); /* of those from work->n_aligned on */
void search_align_last(struct search_state *work);            /* by one thread, after the others */

#endif
