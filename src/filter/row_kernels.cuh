/*
 * row_kernels.cuh - the thesis's schedule [thesis, 3.1.2, 3.2.1, 3.4 and Figs. 6, 7, 12]: each key takes a row of a block and each hash
 * function a column, rounded to warps; the row stages its key in shared memory. A block has as many rows as fit into 1,024 threads;
 * a key with more than 1,024 functions spans blocks (grid.y).
 *
 * As in the thesis, every thread computes the hash and, for the probabilistic filter, a random number of its own. Its byte for each
 * bit (3.1.1) and its atomic addition for each one (3.2.1) are template arguments, for measuring.
 */
#ifndef TMS_ROW_KERNELS_CUH
#define TMS_ROW_KERNELS_CUH

#include "filter/keys_core.h"
#include "filter/probabilistic_core.h"

#define ROW_KERNEL_THREADS 1024
#define ROW_STAGED_BYTES   256 /* shared memory per key; threads read longer keys from global memory */
#define ROW_STAGE_WORDS    (ROW_STAGED_BYTES / 4 + 4)
#define ROW_MOST_ROWS      (ROW_KERNEL_THREADS / 32)

struct row_args {
    void *vector; /* m bits in 32-bit words, or m bytes */
    uint64_t m_bits, seed;
    uint32_t k;
    tms_keys keys;
    const uint64_t *hashes; /* hashes of the keys, or NULL: hash the key bytes */
    size_t n;
    uint64_t insertion;     /* insertion number of key 0 */
    uint32_t q_high, q_low; /* probabilistic_core.h */
    uint32_t *ones;         /* for counting: n counters, zeroed */
};

/* The hash of key i, read in place or, if copy_of is not NULL, from a copy of the memory that begins at copy_of. */
template <int HASH>
static __device__ __forceinline__ classic_key row_key_plain(const row_args &a, size_t i, const void *copy = NULL,
                                                            const uint8_t *copy_of = NULL)
{
    if (classic_hashes_once((tms_hash)HASH) && a.hashes)
        return classic_key{NULL, 0, a.hashes[2 * i], a.hashes[2 * i + 1]};
    size_t len;
    const uint8_t *p = keys_at(&a.keys, i, &len);
    return classic_key_make((tms_hash)HASH, a.seed, copy_of ? (const uint8_t *)copy + (p - copy_of) : p, len);
}

/* The hash of a row's key, staged as aligned words. All threads of the block take part. */
template <int HASH>
static __device__ __forceinline__ classic_key row_key_staged(const row_args &a, size_t i, uint32_t *stage, uint32_t columns)
{
    size_t len = 0;
    const uint8_t *p = NULL;
    if (!a.hashes && i < a.n) {
        p = keys_at(&a.keys, i, &len);
        uint32_t skew = (uint32_t)(uintptr_t)p & 3;
        if (len <= ROW_STAGED_BYTES) {
            const uint32_t *from = (const uint32_t *)(p - skew);
            for (uint32_t w = threadIdx.x; w < (skew + (uint32_t)len + 3) / 4; w += columns)
                stage[w] = __ldg(from + w);
            p = (const uint8_t *)stage + skew;
        }
    }
    __syncthreads();
    if (i >= a.n)
        return classic_key{};
    return a.hashes ? row_key_plain<HASH>(a, i) : classic_key_make((tms_hash)HASH, a.seed, p, len);
}

template <bool AS_BYTES> static __device__ __forceinline__ void row_set(const row_args &a, uint64_t position)
{
    if (AS_BYTES)
        ((uint8_t *)a.vector)[position] = 1;
    else
        atomicOr((uint32_t *)a.vector + (position >> 5), 1u << (position & 31));
}

template <bool AS_BYTES> static __device__ __forceinline__ uint32_t row_get(const row_args &a, uint64_t position)
{
    if (AS_BYTES)
        return ((const uint8_t *)a.vector)[position];
    return ((const uint32_t *)a.vector)[position >> 5] >> (position & 31) & 1;
}

/* SAMPLED: sets each bit with probability p; otherwise sets all bits, as in the classical filter. */
template <int HASH, bool SAMPLED, bool AS_BYTES> static __global__ void __launch_bounds__(ROW_KERNEL_THREADS) row_insert_kernel(row_args a)
{
    __shared__ uint32_t stage[ROW_MOST_ROWS][ROW_STAGE_WORDS];
    size_t key_number = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
    classic_key key = row_key_staged<HASH>(a, key_number, stage[threadIdx.y], blockDim.x);
    uint32_t i = blockIdx.y * ROW_KERNEL_THREADS + threadIdx.x;
    if (key_number >= a.n || i >= a.k)
        return;
    if (SAMPLED) {
        uint64_t insertion = a.insertion + key_number;
        draw_block words = draw_words(a.seed, insertion, i / 4, DRAW_EACH);
        uint32_t word = i & 2 ? (i & 1 ? words.v[3] : words.v[2]) : (i & 1 ? words.v[1] : words.v[0]);
        if (!draw_sets(a.q_high, a.q_low, a.seed, insertion, i, word))
            return;
    }
    row_set<AS_BYTES>(a, classic_position((tms_hash)HASH, a.seed, &key, i, a.m_bits));
}

/* ADD_EACH: every thread that finds a one adds it to the key's count in global memory; else each row adds once. */
template <int HASH, bool AS_BYTES, bool ADD_EACH> static __global__ void __launch_bounds__(ROW_KERNEL_THREADS) row_count_kernel(row_args a)
{
    __shared__ uint32_t stage[ROW_MOST_ROWS][ROW_STAGE_WORDS];
    __shared__ uint32_t sums[ROW_MOST_ROWS];
    if (threadIdx.x == 0)
        sums[threadIdx.y] = 0;
    size_t key_number = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
    classic_key key = row_key_staged<HASH>(a, key_number, stage[threadIdx.y], blockDim.x);
    uint32_t i = blockIdx.y * ROW_KERNEL_THREADS + threadIdx.x, one = 0;
    if (key_number < a.n && i < a.k)
        one = row_get<AS_BYTES>(a, classic_position((tms_hash)HASH, a.seed, &key, i, a.m_bits));
    if (ADD_EACH) {
        if (one)
            atomicAdd(a.ones + key_number, 1);
        return;
    }
    one = __reduce_add_sync(~0u, one);
    if (threadIdx.x % 32 == 0 && one)
        atomicAdd(&sums[threadIdx.y], one);
    __syncthreads();
    if (threadIdx.x == 0 && key_number < a.n && sums[threadIdx.y])
        atomicAdd(a.ones + key_number, sums[threadIdx.y]);
}

static inline dim3 row_block(uint32_t k)
{
    unsigned columns = (k + 31) / 32 * 32;
    columns = columns < ROW_KERNEL_THREADS ? columns : ROW_KERNEL_THREADS;
    return dim3(columns, ROW_KERNEL_THREADS / columns);
}

static inline dim3 row_grid(size_t n, uint32_t k)
{
    dim3 block = row_block(k);
    return dim3((unsigned)((n + block.y - 1) / block.y), (k + ROW_KERNEL_THREADS - 1) / ROW_KERNEL_THREADS);
}

#endif
