/*
 * bank_cuda.cu - the bank of Bloom filters on the GPU.
 *
 * Schedule "shared" is limited by reads of shared memory: random reads of 32 lanes collide in its 32 banks. A lane
 * whose w-mer has failed reads no more, so a warp's later reads collide less. A warp does not exit early: of 32 w-mers
 * one is nearly always alive. Blocks hold as many vectors as fit, to read positions once for all of them; with one
 * vector per block those reads are the limit.
 *
 * Schedule "interleaved" is limited by reads of whole rows from L2: a thread handles up to 16 bytes of a w-mer's rows, with
 * k loads in flight.
 */
#include "bank/bank_cuda.cuh"

#define POSITION_THREADS 256
#define SHARED_TILES     8 /* tiles of 32 w-mers per warp; their answers fill a sector of a column */
#define SHARED_WMERS     (32 * SHARED_TILES)
#define ROW_THREADS      256
#define MAX_ROW_K        8  /* largest k with a specialised kernel */
#define MAX_SHARED_K     10 /* largest k with a specialised kernel, as in [Ma11] */

/* --- memory --- */

tms_status bank_gpu_create(tms_context *ctx, const struct bank *bank, struct bank_gpu *out)
{
    unsigned n_lanes = bank_lanes(&bank->shape), n_words = bank_word_bytes(&bank->shape) * 256;
    *out = bank_gpu{bank->shape, gpu_index(ctx->gpu), NULL, NULL};
    if (bank_tables_bytes(&bank->shape) > ctx->gpu->shared_bytes_block)
        return context_fail(
            ctx, TMS_E_ARG,
            "the tables of %u H3 functions take %zu bytes of shared memory, this GPU has %zu: fewer functions would do, or XXH3",
            bank->shape.k, (size_t)bank_tables_bytes(&bank->shape), ctx->gpu->shared_bytes_block);
    tms_status status = gpu_memory_alloc(ctx->gpu, bank->size_bytes, (void **)&out->d_bits);
    if (status == TMS_OK)
        status = gpu_upload(ctx->gpu, out->d_bits, bank->bits, bank->size_bytes);
    if (status == TMS_OK && bank->shape.hash == BANK_H3)
        status = gpu_memory_alloc(ctx->gpu, bank_tables_bytes(&bank->shape), (void **)&out->d_h3_tables);
    for (unsigned l = 0; l < n_lanes && status == TMS_OK && out->d_h3_tables; l++)
        status = gpu_upload(ctx->gpu, out->d_h3_tables + (size_t)l * n_words, bank->h3_tables + l * H3_LANE_WORDS,
                            n_words * sizeof(uint64_t));
    if (status != TMS_OK)
        bank_gpu_free(out);
    return status;
}

void bank_gpu_free(struct bank_gpu *bank)
{
    if (bank->d_bits)
        gpu_memory_free(bank->index, bank->d_bits);
    if (bank->d_h3_tables)
        gpu_memory_free(bank->index, bank->d_h3_tables);
    *bank = bank_gpu{};
}

/* --- positions --- */

static __global__ void __launch_bounds__(POSITION_THREADS)
    positions_kernel(bank_shape shape, const uint64_t *d_tables, const uint64_t *d_words, size_t n, uint32_t *d_positions)
{
    extern __shared__ uint64_t tables[];
    bank_load_tables(shape, d_tables, tables);
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        uint64_t word = d_words[i], lane = 0;
        for (unsigned j = 0; j < shape.k; j++) {
            if (j % 2 == 0 && shape.hash != BANK_EXACT)
                lane = bank_hash_lane(shape, tables, j / 2, word);
            d_positions[j * n + i] = shape.hash == BANK_EXACT ? (uint32_t)word : bank_position(lane, j, shape.m_bits);
        }
    }
}

tms_status bank_positions_cuda(tms_context *ctx, const struct bank_gpu *bank, const uint64_t *d_words, size_t n, uint32_t *d_positions)
{
    if (!n)
        return TMS_OK;
    size_t shared = bank_tables_bytes(&bank->shape), blocks = (n + POSITION_THREADS - 1) / POSITION_THREADS;
    size_t most = (size_t)ctx->gpu->n_multiprocessors * 8;
    GPU_TRY(ctx->gpu, "hashing w-mers", gpu_allow_shared(ctx->gpu, positions_kernel));
    positions_kernel<<<(unsigned)(blocks < most ? blocks : most), POSITION_THREADS, shared, ctx->gpu->stream>>>(
        bank->shape, bank->d_h3_tables, d_words, n, d_positions);
    GPU_TRY(ctx->gpu, "hashing w-mers", cudaGetLastError());
    return TMS_OK;
}

