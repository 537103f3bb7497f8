/*
 * blocked_query_cuda.cu - the blocked layout's query on the GPU.
 *
 * A query is one random sector of 32 bytes: the kernel's job is to keep enough of them under way. Two neighbouring lanes share
 * two keys and each reads one half of either block, so that a warp's load asks for 16 whole sectors rather than for
 * 32 halves twice. Each thread has KEYS keys, whose loads are independent.
 *
 * With several blocks a key the warp goes on to the next part as long as one of its keys is alive: has passed all parts so far.
 */
#include "filter/blocked_core.h"
#include "filter/blocked_cuda.cuh"
#include "filter/key_sources.cuh"

#define QUERY_THREADS 256

/* Salts of the four words that this lane reads: words 0-3 in even lanes, 4-7 in odd ones. */
struct lane_salts {
    uint32_t first[4], second[4];
};

template <bool MORE> static __device__ lane_salts load_lane_salts()
{
    lane_salts s;
    for (int i = 0; i < 4; i++) {
        s.first[i] = threadIdx.x & 1 ? BLOCKED_SALT[4 + i] : BLOCKED_SALT[i];
        s.second[i] = MORE ? (threadIdx.x & 1 ? BLOCKED_SALT[12 + i] : BLOCKED_SALT[8 + i]) : 0;
    }
    return s;
}

/* Bits of the key that are missing in this lane's half of its block. */
template <bool EIGHT> static __device__ uint32_t missing_bits(uint4 half, uint32_t low, const lane_salts &s, uint32_t k)
{
    const uint32_t words[4] = {half.x, half.y, half.z, half.w};
    uint32_t missing = 0;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t w = 4 * (threadIdx.x & 1) + i;
        uint32_t bits = EIGHT || w < k ? 1u << (low * s.first[i] >> 27) : 0;
        if (!EIGHT && w + BLOCKED_WORDS < k)
            bits |= 1u << (low * s.second[i] >> 27);
        missing |= bits & ~words[i];
    }
    return missing;
}

/* PARTS: several blocks a key. */
template <class Source, bool EIGHT, bool PARTS>
static __global__ void __launch_bounds__(QUERY_THREADS, EIGHT ? Source::QUERY_BLOCKS : 4)
    query_kernel(const uint4 *blocks, uint32_t n_blocks, uint32_t k, uint32_t n_parts, Source source, size_t n, uint8_t *hit)
{
    lane_salts salts = load_lane_salts<!EIGHT>();
    unsigned odd = threadIdx.x & 1;
    constexpr int KEYS = Source::QUERY_KEYS;
    const uint32_t tile = QUERY_THREADS * KEYS;
    size_t first = (size_t)blockIdx.x * tile;
    uint32_t n_here = (uint32_t)(n - first < tile ? n - first : tile);
    uint64_t h[KEYS], g[KEYS]; /* the keys' hashes, and those for the part */
    uint4 half[KEYS][2];       /* this lane's half of the even and of the odd lane's block */
    unsigned alive = (1u << KEYS) - 1;
#pragma unroll
    for (int i = 0; i < KEYS; i++) {
        uint32_t key = i * QUERY_THREADS + threadIdx.x;
        h[i] = source.hash(first + (key < n_here ? key : n_here - 1));
    }
    for (uint32_t part = 0; part == 0 || (PARTS && part < n_parts && __any_sync(~0u, alive)); part++) {
        unsigned even_alive = __shfl_sync(~0u, alive, 0, 2), odd_alive = __shfl_sync(~0u, alive, 1, 2);
#pragma unroll
        for (int i = 0; i < KEYS; i++) {
            g[i] = PARTS ? blocked_hash(h[i], part) : h[i];
            uint32_t block = blocked_index32(g[i], n_blocks);
            uint32_t even_block = __shfl_sync(~0u, block, 0, 2), odd_block = __shfl_sync(~0u, block, 1, 2);
            if (!PARTS || even_alive >> i & 1)
                half[i][0] = __ldg(blocks + 2 * (size_t)even_block + odd);
            if (!PARTS || odd_alive >> i & 1)
                half[i][1] = __ldg(blocks + 2 * (size_t)odd_block + odd);
        }
#pragma unroll
        for (int i = 0; i < KEYS; i++) { /* what is not alive stays so, whatever is in half[i] */
            uint32_t low = (uint32_t)g[i];
            uint32_t even = missing_bits<EIGHT>(half[i][0], __shfl_sync(~0u, low, 0, 2), salts, k);
            uint32_t other = missing_bits<EIGHT>(half[i][1], __shfl_sync(~0u, low, 1, 2), salts, k);
            uint32_t missing = (odd ? other : even) | __shfl_xor_sync(~0u, odd ? even : other, 1);
            alive &= ~((unsigned)(missing != 0) << i);
        }
        blocks += 2 * (size_t)n_blocks;
    }
#pragma unroll
    for (int i = 0; i < KEYS; i++) {
        uint32_t key = i * QUERY_THREADS + threadIdx.x;
        if (key < n_here)
            __stcs(hit + first + key, (uint8_t)(alive >> i & 1));
    }
}

template <class Source> static auto query_kernel_for(uint32_t k, uint32_t n_parts)
{
    if (n_parts > 1)
        return k == BLOCKED_WORDS ? query_kernel<Source, true, true> : query_kernel<Source, false, true>;
    return k == BLOCKED_WORDS ? query_kernel<Source, true, false> : query_kernel<Source, false, false>;
}

tms_status blocked_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit)
{
    size_t n = keys->n_keys;
    const uint4 *blocks = (const uint4 *)f->d_bits;
    uint32_t n_blocks = (uint32_t)filter_part_blocks(&f->params), k = f->params.k, n_parts = filter_n_parts(&f->params);
    cudaStream_t stream = ctx->gpu->stream;
    return with_key_source(keys, f->params.seed, [&](auto source) -> tms_status {
        typedef decltype(source) Source;
        size_t tile = QUERY_THREADS * Source::QUERY_KEYS;
        unsigned grid = (unsigned)((n + tile - 1) / tile);
        auto kernel = query_kernel_for<Source>(k, n_parts);
        kernel<<<grid, QUERY_THREADS, 0, stream>>>(blocks, n_blocks, k, n_parts, source, n, d_hit);
        GPU_TRY(ctx, "querying", cudaGetLastError());
        return TMS_OK;
    });
}
