/*
 * blastn_gpu.h - the subjects of a search, in chunks, in the memory of GPUs, which look up words there (lookup/base_sieve.h). Consecutive
 * chunks are a block; with n GPUs, block k belongs to GPU k mod n. A GPU keeps one block: its only one, or the last it has searched.
 */
#ifndef TMS_BLASTN_GPU_H
#define TMS_BLASTN_GPU_H

#include "blastn/blastn_groups.h"
#include "search/base_gapped_cuda.h"
#include "search/gpu_blocks.h"

struct blastn_gpu;

/*
 * blastn_gpu_create() - opens the other GPUs, and cuts the scanned part of the database into blocks. The context must have a GPU.
 *   subjects [in] borrowed until blastn_gpu_destroy()
 * Returns TMS_OK; TMS_E_MEMORY; TMS_E_DEVICE, with a message.
 */
tms_status blastn_gpu_create(tms_context *ctx, const struct search_subjects *subjects, const struct search_gpu_limits *limits,
                             struct blastn_gpu **out);
void blastn_gpu_destroy(struct blastn_gpu *gpu); /* NULL is fine */

/* As in search_program.h. Sets blastn_lookup.sieved. */
tms_status blastn_sieve_groups(tms_context *ctx, struct search_state *s, struct search_counts *counts);

/*
 * blastn_gpu_hits() - the hits in a chunk that have passed.
 *   subject, start [in] the chunk of this subject that begins at this position
 * Returns false if the CPU has to scan the chunk.
 */
bool blastn_gpu_hits(const struct blastn_gpu *gpu, const struct blastn_lookup *lookup, uint64_t subject, int start,
                     const struct base_hit **hits, size_t *n);

/*
 * blastn_gpu_extend() - extends ungapped HSPs of a chunk with gaps, by dynamic programming. Threads take turns on a GPU.
 *   lookup  [in]  the group that they are of
 *   is_left [out] whether the CPU has to make all extensions
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE, with a message in ctx.
 */
tms_status blastn_gpu_extend(struct blastn_gpu *gpu, const struct blastn_lookup *lookup, const struct gapped_costs *costs,
                             const struct base_gapped_batch *batch, bool *is_left);

#endif
