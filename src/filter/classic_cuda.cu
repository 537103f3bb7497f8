/*
 * classic_cuda.cu - the classic layout on the GPU.
 *
 * Two kinds of kernel: one thread per key for few hash functions, one row of threads per key for many. The row stages the key in shared
 * memory and every thread evaluates functions row_thread, row_thread + row_size, ... A row of as many threads as
 * functions (rounded up to warps, at most 1,024) is the papers' schedule [Ong13, Figs. 6, 7; thesis, Figs. 6, 7, 12]; a
 * row of one warp does the same work without barriers, and its queries stop after 32 functions.
 *
 * With many functions most bits of a filter are set already (97 % at k = 500 and FPR 10^-7), and insertion reads a bit before
 * setting it: beyond L2, reads run at more than twice the rate of atomic ORs. With few functions it sets bits directly.
 */
#include "device/gpu_internal.cuh"
#include "filter/classic_core.h"
#include "filter/classic_cuda.h"
#include "filter/hash_families.h"
#include "filter/keys_core.h"

#define THREAD_THREADS  256
#define ROW_THREADS     256 /* a block of rows of one warp */
#define STAGED_BYTES    256 /* shared memory per key; threads read longer keys from global memory */
#define MAX_ROW_THREADS 1024

struct classic_args {
    uint32_t *words;
    uint64_t m_bits, seed;
    uint32_t k;
    tms_keys keys;
    const uint64_t *hashes; /* hashes of the keys, or NULL: hash the key bytes */
    size_t n;
};

template <int HASH> static __device__ __forceinline__ classic_key make_key(const classic_args &a, size_t i)
{
    if (classic_hashes_once((tms_hash)HASH) && a.hashes)
        return classic_key{NULL, 0, a.hashes[2 * i], a.hashes[2 * i + 1]};
    size_t len;
    const uint8_t *p = keys_at(&a.keys, i, &len);
    return classic_key_make((tms_hash)HASH, a.seed, p, len);
}

static __device__ __forceinline__ bool bit_is_set(const uint32_t *words, uint64_t position)
{
    return words[position >> 5] >> (position & 31) & 1;
}

/* A stale read only costs an extra atomic OR, because bits are never cleared. */
static __device__ __forceinline__ void set_bit(const classic_args &a, uint64_t position)
{
    uint32_t bit = 1u << (position & 31), *word = a.words + (position >> 5);
    if (a.k < CLASSIC_LOOK_FROM_K || !(__ldcg(word) & bit))
        atomicOr(word, bit);
}

/* --- one thread a key --- */

template <int HASH> static __global__ void __launch_bounds__(THREAD_THREADS) insert_thread_kernel(classic_args a)
{
    size_t i = (size_t)blockIdx.x * THREAD_THREADS + threadIdx.x;
    if (i >= a.n)
        return;
    classic_key key = make_key<HASH>(a, i);
    for (uint32_t j = 0; j < a.k; j++)
        set_bit(a, classic_position((tms_hash)HASH, a.seed, &key, j, a.m_bits));
}

template <int HASH> static __global__ void __launch_bounds__(THREAD_THREADS) query_thread_kernel(classic_args a, uint8_t *hit)
{
    size_t i = (size_t)blockIdx.x * THREAD_THREADS + threadIdx.x;
    if (i >= a.n)
        return;
    classic_key key = make_key<HASH>(a, i);
    bool all = true;
    for (uint32_t j = 0; j < a.k && all; j++)
        all = bit_is_set(a.words, classic_position((tms_hash)HASH, a.seed, &key, j, a.m_bits));
    hit[i] = all;
}

/* --- one row of threads a key --- */

/*
 * The row's key, with its bytes in `stage` if they fit: copied as aligned words, so that the key keeps its offset in the first word.
 * WHOLE_BLOCK: the row is more than a warp, and a barrier is needed.
 */
