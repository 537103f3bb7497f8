/*
 * seeds_cuda.h - stage 1 on a GPU: a subject goes there once, as packed codes and the ranges of its windows, and hits or counts
 * come back.
 *
 * seeds.c hands over what it made on the host: a bank and a table. In a build without CUDA seeds_none.c stands in its place.
 */
#ifndef TMS_SEEDS_CUDA_H
#define TMS_SEEDS_CUDA_H

#include "seed/seeds_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nothing in it changes after it is made: any number of contexts of the same GPU may use it at a time. */
struct seeds_gpu;

/*
 * seeds_gpu_create() - copy bank and table to the context's GPU; the host's need not stay.
 *   strand     TMS_STRAND_BOTH: bank and table have canonical words; else they have what the subject shows
 *   sub_query  bases in whose range a sub-query's w-mers begin; for what each of them passes
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status seeds_gpu_create(tms_context *ctx, const struct bank *bank, const struct word_table *table, tms_strand strand,
                            uint64_t sub_query, struct seeds_gpu **out);
void seeds_gpu_destroy(struct seeds_gpu *seeds); /* NULL is fine */

/* Each waits for its end. Returns TMS_OK, TMS_E_ARG (another GPU's context), TMS_E_MEMORY, TMS_E_DEVICE or TMS_E_CANCELLED. */
tms_status seeds_gpu_scan(tms_context *ctx, const struct seeds_gpu *seeds, struct seeds_scan_call *call);
tms_status seeds_gpu_filter(tms_context *ctx, const struct seeds_gpu *seeds, struct seeds_filter_call *call);

#ifdef __cplusplus
}
#endif
#endif
