/*
 * blocked_insert_cuda.cu - the blocked layout's insertion on the GPU, by three strategies.
 *
 * Direct: eight threads set the eight words of a key's block, one atomic OR for the sector. The atomic units limit it to
 * some 70 G keys/s while the filter is in L2, 16 G/s beyond it (H200).
 *
 * Partitioned: kernels first sort the keys by slice of the filter. One pass over a chunk of keys writes their hashes to a list per
 * slice (16 bytes of traffic per key), then kernels process each list (8 bytes):
 *   in shared memory - a thread block loads its slice, sets bits there, stores it. Slices of up to 128 KiB.
 *   in L2            - as direct, but all keys in flight fall into a few slices that stay in the cache.
 *
 * A block sorts a tile of keys in shared memory: each key takes a rank in its slice's counter, a prefix sum gives the slices' starts, one
 * global atomicAdd a slice and tile reserves room in the list, and the block writes the sorted tile in runs. When a list is
 * full (many equal keys), the kernel inserts further keys directly. So any input works, but only evenly
 * distributed keys are fast. OR commutes, so the order of the lists does not affect the filter. (Prefetching the next tile's keys
 * into L2 was 2 % slower for words and 15 % for strings, because L2 is the bottleneck.)
 *
 * With several blocks per key, each part is filled like a separate filter.
 */
#include <cub/block/block_scan.cuh>

#include "device/gpu_internal.cuh"
#include "filter/blocked_core.h"
#include "filter/blocked_cuda.h"
#include "filter/key_sources.cuh"

#define DIRECT_THREADS          256
#define PART_THREADS            1024
#define PART_KEYS               4 /* keys per thread: with more, registers leave no room for a second block on the multiprocessor */
#define TILE_KEYS               (PART_THREADS * PART_KEYS)
#define STAGE_BYTES             (TILE_KEYS * 22) /* shared memory for a tile's keys; later reused for their sorted hashes */
#define MAX_SLICES              4096
#define SLICE_THREADS           1024
#define BLOCKS_A_MULTIPROCESSOR 2 /* blocks of the two kernels above: all the threads that fit */

/* One part of a filter, as passed to a kernel. */
struct filter_part {
    uint32_t *blocks;
    uint32_t n_blocks, k;
};

/* Source of the hashes for a part after the first. Part 0 uses the plain source and is as fast as a filter with one part. */
template <class Source> struct PartSource {
    static const bool STAGED = Source::STAGED;
    Source source;
    uint32_t part;
    __device__ PartSource stage(size_t first, uint32_t n, uint8_t *space, uint32_t capacity) const
    {
        return PartSource{source.stage(first, n, space, capacity), part};
    }
    __device__ uint64_t hash(size_t i) const { return core_splitmix(source.hash(i), part - 1); }
};

static filter_part part_of(const tms_filter *f, uint32_t number)
{
    uint64_t n_blocks = filter_part_blocks(&f->params);
    return {(uint32_t *)f->d_bits + BLOCKED_WORDS * number * n_blocks, (uint32_t)n_blocks, f->params.k};
}

/* --- direct --- */

/* Eight neighbouring lanes insert their eight keys, one after the other; lane i sets word i. All lanes must call. */
static __device__ __forceinline__ void insert_by_eight(const filter_part &part, uint64_t h, bool valid)
{
    unsigned w = threadIdx.x & 7;
    uint32_t salt = BLOCKED_SALT[w], salt2 = BLOCKED_SALT[w + BLOCKED_WORDS];
    uint32_t block = blocked_index32(h, part.n_blocks); /* below 2^32 - 1 */
    if (!valid)
        block = ~0u;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        uint32_t b = __shfl_sync(~0u, block, i, 8);
        uint32_t low = __shfl_sync(~0u, (uint32_t)h, i, 8);
        uint32_t bits = w < part.k ? 1u << (low * salt >> 27) : 0;
        if (w + BLOCKED_WORDS < part.k)
            bits |= 1u << (low * salt2 >> 27);
        if (b != ~0u && bits)
            atomicOr(part.blocks + BLOCKED_WORDS * (size_t)b + w, bits);
    }
}

template <class Source> static __global__ void __launch_bounds__(DIRECT_THREADS) direct_kernel(filter_part part, Source source, size_t n)
{
    size_t i = (size_t)blockIdx.x * DIRECT_THREADS + threadIdx.x;
    insert_by_eight(part, source.hash(i < n ? i : n - 1), i < n);
}

/* --- partition --- */

