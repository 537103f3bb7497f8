/*
 * gapped_cuda.h - the gapped stage of gapped_stage() on a GPU: which of the ungapped HSPs of a query and a subject are
 * extended, and what is accepted. A warp goes through a pair as a thread of the CPU does.
 *
 * In a build without CUDA gapped_none.c stands in its place.
 */
#ifndef TMS_GAPPED_CUDA_H
#define TMS_GAPPED_CUDA_H

#include <stdbool.h>

#include "lookup/two_hit_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the stage has to know of a query, and of all. */
struct gapped_gpu_query {
    int first_position, length;
    int cutoff, near; /* scores that are accepted, and those that call for the full form */
};

struct gapped_gpu_params {
    const int *scores; /* [RESIDUE_CODES * query's code + subject's code] */
    int open, extend, x_drop;
    bool is_restricted; /* extensions begin in the restricted form */
};

/* Is the stage for the GPU with these costs? */
bool gapped_gpu_takes(const struct gapped_gpu_params *params);

/* An HSP that was accepted; or, with n_left above 0, a pair that is left to the CPU. */
struct gapped_gpu_hsp {
    uint32_t pair, subject, query;
    int query_begin, query_end, subject_begin, subject_end, score, start_query, start_subject;
    uint32_t first_left, n_left; /* the pair's ungapped HSPs in found->hsps */
};

/* Device memory that the stage takes for each ungapped HSP of a scan, at most; two_hit_gpu_part.next_hsp_bytes. */
enum { GAPPED_GPU_HSP_BYTES = 256 };

/* Zeroed is empty; freed with gapped_gpu_found_free(). */
struct gapped_gpu_found {
    struct gapped_gpu_hsp *hsps; /* by query, then by subject, and those of a pair in the order of acceptance */
    size_t n, capacity;
    uint64_t n_gapped; /* extensions that were made there */
};
void gapped_gpu_found_free(struct gapped_gpu_found *found);

/*
 * gapped_gpu_extend() - all pairs of a scan.
 *   queries [in] of the scan, n_queries
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status gapped_gpu_extend(tms_context *ctx, const struct gapped_gpu_params *params, const struct gapped_gpu_query *queries,
                             size_t n_queries, const struct two_hit_gpu_found *found, struct gapped_gpu_found *out);

#ifdef __cplusplus
}
#endif
#endif
