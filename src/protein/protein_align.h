/* protein_align.h - the alignment functions of a search_program with queries of residues. */
#ifndef TMS_PROTEIN_ALIGN_H
#define TMS_PROTEIN_ALIGN_H

#include "search/search_state.h"

struct gpu_device; /* search/gpu_blocks.h */

tms_status protein_begin_alignment(struct search_state *s, size_t n_threads);
void protein_end_alignment(struct search_state *s, size_t n_threads);
void protein_align_task(struct search_state *s, struct alignment_task *task, int thread);
void protein_align_last(struct search_state *s);
bool protein_waits(const struct search_state *s, const struct alignment_task *task);
bool protein_aligns_on_gpu(const struct search_state *s);
void protein_prepare_task(struct search_state *s, struct alignment_task *task, int thread);
tms_status protein_align_batch(struct search_state *s, const struct gpu_device *device, struct alignment_task *tasks, size_t n);
void protein_free_prepared(void *prepared);

#endif
