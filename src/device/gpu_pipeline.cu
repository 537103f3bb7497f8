/*
 * gpu_pipeline.cu - processes pieces of a long input: copies in, kernels, and copies out overlap on three streams.
 *
 * Piece i uses slot i mod 3. Its copy in waits until the kernels of piece i - 3 have read the slot, its kernels wait for its
 * copy in and for the copy out of piece i - 3's output. All kernels run on one stream, so they never write concurrently.
 *
 * The size of a piece's output may be known only after its kernels have run. Then the host queues the next piece, waits for the summary,
 * and copies the output while the next piece's kernels run.
 */
#include <string.h>

#include "device/gpu_internal.cuh"

#define STAGE_BYTES ((size_t)4 << 20) /* largest input that this file stages */

/* A piece in flight. */
struct flight {
    size_t first;
    struct gpu_piece piece;
    struct gpu_slot *slot;
};

/* --- in --- */

static bool is_pinned(const void *host)
{
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, host) == cudaSuccess)
        return attributes.type != cudaMemoryTypeUnregistered;
    cudaGetLastError();
    return false;
}

/* The input in pinned memory: the caller's array, or a copy. */
static tms_status stage_input(struct gpu *gpu, struct gpu_slot *slot, int i, const void **host, size_t size_bytes)
{
    if (size_bytes > STAGE_BYTES || is_pinned(*host))
        return TMS_OK;
    GPU_TRY(gpu, "waiting for a copy", cudaEventSynchronize(slot->copied_in)); /* of the piece that used this slot before */
    if (size_bytes > slot->stage_bytes[i]) {
        if (slot->stages[i])
            cudaFreeHost(slot->stages[i]);
        slot->stages[i] = NULL;
        slot->stage_bytes[i] = 0;
        size_t grown = size_bytes < STAGE_BYTES / 2 ? 2 * size_bytes : STAGE_BYTES;
        GPU_TRY(gpu, "allocating pinned memory", cudaHostAlloc(&slot->stages[i], grown, cudaHostAllocDefault));
        slot->stage_bytes[i] = grown;
    }
    memcpy(slot->stages[i], *host, size_bytes);
    *host = slot->stages[i];
    return TMS_OK;
}

static tms_status copy_in(struct gpu *gpu, struct gpu_slot *slot, const struct gpu_piece *piece)
{
    for (int i = 0; i < GPU_INPUTS; i++) {
        size_t size = piece->inputs[i].size_bytes;
        const void *host = piece->inputs[i].host;
        tms_status status = gpu_buffer_reserve(gpu, "allocating a piece", size + piece->inputs[i].padding, &slot->inputs[i]);
        if (status == TMS_OK && size)
            status = stage_input(gpu, slot, i, &host, size);
        if (status != TMS_OK)
            return status;
        if (size)
            GPU_TRY(gpu, "copying in", cudaMemcpyAsync(slot->inputs[i].d_memory, host, size, cudaMemcpyHostToDevice, gpu->copy_in));
    }
    GPU_TRY(gpu, "ordering pieces", cudaEventRecord(slot->copied_in, gpu->copy_in));
    return TMS_OK;
}

/* --- work --- */

static tms_status make_summaries(struct gpu *gpu)
{
    if (gpu->summaries)
        return TMS_OK;
    if (!gpu->d_summaries)
        GPU_TRY(gpu, "allocating summaries", cudaMalloc(&gpu->d_summaries, GPU_SLOTS * GPU_SUMMARY_BYTES));
    GPU_TRY(gpu, "allocating summaries", cudaHostAlloc(&gpu->summaries, GPU_SLOTS * GPU_SUMMARY_BYTES, cudaHostAllocDefault));
    for (int i = 0; i < GPU_SLOTS; i++) {
        gpu->slots[i].summary = (uint8_t *)gpu->summaries + i * GPU_SUMMARY_BYTES;
        gpu->slots[i].d_summary = (uint8_t *)gpu->d_summaries + i * GPU_SUMMARY_BYTES;
    }
    return TMS_OK;
}

#if TMS_TEST_HOOKS
static __global__ void fault_kernel() { __trap(); }

tms_status gpu_fault_if_asked(struct gpu *gpu)
{
    if (++gpu->n_pieces == gpu->fault_at)
        fault_kernel<<<1, 1, 0, gpu->stream>>>();
    return gpu->n_pieces == -gpu->fault_at ? gpu_fail(gpu, cudaErrorMemoryAllocation, "allocating a piece") : TMS_OK;
}
#else
tms_status gpu_fault_if_asked(struct gpu *) { return TMS_OK; }
#endif

