/*
 * probabilistic_cuda.cu - the probabilistic layout on the GPU.
 *
 * Insertion draws p k bits per key by jumps, so one thread handles a key. The tables for the jumps lie in shared memory, and persistent
 * blocks use them for many keys. Counting reads all k bits, with one warp per key.
 */
#include <cuda_pipeline_primitives.h>

#include "device/gpu_internal.cuh"
#include "filter/hash_families.h"
#include "filter/probabilistic_cuda.h"
#include "filter/row_kernels.cuh"

#define THREAD_THREADS   512 /* keys per tile: more keys make the keys of a warp more alike */
#define THREAD_WARPS     (THREAD_THREADS / 32)
#define THREAD_BLOCKS    3     /* least blocks per multiprocessor */
#define TILE_STAGE_BYTES 45056 /* shared memory for a tile's keys: 512 keys of up to about 85 bytes on average */
#define WARP_THREADS     256
#define MAX_GRID_KEYS    ((size_t)1 << 30)

/* --- insertion --- */

/* Keys of a class take nearly the same code path through XXH3. Keys of the last class draw no bit. */
#define N_CLASSES 8
static __device__ __forceinline__ uint32_t class_of(size_t len)
{
    return len <= 16 ? 0 : len <= 128 ? 1 + ((uint32_t)len - 1) / 32 : len <= 240 ? 5 : 6;
}

#define CLASS_COUNTS (N_CLASSES * THREAD_WARPS) /* one for each class and warp, by class */

struct tile_memory {
    uint4 stage[TILE_STAGE_BYTES / 16 + 2]; /* hashing may read words after a key */
    uint32_t high[JUMPS_MAX + 1];
    uint32_t starts[CLASS_COUNTS];
    uint16_t guide[1 << JUMPS_GUIDE_BITS];
    uint16_t first_jump[THREAD_THREADS], order[THREAD_THREADS];
};

/* Sorts the tile's keys by class: thread r handles key order[r]. Returns the number of keys below the last class. */
static __device__ __forceinline__ uint32_t sort_by_class(uint32_t my_class, uint16_t *order, uint32_t *starts)
{
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, rank = 0;
#pragma unroll
    for (uint32_t c = 0; c < N_CLASSES; c++) {
        uint32_t same = __ballot_sync(~0u, my_class == c);
        if (my_class == c)
            rank = __popc(same & ((1u << lane) - 1));
        if (lane == c)
            starts[c * THREAD_WARPS + warp] = __popc(same);
    }
    __syncthreads();
    if (warp == 0) {
        uint32_t counts[CLASS_COUNTS / 32], all = 0;
#pragma unroll
        for (uint32_t j = 0; j < CLASS_COUNTS / 32; j++)
            all += counts[j] = starts[CLASS_COUNTS / 32 * lane + j];
        uint32_t sum = all;
#pragma unroll
        for (uint32_t d = 1; d < 32; d *= 2) {
            uint32_t below = __shfl_up_sync(~0u, sum, d);
            sum += lane >= d ? below : 0;
        }
        sum -= all;
#pragma unroll
        for (uint32_t j = 0; j < CLASS_COUNTS / 32; j++) {
            starts[CLASS_COUNTS / 32 * lane + j] = sum;
            sum += counts[j];
        }
    }
    __syncthreads();
    order[starts[my_class * THREAD_WARPS + warp] + rank] = (uint16_t)threadIdx.x;
    return starts[(N_CLASSES - 1) * THREAD_WARPS];
}

/*
 * Starts copying the bytes of n keys from `first` on to shared memory, 16 at a time: a thread that reads its key from global memory
 * touches different lines than its neighbours at every step. Returns the start of the copied range; NULL if the keys do not fit.
 */
static __device__ __forceinline__ const uint8_t *stage_keys(const row_args &a, size_t first, size_t n, uint4 *stage)
{
    size_t len;
    const uint8_t *from = keys_at(&a.keys, first, &len), *end = keys_at(&a.keys, first + n - 1, &len);
    from = (const uint8_t *)((uintptr_t)from & ~(uintptr_t)15);
    size_t size = (size_t)(end + len - from);
    if (size > TILE_STAGE_BYTES)
        return NULL;
    for (uint32_t w = threadIdx.x; w < (size + 15) / 16; w += THREAD_THREADS)
        __pipeline_memcpy_async(stage + w, (const uint4 *)from + w, 16);
    __pipeline_commit();
    return from;
}

static __device__ __forceinline__ void load_jumps(tile_memory &t, const probabilistic_jumps *jumps, uint32_t n_jumps)
{
    for (uint32_t j = threadIdx.x; j <= n_jumps; j += THREAD_THREADS)
        t.high[j] = jumps->high[j];
    for (uint32_t j = threadIdx.x; j < (1 << JUMPS_GUIDE_BITS); j += THREAD_THREADS)
        t.guide[j] = jumps->guide[j];
    __syncthreads();
}

