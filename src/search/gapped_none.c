/* gapped_none.c - the gapped stage in a build without CUDA. */
#include "search/gapped_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

bool gapped_gpu_takes(const struct gapped_gpu_params *params) { return false; }

tms_status gapped_gpu_extend(tms_context *ctx, const struct gapped_gpu_params *params, const struct gapped_gpu_query *queries,
                             size_t n_queries, const struct two_hit_gpu_found *found, struct gapped_gpu_found *out)
{
    return TMS_E_DEVICE;
}

void gapped_gpu_found_free(struct gapped_gpu_found *found) {}
