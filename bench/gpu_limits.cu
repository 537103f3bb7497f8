/* gpu_limits.cu - the micro-benchmark: random sector reads, random atomic ORs, copies. */
#include <stdio.h>
#include <stdlib.h>

#include "gpu_limits.cuh"

void bench_cuda_check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "tamis-bench: %s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(4);
}

#define LIMIT_THREADS       256
#define LIMIT_BLOCKS_PER_SM 32
#define LIMIT_READS         ((uint64_t)1 << 30)
#define LIMIT_ATOMICS       ((uint64_t)1 << 28)

/* A cheap mixer, so that the memory is what is measured. */
static __device__ __forceinline__ uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return (x ^ x >> 32) * 0xd6e8feb86659fd93u;
}

static __global__ void reads_kernel(const uint4 *table, uint64_t n_sectors, uint64_t n, uint32_t *out)
{
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    uint32_t seen = 0;
#pragma unroll 4
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        const uint4 *sector = table + 2 * core_scale(mix(i), n_sectors);
        uint4 a = __ldg(sector), b = __ldg(sector + 1);
        seen ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w;
    }
    if (seen == 0x12345)
        *out = seen; /* keeps the loads */
}

static __global__ void atomics_kernel(uint32_t *table, uint64_t n_words, uint64_t n, uint64_t seed)
{
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        uint64_t h = mix(i + seed);
        atomicOr(table + core_scale(h, n_words), 1u << (h & 31));
    }
}

static unsigned grid_size(void)
{
    int device, n_sm;
    BENCH_CUDA(cudaGetDevice(&device));
    BENCH_CUDA(cudaDeviceGetAttribute(&n_sm, cudaDevAttrMultiProcessorCount, device));
    return (unsigned)n_sm * LIMIT_BLOCKS_PER_SM;
}

double gpu_limit_reads(cudaStream_t stream, void *d_table, size_t table_bytes)
{
    double seconds = bench_gpu_seconds(
        stream, 3, [] {},
        [&] {
            reads_kernel<<<grid_size(), LIMIT_THREADS, 0, stream>>>((const uint4 *)d_table, table_bytes / 32, LIMIT_READS,
                                                                    (uint32_t *)d_table);
        });
    BENCH_CUDA(cudaGetLastError());
    return (double)LIMIT_READS / seconds;
}

double gpu_limit_atomics(cudaStream_t stream, void *d_table, size_t table_bytes)
{
    double seconds = bench_gpu_seconds(
        stream, 3, [&] { BENCH_CUDA(cudaMemsetAsync(d_table, 0, table_bytes, stream)); },
        [&] { atomics_kernel<<<grid_size(), LIMIT_THREADS, 0, stream>>>((uint32_t *)d_table, table_bytes / 4, LIMIT_ATOMICS, 1); });
    BENCH_CUDA(cudaGetLastError());
    return (double)LIMIT_ATOMICS / seconds;
}

double gpu_limit_copy(cudaStream_t stream, void *d_to, const void *d_from, size_t bytes)
{
    double seconds = bench_gpu_seconds(
        stream, 5, [] {}, [&] { BENCH_CUDA(cudaMemcpyAsync(d_to, d_from, bytes, cudaMemcpyDeviceToDevice, stream)); });
    return 2.0 * (double)bytes / seconds;
}
