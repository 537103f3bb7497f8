/*
 * base_gapped_cuda.h - gapped extension of bases by dynamic programming on a GPU, without traceback: base_gapped_score() for many ungapped
 * HSPs of a chunk at a time.
 */
#ifndef TMS_BASE_GAPPED_CUDA_H
#define TMS_BASE_GAPPED_CUDA_H

#include "extend/base_alignment.h"
#include "extend/packed_bases.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where an extension begins (base_gapped_origin()). */
struct base_gapped_start {
    int query, subject;    /* positions in the concatenated queries and in the chunk */
    int n_before, n_after; /* bases of the strand before `query`, and from it on */
    int x_drop;
};

/* The side before the start and the side from it on. sides[0].score: BASE_GAPPED_LEFT if the GPU leaves the extension to the CPU. */
struct base_gapped_sides {
    struct gapped_extent sides[2];
};
#define BASE_GAPPED_LEFT INT32_MIN

/* n extensions in a chunk, whose first base is the first of a byte. */
struct base_gapped_batch {
    const struct packed_bases *chunk;
    const struct base_gapped_start *starts;
    struct base_gapped_sides *out;
    size_t n;
};

/* base_gapped_gpu_takes() - whether the kernel has room for these costs, with an X-drop of at most costs->x_drop. */
bool base_gapped_gpu_takes(const struct gapped_costs *costs);

/* base_gapped_gpu_bytes() - device memory for queries of n_queries bases, and for the calls that follow with chunks of n_subject bases. */
size_t base_gapped_gpu_bytes(size_t n_queries, size_t n_subject);

/*
 * base_gapped_gpu_set_queries() - copies concatenated queries to the context's GPU, for the calls of base_gapped_gpu_score() that follow.
 * base_gapped_gpu_score() - sets batch->out.
 *   costs [in] x_drop is not used
 * One thread at a time for each context. Both return TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status base_gapped_gpu_set_queries(tms_context *ctx, const struct packed_queries *queries);
tms_status base_gapped_gpu_score(tms_context *ctx, const struct gapped_costs *costs, const struct base_gapped_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
