/*
 * gpu_only.cuh - for tests of CUDA code: a context on the GPU, if there is one; checked calls; bytes put on the GPU. After
 * device/gpu_internal.cuh and unit/samples.h.
 */
#ifndef TAMIS_TESTS_GPU_ONLY_CUH
#define TAMIS_TESTS_GPU_ONLY_CUH

#include "run/context.h"

#include "agree/gpu_needed.h"

static tms_context *gpu;

/* Returns 0, also where there is no GPU, and gpu is NULL then. */
static int gpu_create(void)
{
    sample_seed();
    if (tms_context_create(&gpu) != TMS_OK)
        return -1;
    if (tms_context_set_device(gpu, 0) != TMS_OK) {
        print_message("no GPU: %s\n", tms_context_message(gpu));
        tms_context_destroy(gpu);
        gpu = NULL;
    }
    return 0;
}

#define ASSERT_CUDA(call)                                                                                                                  \
    do {                                                                                                                                   \
        cudaError_t assert_cuda_ = (call);                                                                                                 \
        if (assert_cuda_ != cudaSuccess)                                                                                                   \
            fail_msg("%s: %s", #call, cudaGetErrorString(assert_cuda_));                                                                   \
    } while (0)

/*
 * On the stream of the kernels: a plain cudaMemset(), and a plain cudaMemcpy() to the GPU, may return before the last bytes are there,
 * unseen by that stream, and on a busy GPU they then come after the kernel's.
 */
static inline void device_fill(void *d, int byte, size_t size) { ASSERT_CUDA(cudaMemsetAsync(d, byte, size, gpu->gpu->stream)); }

static inline void device_put(void *d, const void *src, size_t size) { ASSERT_OK(gpu, gpu_upload(gpu->gpu, d, src, size)); }

#endif
