/*
 * context.h - status codes, error messages, threads and devices.
 *
 * Every tamis call that can fail returns a tms_status, and leaves one sentence about the failure in its context. The library never prints
 * and never exits.
 *
 * Threads: a call uses its context, so threads that work at the same time have a context each. Objects (filters, queries) may be shared as
 * their headers say. Calls without a context are thread-safe. After fork(), a child may use contexts on the CPU, and filters there, that
 * no other thread was using; CUDA does not work in a child of a process that has used it.
 *
 * Structs: parameters and reports may get new fields at their end; zero in a new field means the earlier behaviour. A program compiled
 * with older headers continues to work with a newer library: calls with such structs are inline calls of a function with the suffix
 * _sized, to which they pass the struct's size. A newer program gets TMS_E_ARG from an older library if it sets a field that the library
 * does not know. Set unused fields to zero: tms_filter_want want = {.n_keys = 1000}. The structs of batches and results (tms_keys,
 * tms_dna, hits, tallies, tms_frequency, tms_gpu) do not change.
 */
#ifndef TAMIS_CONTEXT_H
#define TAMIS_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "tamis/version.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TMS_API     __attribute__((visibility("default")))
#define TMS_CHECKED __attribute__((warn_unused_result))
#else
#define TMS_API
#define TMS_CHECKED
#endif

#define TMS_INLINE static inline

typedef enum tms_status {
    TMS_OK = 0,
    TMS_E_ARG = 1,       /* an argument, or a combination of arguments, is not allowed */
    TMS_E_FORMAT = 2,    /* a filter image or another file is truncated, corrupt, or of another version */
    TMS_E_MISMATCH = 3,  /* two filters do not have the same parameters */
    TMS_E_DEVICE = 4,    /* the GPU is unusable, or a CUDA call failed */
    TMS_E_MEMORY = 5,    /* out of memory, on the host or on the GPU */
    TMS_E_CANCELLED = 6, /* tms_context_cancel() was called */
    TMS_E_FILE = 7       /* a file could not be written */
} tms_status;

/* Instruction sets of the CPU back end. All give the same bytes. */
typedef enum tms_simd { TMS_SIMD_SCALAR = 0, TMS_SIMD_AVX2 = 1, TMS_SIMD_AVX512 = 2 } tms_simd;

#define TMS_DEVICE_CPU  (-1)
#define TMS_DEVICE_AUTO (-2)

/*
 * A context: threads, SIMD level, GPU, and the last error message. It is not itself thread-safe: one
 * thread uses a context at a time. Any number of contexts may exist.
 */
typedef struct tms_context tms_context;

/*
 * tms_context_create() - create a context on the CPU, with all processors of this process (or OMP_NUM_THREADS of them) and the best SIMD
 * level of this processor. The environment variable TAMIS_SIMD=scalar|avx2|avx512 lowers the level; any other value is ignored;
 * tms_context_simd() returns the level in use.
 *   out [out] destroyed with tms_context_destroy()
 * Returns TMS_OK; TMS_E_MEMORY, and *out is then NULL.
 */
TMS_API TMS_CHECKED tms_status tms_context_create(tms_context **out);

/* tms_context_destroy() - free a context and the GPU memory and streams that it owns; NULL is allowed. */
TMS_API void tms_context_destroy(tms_context *ctx);

/* tms_context_message() - the last failure in words; "" if nothing has failed yet. Owned by the context. */
TMS_API const char *tms_context_message(const tms_context *ctx);

/*
 * tms_context_set_threads() - set the number of CPU threads.
 *   n_threads [in] 1 .. 1024, or 0 for all processors of this process
 * The calling thread is one of them. The context makes the others when it first needs them and keeps them until it is destroyed. If the
 * system refuses to make so many, calls use the threads there are: results do not depend on their number. A search on GPUs has one or
 * two threads more for each of them.
 * Returns TMS_OK or TMS_E_ARG.
 */
TMS_API TMS_CHECKED tms_status tms_context_set_threads(tms_context *ctx, int n_threads);

/* tms_context_start_threads() - make the threads now. Returns their number, including the calling thread. */
TMS_API int tms_context_start_threads(tms_context *ctx);

/*
 * tms_context_run() - run the caller's own work on the context's threads, for instance to format results.
 *   work [in] the context calls work(arg, task, thread) once for each task 0 .. n_tasks - 1, in any of the threads 0 ..
 *             tms_context_threads() - 1. Tasks begin in ascending order, so a task may wait for those before it. work must not use the
 *             context
 * Returns TMS_OK when all tasks are done; TMS_E_CANCELLED when those that had begun are done.
 */
TMS_API TMS_CHECKED tms_status tms_context_run(tms_context *ctx, size_t n_tasks, void (*work)(void *arg, size_t task, int thread),
                                               void *arg);

