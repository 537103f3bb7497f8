/*
 * composition_cuda.h - the matrices of many pairs on a GPU: the same as composition_solve() and composition_matrix() make, to the last bit.
 *
 * A build without CUDA uses composition_none.c instead.
 */
#ifndef TMS_COMPOSITION_CUDA_H
#define TMS_COMPOSITION_CUDA_H

#include "device/gpu.h"
#include "score/composition.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pair of a query and a subject, for which composition_has_matrix(). */
struct composition_gpu_pair {
    double columns[JOINT_LETTERS]; /* the subject's shares from composition_smooth(), or, if it is scaled, from composition_shares() */
    uint32_t query;                /* row of `rows` and of `shares` */
    bool is_scaled;                /* false: it is optimised */
};

/* Matrices in device memory, valid until the next call with the same GPU. */
struct composition_gpu_matrices {
    const int16_t *d_scores;  /* [n_pairs][RESIDUE_CODES * query's code + subject's code] */
    const uint8_t *d_is_made; /* [n_pairs] 0: left to the CPU, as are optimisations that do not converge */
    bool are_equal;           /* false: the GPU's logarithms are not those of log() here, so nothing was made */
};

/* The pairs of a batch. */
struct composition_gpu_batch {
    const double *rows;   /* n_queries rows of JOINT_LETTERS: the queries' shares from composition_smooth() */
    const double *shares; /* the same from composition_shares() */
    size_t n_queries;
    const struct composition_gpu_pair *pairs; /* n_pairs */
    size_t n_pairs;
};

/* Bytes of device memory for one pair, and beside them at most. */
enum { COMPOSITION_GPU_PAIR_BYTES = 2 * RESIDUE_CODES * RESIDUE_CODES + 192, COMPOSITION_GPU_BYTES = 28 << 20 };

/*
 * composition_gpu_make() - makes the matrices of a batch.
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE. The kernels may still run; gpu_wait() reports their faults.
 */
tms_status composition_gpu_make(struct gpu *gpu, const struct composition_basis *basis, const struct composition_gpu_batch *batch,
                                struct composition_gpu_matrices *out);

#ifdef __cplusplus
}
#endif
#endif
