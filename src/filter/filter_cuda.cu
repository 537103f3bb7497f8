/* filter_cuda.cu - the GPU back end's entry: keys from host or device memory, to the kernels of the filter's layout. */
#include "filter/blocked_cuda.cuh"
#include "filter/classic_cuda.cuh"
#include "filter/filter_cuda.h"
#include "filter/key_pieces.cuh"
#include "filter/probabilistic_cuda.cuh"

/* The filter that a batch is asked of. */
struct asked {
    const tms_filter *filter;
};

/* Pieces come in order, and n_done counts their insertions. */
struct job {
    tms_filter *filter;
    uint64_t n_done;
};

static tms_status insert_keys(tms_context *ctx, struct job *job, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n)
{
    tms_filter *f = job->filter;
    uint64_t insertion = f->n_keys + job->n_done;
    job->n_done += n;
    if (f->params.layout == TMS_LAYOUT_CLASSIC)
        return classic_insert_cuda(ctx, f, d_keys, d_hashes, n, CLASSIC_AUTO);
    if (f->params.layout == TMS_LAYOUT_PROBABILISTIC)
        return probabilistic_insert_cuda(ctx, f, d_keys, d_hashes, n, insertion, PROBABILISTIC_AUTO);
    struct blocked_plan plan = blocked_plan_insert(ctx->gpu, f, n);
    return blocked_insert_cuda(ctx, f, d_keys, d_hashes, n, &plan);
}

static tms_status insert_work(tms_context *ctx, void *job, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n, void *d_answers)
{
    (void)d_answers;
    return insert_keys(ctx, (struct job *)job, d_keys, d_hashes, n);
}

static tms_status query_work(tms_context *ctx, void *asked, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n, void *d_answers)
{
    (void)d_hashes;
    (void)n;
    return filter_query_device_cuda(ctx, ((struct asked *)asked)->filter, d_keys, (uint8_t *)d_answers);
}

static tms_status count_work(tms_context *ctx, void *asked, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n, void *d_answers)
{
    (void)d_hashes;
    (void)n;
    return probabilistic_count_cuda(ctx, ((struct asked *)asked)->filter, d_keys, (uint32_t *)d_answers, PROBABILISTIC_AUTO);
}

tms_status filter_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n)
{
    struct job job = {f, 0};
    if (keys)
        return keys_through_gpu(ctx, keys, NULL, 0, insert_work, &job);
    return hashes_through_gpu(ctx, hashes, (size_t)tms_hash_words(&f->params), n, insert_work, &job);
}

tms_status filter_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit)
{
    struct asked asked = {f};
    return keys_through_gpu(ctx, keys, hit, sizeof *hit, query_work, &asked);
}

tms_status filter_count_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *ones)
{
    struct asked asked = {f};
    return keys_through_gpu(ctx, keys, ones, sizeof *ones, count_work, &asked);
}

tms_status filter_insert_device_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys)
{
    struct job job = {f, 0};
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(f->device));
    return insert_keys(ctx, &job, keys, NULL, keys->n_keys);
}

tms_status filter_query_device_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit)
{
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(f->device));
    if (f->params.layout == TMS_LAYOUT_CLASSIC)
        return classic_query_cuda(ctx, f, keys, d_hit, CLASSIC_AUTO);
    return blocked_query_cuda(ctx, f, keys, d_hit);
}

tms_status filter_count_device_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *d_ones)
{
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(f->device));
    return probabilistic_count_cuda(ctx, f, keys, d_ones, PROBABILISTIC_AUTO);
}
