/*
 * gpu_internal.cuh - the device room's inside, for .cu files only: the open GPU, checked calls, workspaces, and the pipeline
 * that carries host batches to the kernels and answers back.
 */
#ifndef TMS_GPU_INTERNAL_CUH
#define TMS_GPU_INTERNAL_CUH

#include <cuda_runtime.h>

#include "device/gpu.h"

#define GPU_SLOTS         3 /* pieces under way: one copied in, one worked on, one copied out */
#define GPU_INPUTS        2 /* of a piece, at most */
#define GPU_SUMMARY_BYTES 256

/* Device memory that grows. */
struct gpu_buffer {
    void *d_memory;
    size_t capacity;
};

struct gpu_slot {
    struct gpu_buffer inputs[GPU_INPUTS], output;
    void *stages[GPU_INPUTS]; /* pinned host memory, for inputs that are not */
    size_t stage_bytes[GPU_INPUTS];
    void *summary, *d_summary; /* GPU_SUMMARY_BYTES of each, in gpu->summaries */
    cudaEvent_t copied_in, worked, copied_out;
};

struct gpu_workspace {
    const char *name;
    struct gpu_buffer buffer;
    struct gpu_workspace *next;
};

struct gpu {
    int index;
    struct fault *fault;  /* for messages */
    const int *cancelled; /* read atomically */
    int n_multiprocessors;
    size_t shared_bytes_block; /* the most that one block may ask for */
    cudaStream_t stream;       /* kernels, in order */
    cudaStream_t copy_in, copy_out;
    struct gpu_slot slots[GPU_SLOTS];
    void *summaries, *d_summaries; /* of all slots; NULL until a job has some */
    struct gpu_workspace *workspaces;
#if TMS_TEST_HOOKS
    /* TAMIS_TEST_GPU_FAULT=N: with piece N of the pipeline, or scan of a pack, a kernel faults, and the GPU is lost. -N: piece N gets no
     * memory. 0: neither */
    long fault_at, n_pieces;
#endif
};

/*
 * gpu_fault() - writes a failed CUDA call's message: the stage, CUDA's text and name for the error.
 * gpu_fail() is the same for an open GPU. Both return TMS_E_MEMORY if device memory is what is missing, else TMS_E_DEVICE.
 */
tms_status gpu_fault(struct fault *fault, cudaError_t error, const char *stage);
tms_status gpu_fail(struct gpu *gpu, cudaError_t error, const char *stage);

#define GPU_TRY(gpu, stage, call)                                                                                                          \
    do {                                                                                                                                   \
        cudaError_t gpu_try_error_ = (call);                                                                                               \
        if (gpu_try_error_ != cudaSuccess)                                                                                                 \
            return gpu_fail((gpu), gpu_try_error_, (stage));                                                                               \
    } while (0)

/* The first failure of several: the call is made if there was none before. */
#define GPU_ALSO(status, call) ((status) == TMS_OK ? (call) : (status))

/*
 * gpu_allow_shared() - a kernel may ask for all of a block's shared memory that it does not have by itself. The limit is the kernel's, not
 * a context's: threads with contexts of their own on one GPU set it at the same time, so it is always the same.
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

/*
 * gpu_workspace_anew() - the same, but what was in it is lost where it grows: the old memory is given back before there is more, so that
 * both are never there at once.
 * Returns as gpu_workspace(); with TMS_E_MEMORY the workspace is empty.
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

/* A buffer of at least size_bytes; what was in it is lost where it grows, which waits for all that runs. */
tms_status gpu_buffer_reserve(struct gpu *gpu, const char *name, size_t size_bytes, struct gpu_buffer *buffer);

/* For tests, with each piece of work: nothing, or what TAMIS_TEST_GPU_FAULT asks for. */
tms_status gpu_fault_if_asked(struct gpu *gpu);

/* Bytes of device memory free now; 0 when that cannot be told. */
size_t gpu_free_bytes(void);

/*
 * gpu_pipeline() - a long input through the GPU piece by piece: bytes in, kernels, bytes out. Copies overlap the kernels. Inputs that
 * are not pinned are copied to pinned memory first where they are small; large ones, and outputs that are not, are the driver's to stage.
 */
struct gpu_piece {
    size_t n_items; /* 0: there is none, the input has ended */
    struct {
        const void *host;
        size_t size_bytes; /* 0: none */
        size_t padding;    /* bytes of device memory after it that may be read */
    } inputs[GPU_INPUTS];
    void *output;        /* host memory for what the kernels leave; NULL: nothing, or take() says where */
    size_t output_bytes; /* with take(): the most that there may be */
};

/* Where a piece is on the GPU; all aligned to 256 bytes. */
struct gpu_place {
    void *d_inputs[GPU_INPUTS], *d_output;
    void *d_summary; /* GPU_SUMMARY_BYTES of zeros, with take() */
};

/* What take() says of a piece. */
struct gpu_taken {
    void *output; /* host memory */
    size_t output_bytes;
    int is_last; /* 1: the job ends here; what the kernels made of later pieces is left where it is */
};

struct gpu_job {
    const char *stage; /* for messages: what the kernels do */
    void *arg;
    /* Says what the piece that begins at item `first` is made of. */
    void (*cut)(void *arg, size_t first, struct gpu_piece *piece);
    /* Queues kernels on gpu->stream. Called for the pieces in order. */
    tms_status (*work)(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at);
    /*
     * NULL, or how much output there is, which only the kernels know: they leave a summary, and this reads it. Called for the pieces in
     * order, each after the one behind it has been queued, so that the GPU has work meanwhile. *out is zeroed: no output, go on.
     */
    tms_status (*take)(void *arg, size_t first, const struct gpu_piece *piece, const void *summary, struct gpu_taken *out);
};

/* Waits for the end, also after a failure. A fault of a kernel is reported with the job's stage. */
tms_status gpu_pipeline(struct gpu *gpu, const struct gpu_job *job);

#endif
