/*
 * gpu_internal.cuh - the device room's inside, for .cu files only: the open GPU, checked calls, scratch memory, and
 * the pipeline that carries host batches to the kernels and answers back.
 */
#ifndef TMS_GPU_INTERNAL_CUH
#define TMS_GPU_INTERNAL_CUH

#include <cuda_runtime.h>

#include "device/gpu.h"

#define GPU_SLOTS 3  /* pieces under way: one copied in, one worked on, one copied out */
#define GPU_INPUTS 2 /* of a piece, at most */

struct gpu_slot {
    void *d_inputs[GPU_INPUTS], *d_output;
    size_t input_capacities[GPU_INPUTS], output_capacity;
    cudaEvent_t copied_in, worked, copied_out;
};

struct gpu {
    int index;
    struct fault *fault;       /* for messages */
    int n_multiprocessors;
    size_t shared_bytes_block; /* the most that one block may ask for */
    cudaStream_t stream;       /* kernels, in order */
    cudaStream_t copy_in, copy_out;
    struct gpu_slot slots[GPU_SLOTS];
    void *d_scratch;           /* grows; for the stage running on `stream` */
    size_t scratch_bytes;
};

/* A failed CUDA call in words: the stage, CUDA's name and text for the error. Memory is a status of its own. */
tms_status gpu_fail(struct gpu *gpu, cudaError_t error, const char *stage);

#define GPU_TRY(gpu, stage, call)                                                                                     \
    do {                                                                                                             \
        cudaError_t gpu_try_error_ = (call);                                                                         \
        if (gpu_try_error_ != cudaSuccess)                                                                           \
            return gpu_fail((gpu), gpu_try_error_, (stage));                                                         \
    } while (0)

/* Scratch of at least size_bytes; earlier contents are lost. Work queued earlier on the stream is waited for if it must move. */
tms_status gpu_scratch(struct gpu *gpu, size_t size_bytes, void **out);

/* Bytes of device memory free now; 0 when that cannot be told. */
size_t gpu_free_bytes(void);

/*
 * gpu_pipeline() - a long input through the GPU piece by piece: bytes in, kernels, bytes out. Copies overlap the kernels; copies of
 * pinned memory do.
 */
struct gpu_piece {
    size_t n_items; /* 0: there is none, the input has ended */
    struct {
        const void *host;
        size_t size_bytes; /* 0: none */
        size_t padding;    /* bytes of device memory after it that may be read */
    } inputs[GPU_INPUTS];
    void *output;      /* host memory for what the kernels leave, or NULL */
    size_t output_bytes;
};

struct gpu_job {
    void *arg;
    /* Says what the piece that begins at item `first` is made of. */
    void (*cut)(void *arg, size_t first, struct gpu_piece *piece);
    /* Queues kernels on gpu->stream: inputs at d_inputs, aligned to 256 bytes, the output to d_output. Called for the pieces in order. */
    tms_status (*work)(void *arg, size_t first, const struct gpu_piece *piece, void *const d_inputs[GPU_INPUTS], void *d_output);
};

/* Waits for the end, also after a failure. */
tms_status gpu_pipeline(struct gpu *gpu, const struct gpu_job *job);

#endif
