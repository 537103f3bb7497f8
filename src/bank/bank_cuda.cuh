/*
 * bank_cuda.cuh - a bank of Bloom filters on a GPU: positions, the two schedules, and operations on their answers.
 * Used by seeds_cuda.cu, the bench and the tests.
 *
 * Answers are rows of bits, one row a w-mer: sub-query s is bit s mod 32 of the row's word s / 32, and a row has
 * bank_row_words() words. All functions queue work on the context's stream.
 */
#ifndef TMS_BANK_CUDA_CUH
#define TMS_BANK_CUDA_CUH

#include "bank/bank.h"
#include "device/gpu_internal.cuh"

struct bank_gpu {
    struct bank_shape shape;
    int index;             /* index of the bank's GPU */
    uint32_t *d_bits;      /* as bank.bits */
    uint64_t *d_h3_tables; /* 256 words per byte of a w-mer, lane by lane; NULL if the hash is not H3 */
};

tms_status bank_gpu_create(tms_context *ctx, const struct bank *bank, struct bank_gpu *out);
void bank_gpu_free(struct bank_gpu *bank); /* accepts a zeroed bank */

static inline size_t bank_row_words(const struct bank_shape *shape) { return (size_t)((bank_width(shape) + 31) / 32); }

/* Bytes of shared memory that a block needs for H3. */
static inline size_t bank_tables_bytes(const struct bank_shape *shape)
{
    return shape->hash == BANK_H3 ? (size_t)bank_lanes(shape) * bank_word_bytes(shape) * 256 * sizeof(uint64_t) : 0;
}

/* d_positions[j * n + i], j < k */
tms_status bank_positions_cuda(tms_context *ctx, const struct bank_gpu *bank, const uint64_t *d_words, size_t n, uint32_t *d_positions);

/*
 * Schedule "shared" [Ma11, II-B]: a vector lies in a block's shared memory, w-mers stream past it. The answers to 32
 * w-mers are the 32 bits of a ballot: d_columns[s * ((n + 31) / 32) + i / 32], bit i mod 32.
 */
struct bank_plan {
    unsigned blocks, threads;
    unsigned vectors; /* vectors per block at a time: 1, 3 or 7, which share the reads of positions. 0: a vector does not fit;
                         probe it in global memory */
    int even;         /* 1: blocks have equal parts of vectors x w-mers. 0: a block tests all w-mers against a vector, then
                         takes the next: the paper's passes */
};
/* Blocks that a multiprocessor has room for, and registers per thread; ignores the plan's number of blocks. */
tms_status bank_plan_occupancy(tms_context *ctx, const struct bank_shape *shape, const struct bank_plan *plan, int *blocks, int *registers);
tms_status bank_plan_shared(tms_context *ctx, const struct bank_shape *shape, struct bank_plan *out);
tms_status bank_shared_cuda(tms_context *ctx, const struct bank_gpu *bank, const struct bank_plan *plan, const uint32_t *d_positions,
                            size_t n, uint32_t *d_columns);

/* Transposes columns to rows. */
tms_status bank_rows_of_columns_cuda(tms_context *ctx, const struct bank_shape *shape, const uint32_t *d_columns, size_t n,
                                     uint32_t *d_rows);

/* Schedule "interleaved": processes slices of the bank one by one, so that the current slice stays in L2. */
tms_status bank_interleaved_cuda(tms_context *ctx, const struct bank_gpu *bank, const uint32_t *d_positions, size_t n, uint32_t *d_rows);

/* Chooses the schedule by the bank's shape. d_columns: room for n_subs x (n + 31) / 32 words if it is "shared". */
tms_status bank_query_cuda(tms_context *ctx, const struct bank_gpu *bank, const uint32_t *d_positions, size_t n, uint32_t *d_columns,
                           uint32_t *d_rows);

/* Adds the number of valid w-mers that sub-query s passes to d_counts[s]. d_valid: bit i is 1 if w-mer i counts. */
tms_status bank_count_cuda(tms_context *ctx, const struct bank_shape *shape, const uint32_t *d_rows, const uint32_t *d_valid, size_t n,
                           unsigned long long *d_counts);

#ifdef __CUDACC__
/* Hash lane `lane` of a w-mer; tables: a copy of d_h3_tables in shared memory. */
static __device__ __forceinline__ uint64_t bank_hash_lane(const struct bank_shape &shape, const uint64_t *tables, unsigned lane,
                                                          uint64_t word)
{
    unsigned n_bytes = bank_word_bytes(&shape);
    return shape.hash == BANK_H3 ? h3_by_tables(tables + (size_t)lane * n_bytes * 256, n_bytes, word)
                                 : bank_xxh3_lane(shape.seed, lane, word);
}

/* Copies the tables to a block's shared memory. */
static __device__ __forceinline__ void bank_load_tables(const struct bank_shape &shape, const uint64_t *d_tables, uint64_t *tables)
{
    if (shape.hash == BANK_H3) {
        unsigned n = bank_lanes(&shape) * bank_word_bytes(&shape) * 256;
        for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
            tables[i] = d_tables[i];
        __syncthreads();
    }
}
#endif

#endif
