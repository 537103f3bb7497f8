/*
 * gpu_pipeline.cu - pieces of a long input through the GPU: copies in, kernels, and copies out overlap on three streams.
 *
 * Piece i uses slot i mod 3. Its copy in waits until the kernels of piece i - 3 have read the slot, its kernels wait for its
 * copy in and for the copy out of piece i - 3's output. Kernels stay on one stream: they may own what they write to.
 */
#include "device/gpu_internal.cuh"

static tms_status copy_in(struct gpu *gpu, struct gpu_slot *slot, const struct gpu_piece *piece)
{
    for (int i = 0; i < GPU_INPUTS; i++) {
        size_t size = piece->inputs[i].size_bytes;
        tms_status status = gpu_buffer_reserve(gpu, "allocating a piece", size + piece->inputs[i].padding, &slot->inputs[i]);
        if (status != TMS_OK)
            return status;
        if (size)
            GPU_TRY(gpu, "copying in",
                    cudaMemcpyAsync(slot->inputs[i].d_memory, piece->inputs[i].host, size, cudaMemcpyHostToDevice, gpu->copy_in));
    }
    return TMS_OK;
}

static tms_status run_piece(struct gpu *gpu, struct gpu_slot *slot, const struct gpu_job *job, size_t first,
                            const struct gpu_piece *piece)
{
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->copy_in, slot->worked, 0));
    tms_status status = copy_in(gpu, slot, piece);
    if (status == TMS_OK && piece->output)
        status = gpu_buffer_reserve(gpu, "allocating a piece", piece->output_bytes, &slot->output);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "ordering pieces", cudaEventRecord(slot->copied_in, gpu->copy_in));
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->stream, slot->copied_in, 0));
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->stream, slot->copied_out, 0));
    void *d_inputs[GPU_INPUTS];
    for (int i = 0; i < GPU_INPUTS; i++)
        d_inputs[i] = slot->inputs[i].d_memory;
    status = job->work(job->arg, first, piece, d_inputs, piece->output ? slot->output.d_memory : NULL);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "ordering pieces", cudaEventRecord(slot->worked, gpu->stream));
    if (!piece->output)
        return TMS_OK;
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->copy_out, slot->worked, 0));
    GPU_TRY(gpu, "copying out",
            cudaMemcpyAsync(piece->output, slot->output.d_memory, piece->output_bytes, cudaMemcpyDeviceToHost, gpu->copy_out));
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
