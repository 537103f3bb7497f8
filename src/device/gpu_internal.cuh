/*
 * gpu_internal.cuh - the device room's inside, for .cu files only: the open GPU, checked calls, workspaces, and the pipeline
 * that carries host batches to the kernels and answers back.
 */
#ifndef TMS_GPU_INTERNAL_CUH
#define TMS_GPU_INTERNAL_CUH

#include <cuda_runtime.h>

#include "device/gpu.h"

#define GPU_SLOTS 3  /* pieces under way: one copied in, one worked on, one copied out */
#define GPU_INPUTS 2 /* of a piece, at most */

/* Device memory that grows. */
struct gpu_buffer {
    void *d_memory;
    size_t capacity;
};

struct gpu_slot {
    struct gpu_buffer inputs[GPU_INPUTS], output;
    cudaEvent_t copied_in, worked, copied_out;
};

struct gpu_workspace {
    const char *name;
    struct gpu_buffer buffer;
    struct gpu_workspace *next;
};

struct gpu {
    int index;
    struct fault *fault;       /* for messages */
    int n_multiprocessors;
    size_t shared_bytes_block; /* the most that one block may ask for */
    cudaStream_t stream;       /* kernels, in order */
    cudaStream_t copy_in, copy_out;
    struct gpu_slot slots[GPU_SLOTS];
    struct gpu_workspace *workspaces;
};

/* A failed CUDA call in words: the stage, CUDA's name and text for the error. Memory is a status of its own. */
tms_status gpu_fail(struct gpu *gpu, cudaError_t error, const char *stage);

#define GPU_TRY(gpu, stage, call)                                                                                     \
    do {                                                                                                             \
        cudaError_t gpu_try_error_ = (call);                                                                         \
        if (gpu_try_error_ != cudaSuccess)                                                                           \
            return gpu_fail((gpu), gpu_try_error_, (stage));                                                         \
    } while (0)

/*
 * gpu_workspace() - device memory by name, for kernels on gpu->stream: at least size_bytes, aligned to 256. What is in it stays until
 * the GPU is closed, also when it grows, which it does by half at least; then it moves, and the kernels queued are waited for.
 *   name [in] kept; it is also the stage that messages name
 * Returns TMS_OK; TMS_E_MEMORY, and the workspace is as it was; TMS_E_DEVICE.
 */
tms_status gpu_workspace(struct gpu *gpu, const char *name, size_t size_bytes, void **out);

/* The same for n items of a type. */
template <class T> static tms_status gpu_workspace_of(struct gpu *gpu, const char *name, size_t n, T **out)
{
    void *memory;
    tms_status status = gpu_workspace(gpu, name, n * sizeof(T), &memory);
    *out = (T *)memory;
    return status;
}

void gpu_workspaces_free(struct gpu *gpu);

/* A buffer of at least size_bytes; what was in it is lost where it grows, which waits for all that runs. */
tms_status gpu_buffer_reserve(struct gpu *gpu, const char *name, size_t size_bytes, struct gpu_buffer *buffer);

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
