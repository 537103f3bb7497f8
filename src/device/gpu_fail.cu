/* gpu_fail.cu - a failed CUDA call as a status and a message. */
#include "device/gpu_internal.cuh"

tms_status gpu_fault(struct fault *fault, cudaError_t error, const char *stage)
{
    cudaGetLastError(); /* clears the error; the next call would otherwise report it again */
    tms_status status = error == cudaErrorMemoryAllocation ? TMS_E_MEMORY : TMS_E_DEVICE;
    return fault_set(fault, status, "GPU, %s: %s (%s)", stage, cudaGetErrorString(error), cudaGetErrorName(error));
}

tms_status gpu_fail(struct gpu *gpu, cudaError_t error, const char *stage) { return gpu_fault(gpu->fault, error, stage); }