static __host__ __device__ __forceinline__ size_t round_up_16(size_t v) { return (v + 15) / 16 * 16; }

struct slice_lists {
    uint64_t *items;  /* n_slices * capacity */
    uint32_t *counts; /* n_slices: keys that requested room, kept or not */
    uint32_t n_slices;
    uint32_t slice_shift;
    uint32_t capacity;
    uint32_t stage_bytes; /* shared memory for a tile's keys; at least the size of their hashes */
};

/* Inserts a key with one lane, for keys whose list is full. */
static __device__ void insert_alone(const filter_part &part, uint64_t h)
{
    uint32_t *block = part.blocks + BLOCKED_WORDS * (size_t)blocked_index32(h, part.n_blocks);
    for (uint32_t w = 0; w < BLOCKED_WORDS; w++)
        if (uint32_t bits = blocked_word(h, part.k, w))
            atomicOr(block + w, bits);
}

typedef cub::BlockScan<uint32_t, PART_THREADS, cub::BLOCK_SCAN_WARP_SCANS> slice_scan; /* few registers */

/* A tile of keys in shared memory. */
struct partition_tile {
    uint32_t *place;  /* n_slices: number of keys of a slice, then the start of its run in `sorted` */
    uint32_t *room;   /* n_slices: position of the run in the slice's list, minus `place` */
    uint64_t *sorted; /* TILE_KEYS hashes; the same memory first holds the bytes of the tile's keys */
    uint32_t n;       /* keys */
};

/* Hashes a thread's keys, from key number `first` on, and ranks each in its slice: slice in the low half, rank in the high: both fit 16
 * bits. */
template <class Source>
static __device__ __forceinline__ void rank_keys(const filter_part &part, const Source &source, size_t first, const partition_tile &tile,
                                                 uint32_t slice_shift, uint64_t *h, uint32_t *rank)
{
#pragma unroll
    for (int i = 0; i < PART_KEYS; i++) {
        uint32_t key = i * PART_THREADS + threadIdx.x;
        h[i] = source.hash(first + (key < tile.n ? key : 0));
    }
#pragma unroll
    for (int i = 0; i < PART_KEYS; i++) {
        uint32_t slice = blocked_index32(h[i], part.n_blocks) >> slice_shift;
        if (i * PART_THREADS + threadIdx.x < tile.n)
            rank[i] = slice | atomicAdd(tile.place + slice, 1) << 16;
    }
}

/*
 * Positions the slices' runs, and reserves room in their lists. Returns the starts of room and run of the thread's last slice:
 * that reservation is still in flight while the block sorts the tile.
 */
static __device__ __forceinline__ uint2 place_runs(const slice_lists &lists, const partition_tile &tile, slice_scan::TempStorage *space)
{
    uint32_t before = 0, reserved = 0, my_place = 0;
    for (uint32_t from = 0; from < lists.n_slices; from += PART_THREADS) {
        uint32_t s = from + threadIdx.x;
        uint32_t count = s < lists.n_slices ? tile.place[s] : 0, start, total;
        slice_scan(*space).ExclusiveSum(count, start, total);
        if (from) /* more slices than threads: this iteration's reservation must be in a register */
            tile.room[s - PART_THREADS] = reserved - my_place;
        my_place = before + start;
        if (s < lists.n_slices) {
            tile.place[s] = my_place;
            reserved = count ? atomicAdd(lists.counts + s, count) : 0;
        }
        before += total;
        __syncthreads();
    }
    return make_uint2(reserved, my_place);
}

/* Writes the sorted tile to the slices' lists, in runs. */
static __device__ __forceinline__ void write_runs(const filter_part &part, const slice_lists &lists, const partition_tile &tile)
{
    for (uint32_t i = threadIdx.x; i < tile.n; i += PART_THREADS) {
        uint64_t hash = tile.sorted[i];
        uint32_t slice = blocked_index32(hash, part.n_blocks) >> lists.slice_shift;
        uint32_t at = tile.room[slice] + i;
        if (at < lists.capacity)
            lists.items[(size_t)slice * lists.capacity + at] = hash;
        else
            insert_alone(part, hash);
    }
}

