/* align_hsp_none.c - alignments on a GPU in a build without CUDA. */
#include "search/align_hsp_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

void align_gpu_found_free(struct align_gpu_found *found) {}

bool align_gpu_takes(const struct gapped_costs *costs) { return false; }

tms_status align_gpu(tms_context *ctx, const struct gapped_costs *costs, const struct align_gpu_batch *batch, struct align_gpu_found *found)
{
    return TMS_E_DEVICE;
}
