/*
 * blastp_second.h - the second round: the subjects that the first has left are aligned. The third: those that wait for the matrix of
 * another one.
 */
#ifndef TMS_BLASTP_SECOND_H
#define TMS_BLASTP_SECOND_H

#include "search/blastp_work.h"

/*
 * blastp_gather() - the lists of the pieces of queries before `end` are complete: they become one for each query, and of queries that are
 * whole by then the tasks of the second round are added to work->tasks. Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status blastp_gather(struct blastp_work *work, size_t end);

/* blastp_align_task() - a task of the second round. */
void blastp_align_task(struct blastp_work *work, struct alignment_task *task, int thread);
void blastp_second_round(void *work, size_t task, int thread); /* of those from work->n_aligned on */
void blastp_third_round(struct blastp_work *work);             /* by one thread, after the others */

#endif
