/* search_groups.h - queries that share a walk over the database. */
#ifndef TMS_BLASTP_PACKS_H
#define TMS_BLASTP_PACKS_H

#include "search/search_state.h"

/* search_cut_groups() - which queries go together. Returns TMS_OK or TMS_E_MEMORY. */
tms_status search_cut_groups(struct search_state *work, tms_simd simd);

/* search_build_groups() - a task for each pack: the table of its words, unless it is made on a GPU. */
void search_build_groups(void *work, size_t task, int thread);
/* search_build_cpu_groups() - a task for each of cpu_packs, those without a table get theirs. */
void search_build_cpu_groups(void *work, size_t task, int thread);
void query_group_free(struct query_group *pack); /* zeroed is fine */

#endif
