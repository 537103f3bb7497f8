/* filter_cuda.h - a batch of keys to the kernels of the filter's layout. Called with checked arguments. */
#ifndef TMS_FILTER_CUDA_H
#define TMS_FILTER_CUDA_H

#include "filter/filter_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

/* keys or hashes (the other NULL) in host memory; copied in batches that overlap the kernels; wait for the end. */
tms_status filter_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status filter_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit);
tms_status filter_count_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *ones);
/* keys in device memory; queued on the context's stream. */
tms_status filter_insert_device_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys);
tms_status filter_query_device_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit);
tms_status filter_count_device_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *d_ones);

#ifdef __cplusplus
}
#endif
#endif
