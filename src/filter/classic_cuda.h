/* classic_cuda.h - the classic layout's GPU back end, for layouts.c and the bench. */
#ifndef TMS_CLASSIC_CUDA_H
#define TMS_CLASSIC_CUDA_H

#include "filter/filter_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who does which hash function. */
enum classic_schedule {
    CLASSIC_AUTO,
    CLASSIC_THREAD, /* one thread a key, all k functions */
    CLASSIC_WARP,   /* one warp a key, k / 32 functions a lane */
    CLASSIC_BLOCK   /* the papers': a row of threads a key, one thread a function, k rounded up to a warp [Ong13, IV; thesis, Fig. 6] */
};

#define CLASSIC_LOOK_FROM_K      64  /* from so many functions on insertion looks at a bit before it sets it */
#define CLASSIC_WARP_FROM_K_XXH3 512 /* from so many functions of XXH3 on CLASSIC_AUTO is a warp a key, unless the model says otherwise */

/* Queued on the context's stream. keys: device pointers, or hashes (two words a key) where keys is NULL. */
tms_status classic_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                               enum classic_schedule schedule);
tms_status classic_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit, enum classic_schedule schedule);

#ifdef __cplusplus
}
#endif
#endif