template <class Source>
static __global__ void __launch_bounds__(PART_THREADS, BLOCKS_A_MULTIPROCESSOR)
    partition_kernel(filter_part part, Source all_keys, size_t first, size_t n, slice_lists lists)
{
    __shared__ typename slice_scan::TempStorage scan_space;
    extern __shared__ __align__(16) uint8_t space[];
    size_t begin = (size_t)blockIdx.x * TILE_KEYS;
    uint32_t *place = (uint32_t *)space;
    const partition_tile tile = {place, place + lists.n_slices, (uint64_t *)(space + round_up_16(2 * lists.n_slices * sizeof(uint32_t))),
                                 (uint32_t)(n - begin < TILE_KEYS ? n - begin : TILE_KEYS)};

    for (uint32_t s = threadIdx.x; s < lists.n_slices; s += PART_THREADS)
        tile.place[s] = 0;
    Source source = all_keys.stage(first + begin, tile.n, (uint8_t *)tile.sorted, lists.stage_bytes);
    __syncthreads();
    uint64_t h[PART_KEYS];
    uint32_t rank[PART_KEYS];
    rank_keys(part, source, first + begin, tile, lists.slice_shift, h, rank);
    __syncthreads();
    const uint2 reserved = place_runs(lists, tile, &scan_space);
#pragma unroll
    for (int i = 0; i < PART_KEYS; i++)
        if (i * PART_THREADS + threadIdx.x < tile.n)
            tile.sorted[tile.place[rank[i] & 0xffff] + (rank[i] >> 16)] = h[i];
    uint32_t last = (lists.n_slices - 1) / PART_THREADS * PART_THREADS + threadIdx.x;
    if (last < lists.n_slices)
        tile.room[last] = reserved.x - reserved.y;
    __syncthreads();
    write_runs(part, lists, tile);
}

static __device__ __forceinline__ uint32_t list_length(const slice_lists &lists, uint32_t slice)
{
    uint32_t count = lists.counts[slice];
    return count < lists.capacity ? count : lists.capacity;
}

/* --- processing a slice in shared memory --- */

/*
 * One thread per key. In step i lane l sets word (i + l) mod 8, so that the lanes of a warp always access all
 * banks evenly; lane l keeps its salts in that order, which makes their indices constants.
 */
template <bool EIGHT>
static __global__ void __launch_bounds__(SLICE_THREADS, BLOCKS_A_MULTIPROCESSOR) slice_shared_kernel(filter_part part, slice_lists lists)
{
    extern __shared__ __align__(16) uint4 slice_words[];
    uint32_t n_items = list_length(lists, blockIdx.x);
    if (!n_items)
        return;
    uint32_t first_block = blockIdx.x << lists.slice_shift;
    uint32_t left = part.n_blocks - first_block, size = 1u << lists.slice_shift;
    uint32_t n_vectors = 2 * (left < size ? left : size);
    uint4 *global = (uint4 *)(void *)part.blocks + 2 * (size_t)first_block;
    for (uint32_t i = threadIdx.x; i < n_vectors; i += SLICE_THREADS)
        slice_words[i] = global[i];
    uint32_t salt[8], salt2[8], offset[8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        offset[i] = (i + threadIdx.x) & 7;
        salt[i] = BLOCKED_SALT[offset[i]];
        salt2[i] = EIGHT ? 0 : BLOCKED_SALT[offset[i] + BLOCKED_WORDS];
    }
    __syncthreads();
    const unsigned long long *items = (const unsigned long long *)lists.items + (size_t)blockIdx.x * lists.capacity;
    uint64_t next = threadIdx.x < n_items ? __ldcs(items + threadIdx.x) : 0; /* prefetches one item */
    for (uint32_t i = threadIdx.x; i < n_items; i += SLICE_THREADS) {
        uint64_t h = next;
        if (i + SLICE_THREADS < n_items)
            next = __ldcs(items + i + SLICE_THREADS);
        uint32_t low = (uint32_t)h;
        uint32_t *block = (uint32_t *)slice_words + BLOCKED_WORDS * (blocked_index32(h, part.n_blocks) - first_block);
#pragma unroll
        for (int j = 0; j < 8; j++) {
            uint32_t bits = EIGHT || offset[j] < part.k ? 1u << (low * salt[j] >> 27) : 0;
            if (!EIGHT && offset[j] + BLOCKED_WORDS < part.k)
                bits |= 1u << (low * salt2[j] >> 27);
            if (EIGHT || bits)
                atomicOr(block + offset[j], bits);
        }
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < n_vectors; i += SLICE_THREADS)
        global[i] = slice_words[i];
}

/* --- processing slices in L2: thread blocks in order of slice, so that few slices are in use at a time --- */