/* --- schedule "shared" --- */

struct shared_args {
    const uint32_t *bits, *positions;
    uint32_t *columns;
    size_t n;
    uint32_t n_subs, stride_words, k;
    int even;
};

/* Loads the positions of a w-mer. Volatile, so that the loads start here and not at their first use. */
template <int K> static __device__ __forceinline__ void shared_load(const uint32_t *from, size_t n, bool is_there, uint32_t *at)
{
    if (is_there)
#pragma unroll
        for (int j = 0; j < K; j++)
            asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(at[j]) : "l"(from + j * n));
}

/* alive: on entry 0 for lanes without a w-mer, on return 0 for w-mers that do not pass. */
template <int K, int V> static __device__ __forceinline__ void shared_test(const uint32_t *vectors, const uint32_t *at, uint32_t *alive)
{
#pragma unroll
    for (int j = 0; j < K; j++) {
        const uint32_t *word = vectors + (at[j] >> 5) * V;
        uint32_t mask = 1u << (at[j] & 31);
#pragma unroll
        for (int v = 0; v < V; v++) {
            if (alive[v])
                alive[v] = word[v];
            alive[v] &= mask; /* outside the branch, to merge with the next test of alive into one instruction */
        }
    }
}

/* Copies the vectors of sub-queries from `sub` on to shared memory. */
template <int V> static __device__ __forceinline__ void shared_stage(const shared_args &a, uint32_t sub, uint32_t *staged)
{
    __syncthreads();
    for (uint32_t v = 0; v < V; v++)
        for (uint32_t w = threadIdx.x; w < a.stride_words; w += blockDim.x)
            staged[w * V + v] = sub + v < a.n_subs ? __ldg(a.bits + (size_t)(sub + v) * a.stride_words + w) : 0;
    __syncthreads();
}

/* Tests a warp's w-mers, from number i on, in V vectors: lane t gets the answers of tile t, one bit per w-mer. */
template <int K, int V>
static __device__ __forceinline__ void shared_answer(const shared_args &a, const uint32_t *vectors, size_t i, uint32_t lane,
                                                     uint32_t *answers)
{
    uint32_t next[K ? K : 1] = {};
    uint32_t n_here = a.n - i < SHARED_WMERS ? (uint32_t)(a.n - i) : SHARED_WMERS;
    const uint32_t *from = a.positions + i + lane;
    shared_load<K>(from, a.n, lane < n_here, next);
#pragma unroll 1
    for (uint32_t t = 0; t < SHARED_TILES; t++, from += 32) {
        bool is_there = t * 32 + lane < n_here;
        uint32_t alive[V], at[K ? K : 1];
#pragma unroll
        for (int v = 0; v < V; v++)
            alive[v] = is_there ? ~0u : 0;
        if (K) {
#pragma unroll
            for (int j = 0; j < K; j++)
                at[j] = next[j];
            shared_load<K>(from + 32, a.n, t * 32 + 32 + lane < n_here, next); /* in flight while the warp tests this tile */
            shared_test<K, V>(vectors, at, alive);
        } else {
            for (uint32_t j = 0; j < a.k; j++) {
                shared_load<1>(from + j * a.n, 0, is_there, at);
                shared_test<1, V>(vectors, at, alive);
            }
        }
#pragma unroll
        for (int v = 0; v < V; v++) {
            uint32_t ballot = __ballot_sync(~0u, alive[v]);
            answers[v] = lane == t ? ballot : answers[v];
        }
    }
}

