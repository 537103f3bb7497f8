/* gpu_none.c - the device room of a build without CUDA: reports that there is no GPU. */
#include "device/gpu.h"

#include <string.h>
#include <unistd.h>

/* Used by the calls that request a GPU; nothing makes the other calls, which need an open one. */
static tms_status no_gpu(struct fault *fault)
{
    return fault_set(fault, TMS_E_DEVICE, "this tamis was built without CUDA: build it with nvcc to use a GPU");
}

void gpu_probe(tms_gpu_report *out)
{
    memset(out, 0, sizeof *out);
    out->present = access("/dev/nvidiactl", F_OK) == 0;
    strcpy(out->reason, "this tamis was built without CUDA");
}

double gpu_start_seconds(void) { return 0; }

tms_status gpu_open(struct fault *fault, const int *cancelled, int index, struct gpu **out)
{
    (void)cancelled;
    (void)index;
    *out = NULL;
    return no_gpu(fault);
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

tms_status gpu_wait(struct gpu *gpu)
{
    (void)gpu;
    return TMS_E_DEVICE;
}

tms_status gpu_let_sleep(struct gpu *gpu, bool sleeps)
{
    (void)gpu;
    (void)sleeps;
    return TMS_E_DEVICE;
}

tms_status gpu_host_alloc(struct gpu *gpu, size_t size_bytes, void **out)
{
    (void)gpu;
    (void)size_bytes;
    *out = NULL;
    return TMS_E_DEVICE;
}

void gpu_host_free(void *ptr) { (void)ptr; }

tms_status gpu_memory_alloc(struct gpu *gpu, size_t size_bytes, void **out)
{
    (void)gpu;
    (void)size_bytes;
    *out = NULL;
    return TMS_E_DEVICE;
}

void gpu_memory_free(int index, void *d_ptr)
{
    (void)index;
    (void)d_ptr;
}

tms_status gpu_upload(struct gpu *gpu, void *d_dst, const void *src, size_t size_bytes)
{
    (void)gpu;
    (void)d_dst;
    (void)src;
    (void)size_bytes;
    return TMS_E_DEVICE;
}

tms_status gpu_download(struct fault *fault, int index, void *dst, const void *d_src, size_t size_bytes)
{
    (void)index;
    (void)dst;
    (void)d_src;
    (void)size_bytes;
    return no_gpu(fault);
}
