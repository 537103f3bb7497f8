/*
 * agree_occupancy.cu - [Ma11, eq. 4] against the driver: blocks that a multiprocessor holds of kernels with few and with many registers,
 * for every number of threads and for shared memory from none to all of it.
 */
#include <cuda_runtime.h>

#include "device/gpu_internal.cuh"
#include "model/ma_equations.h"
#include "unit/samples.h" /* last: cmocka's macros have names that C++ headers use */

#include "agree/gpu_only.cuh"

static int setup(void **state)
{
    (void)state;
    return gpu_create();
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(gpu);
    return 0;
}

/* Holds N numbers at a time, each of which needs all others. */
template <int N> static __global__ void register_kernel(float *data, int n_rounds)
{
    float value[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        value[i] = data[i * blockDim.x + threadIdx.x];
#pragma unroll 1
    for (int round = 0; round < n_rounds; round++) {
#pragma unroll
        for (int i = 0; i < N; i++)
            value[i] = fmaf(value[i], value[(i + 1) % N], value[(i + N / 2) % N]);
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        data[i * blockDim.x + threadIdx.x] = value[i];
}

static uint64_t attribute(cudaDeviceAttr which)
{
    int value;
    ASSERT_CUDA(cudaDeviceGetAttribute(&value, which, 0));
    return (uint64_t)value;
}

static struct ma_architecture architecture(void)
{
    struct ma_architecture arch = {};
    arch.MP = attribute(cudaDevAttrMultiProcessorCount);
    arch.S = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    arch.R = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    arch.W = attribute(cudaDevAttrWarpSize);
    arch.B_max = attribute(cudaDevAttrMaxBlocksPerMultiprocessor) * arch.MP;
    arch.T_maxB = attribute(cudaDevAttrMaxThreadsPerBlock);
    arch.T_maxMP = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    return arch;
}

static void compare(const struct ma_architecture *arch, void (*kernel)(float *, int), sample_random *r)
{
    cudaFuncAttributes attributes;
    uint64_t most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), n = 0, n_equal = 0;
    struct ma_allocation how = ma_allocation_since_8;
    how.shared_reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    ASSERT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most));
    ASSERT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    ASSERT_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    struct ma_application app = {};
    app.R_T = (uint64_t)attributes.numRegs;
    for (app.T_r = 1; app.T_r <= arch->T_maxB; app.T_r++)
        for (int i = 0; i < 8; i++) {
            app.S_B = i == 0 ? 0 : i == 1 ? most : random_below(r, i < 5 ? 16384 : most + 1);
            int theirs;
            ASSERT_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&theirs, kernel, (int)app.T_r, app.S_B));
            uint64_t ours = ma_active_blocks_as_allocated(arch, &app, &how), eq4 = ma_active_blocks(arch, &app);
            if (ours != (uint64_t)theirs)
                fail_msg("%d registers, %d threads, %d bytes: %d blocks, the driver says %d", (int)app.R_T, (int)app.T_r, (int)app.S_B,
                         (int)ours, theirs);
            assert_true(eq4 >= ours);
            n++;
            n_equal += eq4 == ours;
        }
    print_message("%d registers: eq. 4 is the driver's number for %.1f %% of %d shapes\n", (int)app.R_T, 100 * (double)n_equal / (double)n,
                  (int)n);
}

static void active_blocks(void **state)
{
    (void)state;
    gpu_needed(gpu);
    if (attribute(cudaDevAttrComputeCapabilityMajor) < 8)
        skip();
    struct ma_architecture arch = architecture();
    sample_random r = {sample_seed()};
    compare(&arch, register_kernel<2>, &r);
    compare(&arch, register_kernel<8>, &r);
    compare(&arch, register_kernel<16>, &r);
    compare(&arch, register_kernel<30>, &r);
    compare(&arch, register_kernel<45>, &r);
    compare(&arch, register_kernel<70>, &r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(active_blocks),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