/* Word w of the block's vector v lies at w V + v: V is odd, so accesses spread over the banks as evenly as with one vector. */
template <int K, int V, bool IN_SHARED> static __global__ void __launch_bounds__(1024) shared_kernel(shared_args a)
{
    extern __shared__ uint32_t staged[];
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;
    size_t n_tiles = (a.n + 31) / 32, n_pieces = (a.n + SHARED_WMERS - 1) / SHARED_WMERS;
    size_t n_groups = (a.n_subs + V - 1) / V, n_all = n_groups * n_pieces;
    size_t begin = a.even ? n_all * blockIdx.x / gridDim.x : blockIdx.x * n_pieces;
    size_t end = a.even ? n_all * (blockIdx.x + 1) / gridDim.x : n_all;
    while (begin < end) {
        size_t group = begin / n_pieces, first = begin % n_pieces;
        size_t last = end - begin < n_pieces - first ? first + (end - begin) : n_pieces;
        uint32_t sub = (uint32_t)group * V;
        const uint32_t *vectors = IN_SHARED ? staged : a.bits + (size_t)sub * a.stride_words;
        if (IN_SHARED)
            shared_stage<V>(a, sub, staged);
        for (size_t piece = first + warp; piece < last; piece += n_warps) {
            uint32_t answers[V] = {};
            shared_answer<K, V>(a, vectors, piece * SHARED_WMERS, lane, answers);
            size_t tile = piece * SHARED_TILES + lane;
            if (lane < SHARED_TILES && tile < n_tiles)
#pragma unroll
                for (int v = 0; v < V; v++)
                    if (sub + v < a.n_subs)
                        a.columns[(size_t)(sub + v) * n_tiles + tile] = answers[v];
        }
        begin += a.even ? last - first : n_pieces * gridDim.x;
    }
}

typedef void (*shared_kernel_type)(shared_args);

template <int V, bool IN_SHARED> static shared_kernel_type shared_kernel_of_k(uint32_t k)
{
    static const shared_kernel_type kernels[MAX_SHARED_K + 1] = {
        shared_kernel<0, V, IN_SHARED>, shared_kernel<1, V, IN_SHARED>, shared_kernel<2, V, IN_SHARED>, shared_kernel<3, V, IN_SHARED>,
        shared_kernel<4, V, IN_SHARED>, shared_kernel<5, V, IN_SHARED>, shared_kernel<6, V, IN_SHARED>, shared_kernel<7, V, IN_SHARED>,
        shared_kernel<8, V, IN_SHARED>, shared_kernel<9, V, IN_SHARED>, shared_kernel<10, V, IN_SHARED>};
    return kernels[k <= MAX_SHARED_K ? k : 0];
}

static shared_kernel_type shared_kernel_of(uint32_t k, unsigned vectors)
{
    return vectors == 7   ? shared_kernel_of_k<7, true>(k)
           : vectors == 3 ? shared_kernel_of_k<3, true>(k)
           : vectors == 1 ? shared_kernel_of_k<1, true>(k)
                          : shared_kernel<0, 1, false>;
}

static size_t vector_bytes(const struct bank_shape *shape) { return (size_t)(bank_stride(shape) / 8); }