template <int HASH, bool WHOLE_BLOCK>
static __device__ classic_key stage_key(const classic_args &a, size_t i, uint32_t *stage, uint32_t row_size, uint32_t me)
{
    if (a.hashes)
        return make_key<HASH>(a, i);
    size_t len;
    const uint8_t *p = keys_at(&a.keys, i, &len);
    uint32_t skew = (uint32_t)(uintptr_t)p & 3;
    if (len <= STAGED_BYTES) {
        const uint32_t *from = (const uint32_t *)(p - skew);
        for (uint32_t w = me; w < (skew + (uint32_t)len + 3) / 4; w += row_size)
            stage[w] = __ldg(from + w);
        if (WHOLE_BLOCK)
            __syncthreads();
        else
            __syncwarp();
        p = (const uint8_t *)stage + skew;
    }
    return classic_key_make((tms_hash)HASH, a.seed, p, len);
}

#define STAGE_WORDS (STAGED_BYTES / 4 + 4)

/* One warp a key; blocks of ROW_THREADS / 32 rows. */
template <int HASH> static __global__ void __launch_bounds__(ROW_THREADS) insert_warp_kernel(classic_args a)
{
    __shared__ uint32_t stage[ROW_THREADS / 32][STAGE_WORDS];
    uint32_t row = threadIdx.x / 32, lane = threadIdx.x & 31;
    size_t i = (size_t)blockIdx.x * (ROW_THREADS / 32) + row;
    if (i >= a.n)
        return;
    classic_key key = stage_key<HASH, false>(a, i, stage[row], 32, lane);
    for (uint32_t j = lane; j < a.k; j += 32)
        set_bit(a, classic_position((tms_hash)HASH, a.seed, &key, j, a.m_bits));
}

template <int HASH> static __global__ void __launch_bounds__(ROW_THREADS) query_warp_kernel(classic_args a, uint8_t *hit)
{
    __shared__ uint32_t stage[ROW_THREADS / 32][STAGE_WORDS];
    uint32_t row = threadIdx.x / 32, lane = threadIdx.x & 31;
    size_t i = (size_t)blockIdx.x * (ROW_THREADS / 32) + row;
    if (i >= a.n)
        return;
    classic_key key = stage_key<HASH, false>(a, i, stage[row], 32, lane);
    bool all = true;
    for (uint32_t from = 0; from < a.k && all; from += 32) {
        uint32_t j = from + lane;
        bool set = j >= a.k || bit_is_set(a.words, classic_position((tms_hash)HASH, a.seed, &key, j, a.m_bits));
        all = __all_sync(~0u, set);
    }
    if (lane == 0)
        hit[i] = all;
}

/* The papers': one block a key, one thread per function, looping if k exceeds the block. */
template <int HASH> static __global__ void __launch_bounds__(MAX_ROW_THREADS) insert_block_kernel(classic_args a)
{
    __shared__ uint32_t stage[STAGE_WORDS];
    classic_key key = stage_key<HASH, true>(a, blockIdx.x, stage, blockDim.x, threadIdx.x);
    for (uint32_t j = threadIdx.x; j < a.k; j += blockDim.x)
        set_bit(a, classic_position((tms_hash)HASH, a.seed, &key, j, a.m_bits));
}

template <int HASH> static __global__ void __launch_bounds__(MAX_ROW_THREADS) query_block_kernel(classic_args a, uint8_t *hit)
{
    __shared__ uint32_t stage[STAGE_WORDS];
    classic_key key = stage_key<HASH, true>(a, blockIdx.x, stage, blockDim.x, threadIdx.x);
    bool all = true;
    for (uint32_t from = 0; from < a.k && all; from += blockDim.x) {
        uint32_t j = from + threadIdx.x;
        bool set = j >= a.k || bit_is_set(a.words, classic_position((tms_hash)HASH, a.seed, &key, j, a.m_bits));
        all = __syncthreads_and(set);
    }
    if (threadIdx.x == 0)
        hit[blockIdx.x] = all;
}

