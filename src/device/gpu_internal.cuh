/*
 * gpu_internal.cuh - the device room's inside, for .cu files only: the open GPU, checked calls, scratch memory, and
 * the pipeline that carries host batches to the kernels and answers back.
 */
#ifndef TMS_GPU_INTERNAL_CUH
#define TMS_GPU_INTERNAL_CUH

#include <cuda_runtime.h>

#include "device/gpu.h"
#include "tamis/filter.h"

#define GPU_SLOTS 3 /* batches under way: one copied in, one worked on, one copied out */

struct gpu_slot {
    uint8_t *d_bytes;
    void *d_answers;
    uint32_t *d_offsets;
    size_t bytes_capacity, offsets_capacity, answers_capacity;
    cudaEvent_t copied_in, worked, copied_out;
};

struct gpu {
    int index;
    int n_multiprocessors;
    size_t shared_bytes_block; /* the most that one block may ask for */
    cudaStream_t stream;       /* kernels, in order */
    cudaStream_t copy_in, copy_out;
    struct gpu_slot slots[GPU_SLOTS];
    void *d_scratch;           /* grows; for the stage running on `stream` */
    size_t scratch_bytes;
};

/* A failed CUDA call in words: the stage, CUDA's name and text for the error. Memory is a status of its own. */
tms_status gpu_fail(tms_context *ctx, cudaError_t error, const char *stage);

#define GPU_TRY(ctx, stage, call)                                                                                     \
    do {                                                                                                             \
        cudaError_t gpu_try_error_ = (call);                                                                         \
        if (gpu_try_error_ != cudaSuccess)                                                                           \
            return gpu_fail((ctx), gpu_try_error_, (stage));                                                         \
    } while (0)

/* Scratch of at least size_bytes; earlier contents are lost. Work queued earlier on the stream is waited for if it must move. */
tms_status gpu_scratch(tms_context *ctx, size_t size_bytes, void **out);

/* Bytes of device memory free now; 0 when that cannot be told. */
size_t gpu_free_bytes(void);

/*
 * gpu_for_batches() - cut a host batch into pieces, copy each in, call work on it, copy its answers out; copies overlap work.
 *   answers       n_keys of answer_bytes each, or NULL: none come back
 *   work          queues kernels on gpu->stream for keys (device pointers; arena padded and aligned as tms_filter_insert_device()
 *                 asks) and, unless answers is NULL, n_keys answers at d_answers; called for the pieces in order
 * Waits for the end.
 */
typedef tms_status gpu_work(tms_context *ctx, void *arg, const tms_keys *d_keys, void *d_answers);
tms_status gpu_for_batches(tms_context *ctx, const tms_keys *keys, void *answers, size_t answer_bytes, gpu_work *work, void *arg);

#endif
