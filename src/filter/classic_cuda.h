/* classic_cuda.h - the classic layout's GPU back end, for layouts.c and the bench. */
#ifndef TMS_CLASSIC_CUDA_H
#define TMS_CLASSIC_CUDA_H

#include "filter/filter_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How threads share the keys and hash functions. */
enum classic_schedule {
    CLASSIC_AUTO,
    CLASSIC_THREAD, /* one thread a key, all k functions */
    CLASSIC_WARP,   /* one warp a key, k / 32 functions a lane */
    CLASSIC_BLOCK   /* the papers': a row of threads a key, one thread a function, k rounded up to a warp [Ong13, IV; thesis, Fig. 6] */
};

#define CLASSIC_LOOK_FROM_K      64  /* least k for which insertion reads a bit before setting it */
#define CLASSIC_WARP_FROM_K_XXH3 512 /* least k for which CLASSIC_AUTO uses a warp per key with XXH3, unless the profile sets another */

/* Queue work on the context's stream. keys: device pointers, or hashes (two words a key) where keys is NULL. */
tms_status classic_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                               enum classic_schedule schedule);
tms_status classic_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit, enum classic_schedule schedule);

#ifdef __cplusplus
}
#endif
#endif
