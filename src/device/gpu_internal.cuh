/*
 * gpu_internal.cuh - the internals of the device room, for .cu files only: the open GPU, checked calls, workspaces, and the pipeline
 * that copies host batches to the GPU and answers back.
 */
#ifndef TMS_GPU_INTERNAL_CUH
#define TMS_GPU_INTERNAL_CUH

#include <cuda_runtime.h>

#include "device/gpu.h"

#define GPU_SLOTS         3 /* pieces in flight: one copied in, one processed, one copied out */
#define GPU_INPUTS        2 /* most inputs of a piece */
#define GPU_SUMMARY_BYTES 256

/* A growing buffer in device memory. */
struct gpu_buffer {
    void *d_memory;
    size_t capacity;
};

struct gpu_slot {
    struct gpu_buffer inputs[GPU_INPUTS], output;
    void *stages[GPU_INPUTS]; /* pinned host memory, for inputs in pageable memory */
    size_t stage_bytes[GPU_INPUTS];
    void *summary, *d_summary; /* GPU_SUMMARY_BYTES each, inside gpu->summaries and gpu->d_summaries */
    cudaEvent_t copied_in, worked, copied_out;
};

struct gpu_workspace {
    const char *name;
    struct gpu_buffer buffer;
    struct gpu_workspace *next;
};

struct gpu {
    int index;
    struct fault *fault;  /* receives messages */
    const int *cancelled; /* read atomically */
    int n_multiprocessors;
    size_t shared_bytes_block; /* most shared memory of one block, bytes */
    cudaStream_t stream;       /* stream of all kernels */
    cudaStream_t copy_in, copy_out;
    cudaEvent_t awakes; /* wakes the thread that waits; NULL: it does not sleep */
    struct gpu_slot slots[GPU_SLOTS];
    void *summaries, *d_summaries; /* summaries of all slots; NULL until a job uses summaries */
    struct gpu_workspace *workspaces;
#if TMS_TEST_HOOKS
    /* TAMIS_TEST_GPU_FAULT=N: a kernel faults in piece N of the pipeline, or in scan N of a pack, and the GPU is lost. -N: allocations for
     * piece N fail. 0: no fault */
    long fault_at, n_pieces;
#endif
};

/*
 * gpu_fault() - sets the message for a failed CUDA call: the stage, CUDA's text and the error's name.
 * gpu_fail() does so for an open GPU. Both return TMS_E_MEMORY if device memory is exhausted, otherwise TMS_E_DEVICE.
 */
tms_status gpu_fault(struct fault *fault, cudaError_t error, const char *stage);
tms_status gpu_fail(struct gpu *gpu, cudaError_t error, const char *stage);

#define GPU_TRY(gpu, stage, call)                                                                                                          \
    do {                                                                                                                                   \
        cudaError_t gpu_try_error_ = (call);                                                                                               \
        if (gpu_try_error_ != cudaSuccess)                                                                                                 \
            return gpu_fail((gpu), gpu_try_error_, (stage));                                                                               \
    } while (0)

/* Keeps the first failure of several calls: makes the call only if none has failed. */
#define GPU_ALSO(status, call) ((status) == TMS_OK ? (call) : (status))

/* gpu_sleep() - before a copy to pageable memory, which waits for the kernels without sleeping: sleeps until then, if it may. */
static inline tms_status gpu_sleep(struct gpu *gpu) { return gpu->awakes != NULL ? gpu_wait(gpu) : TMS_OK; }

/*
 * gpu_allow_shared() - lets a kernel request as dynamic shared memory all that its static use leaves of a block's. The limit belongs to the
 * kernel, not to a context: threads with separate contexts on one GPU may set it concurrently, so it is always the same value.
 */
template <class Kernel> static cudaError_t gpu_allow_shared(const struct gpu *gpu, Kernel kernel)
{
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    return error == cudaSuccess ? cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       (int)(gpu->shared_bytes_block - attributes.sharedSizeBytes))
                                : error;
}