static tms_status shared_prepare(tms_context *ctx, const struct bank_shape *shape, const struct bank_plan *plan, shared_kernel_type *kernel,
                                 size_t *bytes)
{
    *kernel = shared_kernel_of(shape->k, plan->vectors);
    *bytes = plan->vectors * vector_bytes(shape);
    GPU_TRY(ctx->gpu, "preparing shared memory", gpu_allow_shared(ctx->gpu, *kernel));
    GPU_TRY(ctx->gpu, "preparing shared memory",
            cudaFuncSetAttribute(*kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    return TMS_OK;
}

tms_status bank_plan_occupancy(tms_context *ctx, const struct bank_shape *shape, const struct bank_plan *plan, int *blocks, int *registers)
{
    shared_kernel_type kernel;
    size_t bytes;
    cudaFuncAttributes attributes;
    tms_status status = shared_prepare(ctx, shape, plan, &kernel, &bytes);
    if (status != TMS_OK)
        return status;
    GPU_TRY(ctx->gpu, "planning", cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, (int)plan->threads, bytes));
    GPU_TRY(ctx->gpu, "planning", cudaFuncGetAttributes(&attributes, kernel));
    *registers = attributes.numRegs;
    return TMS_OK;
}

tms_status bank_plan_shared(tms_context *ctx, const struct bank_shape *shape, struct bank_plan *out)
{
    static const unsigned counts[] = {7, 3, 1};
    *out = bank_plan{0, 1024, 0, 1};
    for (unsigned count : counts)
        if (!out->vectors && (count <= shape->n_subs || count == 1) && count * vector_bytes(shape) <= ctx->gpu->shared_bytes_block)
            out->vectors = count;
    int blocks, registers;
    tms_status status = bank_plan_occupancy(ctx, shape, out, &blocks, &registers);
    if (status == TMS_OK)
        out->blocks = (unsigned)ctx->gpu->n_multiprocessors * (unsigned)blocks;
    return status;
}

tms_status bank_shared_cuda(tms_context *ctx, const struct bank_gpu *bank, const struct bank_plan *plan, const uint32_t *d_positions,
                            size_t n, uint32_t *d_columns)
{
    const struct bank_shape *shape = &bank->shape;
    shared_kernel_type kernel;
    size_t bytes;
    if (!n)
        return TMS_OK;
    tms_status status = shared_prepare(ctx, shape, plan, &kernel, &bytes);
    if (status != TMS_OK)
        return status;
    shared_args a = {bank->d_bits, d_positions, d_columns, n, shape->n_subs, (uint32_t)(bank_stride(shape) / 32), shape->k, plan->even};
    kernel<<<plan->blocks, plan->threads, bytes, ctx->gpu->stream>>>(a);
    GPU_TRY(ctx->gpu, "schedule shared", cudaGetLastError());
    return TMS_OK;
}

/* --- columns to rows --- */

/* Transposes a 32 x 32 bit matrix: bit i of lane l becomes bit l of lane i. */
static __device__ __forceinline__ uint32_t transpose(uint32_t x, uint32_t lane)
{
    uint32_t mask = 0x0000ffff;
#pragma unroll
    for (uint32_t d = 16; d; d /= 2) {
        uint32_t other = __shfl_xor_sync(~0u, x, d);
        x = lane & d ? (x & ~mask) | (other >> d & mask) : (x & mask) | (other << d & ~mask);
        mask ^= mask << d / 2;
    }
    return x;
}

#define TURN_WARPS 8 /* warps per block; a block transposes TURN_WARPS x 32 columns of 32 tiles */

static __global__ void __launch_bounds__(TURN_WARPS * 32)
    turn_kernel(const uint32_t *columns, uint32_t n_subs, size_t n, size_t row_words, uint32_t *rows)
{
    __shared__ uint32_t in[TURN_WARPS][32][33], out[2][32][TURN_WARPS + 1];
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t n_tiles = (n + 31) / 32, n_groups = (row_words + TURN_WARPS - 1) / TURN_WARPS;
    size_t first = blockIdx.x / n_groups * 32, word = blockIdx.x % n_groups * TURN_WARPS;
    for (uint32_t c = 0; c < 32; c++) {
        size_t sub = (word + warp) * 32 + c;
        in[warp][c][lane] = sub < n_subs && first + lane < n_tiles ? columns[sub * n_tiles + first + lane] : 0;
    }
    __syncwarp();
    for (uint32_t t = 0; t < 32 && first + t < n_tiles; t++) {
        out[t % 2][lane][warp] = transpose(in[warp][lane][t], lane);
        __syncthreads();
        uint32_t r = threadIdx.x / TURN_WARPS, w = threadIdx.x % TURN_WARPS;
        size_t i = (first + t) * 32 + r;
        if (i < n && word + w < row_words)
            rows[i * row_words + word + w] = out[t % 2][r][w];
    }
}

/* Rows of one word: each thread gathers one row. */
static __global__ void __launch_bounds__(ROW_THREADS) turn_few_kernel(const uint32_t *columns, uint32_t n_subs, size_t n, uint32_t *rows)
{
    size_t i = (size_t)blockIdx.x * ROW_THREADS + threadIdx.x, n_tiles = (n + 31) / 32;
    uint32_t row = 0;
    if (i >= n)
        return;
    for (uint32_t s = 0; s < n_subs; s++)
        row |= (__ldg(columns + s * n_tiles + i / 32) >> (i % 32) & 1) << s;
    rows[i] = row;
}

tms_status bank_rows_of_columns_cuda(tms_context *ctx, const struct bank_shape *shape, const uint32_t *d_columns, size_t n,
                                     uint32_t *d_rows)
{
    size_t row_words = bank_row_words(shape), n_groups = (row_words + TURN_WARPS - 1) / TURN_WARPS;
    if (!n)
        return TMS_OK;
    if (row_words == 1)
        turn_few_kernel<<<(unsigned)((n + ROW_THREADS - 1) / ROW_THREADS), ROW_THREADS, 0, ctx->gpu->stream>>>(d_columns, shape->n_subs, n,
                                                                                                               d_rows);
    else
        turn_kernel<<<(unsigned)((n + 1023) / 1024 * n_groups), TURN_WARPS * 32, 0, ctx->gpu->stream>>>(d_columns, shape->n_subs, n,
                                                                                                        row_words, d_rows);
    GPU_TRY(ctx->gpu, "turning columns to rows", cudaGetLastError());
    return TMS_OK;
}

/* --- schedule "interleaved" --- */

struct rows_args {
    const uint32_t *bits, *positions;
    uint32_t *rows;
    size_t n;
    uint64_t m_bits;
    uint32_t k, row_bits, n_slices, row_words;
};

static __device__ __forceinline__ uint2 operator&(uint2 a, uint2 b) { return make_uint2(a.x & b.x, a.y & b.y); }
static __device__ __forceinline__ uint4 operator&(uint4 a, uint4 b) { return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w); }