static tms_status run_kernels(struct gpu *gpu, const struct gpu_job *job, const struct flight *f)
{
    struct gpu_slot *slot = f->slot;
    struct gpu_place at = {};
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->stream, slot->copied_in, 0));
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->stream, slot->copied_out, 0));
    for (int i = 0; i < GPU_INPUTS; i++)
        at.d_inputs[i] = slot->inputs[i].d_memory;
    at.d_output = f->piece.output_bytes ? slot->output.d_memory : NULL;
    if (job->take) {
        at.d_summary = slot->d_summary;
        GPU_TRY(gpu, "clearing a summary", cudaMemsetAsync(slot->d_summary, 0, GPU_SUMMARY_BYTES, gpu->stream));
    }
    tms_status status = job->work(job->arg, f->first, &f->piece, &at);
    if (status == TMS_OK)
        status = gpu_fault_if_asked(gpu);
    if (status != TMS_OK)
        return status;
    if (job->take)
        GPU_TRY(gpu, "copying a summary",
                cudaMemcpyAsync(slot->summary, slot->d_summary, GPU_SUMMARY_BYTES, cudaMemcpyDeviceToHost, gpu->stream));
    GPU_TRY(gpu, "ordering pieces", cudaEventRecord(slot->worked, gpu->stream));
    return TMS_OK;
}

/* --- out --- */

static tms_status copy_out(struct gpu *gpu, struct gpu_slot *slot, void *to, size_t size_bytes)
{
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->copy_out, slot->worked, 0));
    GPU_TRY(gpu, "copying out", cudaMemcpyAsync(to, slot->output.d_memory, size_bytes, cudaMemcpyDeviceToHost, gpu->copy_out));
    GPU_TRY(gpu, "ordering pieces", cudaEventRecord(slot->copied_out, gpu->copy_out));
    return TMS_OK;
}

static tms_status queue(struct gpu *gpu, const struct gpu_job *job, const struct flight *f)
{
    GPU_TRY(gpu, "ordering pieces", cudaStreamWaitEvent(gpu->copy_in, f->slot->worked, 0));
    tms_status status = copy_in(gpu, f->slot, &f->piece);
    if (status == TMS_OK && f->piece.output_bytes)
        status = gpu_buffer_reserve(gpu, "allocating a piece", f->piece.output_bytes, &f->slot->output);
    if (status == TMS_OK)
        status = run_kernels(gpu, job, f);
    if (status == TMS_OK && f->piece.output)
        status = copy_out(gpu, f->slot, f->piece.output, f->piece.output_bytes);
    return status;
}

/* Waits for the piece's kernels. */
static tms_status settle(struct gpu *gpu, const struct gpu_job *job, const struct flight *f, int *is_last)
{
    struct gpu_taken taken = {};
    GPU_TRY(gpu, job->stage, cudaEventSynchronize(f->slot->worked));
    tms_status status = job->take(job->arg, f->first, &f->piece, f->slot->summary, &taken);
    *is_last = taken.is_last;
    if (status != TMS_OK || !taken.output_bytes)
        return status;
    return copy_out(gpu, f->slot, taken.output, taken.output_bytes);
}

tms_status gpu_pipeline(struct gpu *gpu, const struct gpu_job *job)
{
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu->index));
    struct flight before = {};
    size_t first = 0;
    int is_last = 0;
    tms_status status = job->take ? make_summaries(gpu) : TMS_OK;
    for (size_t number = 0; status == TMS_OK && !is_last; number++) {
        struct flight now = {first, {}, &gpu->slots[number % GPU_SLOTS]};
        if (__atomic_load_n(gpu->cancelled, __ATOMIC_RELAXED)) {
            status = fault_set_cancelled(gpu->fault);
            break;
        }
        job->cut(job->arg, first, &now.piece);
        if (now.piece.n_items)
            status = queue(gpu, job, &now);
        if (status == TMS_OK && job->take && before.piece.n_items)
            status = settle(gpu, job, &before, &is_last);
        if (!now.piece.n_items)
            break;
        first += now.piece.n_items;
        before = now;
    }
    /* Also after a failure: the caller may free its arrays once this returns. */
    cudaError_t in = cudaStreamSynchronize(gpu->copy_in), run = cudaStreamSynchronize(gpu->stream),
                out = cudaStreamSynchronize(gpu->copy_out);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "copying in", in);
    GPU_TRY(gpu, job->stage, run);
    GPU_TRY(gpu, "copying out", out);
    return TMS_OK;
}
