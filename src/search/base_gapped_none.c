/* base_gapped_none.c - gapped extension of bases on a GPU in a build without CUDA. */
#include "search/base_gapped_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

bool base_gapped_gpu_takes(const struct gapped_costs *costs) { return false; }

size_t base_gapped_gpu_bytes(size_t n_queries, size_t n_subject) { return 0; }

tms_status base_gapped_gpu_set_queries(tms_context *ctx, const struct packed_queries *queries) { return TMS_E_DEVICE; }

tms_status base_gapped_gpu_score(tms_context *ctx, const struct gapped_costs *costs, const struct base_gapped_batch *batch)
{
    return TMS_E_DEVICE;
}