static __global__ void __launch_bounds__(DIRECT_THREADS) slice_l2_kernel(filter_part part, slice_lists lists, uint32_t blocks_a_slice)
{
    uint32_t slice = blockIdx.x / blocks_a_slice, me = blockIdx.x % blocks_a_slice;
    uint32_t n_items = list_length(lists, slice);
    const unsigned long long *items = (const unsigned long long *)lists.items + (size_t)slice * lists.capacity;
    for (uint32_t from = me * DIRECT_THREADS; from < n_items; from += blocks_a_slice * DIRECT_THREADS) {
        uint32_t i = from + threadIdx.x;
        insert_by_eight(part, i < n_items ? __ldcs(items + i) : 0, i < n_items);
    }
}

/* --- choosing --- */

static unsigned n_slices_of(uint64_t n_blocks, unsigned shift) { return (unsigned)(((n_blocks - 1) >> shift) + 1); }

static size_t slice_bytes(unsigned shift) { return (size_t)(TMS_BLOCK_BITS / 8) << shift; }

struct blocked_plan blocked_plan_for(const tms_filter *f, size_t n, enum blocked_way way, unsigned slice_shift)
{
    struct blocked_plan plan = {way, slice_shift, 0, n, 0};
    if (way == BLOCKED_DIRECT)
        return plan;
    uint64_t n_blocks = filter_part_blocks(&f->params);
    plan.n_slices = n_slices_of(n_blocks, slice_shift);
    size_t scratch = gpu_free_bytes() / 8;
    size_t most = scratch / (sizeof(uint64_t) * 5 / 4);
    most = most > ((size_t)1 << 31) ? (size_t)1 << 31 : most;
    most = most < 65536 ? 65536 : most;
    plan.chunk_keys = n < most ? n : most;
    double mean = (double)plan.chunk_keys * (double)((uint64_t)1 << slice_shift) / (double)n_blocks;
    mean = mean < (double)plan.chunk_keys ? mean : (double)plan.chunk_keys;
    plan.slice_capacity = round_up_16((size_t)(mean + 8 * sqrt(mean) + 64)); /* 8 standard deviations */
    return plan;
}

/*
 * Measured on an H200. Few slices make long runs of sorted keys, but every multiprocessor needs two thread blocks: 256 slices
 * or more, of 64 KiB at most unless that makes more than 512. Beyond 1,024 slices of 128 KiB the runs are too short.
 */
#define SLICE_SHIFT_MIN     7  /* 4 KiB */
#define SLICE_SHIFT_USUAL   11 /* 64 KiB */
#define SLICE_SHIFT_MAX     12 /* 128 KiB */
#define SLICES_LEAST        256
#define SLICES_USUAL        512
#define SLICES_MOST         1024
#define L2_SLICE_SHIFT      17 /* 4 MiB */
#define PARTITION_FROM_KEYS ((size_t)1 << 20)

struct blocked_plan blocked_plan_insert(const struct gpu *gpu, const tms_filter *f, size_t n)
{
    uint64_t n_blocks = filter_part_blocks(&f->params);
    if (n < PARTITION_FROM_KEYS || n < n_blocks / 2 || n_slices_of(n_blocks, SLICE_SHIFT_MIN) < SLICES_LEAST)
        return blocked_plan_for(f, n, BLOCKED_DIRECT, 0);
    unsigned shift = SLICE_SHIFT_MIN;
    while (shift < SLICE_SHIFT_USUAL && n_slices_of(n_blocks, shift + 1) >= SLICES_LEAST)
        shift++;
    if (n_slices_of(n_blocks, shift) > SLICES_USUAL)
        shift = SLICE_SHIFT_MAX;
    if (n_slices_of(n_blocks, shift) <= SLICES_MOST && slice_bytes(shift) <= gpu->shared_bytes_block)
        return blocked_plan_for(f, n, BLOCKED_PART_SHARED, shift);
    shift = L2_SLICE_SHIFT;
    while (n_slices_of(n_blocks, shift) > MAX_SLICES)
        shift++;
    return blocked_plan_for(f, n, BLOCKED_PART_L2, shift);
}

/* --- launching --- */

