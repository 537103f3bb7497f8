/* blastp_first.h - the first round: packs of queries against pieces of the database, up to the preliminary lists. */
#ifndef TMS_BLASTP_FIRST_H
#define TMS_BLASTP_FIRST_H

#include "search/blastp_work.h"

/* blastp_first_round() - a task for each of work->n_pieces pieces and each of work->cpu_packs: those of a piece come one after the other.
 */
void blastp_first_round(void *work, size_t task, int thread);

/*
 * blastp_hand_over() - what a task has found for a query goes to that of the other tasks, unless status is a failure. mine is freed.
 * Returns status, or TMS_E_MEMORY.
 */
tms_status blastp_hand_over(struct blastp_work *work, size_t query, struct hit_list *mine, tms_status status);

#endif