/*
 * tms_context_cancel() - end the call that uses the context, and every later one, with TMS_E_CANCELLED, until tms_context_resume(). Long
 * calls check every few milliseconds on the CPU, and between two batches on a GPU. A cancelled call leaves what it was changing valid but
 * incomplete: a filter has some of the keys of the batch. Results of a cancelled call are undefined. Any thread, and a signal handler, may
 * call it at any time. Call tms_context_resume() between two calls only.
 */
TMS_API void tms_context_cancel(tms_context *ctx);
TMS_API void tms_context_resume(tms_context *ctx);

/*
 * tms_context_set_simd() - force an instruction set, for tests and benchmarks.
 * Returns TMS_OK; TMS_E_ARG if this processor does not have it.
 */
TMS_API TMS_CHECKED tms_status tms_context_set_simd(tms_context *ctx, tms_simd level);

/*
 * tms_context_set_device() - choose the device on which this context keeps and uses filters.
 *   device [in] TMS_DEVICE_CPU, a CUDA device index from 0, or TMS_DEVICE_AUTO: the first usable GPU, or the CPU (with TMS_OK) if there is
 *               none
 * Returns TMS_OK; TMS_E_DEVICE with the reason in the message; the context then stays on the CPU.
 * Filters made earlier with this context stay on their device. Opening a GPU sets its L2 fetch granularity to 32 bytes for the process,
 * and calls that use a GPU make it the thread's current device (cudaSetDevice()).
 */
TMS_API TMS_CHECKED tms_status tms_context_set_device(tms_context *ctx, int device);

/*
 * tms_context_set_batch() - set the number of keys in one copy to the GPU. Larger inputs are cut into such batches, whose copies overlap
 * the kernels. In the calls of seeds.h: the number of w-mers of a subject, rounded up to a multiple of 64, and never more than the
 * default. It never changes a result.
 *   n_keys [in] 1 or more; 0 for the default (keys: 2^20; w-mers: up to 2^21, fewer with more sub-queries)
 */
TMS_API void tms_context_set_batch(tms_context *ctx, size_t n_keys);

TMS_API int tms_context_threads(const tms_context *ctx);
TMS_API tms_simd tms_context_simd(const tms_context *ctx);
/* The CUDA device index in use, or TMS_DEVICE_CPU. */
TMS_API int tms_context_device(const tms_context *ctx);

/*
 * tms_context_stream() - the cudaStream_t, as void *, of this context's *_device() calls; NULL on the CPU. Owned by the context.
 */
TMS_API void *tms_context_stream(const tms_context *ctx);

/*
 * tms_context_wait() - wait for the work of all *_device() calls.
 * Returns TMS_OK; TMS_E_DEVICE if one of them failed. Does nothing on the CPU.
 */
TMS_API TMS_CHECKED tms_status tms_context_wait(tms_context *ctx);

/*
 * tms_host_alloc() - allocate host memory for batches, aligned to 64 bytes. If the context has a GPU, the memory is pinned, so that copies
 * run at full speed and overlap kernels.
 *   size_bytes [in]  1 or more
 *   out        [out] freed with tms_host_free() and the same context, even if its device has changed; tms_host_free() accepts NULL
 * Returns TMS_OK or TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_host_alloc(tms_context *ctx, size_t size_bytes, void **out);
TMS_API void tms_host_free(tms_context *ctx, void *ptr);

/* The result of tms_gpu_probe(). Strings are NUL-terminated and may be truncated. */
#define TMS_MAX_GPUS 16
typedef struct tms_gpu {
    char name[128];
    int usable; /* 1, or 0 with the reason below */
    char reason[256];
    int compute_major, compute_minor;
    int n_multiprocessors;
    uint64_t memory_bytes; /* device memory, total */
    uint64_t l2_bytes;
} tms_gpu;

typedef struct tms_gpu_report {
    int built_with_cuda; /* 0: this library has no GPU code, and only `present` of the following fields is set */
    int present;         /* 1: this machine has an NVIDIA GPU or driver, usable or not */
    int runtime_version; /* version of the linked CUDA runtime, 1000 * major + 10 * minor; 0 without CUDA */
    int driver_version;  /* newest CUDA version that the driver supports, in the same form; 0: no driver */
    int n_gpus;          /* entries of gpus[] */
    tms_gpu gpus[TMS_MAX_GPUS];
    char reason[256]; /* why no GPU is usable; "" if one is */
} tms_gpu_report;

/* tms_gpu_probe() - look for GPUs without creating anything on them. Never fails. */
TMS_API void tms_gpu_probe_sized(tms_gpu_report *out, size_t out_size);
TMS_INLINE void tms_gpu_probe(tms_gpu_report *out) { tms_gpu_probe_sized(out, sizeof *out); }

/* "scalar", "avx2", "avx512" */
TMS_API const char *tms_simd_name(tms_simd level);

/* "TMS_OK", "TMS_E_ARG", ...; "?" for other values. */
TMS_API const char *tms_status_name(tms_status status);

/* The version of the library at run time, "1.2.3"; TMS_VERSION is the version of the headers. */
TMS_API const char *tms_version(void);

#ifdef __cplusplus
}
#endif
#endif
