/*
 * gpu.h - the one room that allocates on, copies to, and waits for the GPU.
 *
 * gpu_cuda.cu implements it; gpu_none.c stands in its place in a build without CUDA, where no GPU ever opens.
 */
#ifndef TMS_GPU_H
#define TMS_GPU_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gpu;

tms_status gpu_open(tms_context *ctx, int index, struct gpu **out);
void gpu_close(struct gpu *gpu); /* NULL is fine */
int gpu_index(const struct gpu *gpu);
void *gpu_stream(const struct gpu *gpu);

/* Wait for the context's stream; a fault of anything queued surfaces here. */
tms_status gpu_wait(tms_context *ctx);

/* Pinned host memory. */
tms_status gpu_host_alloc(tms_context *ctx, size_t size_bytes, void **out);
void gpu_host_free(void *ptr);

/* Device memory on the context's GPU, zeroed; freed by index because a filter may outlive its context's choice. */
tms_status gpu_memory_alloc(tms_context *ctx, size_t size_bytes, void **out);
void gpu_memory_free(int index, void *d_ptr);

/* Blocking copies between a filter's host and device bits. */
tms_status gpu_upload(tms_context *ctx, void *d_dst, const void *src, size_t size_bytes);
tms_status gpu_download(tms_context *ctx, int index, void *dst, const void *d_src, size_t size_bytes);

#ifdef __cplusplus
}
#endif
#endif
