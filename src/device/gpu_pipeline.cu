/*
 * gpu_pipeline.cu - pieces of a long input through the GPU: copies in, kernels, and copies out overlap on three streams.
 *
 * Piece i uses slot i mod 3. Its copy in waits until the kernels of piece i - 3 have read the slot, its kernels wait for its
 * copy in and for the copy out of piece i - 3's output. Kernels stay on one stream: they may own what they write to.
 */
#include "device/gpu_internal.cuh"

static tms_status reserve(struct gpu *gpu, void **d_ptr, size_t *capacity, size_t size_bytes)
{
    if (size_bytes <= *capacity)
        return TMS_OK;
    GPU_TRY(gpu, "waiting for a piece", cudaDeviceSynchronize());
    cudaFree(*d_ptr);
    *d_ptr = NULL;
    *capacity = 0;
    GPU_TRY(gpu, "allocating a piece", cudaMalloc(d_ptr, size_bytes));
    *capacity = size_bytes;
    return TMS_OK;
}

static tms_status copy_in(struct gpu *gpu, struct gpu_slot *slot, const struct gpu_piece *piece)
{
    for (int i = 0; i < GPU_INPUTS; i++) {
        size_t size = piece->inputs[i].size_bytes;
        tms_status status = reserve(gpu, &slot->d_inputs[i], &slot->input_capacities[i], size + piece->inputs[i].padding);
        if (status != TMS_OK)
            return status;
        if (size)
            GPU_TRY(gpu, "copying in",
                    cudaMemcpyAsync(slot->d_inputs[i], piece->inputs[i].host, size, cudaMemcpyHostToDevice, gpu->copy_in));
    }
    return TMS_OK;
}

static tms_status run_piece(struct gpu *gpu, struct gpu_slot *slot, const struct gpu_job *job, size_t first,
                            const struct gpu_piece *piece)
{
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->copy_in, slot->worked, 0));
    tms_status status = copy_in(gpu, slot, piece);
    if (status == TMS_OK && piece->output)
        status = reserve(gpu, &slot->d_output, &slot->output_capacity, piece->output_bytes);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "ordering pieces", cudaEventRecord(slot->copied_in, gpu->copy_in));
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->stream, slot->copied_in, 0));
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->stream, slot->copied_out, 0));
    status = job->work(job->arg, first, piece, slot->d_inputs, piece->output ? slot->d_output : NULL);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "ordering pieces", cudaEventRecord(slot->worked, gpu->stream));
    if (!piece->output)
        return TMS_OK;
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->copy_out, slot->worked, 0));
    GPU_TRY(gpu, "copying out",
            cudaMemcpyAsync(piece->output, slot->d_output, piece->output_bytes, cudaMemcpyDeviceToHost, gpu->copy_out));
    GPU_TRY(gpu, "ordering pieces", cudaEventRecord(slot->copied_out, gpu->copy_out));
    return TMS_OK;
}

tms_status gpu_pipeline(struct gpu *gpu, const struct gpu_job *job)
{
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu->index));
    tms_status status = TMS_OK;
    size_t first = 0;
    for (size_t number = 0; status == TMS_OK; number++) {
        struct gpu_piece piece = {};
        job->cut(job->arg, first, &piece);
        if (!piece.n_items)
            break;
        status = run_piece(gpu, &gpu->slots[number % GPU_SLOTS], job, first, &piece);
        first += piece.n_items;
    }
    /* Also after a failure: the caller may free its arrays once this returns. */
    cudaError_t in = cudaStreamSynchronize(gpu->copy_in), run = cudaStreamSynchronize(gpu->stream),
                out = cudaStreamSynchronize(gpu->copy_out);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "copying in", in);
    GPU_TRY(gpu, "running the kernels", run);
    GPU_TRY(gpu, "copying out", out);
    return TMS_OK;
}
