/* filter_none.c - stubs of the filter room's GPU functions for a build without CUDA; no context has a GPU, so nothing calls them. */
#include "filter/blocked_cuda.h"
#include "filter/classic_cuda.h"
#include "filter/key_pieces.h"
#include "filter/probabilistic_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

tms_status keys_through_gpu(tms_context *ctx, const tms_keys *keys, void *answers, size_t answer_bytes, key_work *work, void *arg)
{
    return TMS_E_DEVICE;
}

tms_status hashes_through_gpu(tms_context *ctx, const uint64_t *hashes, size_t n_words, size_t n, key_work *work, void *arg)
{
    return TMS_E_DEVICE;
}

tms_status blocked_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                               const struct blocked_plan *plan)
{
    return TMS_E_DEVICE;
}

tms_status blocked_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit) { return TMS_E_DEVICE; }

tms_status classic_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                               enum classic_schedule schedule)
{
    return TMS_E_DEVICE;
}

tms_status classic_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit, enum classic_schedule schedule)
{
    return TMS_E_DEVICE;
}

tms_status probabilistic_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                                     uint64_t insertion, enum probabilistic_schedule schedule)
{
    return TMS_E_DEVICE;
}

tms_status probabilistic_count_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *d_ones,
                                    enum probabilistic_schedule schedule)
{
    return TMS_E_DEVICE;
}
