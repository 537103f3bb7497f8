/*
 * seeds_cuda.h - stage 1 on a GPU: the host sends a subject once, as packed codes and window ranges, and gets hits or counts
 * back.
 *
 * seeds.c passes the bank and the table that it built on the host. In a build without CUDA seeds_none.c replaces it.
 */
#ifndef TMS_SEEDS_CUDA_H
#define TMS_SEEDS_CUDA_H

#include "seed/seeds_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Immutable after creation: any number of contexts on the same GPU may use it concurrently. */
struct seeds_gpu;

/*
 * seeds_gpu_create() - copies bank and table to the context's GPU; the host's copies may then be freed.
 *   strand     TMS_STRAND_BOTH: bank and table hold canonical words; otherwise words as they occur in the subject
 *   sub_query  number of bases at which the w-mers of one sub-query begin; used for counts per sub-query
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status seeds_gpu_create(tms_context *ctx, const struct bank *bank, const struct word_table *table, tms_strand strand,
                            uint64_t sub_query, struct seeds_gpu **out);
void seeds_gpu_destroy(struct seeds_gpu *seeds); /* accepts NULL */

/* Both wait for completion. Return TMS_OK, TMS_E_ARG (another GPU's context), TMS_E_MEMORY, TMS_E_DEVICE or TMS_E_CANCELLED. */
tms_status seeds_gpu_scan(tms_context *ctx, const struct seeds_gpu *seeds, struct seeds_scan_call *call);
tms_status seeds_gpu_filter(tms_context *ctx, const struct seeds_gpu *seeds, struct seeds_filter_call *call);

#ifdef __cplusplus
}
#endif
#endif
