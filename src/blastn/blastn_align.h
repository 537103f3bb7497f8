/* blastn_align.h - final HSPs of the subjects that a scan has kept. The functions implement those of search_program.h. */
#ifndef TMS_BLASTN_ALIGN_H
#define TMS_BLASTN_ALIGN_H

#include "search/search_state.h"

tms_status blastn_begin_alignment(struct search_state *s, size_t n_threads);
void blastn_end_alignment(struct search_state *s, size_t n_threads);
void blastn_align_task(struct search_state *s, struct alignment_task *task, int thread);

#endif
