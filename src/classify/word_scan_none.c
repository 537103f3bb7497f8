/* word_scan_none.c - word_scan_cuda.h in a build without CUDA: no filter is on a GPU. */
#include "classify/word_scan_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

bool scan_gpu_takes(const tms_context *ctx, const tms_filter *const *filters, size_t n_filters) { return false; }

tms_status scan_gpu_hits(tms_context *ctx, const struct scan_shape *shape, tms_strand strand, const tms_filter *const *filters,
                         size_t n_filters, const uint8_t *bases, size_t n, uint64_t *bits, struct scan_planes *out)
{
    return TMS_E_DEVICE;
}

tms_status scan_gpu_insert(tms_context *ctx, const struct scan_shape *shape, tms_filter *f, const uint64_t *codes, uint64_t n_bases,
                           const struct scan_stretch *stretches, size_t n_stretches)
{
    return TMS_E_DEVICE;
}