/*
 * gpu_workspace() - device memory by name, for kernels on gpu->stream: at least size_bytes, aligned to 256. Its contents persist until
 * the GPU is closed, also when it grows; growing, by half at least, moves it and waits for the queued kernels.
 *   name [in] the pointer is kept; messages give the name as the stage
 * Returns TMS_OK; TMS_E_MEMORY, with the workspace unchanged; TMS_E_DEVICE.
 */
tms_status gpu_workspace(struct gpu *gpu, const char *name, size_t size_bytes, void **out);

/* gpu_workspace() for n items of a type. */
template <class T> static tms_status gpu_workspace_of(struct gpu *gpu, const char *name, size_t n, T **out)
{
    void *memory;
    tms_status status = gpu_workspace(gpu, name, n * sizeof(T), &memory);
    *out = (T *)memory;
    return status;
}

/*
 * gpu_workspace_anew() - gpu_workspace() that loses its contents when it grows: it frees the old memory before it allocates the new, so
 * that both never exist at once. Returns as gpu_workspace(); with TMS_E_MEMORY the workspace is empty.
 */
tms_status gpu_workspace_anew(struct gpu *gpu, const char *name, size_t size_bytes, void **out);

template <class T> static tms_status gpu_workspace_anew_of(struct gpu *gpu, const char *name, size_t n, T **out)
{
    void *memory;
    tms_status status = gpu_workspace_anew(gpu, name, n * sizeof(T), &memory);
    *out = (T *)memory;
    return status;
}

void gpu_workspaces_free(struct gpu *gpu);

/* Makes a buffer of at least size_bytes; growing loses its contents and waits for all running work. */
tms_status gpu_buffer_reserve(struct gpu *gpu, const char *name, size_t size_bytes, struct gpu_buffer *buffer);

/* Called with each piece of work: injects the fault that TAMIS_TEST_GPU_FAULT requests, for tests. */
tms_status gpu_fault_if_asked(struct gpu *gpu);

/* Bytes of free device memory; 0 if unknown. */
size_t gpu_free_bytes(void);

/*
 * gpu_pipeline() - processes a long input on the GPU in pieces: bytes in, kernels, bytes out. Copies overlap the kernels. Small pageable
 * inputs are first copied to pinned memory; the driver stages large pageable inputs and pageable outputs.
 */
struct gpu_piece {
    size_t n_items; /* 0: the input has ended */
    struct {
        const void *host;
        size_t size_bytes; /* 0: no input */
        size_t padding;    /* readable bytes of device memory after the input */
    } inputs[GPU_INPUTS];
    void *output;        /* host memory for the kernels' output; NULL: no output, or take() gives the address */
    size_t output_bytes; /* size of the output; with take(): its largest size */
};

/* Device addresses of a piece, all aligned to 256 bytes. */
struct gpu_place {
    void *d_inputs[GPU_INPUTS], *d_output;
    void *d_summary; /* GPU_SUMMARY_BYTES of zeros, with take() */
};

/* The result of take() for a piece. */
struct gpu_taken {
    void *output; /* host memory */
    size_t output_bytes;
    int is_last; /* 1: the job ends with this piece; output of later pieces is discarded */
};

struct gpu_job {
    const char *stage; /* names the kernels' work in messages */
    void *arg;
    /* Describes the piece that begins at item `first`. */
    void (*cut)(void *arg, size_t first, struct gpu_piece *piece);
    /* Queues kernels on gpu->stream. Called for the pieces in order. */
    tms_status (*work)(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at);
    /*
     * NULL, or determines the size of the output from the summary that the kernels write. Called for the pieces in
     * order, each after the next piece has been queued, so that the GPU stays busy. *out is zeroed: no output, continue.
     */
    tms_status (*take)(void *arg, size_t first, const struct gpu_piece *piece, const void *summary, struct gpu_taken *out);
};

/* Waits for completion, also after a failure. Messages for kernel faults name the job's stage. */
tms_status gpu_pipeline(struct gpu *gpu, const struct gpu_job *job);

#endif
