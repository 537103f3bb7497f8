/* gpu_schedule.h - the first round with a GPU; the second goes along with it. */
#ifndef TMS_BLASTP_GPU_ROUNDS_H
#define TMS_BLASTP_GPU_ROUNDS_H

#include "search/search_state.h"

/* search_share_groups() - which packs are for the GPU; the others are work->cpu_packs. Returns TMS_OK or TMS_E_MEMORY. */
tms_status search_share_groups(struct search_state *work);

/*
 * gpu_schedule_run() - all packs that are for the GPUs, after the first round of the others; and as much of the second round as can be
 * done meanwhile.
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE, TMS_E_CANCELLED or TMS_E_FORMAT; failures of tasks are noted.
 */
tms_status gpu_schedule_run(tms_context *ctx, struct search_state *work, struct search_counts *counts);

#endif
