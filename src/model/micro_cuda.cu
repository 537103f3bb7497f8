/*
 * micro_cuda.cu - random accesses to a table in shared or in global memory [Ma12, III, Figs. 1, 2].
 *
 * Pointers are random 32-bit numbers in global memory, read in order and coalesced; each is scaled to the table, so that one array of
 * pointers serves tables of all sizes. Blocks have equal parts of the pointers. A thread has four accesses in flight.
 */
#include "model/micro_cuda.cuh"

#include "base/core.h"

#define UNDER_WAY    4
#define FILL_THREADS 256

/* --- timing --- */

tms_status event_pair_create(struct gpu *gpu, struct event_pair *out)
{
    *out = event_pair{};
    GPU_TRY(gpu, "creating an event", cudaEventCreate(&out->begun));
    GPU_TRY(gpu, "creating an event", cudaEventCreate(&out->ended));
    return TMS_OK;
}

void event_pair_destroy(struct event_pair *events)
{
    if (events->begun)
        cudaEventDestroy(events->begun);
    if (events->ended)
        cudaEventDestroy(events->ended);
}

tms_status event_pair_begin(struct gpu *gpu, struct event_pair *events)
{
    GPU_TRY(gpu, "measuring", cudaEventRecord(events->begun, gpu->stream));
    return TMS_OK;
}

tms_status event_pair_end(struct gpu *gpu, struct event_pair *events, double *seconds)
{
    float ms = 0;
    GPU_TRY(gpu, "measuring", cudaEventRecord(events->ended, gpu->stream));
    GPU_TRY(gpu, "measuring", cudaEventSynchronize(events->ended));
    GPU_TRY(gpu, "measuring", cudaEventElapsedTime(&ms, events->begun, events->ended));
    *seconds = 1e-3 * ms;
    return TMS_OK;
}

/* --- kernels --- */

static __global__ void __launch_bounds__(FILL_THREADS) random_words_kernel(uint32_t *words, size_t n, uint64_t seed)
{
    size_t step = (size_t)gridDim.x * FILL_THREADS;
    for (size_t i = (size_t)blockIdx.x * FILL_THREADS + threadIdx.x; i < n; i += step)
        words[i] = (uint32_t)core_splitmix(seed, i);
}

tms_status micro_random_words(struct gpu *gpu, uint32_t *d_words, size_t n, uint64_t seed)
{
    random_words_kernel<<<(unsigned)gpu->n_multiprocessors * 32, FILL_THREADS, 0, gpu->stream>>>(d_words, n, seed);
    GPU_TRY(gpu, "random numbers", cudaGetLastError());
    return TMS_OK;
}

struct micro_args {
    const uint32_t *pointers;
    size_t n;
    uint32_t *table;
    uint64_t n_items; /* size of the table in words of 4 bytes, or sectors of 32 */
    uint32_t *out;
};

/* One access; its value enters the result, so that the compiler keeps the load. */
template <int OP> static __device__ __forceinline__ uint32_t access_item(uint32_t *table, uint32_t pointer, uint64_t n_items)
{
    uint64_t at = n_items * pointer >> 32;
    if (OP == TMS_OP_READ4)
        return table[at];
    if (OP == TMS_OP_READ32) {
        const uint4 *sector = (const uint4 *)table + 2 * at;
        uint4 a = sector[0], b = sector[1];
        return a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w;
    }
    atomicOr(table + at, 1u << (pointer & 31));
    return 0;
}

template <int OP, bool IN_SHARED> static __global__ void __launch_bounds__(1024) micro_kernel(micro_args a)
{
    extern __shared__ uint4 shared_table[];
    uint32_t *table = IN_SHARED ? (uint32_t *)shared_table : a.table, seen = 0;
    /* whole lines of pointers, so that warps read no line twice */
    const size_t n_lines = (a.n + 31) / 32, begin = 32 * (n_lines * blockIdx.x / gridDim.x),
                 last = 32 * (n_lines * (blockIdx.x + 1) / gridDim.x);
    const size_t end = last < a.n ? last : a.n;
    if (IN_SHARED) {
        const size_t n_words = a.n_items * (OP == TMS_OP_READ32 ? 8 : 1);
        for (size_t i = threadIdx.x; i < n_words; i += blockDim.x)
            table[i] = (uint32_t)i;
        __syncthreads();
    }
    size_t i = begin + threadIdx.x;
    for (; i + (UNDER_WAY - 1) * (size_t)blockDim.x < end; i += UNDER_WAY * (size_t)blockDim.x) {
        uint32_t pointers[UNDER_WAY];
#pragma unroll
        for (int j = 0; j < UNDER_WAY; j++)
            pointers[j] = __ldcs(a.pointers + i + j * (size_t)blockDim.x);
#pragma unroll
        for (int j = 0; j < UNDER_WAY; j++)
            seen ^= access_item<OP>(table, pointers[j], a.n_items);
    }
    for (; i < end; i += blockDim.x)
        seen ^= access_item<OP>(table, __ldcs(a.pointers + i), a.n_items);
    if (seen == 0x1234567)
        *a.out = seen;
}