/* The first function that an insertion draws. */
static __device__ __forceinline__ uint32_t first_jump(const row_args &a, const tile_memory &t, const probabilistic_jumps *jumps,
                                                      uint32_t n_jumps, uint64_t insertion)
{
    draw_block words = draw_words(a.seed, insertion / 4, 0, DRAW_FIRST);
    uint32_t word_number = (uint32_t)insertion % 4;
    uint32_t word = word_number & 2 ? (word_number & 1 ? words.v[3] : words.v[2]) : (word_number & 1 ? words.v[1] : words.v[0]);
    return jump_of(t.high, jumps->low, t.guide, n_jumps, a.seed, insertion, 0, word);
}

/* Sets the bits of an insertion of a key that draws `function` first. */
template <int HASH>
static __device__ __forceinline__ void draw_key(const row_args &a, const tile_memory &t, const probabilistic_jumps *jumps, uint32_t n_jumps,
                                                uint64_t insertion, const classic_key &key, uint32_t function)
{
    if (function < n_jumps)
        row_set<false>(a, classic_position((tms_hash)HASH, a.seed, &key, function++, a.m_bits));
    for (uint32_t block = 0; function < a.k; block++) {
        draw_block words = draw_words(a.seed, insertion, block, DRAW_JUMP);
#pragma unroll
        for (uint32_t j = 0; j < 4; j++) {
            uint32_t g = jump_of(t.high, jumps->low, t.guide, n_jumps, a.seed, insertion, 4 * block + j + 1, words.v[j]);
            function += g;
            if (function < a.k && g < n_jumps)
                row_set<false>(a, classic_position((tms_hash)HASH, a.seed, &key, function++, a.m_bits));
        }
    }
}

/*
 * A tile has one key per thread. Every thread draws its key's first jump; the block redistributes the keys that draw a bit, sorted by
 * class, so that warps are full and do not diverge; then each thread hashes its key and draws the other jumps. Measured on an H200 with
 * keys of 1 to 150 bytes, k = 1,000 and p = 0.01: 0.17 ns a key if every thread hashes its own key from global memory, 0.12 this way.
 */
template <int HASH>
static __global__ void __launch_bounds__(THREAD_THREADS, THREAD_BLOCKS) insert_thread_kernel(row_args a, const probabilistic_jumps *jumps)
{
    extern __shared__ uint4 shared[];
    tile_memory &t = *(tile_memory *)shared;
    uint32_t n_jumps = jumps->n, me = threadIdx.x;
    load_jumps(t, jumps, n_jumps);
    for (size_t tile = (size_t)blockIdx.x * THREAD_THREADS; tile < a.n; tile += (size_t)gridDim.x * THREAD_THREADS) {
        size_t n = a.n - tile < THREAD_THREADS ? a.n - tile : THREAD_THREADS, len = 0;
        uint64_t insertion = a.insertion + tile;
        const uint8_t *staged = a.hashes ? NULL : stage_keys(a, tile, n, t.stage);
        uint32_t g = first_jump(a, t, jumps, n_jumps, insertion + me);
        bool draws = me < n && g < a.k;
        if (draws && !a.hashes)
            keys_at(&a.keys, tile + me, &len);
        t.first_jump[me] = (uint16_t)g;
        uint32_t n_drawing = sort_by_class(draws ? class_of(len) : N_CLASSES - 1, t.order, t.starts);
        __pipeline_wait_prior(0);
        __syncthreads();
        if (me < n_drawing) {
            uint32_t mine = t.order[me];
            classic_key key = row_key_plain<HASH>(a, tile + mine, t.stage, staged);
            draw_key<HASH>(a, t, jumps, n_jumps, insertion + mine, key, t.first_jump[mine]);
        }
        __syncthreads(); /* the next tile may reuse the shared memory */
    }
}

/* Plain sampling: lane l of the key's warp draws functions 4 l .. 4 l + 3, then 128 further on. */
template <int HASH> static __global__ void __launch_bounds__(WARP_THREADS) insert_warp_kernel(row_args a)
{
    size_t key_number = (size_t)blockIdx.x * (WARP_THREADS / 32) + threadIdx.x / 32;
    if (key_number >= a.n)
        return;
    classic_key key = row_key_plain<HASH>(a, key_number);
    uint64_t insertion = a.insertion + key_number;
    for (uint32_t block = threadIdx.x % 32; 4 * block < a.k; block += 32) {
        draw_block words = draw_words(a.seed, insertion, block, DRAW_EACH);
#pragma unroll
        for (uint32_t j = 0; j < 4; j++) {
            uint32_t i = 4 * block + j;
            if (i < a.k && draw_sets(a.q_high, a.q_low, a.seed, insertion, i, words.v[j]))
                row_set<false>(a, classic_position((tms_hash)HASH, a.seed, &key, i, a.m_bits));
        }
    }
}

/* --- counting --- */

