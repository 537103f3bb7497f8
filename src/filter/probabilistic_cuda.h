/* probabilistic_cuda.h - the probabilistic layout's GPU back end, with a choice of schedules for the bench and the tests. */
#ifndef TMS_PROBABILISTIC_CUDA_H
#define TMS_PROBABILISTIC_CUDA_H

#include "filter/filter_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

enum probabilistic_schedule {
    PROBABILISTIC_AUTO,
    PROBABILISTIC_ROWS,   /* the thesis's, row_kernels.cuh: insertion with plain sampling, and counting */
    PROBABILISTIC_THREAD, /* a thread a key: insertion with geometric sampling */
    PROBABILISTIC_WARP    /* a warp a key: insertion with plain sampling, and counting */
};

/* keys or hashes (the other NULL) in device memory; insertion: number of the first one. Both queue work on the context's stream. */
tms_status probabilistic_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *d_hashes, size_t n,
                                     uint64_t insertion, enum probabilistic_schedule schedule);
tms_status probabilistic_count_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *d_ones,
                                    enum probabilistic_schedule schedule);

#ifdef __cplusplus
}
#endif
#endif