static tms_status work_off_lists(tms_context *ctx, const filter_part &part, const slice_lists &lists, const struct blocked_plan *plan)
{
    cudaStream_t stream = ctx->gpu->stream;
    if (plan->way == BLOCKED_PART_L2) {
        uint32_t a_slice = (uint32_t)(plan->slice_capacity / (4 * DIRECT_THREADS)) + 1;
        slice_l2_kernel<<<plan->n_slices * a_slice, DIRECT_THREADS, 0, stream>>>(part, lists, a_slice);
    } else {
        size_t shared = slice_bytes(plan->slice_shift);
        auto kernel = part.k == BLOCKED_WORDS ? slice_shared_kernel<true> : slice_shared_kernel<false>;
        GPU_TRY(ctx->gpu, "asking for shared memory", gpu_allow_shared(ctx->gpu, kernel));
        kernel<<<plan->n_slices, SLICE_THREADS, shared, stream>>>(part, lists);
    }
    GPU_TRY(ctx->gpu, "inserting a slice", cudaGetLastError());
    return TMS_OK;
}

template <class Source>
static tms_status insert_partitioned(tms_context *ctx, const filter_part &part, Source source, size_t n, const struct blocked_plan *plan)
{
    cudaStream_t stream = ctx->gpu->stream;
    size_t n_items = (size_t)plan->n_slices * plan->slice_capacity, counts_bytes = plan->n_slices * sizeof(uint32_t);
    uint64_t *items;
    uint32_t *counts;
    tms_status status = gpu_workspace_of(ctx->gpu, "lists of slices", n_items, &items);
    if (status == TMS_OK)
        status = gpu_workspace_of(ctx->gpu, "lengths of the lists", plan->n_slices, &counts);
    if (status != TMS_OK)
        return status;
    slice_lists lists = {items, counts, plan->n_slices, plan->slice_shift, (uint32_t)plan->slice_capacity, 0};
    size_t tables = round_up_16(2 * plan->n_slices * sizeof(uint32_t)), space = TILE_KEYS * sizeof(uint64_t);
    if (Source::STAGED) /* less on GPUs with little shared memory, where kernels read longer keys from global memory */
        space = STAGE_BYTES < ctx->gpu->shared_bytes_block - tables ? STAGE_BYTES : ctx->gpu->shared_bytes_block - tables;
    size_t shared = tables + space;
    lists.stage_bytes = (uint32_t)space;
    GPU_TRY(ctx->gpu, "asking for shared memory", gpu_allow_shared(ctx->gpu, partition_kernel<Source>));
    for (size_t first = 0; first < n; first += plan->chunk_keys) {
        size_t here = n - first < plan->chunk_keys ? n - first : plan->chunk_keys;
        GPU_TRY(ctx->gpu, "clearing counters", cudaMemsetAsync(lists.counts, 0, counts_bytes, stream));
        partition_kernel<<<(unsigned)((here + TILE_KEYS - 1) / TILE_KEYS), PART_THREADS, shared, stream>>>(part, source, first, here,
                                                                                                           lists);
        GPU_TRY(ctx->gpu, "partitioning", cudaGetLastError());
        status = work_off_lists(ctx, part, lists, plan);
        if (status != TMS_OK)
            return status;
    }
    return TMS_OK;
}

template <class Source>
static tms_status insert_part(tms_context *ctx, const filter_part &part, Source source, size_t n, const struct blocked_plan *plan)
{
    if (plan->way != BLOCKED_DIRECT) {
        tms_status status = insert_partitioned(ctx, part, source, n, plan);
        if (status != TMS_E_MEMORY) /* without memory for the lists, insert directly: slower, but needs none */
            return status;
    }
    direct_kernel<<<(unsigned)((n + DIRECT_THREADS - 1) / DIRECT_THREADS), DIRECT_THREADS, 0, ctx->gpu->stream>>>(part, source, n);
    GPU_TRY(ctx->gpu, "inserting", cudaGetLastError());
    return TMS_OK;
}

template <class Source>
static tms_status insert_source(tms_context *ctx, tms_filter *f, Source source, size_t n, const struct blocked_plan *plan)
{
    tms_status status = insert_part(ctx, part_of(f, 0), source, n, plan);
    for (uint32_t i = 1; i < filter_n_parts(&f->params) && status == TMS_OK; i++)
        status = insert_part(ctx, part_of(f, i), PartSource<Source>{source, i}, n, plan);
    return status;
}

tms_status blocked_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                               const struct blocked_plan *plan)
{
    struct blocked_plan chosen;
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(f->device));
    if (!plan) {
        chosen = blocked_plan_insert(ctx->gpu, f, n);
        plan = &chosen;
    }
    if (!keys)
        return insert_source(ctx, f, HashSource{d_hashes}, n, plan);
    return with_key_source(keys, f->params.seed, [&](auto source) -> tms_status { return insert_source(ctx, f, source, n, plan); });
}
