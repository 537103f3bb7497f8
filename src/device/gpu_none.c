/* gpu_none.c - the device room of a build without CUDA: there is no GPU, and it says so. */
#include "device/gpu.h"

#include <string.h>
#include <unistd.h>

static tms_status no_gpu(tms_context *ctx)
{
    return context_fail(ctx, TMS_E_DEVICE, "this tamis was built without CUDA: build it with nvcc to use a GPU");
}

void tms_gpu_probe(tms_gpu_report *out)
{
    memset(out, 0, sizeof *out);
    out->present = access("/dev/nvidiactl", F_OK) == 0;
    strcpy(out->reason, "this tamis was built without CUDA");
}

tms_status gpu_open(tms_context *ctx, int index, struct gpu **out)
{
    (void)index;
    *out = NULL;
    return no_gpu(ctx);
}

void gpu_close(struct gpu *gpu) { (void)gpu; }

int gpu_index(const struct gpu *gpu)
{
    (void)gpu;
    return TMS_DEVICE_CPU;
}

void *gpu_stream(const struct gpu *gpu)
{
    (void)gpu;
    return NULL;
}

tms_status gpu_wait(tms_context *ctx) { return no_gpu(ctx); }

tms_status gpu_host_alloc(tms_context *ctx, size_t size_bytes, void **out)
{
    (void)size_bytes;
    *out = NULL;
    return no_gpu(ctx);
}

void gpu_host_free(void *ptr) { (void)ptr; }

tms_status gpu_memory_alloc(tms_context *ctx, size_t size_bytes, void **out)
{
    (void)size_bytes;
    *out = NULL;
    return no_gpu(ctx);
}

void gpu_memory_free(int index, void *d_ptr)
{
    (void)index;
    (void)d_ptr;
}

tms_status gpu_upload(tms_context *ctx, void *d_dst, const void *src, size_t size_bytes)
{
    (void)d_dst;
    (void)src;
    (void)size_bytes;
    return no_gpu(ctx);
}

tms_status gpu_download(tms_context *ctx, int index, void *dst, const void *d_src, size_t size_bytes)
{
    (void)index;
    (void)dst;
    (void)d_src;
    (void)size_bytes;
    return no_gpu(ctx);
}
