/*
 * blastp_gpu.h - the subjects of a search in a GPU's memory, in blocks: all of them at once if they fit, else one after the other.
 */
#ifndef TMS_BLASTP_GPU_H
#define TMS_BLASTP_GPU_H

#include "search/blastp_subjects.h"
#include "seed/two_hit_gpu.h"

/* Which subjects are where. */
struct blastp_gpu {
    struct two_hit_gpu_subjects **blocks; /* [n_blocks]; NULL: it is not on the GPU now */
    uint64_t *firsts;                     /* [n_blocks + 1] subjects */
    size_t n_blocks;
    bool keeps_all;
};

/* blastp_gpu_create() - cuts subjects into blocks. Returns TMS_OK or TMS_E_MEMORY. The context has a GPU, the same in all calls. */
tms_status blastp_gpu_create(tms_context *ctx, const tms_seqdb *db, struct blastp_gpu **out);
void blastp_gpu_destroy(struct blastp_gpu *gpu); /* NULL is fine */

/*
 * blastp_gpu_block() - block k, which is copied to the GPU unless it is there.
 *   damaged [out] with TMS_E_FORMAT: the subject that has bytes which are no codes
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE, TMS_E_CANCELLED or TMS_E_FORMAT.
 */
tms_status blastp_gpu_block(tms_context *ctx, struct blastp_gpu *gpu, const struct blastp_subjects *subjects, size_t k, uint64_t *damaged,
                            const struct two_hit_gpu_subjects **out);

#endif
