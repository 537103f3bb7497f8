/* gpu_start.h - opens a GPU while groups are built. */
#ifndef TMS_GPU_START_H
#define TMS_GPU_START_H

#include "search/search_state.h"

/*
 * search_open_gpu() - calls subjects->open_gpu(), if there is one. Idle threads touch the residues of the subjects in order, so that the
 * first block is already in memory when it is copied.
 * Returns the status of open_gpu(), which has set the context's message; or TMS_E_CANCELLED.
 */
tms_status search_open_gpu(tms_context *ctx, struct search_state *s);

#endif