typedef void (*micro_kernel_type)(micro_args);

static micro_kernel_type kernel_of(const tms_workload *w)
{
    const bool shared = w->place == TMS_PLACE_SHARED;
    if (w->op == TMS_OP_READ4)
        return shared ? micro_kernel<TMS_OP_READ4, true> : micro_kernel<TMS_OP_READ4, false>;
    if (w->op == TMS_OP_READ32)
        return shared ? micro_kernel<TMS_OP_READ32, true> : micro_kernel<TMS_OP_READ32, false>;
    return shared ? micro_kernel<TMS_OP_OR, true> : micro_kernel<TMS_OP_OR, false>;
}

/* --- measuring --- */

tms_status micro_kernel_of(tms_context *ctx, const tms_workload *w, struct measure_kernel *out)
{
    struct gpu *gpu = ctx->gpu;
    micro_kernel_type kernel = kernel_of(w);
    cudaFuncAttributes attributes;
    int active;
    *out = measure_kernel{};
    out->shared_bytes = w->place == TMS_PLACE_SHARED ? w->m_bits / 8 : 0;
    out->threads = w->threads ? w->threads : 1024;
    if (out->shared_bytes > gpu->shared_bytes_block)
        return context_fail(ctx, TMS_E_ARG, "a table of %llu bytes does not fit in shared memory: a block of this GPU has up to %zu",
                            (unsigned long long)out->shared_bytes, gpu->shared_bytes_block);
    if (w->place == TMS_PLACE_SHARED) {
        GPU_TRY(gpu, "preparing shared memory", gpu_allow_shared(gpu, kernel));
        GPU_TRY(gpu, "preparing shared memory",
                cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    }
    GPU_TRY(gpu, "a kernel's attributes", cudaFuncGetAttributes(&attributes, kernel));
    GPU_TRY(gpu, "a kernel's occupancy",
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, kernel, (int)out->threads, out->shared_bytes));
    out->registers = (uint32_t)attributes.numRegs;
    out->active_blocks = (uint32_t)active;
    return TMS_OK;
}

tms_status micro_measure(tms_context *ctx, const tms_workload *w, uint32_t n_repeats, tms_measurement *out)
{
    struct gpu *gpu = ctx->gpu;
    struct measure_kernel k;
    struct measure_times times;
    uint32_t *d_pointers, *d_table = NULL, *d_out;
    const uint64_t m_bytes = w->m_bits / 8, item = w->op == TMS_OP_READ32 ? 32 : 4;
    if (m_bytes / item > (uint64_t)1 << 32)
        return context_fail(ctx, TMS_E_ARG, "a table of %llu bytes has more than the 2^32 items that pointers of 32 bits reach",
                            (unsigned long long)m_bytes);
    tms_status status = micro_kernel_of(ctx, w, &k);
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "model's pointers", (size_t)w->D, &d_pointers));
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "model's result", 1, &d_out));
    if (status == TMS_OK && w->place == TMS_PLACE_GLOBAL)
        status = gpu_workspace_anew_of(gpu, "model's table", (size_t)m_bytes / 4, &d_table);
    status = GPU_ALSO(status, micro_random_words(gpu, d_pointers, (size_t)w->D, 1));
    if (status != TMS_OK)
        return status;
    const unsigned blocks = w->blocks ? w->blocks : k.active_blocks * (unsigned)gpu->n_multiprocessors;
    const micro_args args = {d_pointers, (size_t)w->D, d_table, m_bytes / item, d_out};
    micro_kernel_type kernel = kernel_of(w);
    auto work = [&]() -> tms_status {
        kernel<<<blocks, k.threads, k.shared_bytes, gpu->stream>>>(args);
        GPU_TRY(gpu, "the micro-benchmark", cudaGetLastError());
        return TMS_OK;
    };
    status = measure_kernels(
        ctx, n_repeats, [] { return TMS_OK; }, work, &times);
    if (status != TMS_OK)
        return status;
    measure_summary(&times, out);
    out->blocks = blocks;
    out->threads = k.threads;
    out->active_blocks = k.active_blocks;
    out->registers = k.registers;
    return TMS_OK;
}
