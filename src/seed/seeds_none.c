/* seeds_none.c - stubs of seeds_cuda.h for a build without CUDA; no context has a GPU, so nothing creates seeds on one. */
#include "seed/seeds_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

tms_status seeds_gpu_create(tms_context *ctx, const struct bank *bank, const struct word_table *table, tms_strand strand,
                            uint64_t sub_query, struct seeds_gpu **out)
{
    return TMS_E_DEVICE;
}

void seeds_gpu_destroy(struct seeds_gpu *seeds) {}

tms_status seeds_gpu_scan(tms_context *ctx, const struct seeds_gpu *seeds, struct seeds_scan_call *call) { return TMS_E_DEVICE; }

tms_status seeds_gpu_filter(tms_context *ctx, const struct seeds_gpu *seeds, struct seeds_filter_call *call) { return TMS_E_DEVICE; }
