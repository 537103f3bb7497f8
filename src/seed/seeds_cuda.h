/*
 * seeds_cuda.h - stage 1 on a GPU: a subject goes there once, as packed codes and the ranges of its windows, and hits or counts
 * come back.
 *
 * seeds.c hands over what it made on the host: a bank and a table. In a build without CUDA seeds_none.c stands in its place.
 */
#ifndef TMS_SEEDS_CUDA_H
#define TMS_SEEDS_CUDA_H

#include "bank/bank.h"
#include "seed/word_table_core.h"
#include "seq/windows.h"
#include "tamis/seeds.h"

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

/*
 * The rest is as in tms_seeds_scan() and tms_seeds_filter(). Each waits for its end.
 *   subs [in,out] NULL, or, with several sub-queries, where n_passed and n_true are added to
 */
tms_status seeds_gpu_scan(tms_context *ctx, const struct seeds_gpu *seeds, const struct windows *windows, size_t n_bases,
                          tms_seed_hit *hits, size_t *n_hits, tms_seeds_tally *tally, tms_sub_query *subs);
tms_status seeds_gpu_filter(tms_context *ctx, const struct seeds_gpu *seeds, const struct windows *windows, size_t n_bases, size_t from,
                            tms_seed_pass *passes, size_t capacity, size_t *n_passes, size_t *next, tms_seeds_tally *tally);

#ifdef __cplusplus
}
#endif
#endif
