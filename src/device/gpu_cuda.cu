/* gpu_cuda.cu - finding and opening GPUs, their memory, and plain copies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "device/gpu_internal.cuh"

enum { LEAST_MAJOR = 8 }; /* least major compute capability */

/* --- how long CUDA takes to start --- */

/* Seconds of the first probe and of opening the first GPU; the earlier one includes CUDA's initialisation. Read and written atomically. */
static double probe_seconds, open_seconds;

double gpu_start_seconds(void)
{
    double probe, open;
    __atomic_load(&probe_seconds, &probe, __ATOMIC_RELAXED);
    __atomic_load(&open_seconds, &open, __ATOMIC_RELAXED);
    return probe + open;
}

static void note_first(double *seconds, double begun)
{
    double taken = clock_seconds() - begun, none = 0;
    __atomic_compare_exchange(seconds, &none, &taken, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* --- probing --- */

static void describe(int index, tms_gpu *out)
{
    cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, index);
    if (error != cudaSuccess) {
        snprintf(out->reason, sizeof out->reason, "its properties cannot be read: %s", cudaGetErrorString(error));
        cudaGetLastError();
        return;
    }
    snprintf(out->name, sizeof out->name, "%.127s", p.name);
    out->compute_major = p.major;
    out->compute_minor = p.minor;
    out->n_multiprocessors = p.multiProcessorCount;
    out->memory_bytes = p.totalGlobalMem;
    out->l2_bytes = (uint64_t)p.l2CacheSize;
    if (p.major < LEAST_MAJOR)
        snprintf(out->reason, sizeof out->reason, "compute capability %d.%d; tamis needs %d.0 or newer", p.major, p.minor, LEAST_MAJOR);
    else
        out->usable = 1;
}

static void explain_failure(tms_gpu_report *out, cudaError_t error)
{
    if (!out->driver_version)
        snprintf(out->reason, sizeof out->reason, "no NVIDIA driver is loaded (CUDA %d.%d or newer is needed)", out->runtime_version / 1000,
                 out->runtime_version % 1000 / 10);
    else if (error == cudaErrorInsufficientDriver)
        snprintf(out->reason, sizeof out->reason, "the driver supports CUDA %d.%d; %d.%d or newer is needed", out->driver_version / 1000,
                 out->driver_version % 1000 / 10, out->runtime_version / 1000, out->runtime_version % 1000 / 10);
    else
        snprintf(out->reason, sizeof out->reason, "%s", cudaGetErrorString(error));
}

static void probe(tms_gpu_report *out)
{
    memset(out, 0, sizeof *out);
    out->built_with_cuda = 1;
    out->present = access("/dev/nvidiactl", F_OK) == 0 || access("/proc/driver/nvidia/version", F_OK) == 0;
    cudaRuntimeGetVersion(&out->runtime_version);
    if (cudaDriverGetVersion(&out->driver_version) != cudaSuccess)
        out->driver_version = 0;
    int n = 0; /* a failing call does not set it */
    cudaError_t error = cudaGetDeviceCount(&n);
    if (error != cudaSuccess) {
        cudaGetLastError();
        explain_failure(out, error);
        return;
    }
    out->present = out->present || n > 0;
    out->n_gpus = n < TMS_MAX_GPUS ? n : TMS_MAX_GPUS;
    for (int i = 0; i < out->n_gpus; i++)
        describe(i, &out->gpus[i]);
    for (int i = 0; i < out->n_gpus; i++)
        if (out->gpus[i].usable)
            return;
    if (n)
        snprintf(out->reason, sizeof out->reason, "%.100s: %.140s", out->gpus[0].name, out->gpus[0].reason);
    else
        snprintf(out->reason, sizeof out->reason, "no GPU is visible");
}

void gpu_probe(tms_gpu_report *out)
{
    const double begun = clock_seconds();
    probe(out);
    note_first(&probe_seconds, begun);
}

/* --- opening --- */

/* Reads single attributes, because querying all properties of a GPU takes milliseconds. */
static tms_status read_attributes(struct gpu *gpu)
{
    int n, bytes;
    GPU_TRY(gpu, "reading its properties", cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, gpu->index));
    GPU_TRY(gpu, "reading its properties", cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu->index));
    gpu->n_multiprocessors = n;
    gpu->shared_bytes_block = (size_t)bytes;
    return TMS_OK;
}

