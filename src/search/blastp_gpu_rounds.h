/* blastp_gpu_rounds.h - the first round with a GPU; the second goes along with it. */
#ifndef TMS_BLASTP_GPU_ROUNDS_H
#define TMS_BLASTP_GPU_ROUNDS_H

#include "search/blastp_work.h"

/* blastp_share_packs() - which packs are for the GPU; the others are work->cpu_packs. Returns TMS_OK or TMS_E_MEMORY. */
tms_status blastp_share_packs(struct blastp_work *work);

/*
 * blastp_search_blocks() - all packs that are for the GPUs, after the first round of the others; and as much of the second round as can be
 * done meanwhile.
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE, TMS_E_CANCELLED or TMS_E_FORMAT; failures of tasks are noted.
 */
tms_status blastp_search_blocks(tms_context *ctx, struct blastp_work *work, struct blastp_counts *counts);

#endif
