/* blastp_align.h - the alignment functions of blastp's search_program. */
#ifndef TMS_BLASTP_ALIGN_H
#define TMS_BLASTP_ALIGN_H

#include "search/search_state.h"

tms_status blastp_begin_alignment(struct search_state *s, size_t n_threads);
void blastp_end_alignment(struct search_state *s, size_t n_threads);
void blastp_align_task(struct search_state *s, struct alignment_task *task, int thread);
void blastp_align_last(struct search_state *s);

#endif