static tms_status open_on_current(struct gpu *gpu)
{
    tms_status status = read_attributes(gpu);
    if (status != TMS_OK)
        return status;
    /* Limits fetches to one sector of 32 bytes, because random accesses do not use its neighbours; not every GPU supports the limit. */
    if (cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32) != cudaSuccess)
        cudaGetLastError();
    GPU_TRY(gpu, "creating a stream", cudaStreamCreateWithFlags(&gpu->stream, cudaStreamNonBlocking));
    GPU_TRY(gpu, "creating a stream", cudaStreamCreateWithFlags(&gpu->copy_in, cudaStreamNonBlocking));
    GPU_TRY(gpu, "creating a stream", cudaStreamCreateWithFlags(&gpu->copy_out, cudaStreamNonBlocking));
    for (int i = 0; i < GPU_SLOTS; i++) {
        struct gpu_slot *s = &gpu->slots[i];
        GPU_TRY(gpu, "creating an event", cudaEventCreateWithFlags(&s->copied_in, cudaEventDisableTiming));
        GPU_TRY(gpu, "creating an event", cudaEventCreateWithFlags(&s->worked, cudaEventDisableTiming));
        GPU_TRY(gpu, "creating an event", cudaEventCreateWithFlags(&s->copied_out, cudaEventDisableTiming));
    }
    return TMS_OK;
}

/* Describes only that GPU, without touching others. */
static bool is_usable(int index)
{
    int n = 0, major = 0;
    const bool is_there = cudaGetDeviceCount(&n) == cudaSuccess && index < n && index < TMS_MAX_GPUS;
    const bool is_usable = is_there && cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index) == cudaSuccess &&
                           major >= LEAST_MAJOR;
    if (!is_usable)
        cudaGetLastError();
    return is_usable;
}

static tms_status fail_to_open(struct fault *fault, int index)
{
    tms_gpu_report report;
    gpu_probe(&report);
    if (report.reason[0])
        return fault_set(fault, TMS_E_DEVICE, "no usable GPU: %s", report.reason);
    if (index >= report.n_gpus)
        return fault_set(fault, TMS_E_DEVICE, "there is no cuda:%d; %d GPU%s visible", index, report.n_gpus,
                         report.n_gpus == 1 ? " is" : "s are");
    return fault_set(fault, TMS_E_DEVICE, "cuda:%d (%s) is not usable: %s", index, report.gpus[index].name, report.gpus[index].reason);
}

tms_status gpu_open(struct fault *fault, const int *cancelled, int index, struct gpu **out)
{
    const double begun = clock_seconds();
    *out = NULL;
    if (!is_usable(index))
        return fail_to_open(fault, index);
    cudaError_t error = cudaSetDevice(index);
    if (error != cudaSuccess)
        return gpu_fault(fault, error, "choosing the device");
    struct gpu *gpu = (struct gpu *)calloc(1, sizeof *gpu);
    if (!gpu)
        return fault_set_memory(fault, "a GPU's description", sizeof *gpu);
    gpu->index = index;
    gpu->fault = fault;
    gpu->cancelled = cancelled;
#if TMS_TEST_HOOKS
    const char *fault_at = getenv("TAMIS_TEST_GPU_FAULT");
    gpu->fault_at = fault_at ? atol(fault_at) : 0;
#endif
    tms_status status = open_on_current(gpu);
    if (status != TMS_OK) {
        gpu_close(gpu);
        return status;
    }
    note_first(&open_seconds, begun);
    *out = gpu;
    return TMS_OK;
}

void gpu_close(struct gpu *gpu)
{
    if (!gpu)
        return;
    cudaSetDevice(gpu->index);
    for (int i = 0; i < GPU_SLOTS; i++) {
        struct gpu_slot *s = &gpu->slots[i];
        for (struct gpu_buffer &input : s->inputs)
            cudaFree(input.d_memory);
        for (void *stage : s->stages)
            if (stage)
                cudaFreeHost(stage);
        cudaFree(s->output.d_memory);
        cudaEvent_t events[] = {s->copied_in, s->worked, s->copied_out};
        for (cudaEvent_t event : events)
            if (event)
                cudaEventDestroy(event);
    }
    if (gpu->summaries)
        cudaFreeHost(gpu->summaries);
    cudaFree(gpu->d_summaries);
    gpu_workspaces_free(gpu);
    if (gpu->awakes)
        cudaEventDestroy(gpu->awakes);
    cudaStream_t streams[] = {gpu->stream, gpu->copy_in, gpu->copy_out};
    for (cudaStream_t stream : streams)
        if (stream)
            cudaStreamDestroy(stream);
    cudaGetLastError();
    free(gpu);
}