/* For rows of 32 bits or more: L threads test a row, each one PIECE. */
template <int K, int L, class PIECE> static __global__ void __launch_bounds__(ROW_THREADS) rows_kernel(rows_args a)
{
    size_t thread = (size_t)blockIdx.x * ROW_THREADS + threadIdx.x, i = thread / L;
    uint32_t piece = (uint32_t)(thread % L);
    if (i >= a.n)
        return;
    const PIECE *slice = (const PIECE *)a.bits + blockIdx.y * a.m_bits * L + piece;
    PIECE pass;
    if (K) {
        uint32_t at[K ? K : 1];
        PIECE row[K ? K : 1];
#pragma unroll
        for (int j = 0; j < K; j++)
            at[j] = __ldg(a.positions + j * a.n + i);
#pragma unroll
        for (int j = 0; j < K; j++)
            row[j] = __ldg(slice + (size_t)at[j] * L);
        pass = row[0];
#pragma unroll
        for (int j = 1; j < K; j++)
            pass = pass & row[j];
    } else {
        pass = __ldg(slice + (size_t)__ldg(a.positions + i) * L);
#pragma unroll 4
        for (uint32_t j = 1; j < a.k; j++)
            pass = pass & __ldg(slice + (size_t)__ldg(a.positions + j * a.n + i) * L);
    }
    /* Streaming store that keeps the slice in L2: no kernel reads the answer soon. */
    __stcs((PIECE *)(a.rows + i * a.row_words + blockIdx.y * (a.row_bits / 32)) + piece, pass);
}

/* For rows of less than 32 bits: a thread tests a w-mer and stops when no column is left. */
static __global__ void __launch_bounds__(ROW_THREADS) narrow_kernel(rows_args a)
{
    size_t i = (size_t)blockIdx.x * ROW_THREADS + threadIdx.x;
    uint32_t answers = 0, mask = (1u << a.row_bits) - 1;
    if (i >= a.n)
        return;
    for (uint32_t slice = 0; slice < a.n_slices; slice++) {
        uint32_t pass = mask, column = slice * a.row_bits;
        for (uint32_t j = 0; j < a.k && pass; j++) {
            uint64_t bit = (slice * a.m_bits + __ldg(a.positions + j * a.n + i)) * a.row_bits;
            pass &= __ldg(a.bits + (bit >> 5)) >> (bit & 31);
        }
        answers |= pass << (column & 31);
        if ((column + a.row_bits) % 32 == 0 || slice + 1 == a.n_slices) {
            a.rows[i * a.row_words + column / 32] = answers;
            answers = 0;
        }
    }
}

typedef void (*rows_kernel_type)(rows_args);

template <int L, class PIECE> static rows_kernel_type rows_kernel_of_k(uint32_t k)
{
    static const rows_kernel_type kernels[MAX_ROW_K + 1] = {rows_kernel<0, L, PIECE>, rows_kernel<1, L, PIECE>, rows_kernel<2, L, PIECE>,
                                                            rows_kernel<3, L, PIECE>, rows_kernel<4, L, PIECE>, rows_kernel<5, L, PIECE>,
                                                            rows_kernel<6, L, PIECE>, rows_kernel<7, L, PIECE>, rows_kernel<8, L, PIECE>};
    return kernels[k <= MAX_ROW_K ? k : 0];
}

