/* gpu_schedule.h - the scan on GPUs, with the alignments that can be made meanwhile. */
#ifndef TMS_GPU_SCHEDULE_H
#define TMS_GPU_SCHEDULE_H

#include "search/search_state.h"

/* search_share_groups() - decides which groups the GPUs scan; the others are s->cpu_groups. Returns TMS_OK or TMS_E_MEMORY. */
tms_status search_share_groups(struct search_state *s);

/*
 * gpu_schedule_run() - scans the database for all groups that are for GPUs, once the other groups are done. With s->hits, aligns what is
 * complete meanwhile.
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE, TMS_E_CANCELLED or TMS_E_FORMAT; failures of tasks go to search_record().
 */
tms_status gpu_schedule_run(tms_context *ctx, struct search_state *s, struct search_counts *counts);

#endif