/* --- launching --- */

/*
 * Measured on an H200 with words of 4 to 20 characters: the k from which a warp a key beats a thread a key. Every thread
 * of a row computes XXH3; for the other families each thread hashes for its own functions. The papers' row of k threads never won by
 * more than 1 %, and its barriers made queries up to 3 times slower.
 */
#define WARP_FROM_K   32 /* CLASSIC_WARP_FROM_K_XXH3 for XXH3 */
#define MAX_GRID_KEYS ((size_t)1 << 30)

static enum classic_schedule choose(const tms_context *ctx, const tms_filter *f, enum classic_schedule wish)
{
    if (wish != CLASSIC_AUTO)
        return wish;
    uint32_t from = classic_hashes_once(f->params.hash) ? CLASSIC_WARP_FROM_K_XXH3 : WARP_FROM_K;
    if (ctx->tuning.classic_warp_from_k && classic_hashes_once(f->params.hash)) /* the profile's threshold is for these families */
        from = ctx->tuning.classic_warp_from_k;
    return f->params.k < from ? CLASSIC_THREAD : CLASSIC_WARP;
}

template <int HASH> static void launch(const classic_args &a, uint8_t *d_hit, enum classic_schedule schedule, cudaStream_t stream)
{
    unsigned row = (a.k + 31) / 32 * 32;
    row = row < MAX_ROW_THREADS ? row : MAX_ROW_THREADS;
    unsigned thread_grid = (unsigned)((a.n + THREAD_THREADS - 1) / THREAD_THREADS);
    unsigned warp_grid = (unsigned)((a.n + ROW_THREADS / 32 - 1) / (ROW_THREADS / 32));
    if (schedule == CLASSIC_THREAD && d_hit)
        query_thread_kernel<HASH><<<thread_grid, THREAD_THREADS, 0, stream>>>(a, d_hit);
    else if (schedule == CLASSIC_THREAD)
        insert_thread_kernel<HASH><<<thread_grid, THREAD_THREADS, 0, stream>>>(a);
    else if (schedule == CLASSIC_WARP && d_hit)
        query_warp_kernel<HASH><<<warp_grid, ROW_THREADS, 0, stream>>>(a, d_hit);
    else if (schedule == CLASSIC_WARP)
        insert_warp_kernel<HASH><<<warp_grid, ROW_THREADS, 0, stream>>>(a);
    else if (d_hit)
        query_block_kernel<HASH><<<(unsigned)a.n, row, 0, stream>>>(a, d_hit);
    else
        insert_block_kernel<HASH><<<(unsigned)a.n, row, 0, stream>>>(a);
}

static tms_status run(tms_context *ctx, const tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n, uint8_t *d_hit,
                      enum classic_schedule schedule)
{
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(f->device));
    schedule = choose(ctx, f, schedule);
    classic_args a = {(uint32_t *)f->d_bits, f->params.m_bits, f->params.seed, f->params.k, {}, d_hashes, 0};
    for (size_t first = 0; first < n; first += MAX_GRID_KEYS) {
        a.n = n - first < MAX_GRID_KEYS ? n - first : MAX_GRID_KEYS;
        if (keys)
            a.keys = keys_slice(keys, first, a.n);
        else
            a.hashes = d_hashes + 2 * first;
        uint8_t *out = d_hit ? d_hit + first : NULL;
        cudaStream_t stream = ctx->gpu->stream;
        WITH_HASH_FAMILY(f->params.hash, launch<FAMILY>(a, out, schedule, stream));
        GPU_TRY(ctx->gpu, d_hit ? "querying" : "inserting", cudaGetLastError());
    }
    return TMS_OK;
}

tms_status classic_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                               enum classic_schedule schedule)
{
    return run(ctx, f, keys, d_hashes, n, NULL, schedule);
}

tms_status classic_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit, enum classic_schedule schedule)
{
    return run(ctx, f, keys, NULL, keys->n_keys, d_hit, schedule);
}
