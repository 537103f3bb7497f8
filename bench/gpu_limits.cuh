/* gpu_limits.cuh - what this GPU can do at random: the limits that the filters are held against. */
#ifndef TMS_GPU_LIMITS_CUH
#define TMS_GPU_LIMITS_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#include "base/core.h"

/* Ends the program with the call's error. */
#define BENCH_CUDA(call) bench_cuda_check((call), #call, __FILE__, __LINE__)
void bench_cuda_check(cudaError_t error, const char *call, const char *file, int line);

/* Median seconds of `runs` runs of work() on a stream, after a warm-up; prepare() before each run is not timed. */
template <class Work, class Prepare> static double bench_gpu_seconds(cudaStream_t stream, int runs, Prepare prepare, Work work)
{
    double seconds[32];
    cudaEvent_t start, stop;
    BENCH_CUDA(cudaEventCreate(&start));
    BENCH_CUDA(cudaEventCreate(&stop));
    for (int i = -1; i < runs; i++) {
        prepare();
        BENCH_CUDA(cudaStreamSynchronize(stream));
        BENCH_CUDA(cudaEventRecord(start, stream));
        work();
        BENCH_CUDA(cudaEventRecord(stop, stream));
        BENCH_CUDA(cudaEventSynchronize(stop));
        float ms;
        BENCH_CUDA(cudaEventElapsedTime(&ms, start, stop));
        if (i >= 0)
            seconds[i] = ms * 1e-3;
    }
    BENCH_CUDA(cudaEventDestroy(start));
    BENCH_CUDA(cudaEventDestroy(stop));
    for (int i = 1; i < runs; i++)
        for (int j = i; j > 0 && seconds[j] < seconds[j - 1]; j--) {
            double t = seconds[j];
            seconds[j] = seconds[j - 1];
            seconds[j - 1] = t;
        }
    return seconds[runs / 2];
}

/* Per second, on a table of table_bytes at d_table: reads of 32-byte sectors; 32-bit atomic ORs; and bytes (read + written) of a copy. */
double gpu_limit_reads(cudaStream_t stream, void *d_table, size_t table_bytes);
double gpu_limit_atomics(cudaStream_t stream, void *d_table, size_t table_bytes);
double gpu_limit_copy(cudaStream_t stream, void *d_to, const void *d_from, size_t bytes);

#endif