int gpu_index(const struct gpu *gpu) { return gpu->index; }
void *gpu_stream(const struct gpu *gpu) { return gpu->stream; }

tms_status gpu_wait(struct gpu *gpu)
{
    if (gpu->awakes != NULL) {
        GPU_TRY(gpu, "waiting for the kernels", cudaEventRecord(gpu->awakes, gpu->stream));
        GPU_TRY(gpu, "waiting for the kernels", cudaEventSynchronize(gpu->awakes));
    }
    GPU_TRY(gpu, "waiting for the kernels", cudaStreamSynchronize(gpu->stream));
    return TMS_OK;
}

tms_status gpu_let_sleep(struct gpu *gpu, bool sleeps)
{
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu->index));
    if (sleeps && gpu->awakes == NULL)
        GPU_TRY(gpu, "creating an event", cudaEventCreateWithFlags(&gpu->awakes, cudaEventBlockingSync | cudaEventDisableTiming));
    if (!sleeps && gpu->awakes != NULL) {
        GPU_TRY(gpu, "destroying an event", cudaEventDestroy(gpu->awakes));
        gpu->awakes = NULL;
    }
    return TMS_OK;
}

/* --- memory --- */

tms_status gpu_host_alloc(struct gpu *gpu, size_t size_bytes, void **out)
{
    *out = NULL;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu->index));
    cudaError_t error = cudaHostAlloc(out, size_bytes ? size_bytes : 1, cudaHostAllocDefault);
    if (error == cudaSuccess)
        return TMS_OK;
    cudaGetLastError();
    *out = NULL;
    return fault_set(gpu->fault, TMS_E_MEMORY, "out of memory: a pinned batch needs %.1f MiB (%s)", (double)size_bytes / 1048576.0,
                     cudaGetErrorName(error));
}

void gpu_host_free(void *ptr)
{
    if (ptr)
        cudaFreeHost(ptr);
}

tms_status gpu_memory_alloc(struct gpu *gpu, size_t size_bytes, void **out)
{
    *out = NULL;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu->index));
    cudaError_t error = cudaMalloc(out, size_bytes);
    if (error != cudaSuccess) {
        cudaGetLastError();
        *out = NULL;
        return fault_set(gpu->fault, TMS_E_MEMORY, "out of GPU memory: %.1f MiB are needed, %.1f MiB are free (%s)",
                         (double)size_bytes / 1048576.0, (double)gpu_free_bytes() / 1048576.0, cudaGetErrorName(error));
    }
    error = cudaMemsetAsync(*out, 0, size_bytes, gpu->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(gpu->stream);
    if (error == cudaSuccess)
        return TMS_OK;
    cudaFree(*out);
    *out = NULL;
    return gpu_fail(gpu, error, "clearing its memory");
}

void gpu_memory_free(int index, void *d_ptr)
{
    if (cudaSetDevice(index) == cudaSuccess)
        cudaFree(d_ptr);
    cudaGetLastError();
}

tms_status gpu_upload(struct gpu *gpu, void *d_dst, const void *src, size_t size_bytes)
{
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu->index));
    /* Copies on the kernels' stream: a plain cudaMemcpy() may return before the last bytes arrive, and that stream would not wait for them.
     */
    GPU_TRY(gpu, "copying to it", cudaMemcpyAsync(d_dst, src, size_bytes, cudaMemcpyHostToDevice, gpu->stream));
    GPU_TRY(gpu, "copying to it", cudaStreamSynchronize(gpu->stream));
    return TMS_OK;
}

tms_status gpu_download(struct fault *fault, int index, void *dst, const void *d_src, size_t size_bytes)
{
    cudaError_t error = cudaSetDevice(index);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize(); /* waits for the kernels of all streams */
    if (error == cudaSuccess)
        error = cudaMemcpy(dst, d_src, size_bytes, cudaMemcpyDeviceToHost);
    return error == cudaSuccess ? TMS_OK : gpu_fault(fault, error, "copying from it");
}

size_t gpu_free_bytes(void)
{
    size_t free_bytes = 0, total = 0;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return free_bytes;
}
