/* search_scan.h - the first round: packs of queries against pieces of the database, up to the preliminary lists. */
#ifndef TMS_BLASTP_FIRST_H
#define TMS_BLASTP_FIRST_H

#include "search/search_state.h"

/* search_scan_task() - a task for each of work->n_pieces pieces and each of work->cpu_packs: those of a piece come one after the other.
 */
void search_scan_task(void *work, size_t task, int thread);

/*
 * search_add_hits() - what a task has found for a query goes to that of the other tasks, unless status is a failure. mine is freed.
 * Returns status, or TMS_E_MEMORY.
 */
tms_status search_add_hits(struct search_state *work, size_t query, struct hit_list *mine, tms_status status);

#endif
