/*
 * gpu_batches.cu - host batches through the GPU: copies in, kernels, and copies out overlap on three streams.
 *
 * Piece i uses slot i mod 3. Its copy in waits until the kernels of piece i - 3 have read the slot, its kernels wait for its
 * copy in and for the copy out of piece i - 3's answers. Kernels stay on one stream because insertion owns the filter.
 * A key arena is copied from a multiple of 16 bytes on, so that it keeps its alignment, and padded at its end.
 */
#include "device/gpu_internal.cuh"

#define DEFAULT_BATCH_KEYS ((size_t)1 << 20)
#define BATCH_BYTES ((size_t)64 << 20) /* of key bytes in a piece, unless one key alone is longer */
#define ARENA_PADDING 32

static tms_status reserve(tms_context *ctx, void **d_ptr, size_t *capacity, size_t size_bytes)
{
    if (size_bytes <= *capacity)
        return TMS_OK;
    GPU_TRY(ctx, "waiting for a batch", cudaDeviceSynchronize());
    cudaFree(*d_ptr);
    *d_ptr = NULL;
    *capacity = 0;
    GPU_TRY(ctx, "allocating a batch", cudaMalloc(d_ptr, size_bytes));
    *capacity = size_bytes;
    return TMS_OK;
}

/* How many keys from `first` on make the next piece. */
static size_t piece_keys(const tms_context *ctx, const tms_keys *keys, size_t first)
{
    size_t n = ctx->batch_keys ? ctx->batch_keys : DEFAULT_BATCH_KEYS;
    if (n > keys->n_keys - first)
        n = keys->n_keys - first;
    if (!keys->offsets) {
        size_t most = keys->key_size ? BATCH_BYTES / keys->key_size : n;
        return n < most ? n : most ? most : 1;
    }
    size_t low = 1, high = n; /* the largest n whose bytes fit: offsets grow */
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if ((size_t)(keys->offsets[first + middle] - keys->offsets[first]) <= BATCH_BYTES)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Queue the copies of keys first .. first + n - 1 into a slot; d_keys describes them there. */
static tms_status copy_in(tms_context *ctx, struct gpu_slot *slot, const tms_keys *keys, size_t first, size_t n,
                          tms_keys *d_keys)
{
    size_t from = keys->offsets ? keys->offsets[first] : first * keys->key_size;
    /* The gap after the last key may lie outside the caller's memory. */
    size_t to = keys->offsets ? keys->offsets[first + n] - keys->gap : (first + n) * keys->key_size;
    size_t base = keys->offsets ? from & ~(size_t)15 : from;
    tms_status status = reserve(ctx, (void **)&slot->d_bytes, &slot->bytes_capacity, to - base + ARENA_PADDING);
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx, "copying keys in", cudaMemcpyAsync(slot->d_bytes, keys->bytes + base, to - base, cudaMemcpyHostToDevice,
                                                    ctx->gpu->copy_in));
    *d_keys = *keys;
    d_keys->n_keys = n;
    d_keys->bytes = slot->d_bytes - (keys->offsets ? base : 0);
    if (keys->offsets) {
        size_t size = (n + 1) * sizeof *keys->offsets;
        status = reserve(ctx, (void **)&slot->d_offsets, &slot->offsets_capacity, size + ARENA_PADDING);
        if (status != TMS_OK)
            return status;
        GPU_TRY(ctx, "copying offsets in", cudaMemcpyAsync(slot->d_offsets, keys->offsets + first, size,
                                                           cudaMemcpyHostToDevice, ctx->gpu->copy_in));
        d_keys->offsets = slot->d_offsets;
    }
    return TMS_OK;
}

static tms_status run_piece(tms_context *ctx, struct gpu_slot *slot, const tms_keys *keys, size_t first, size_t n,
                            uint8_t *answers, size_t answer_bytes, gpu_work *work, void *arg)
{
    struct gpu *gpu = ctx->gpu;
    tms_keys d_keys;
    GPU_TRY(ctx, "ordering batches", cudaStreamWaitEvent(gpu->copy_in, slot->worked, 0));
    tms_status status = copy_in(ctx, slot, keys, first, n, &d_keys);
    if (status == TMS_OK && answers)
        status = reserve(ctx, &slot->d_answers, &slot->answers_capacity, n * answer_bytes);
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx, "ordering batches", cudaEventRecord(slot->copied_in, gpu->copy_in));
    GPU_TRY(ctx, "ordering batches", cudaStreamWaitEvent(gpu->stream, slot->copied_in, 0));
    GPU_TRY(ctx, "ordering batches", cudaStreamWaitEvent(gpu->stream, slot->copied_out, 0));
    status = work(ctx, arg, &d_keys, answers ? slot->d_answers : NULL);
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx, "ordering batches", cudaEventRecord(slot->worked, gpu->stream));
    if (!answers)
        return TMS_OK;
    GPU_TRY(ctx, "ordering batches", cudaStreamWaitEvent(gpu->copy_out, slot->worked, 0));
    GPU_TRY(ctx, "copying answers out", cudaMemcpyAsync(answers + first * answer_bytes, slot->d_answers, n * answer_bytes,
                                                        cudaMemcpyDeviceToHost, gpu->copy_out));
    GPU_TRY(ctx, "ordering batches", cudaEventRecord(slot->copied_out, gpu->copy_out));
    return TMS_OK;
}

tms_status gpu_for_batches(tms_context *ctx, const tms_keys *keys, void *answers, size_t answer_bytes, gpu_work *work, void *arg)
{
    struct gpu *gpu = ctx->gpu;
    GPU_TRY(ctx, "choosing the device", cudaSetDevice(gpu->index));
    tms_status status = TMS_OK;
    size_t piece = 0;
    for (size_t first = 0; first < keys->n_keys && status == TMS_OK; piece++) {
        size_t n = piece_keys(ctx, keys, first);
        status = run_piece(ctx, &gpu->slots[piece % GPU_SLOTS], keys, first, n, (uint8_t *)answers, answer_bytes,
                           work, arg);
        first += n;
    }
    /* Also after a failure: the caller may free its arrays once this returns. */
    cudaError_t in = cudaStreamSynchronize(gpu->copy_in), run = cudaStreamSynchronize(gpu->stream),
                out = cudaStreamSynchronize(gpu->copy_out);
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx, "copying keys in", in);
    GPU_TRY(ctx, "running the kernels", run);
    GPU_TRY(ctx, "copying answers out", out);
    return TMS_OK;
}
