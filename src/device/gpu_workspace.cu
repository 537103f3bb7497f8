/* gpu_workspace.cu - persistent device memory: workspaces by name, and the growing buffers of the pipeline. */
#include <stdlib.h>
#include <string.h>

#include "device/gpu_internal.cuh"

/* Grows by half at least, so that slowly increasing sizes rarely reallocate; a multiple of 256 bytes. */
static size_t grown(size_t capacity, size_t size_bytes)
{
    size_t half_more = capacity + capacity / 2;
    return ((size_bytes > half_more ? size_bytes : half_more) + 255) & ~(size_t)255;
}

tms_status gpu_buffer_reserve(struct gpu *gpu, const char *name, size_t size_bytes, struct gpu_buffer *buffer)
{
    if (size_bytes <= buffer->capacity)
        return TMS_OK;
    size_t capacity = grown(buffer->capacity, size_bytes);
    if (buffer->d_memory) {
        GPU_TRY(gpu, name, cudaDeviceSynchronize()); /* a kernel may still use it */
        cudaFree(buffer->d_memory);
    }
    *buffer = gpu_buffer{};
    GPU_TRY(gpu, name, cudaMalloc(&buffer->d_memory, capacity));
    buffer->capacity = capacity;
    return TMS_OK;
}

static tms_status grow(struct gpu *gpu, struct gpu_workspace *w, size_t size_bytes)
{
    struct gpu_buffer to = {NULL, grown(w->buffer.capacity, size_bytes)};
    GPU_TRY(gpu, w->name, cudaMalloc(&to.d_memory, to.capacity));
    cudaError_t error = cudaSuccess;
    if (w->buffer.capacity)
        error = cudaMemcpyAsync(to.d_memory, w->buffer.d_memory, w->buffer.capacity, cudaMemcpyDeviceToDevice, gpu->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(gpu->stream);
    if (error != cudaSuccess) {
        cudaFree(to.d_memory);
        return gpu_fail(gpu, error, w->name);
    }
    cudaFree(w->buffer.d_memory);
    w->buffer = to;
    return TMS_OK;
}

/* The workspace with that name, which may be new and empty; NULL, with the message set, if memory is insufficient. */
static struct gpu_workspace *find(struct gpu *gpu, const char *name)
{
    struct gpu_workspace *w = gpu->workspaces;
    while (w && strcmp(w->name, name) != 0)
        w = w->next;
    if (w)
        return w;
    w = (struct gpu_workspace *)calloc(1, sizeof *w);
    if (!w) {
        (void)fault_set_memory(gpu->fault, name, sizeof *w);
        return NULL;
    }
    w->name = name;
    w->next = gpu->workspaces;
    gpu->workspaces = w;
    return w;
}

tms_status gpu_workspace(struct gpu *gpu, const char *name, size_t size_bytes, void **out)
{
    struct gpu_workspace *w = find(gpu, name);
    *out = NULL;
    if (!w)
        return TMS_E_MEMORY;
    tms_status status = size_bytes > w->buffer.capacity ? grow(gpu, w, size_bytes) : TMS_OK;
    *out = w->buffer.d_memory;
    return status;
}

tms_status gpu_workspace_anew(struct gpu *gpu, const char *name, size_t size_bytes, void **out)
{
    struct gpu_workspace *w = find(gpu, name);
    *out = NULL;
    if (!w)
        return TMS_E_MEMORY;
    tms_status status = gpu_buffer_reserve(gpu, name, size_bytes, &w->buffer);
    *out = w->buffer.d_memory;
    return status;
}

void gpu_workspaces_free(struct gpu *gpu)
{
    while (gpu->workspaces) {
        struct gpu_workspace *w = gpu->workspaces;
        gpu->workspaces = w->next;
        cudaFree(w->buffer.d_memory);
        free(w);
    }
}
