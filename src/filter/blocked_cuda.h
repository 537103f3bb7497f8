/* blocked_cuda.h - the blocked layout's GPU back end, for layouts.c and the bench. */
#ifndef TMS_BLOCKED_CUDA_H
#define TMS_BLOCKED_CUDA_H

#include "filter/filter_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Insertion strategy for a batch. */
enum blocked_way {
    BLOCKED_DIRECT,      /* atomic ORs, eight threads a key */
    BLOCKED_PART_SHARED, /* partition by slice of the filter, each slice filled in shared memory */
    BLOCKED_PART_L2      /* partition by slice, each slice filled by atomic ORs while it sits in L2 */
};

struct blocked_plan {
    enum blocked_way way;
    unsigned slice_shift; /* a slice has 2^slice_shift blocks */
    unsigned n_slices;
    size_t chunk_keys;     /* keys partitioned at a time */
    size_t slice_capacity; /* keys of a chunk that a slice's list holds; the kernel inserts further keys directly */
};

/* The fastest strategy for n keys, with its sizes. */
struct blocked_plan blocked_plan_insert(const struct gpu *gpu, const tms_filter *f, size_t n);
/* The sizes for a given strategy, with slices of 2^slice_shift blocks. */
struct blocked_plan blocked_plan_for(const tms_filter *f, size_t n, enum blocked_way way, unsigned slice_shift);

/* Queue work on the context's stream. keys: device pointers, or hashes where keys is NULL. plan: NULL for blocked_plan_insert(). */
tms_status blocked_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                               const struct blocked_plan *plan);
tms_status blocked_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit);

#ifdef __cplusplus
}
#endif
#endif
