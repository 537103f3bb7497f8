/* filter_cuda.cu - the GPU back end's entry: keys from host or device memory, to the kernels of the filter's layout. */
#include "filter/blocked_cuda.cuh"
#include "filter/classic_cuda.cuh"

static tms_status insert_keys(tms_context *ctx, tms_filter *f, const tms_keys *d_keys)
{
    if (f->params.layout == TMS_LAYOUT_CLASSIC)
        return classic_insert_cuda(ctx, f, d_keys, NULL, d_keys->n_keys, CLASSIC_AUTO);
    struct blocked_plan plan = blocked_plan_insert(ctx->gpu, f, d_keys->n_keys);
    return blocked_insert_cuda(ctx, f, d_keys, NULL, d_keys->n_keys, &plan);
}

static tms_status insert_work(tms_context *ctx, void *filter, const tms_keys *d_keys, uint8_t *d_hit)
{
    (void)d_hit;
    return insert_keys(ctx, (tms_filter *)filter, d_keys);
}

/* Hashes travel as keys of fixed size. */
static tms_status insert_hashes_work(tms_context *ctx, void *filter, const tms_keys *d_keys, uint8_t *d_hit)
{
    (void)d_hit;
    tms_filter *f = (tms_filter *)filter;
    const uint64_t *d_hashes = (const uint64_t *)(const void *)d_keys->bytes;
    if (f->params.layout == TMS_LAYOUT_CLASSIC)
        return classic_insert_cuda(ctx, f, NULL, d_hashes, d_keys->n_keys, CLASSIC_AUTO);
    struct blocked_plan plan = blocked_plan_insert(ctx->gpu, f, d_keys->n_keys);
    return blocked_insert_cuda(ctx, f, NULL, d_hashes, d_keys->n_keys, &plan);
}

static tms_status query_work(tms_context *ctx, void *filter, const tms_keys *d_keys, uint8_t *d_hit)
{
    return filter_query_device_cuda(ctx, (const tms_filter *)filter, d_keys, d_hit);
}

tms_status filter_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n)
{
    if (keys)
        return gpu_for_batches(ctx, keys, NULL, insert_work, f);
    tms_keys as_keys = {(const uint8_t *)hashes, NULL, n, (uint32_t)(tms_hash_words(&f->params) * sizeof *hashes), 0};
    return gpu_for_batches(ctx, &as_keys, NULL, insert_hashes_work, f);
}

tms_status filter_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit)
{
    return gpu_for_batches(ctx, keys, hit, query_work, (void *)f);
}

tms_status filter_insert_device_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys)
{
    GPU_TRY(ctx, "choosing the device", cudaSetDevice(f->device));
    return insert_keys(ctx, f, keys);
}

tms_status filter_query_device_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit)
{
    GPU_TRY(ctx, "choosing the device", cudaSetDevice(f->device));
    if (f->params.layout == TMS_LAYOUT_CLASSIC)
        return classic_query_cuda(ctx, f, keys, d_hit, CLASSIC_AUTO);
    return blocked_query_cuda(ctx, f, keys, d_hit);
}
