/*
 * gapped_cuda.h - gapped_stage() on a GPU: decides which ungapped HSPs of a query and a subject are extended, and which extensions are
 * accepted. One warp handles a pair of a query and a subject as one thread of the CPU does.
 *
 * A build without CUDA uses gapped_none.c instead.
 */
#ifndef TMS_GAPPED_CUDA_H
#define TMS_GAPPED_CUDA_H

#include <stdbool.h>

#include "lookup/two_hit_gpu.h"
#include "search/gapped_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gapped_gpu_params {
    const int *scores; /* [RESIDUE_CODES * query's code + subject's code] */
    int open, extend, x_drop;
    bool is_restricted; /* extensions begin in the restricted form */
};

/* gapped_gpu_takes() - whether the GPU's gapped stage supports these costs. */
bool gapped_gpu_takes(const struct gapped_gpu_params *params);

/* Upper bound of the device memory that the stage needs for each ungapped HSP of a scan; two_hit_gpu_part.next_hsp_bytes. */
enum { GAPPED_GPU_HSP_BYTES = 256 };

/* All zero is empty. The caller frees it with gapped_gpu_found_free(). */
struct gapped_gpu_found {
    struct gapped_gpu_hsp *hsps; /* sorted by query, then by subject; HSPs of one pair stay in the order of acceptance */
    size_t n, capacity;
    uint64_t n_gapped; /* extensions that the GPU made */
};
void gapped_gpu_found_free(struct gapped_gpu_found *found);

/*
 * gapped_gpu_extend() - runs the gapped stage on all pairs of a scan.
 *   queries [in] the n_queries queries of the scan
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status gapped_gpu_extend(tms_context *ctx, const struct gapped_gpu_params *params, const struct gapped_gpu_query *queries,
                             size_t n_queries, const struct two_hit_gpu_found *found, struct gapped_gpu_found *out);

#ifdef __cplusplus
}
#endif
#endif
