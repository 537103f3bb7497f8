/* gpu_start.h - a GPU that is still being opened when packs are built. */
#ifndef TMS_GPU_START_H
#define TMS_GPU_START_H

#include "search/search_state.h"

/*
 * search_open_gpu() - calls open_gpu() of the subjects, if there is one. Threads that have nothing to do meanwhile read residues of
 * subjects, from the first on: then they are in memory when the first block is gathered. Returns what open_gpu() did, which has said what
 * failed; or TMS_E_CANCELLED.
 */
tms_status search_open_gpu(tms_context *ctx, struct search_state *s);

#endif
