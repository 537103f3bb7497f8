/* blastp_packs.h - queries that share a walk over the database. */
#ifndef TMS_BLASTP_PACKS_H
#define TMS_BLASTP_PACKS_H

#include "search/blastp_work.h"

/* blastp_cut_packs() - which queries go together. Returns TMS_OK or TMS_E_MEMORY. */
tms_status blastp_cut_packs(struct blastp_work *work, tms_simd simd);

/* blastp_build_packs() - a task for each pack: the table of its words, unless it is made on a GPU. */
void blastp_build_packs(void *work, size_t task, int thread);
/* blastp_build_cpu_words() - a task for each of cpu_packs, those without a table get theirs. */
void blastp_build_cpu_words(void *work, size_t task, int thread);
void blastp_pack_free(struct blastp_pack *pack); /* zeroed is fine */

#endif
