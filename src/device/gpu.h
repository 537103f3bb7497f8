/*
 * gpu.h - the only room that allocates GPU memory, copies to the GPU and waits for it.
 *
 * gpu_cuda.cu implements it; gpu_none.c replaces it in a build without CUDA, where no GPU ever opens.
 */
#ifndef TMS_GPU_H
#define TMS_GPU_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gpu;

/* Lists the GPUs. Never fails. */
void gpu_probe(tms_gpu_report *out);

/* Seconds that CUDA took in this process to find its GPUs and to open the first one. Nearly 0 if CUDA has not started. */
double gpu_start_seconds(void);

/*
 * fault: receives the messages of this GPU's calls. cancelled: read atomically; when it is not 0, gpu_pipeline() starts no
 * further piece. Both pointers must stay valid until gpu_close().
 */
tms_status gpu_open(struct fault *fault, const int *cancelled, int index, struct gpu **out);
void gpu_close(struct gpu *gpu); /* accepts NULL */
int gpu_index(const struct gpu *gpu);
void *gpu_stream(const struct gpu *gpu);

/* Waits for the kernels' stream and reports faults of queued work. The thread keeps its processor, unless gpu_let_sleep() lets it sleep. */
tms_status gpu_wait(struct gpu *gpu);

/* Whether gpu_wait() sleeps, and returns some 20 us later: where other threads need the processor. Returns TMS_OK or TMS_E_DEVICE. */
tms_status gpu_let_sleep(struct gpu *gpu, bool sleeps);

/* Pinned host memory. */
tms_status gpu_host_alloc(struct gpu *gpu, size_t size_bytes, void **out);
void gpu_host_free(void *ptr);

/* Device memory, zeroed; freed by index because it may outlive the struct gpu. */
tms_status gpu_memory_alloc(struct gpu *gpu, size_t size_bytes, void **out);
void gpu_memory_free(int index, void *d_ptr);

/* Blocking copies. */
tms_status gpu_upload(struct gpu *gpu, void *d_dst, const void *src, size_t size_bytes);
tms_status gpu_download(struct fault *fault, int index, void *dst, const void *d_src, size_t size_bytes);

#ifdef __cplusplus
}
#endif
#endif