template <int HASH> static __global__ void __launch_bounds__(WARP_THREADS) count_warp_kernel(row_args a)
{
    size_t key_number = (size_t)blockIdx.x * (WARP_THREADS / 32) + threadIdx.x / 32;
    if (key_number >= a.n)
        return;
    classic_key key = row_key_plain<HASH>(a, key_number);
    uint32_t ones = 0;
#pragma unroll 4
    for (uint32_t i = threadIdx.x % 32; i < a.k; i += 32)
        ones += row_get<false>(a, classic_position((tms_hash)HASH, a.seed, &key, i, a.m_bits));
    ones = __reduce_add_sync(~0u, ones);
    if (threadIdx.x % 32 == 0)
        a.ones[key_number] = ones;
}

/* --- launching --- */

template <int HASH>
static cudaError_t launch_insert(const gpu *gpu, const row_args &a, const probabilistic_jumps *d_jumps,
                                 enum probabilistic_schedule schedule)
{
    if (schedule == PROBABILISTIC_THREAD) {
        size_t tiles = (a.n + THREAD_THREADS - 1) / THREAD_THREADS, most = (size_t)gpu->n_multiprocessors * THREAD_BLOCKS;
        cudaError_t error = gpu_allow_shared(gpu, insert_thread_kernel<HASH>);
        if (error != cudaSuccess)
            return error;
        insert_thread_kernel<HASH>
            <<<(unsigned)(tiles < most ? tiles : most), THREAD_THREADS, sizeof(tile_memory), gpu->stream>>>(a, d_jumps);
    } else if (schedule == PROBABILISTIC_WARP) {
        insert_warp_kernel<HASH><<<(unsigned)((a.n + WARP_THREADS / 32 - 1) / (WARP_THREADS / 32)), WARP_THREADS, 0, gpu->stream>>>(a);
    } else {
        row_insert_kernel<HASH, true, false><<<row_grid(a.n, a.k), row_block(a.k), 0, gpu->stream>>>(a);
    }
    return cudaGetLastError();
}

template <int HASH> static void launch_count(const gpu *gpu, const row_args &a, enum probabilistic_schedule schedule)
{
    if (schedule == PROBABILISTIC_WARP)
        count_warp_kernel<HASH><<<(unsigned)((a.n + WARP_THREADS / 32 - 1) / (WARP_THREADS / 32)), WARP_THREADS, 0, gpu->stream>>>(a);
    else
        row_count_kernel<HASH, false, false><<<row_grid(a.n, a.k), row_block(a.k), 0, gpu->stream>>>(a);
}

/* keys first .. first + n - 1 */
static row_args args_of(const tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t first, size_t n)
{
    row_args a = {};
    a.vector = f->d_bits;
    a.m_bits = f->params.m_bits;
    a.seed = f->params.seed;
    a.k = f->params.k;
    a.n = n;
    a.q_high = f->jumps->q_high;
    a.q_low = f->jumps->q_low;
    if (keys)
        a.keys = keys_slice(keys, first, n);
    else
        a.hashes = d_hashes + 2 * first;
    return a;
}

tms_status probabilistic_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                                     uint64_t insertion, enum probabilistic_schedule schedule)
{
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(f->device));
    const probabilistic_jumps *d_jumps = (const probabilistic_jumps *)f->d_jumps;
    if (schedule == PROBABILISTIC_AUTO)
        schedule = f->params.sampling == TMS_SAMPLING_GEOMETRIC ? PROBABILISTIC_THREAD : PROBABILISTIC_WARP;
    for (size_t first = 0; first < n; first += MAX_GRID_KEYS) {
        row_args a = args_of(f, keys, d_hashes, first, n - first < MAX_GRID_KEYS ? n - first : MAX_GRID_KEYS);
        a.insertion = insertion + first;
        cudaError_t error = cudaErrorInvalidValue;
        WITH_HASH_FAMILY(f->params.hash, error = launch_insert<FAMILY>(ctx->gpu, a, d_jumps, schedule));
        GPU_TRY(ctx->gpu, "inserting", error);
    }
    return TMS_OK;
}

tms_status probabilistic_count_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *d_ones,
                                    enum probabilistic_schedule schedule)
{
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(f->device));
    if (schedule == PROBABILISTIC_AUTO)
        schedule = PROBABILISTIC_WARP;
    for (size_t first = 0; first < keys->n_keys; first += MAX_GRID_KEYS) {
        row_args a = args_of(f, keys, NULL, first, keys->n_keys - first < MAX_GRID_KEYS ? keys->n_keys - first : MAX_GRID_KEYS);
        a.ones = d_ones + first;
        if (schedule == PROBABILISTIC_ROWS)
            GPU_TRY(ctx->gpu, "clearing the counts", cudaMemsetAsync(a.ones, 0, a.n * sizeof *a.ones, ctx->gpu->stream));
        WITH_HASH_FAMILY(f->params.hash, launch_count<FAMILY>(ctx->gpu, a, schedule));
        GPU_TRY(ctx->gpu, "counting", cudaGetLastError());
    }
    return TMS_OK;
}