static rows_kernel_type rows_kernel_of(uint32_t row_bits, uint32_t k)
{
    switch (row_bits) {
    case 1024:
        return rows_kernel_of_k<8, uint4>(k);
    case 768:
        return rows_kernel_of_k<6, uint4>(k);
    case 512:
        return rows_kernel_of_k<4, uint4>(k);
    case 256:
        return rows_kernel_of_k<2, uint4>(k);
    case 128:
        return rows_kernel_of_k<1, uint4>(k);
    case 64:
        return rows_kernel_of_k<1, uint2>(k);
    case 32:
        return rows_kernel_of_k<1, uint32_t>(k);
    default:
        return narrow_kernel;
    }
}

tms_status bank_interleaved_cuda(tms_context *ctx, const struct bank_gpu *bank, const uint32_t *d_positions, size_t n, uint32_t *d_rows)
{
    const struct bank_shape *shape = &bank->shape;
    if (!n)
        return TMS_OK;
    size_t n_threads = n * (shape->row_bits > 128 ? shape->row_bits / 128 : 1);
    uint32_t n_slices = (shape->n_subs + shape->row_bits - 1) / shape->row_bits;
    dim3 grid((unsigned)((n_threads + ROW_THREADS - 1) / ROW_THREADS), shape->row_bits < 32 ? 1 : n_slices);
    rows_args a = {
        bank->d_bits, d_positions, d_rows, n, shape->m_bits, shape->k, shape->row_bits, n_slices, (uint32_t)bank_row_words(shape)};
    rows_kernel_of(shape->row_bits, shape->k)<<<grid, ROW_THREADS, 0, ctx->gpu->stream>>>(a);
    GPU_TRY(ctx->gpu, "schedule interleaved", cudaGetLastError());
    return TMS_OK;
}

tms_status bank_query_cuda(tms_context *ctx, const struct bank_gpu *bank, const uint32_t *d_positions, size_t n, uint32_t *d_columns,
                           uint32_t *d_rows)
{
    struct bank_plan plan;
    if (bank->shape.row_bits)
        return bank_interleaved_cuda(ctx, bank, d_positions, n, d_rows);
    tms_status status = bank_plan_shared(ctx, &bank->shape, &plan);
    if (status == TMS_OK)
        status = bank_shared_cuda(ctx, bank, &plan, d_positions, n, d_columns);
    if (status == TMS_OK)
        status = bank_rows_of_columns_cuda(ctx, &bank->shape, d_columns, n, d_rows);
    return status;
}

/* --- counting --- */

#define COUNT_WARPS 8
#define COUNT_ROWS  4096 /* rows per block */

/* A warp loads one word of 32 rows and transposes it: then each lane has one sub-query's answers. */
static __global__ void __launch_bounds__(COUNT_WARPS * 32)
    count_kernel(const uint32_t *rows, const uint32_t *valid, size_t n, uint32_t row_words, uint32_t n_subs, unsigned long long *counts)
{
    uint32_t lane = threadIdx.x % 32, n_groups = (row_words + COUNT_WARPS - 1) / COUNT_WARPS, count = 0;
    uint32_t word = blockIdx.x % n_groups * COUNT_WARPS + threadIdx.x / 32;
    size_t first = (size_t)(blockIdx.x / n_groups) * COUNT_ROWS;
    if (word >= row_words)
        return;
    for (size_t i = first; i < n && i < first + COUNT_ROWS; i += 32) {
        bool counts_too = i + lane < n && valid[i / 32] >> lane & 1;
        count += __popc(transpose(counts_too ? __ldg(rows + (i + lane) * row_words + word) : 0, lane));
    }
    if (word * 32 + lane < n_subs && count)
        atomicAdd(counts + word * 32 + lane, count);
}

tms_status bank_count_cuda(tms_context *ctx, const struct bank_shape *shape, const uint32_t *d_rows, const uint32_t *d_valid, size_t n,
                           unsigned long long *d_counts)
{
    size_t row_words = bank_row_words(shape), n_groups = (row_words + COUNT_WARPS - 1) / COUNT_WARPS;
    if (!n)
        return TMS_OK;
    count_kernel<<<(unsigned)((n + COUNT_ROWS - 1) / COUNT_ROWS * n_groups), COUNT_WARPS * 32, 0, ctx->gpu->stream>>>(
        d_rows, d_valid, n, (uint32_t)row_words, shape->n_subs, d_counts);
    GPU_TRY(ctx->gpu, "counting", cudaGetLastError());
    return TMS_OK;
}
