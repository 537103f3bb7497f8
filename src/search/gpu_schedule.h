/* gpu_schedule.h - the scan on GPUs, and the alignments that the CPU makes meanwhile. */
#ifndef TMS_GPU_SCHEDULE_H
#define TMS_GPU_SCHEDULE_H

#include "search/search_state.h"

/* search_share_groups() - decides which groups the GPUs scan; the others are s->cpu_groups. Returns TMS_OK or TMS_E_MEMORY. */
tms_status search_share_groups(struct search_state *s);

/*
 * gpu_schedule_run() - scans the database for all groups that GPUs take; the CPU's groups must be done. With s->hits, also aligns each
 * query as soon as its scan is complete.
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE, TMS_E_CANCELLED or TMS_E_FORMAT; tasks report their failures to search_record().
 */
tms_status gpu_schedule_run(tms_context *ctx, struct search_state *s, struct search_counts *counts);

#endif
