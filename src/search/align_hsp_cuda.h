/*
 * align_hsp_cuda.h - align_hsp() on a GPU, for many start points: a warp makes an alignment.
 *
 * A build without CUDA uses align_hsp_none.c instead.
 */
#ifndef TMS_ALIGN_HSP_CUDA_H
#define TMS_ALIGN_HSP_CUDA_H

#include "extend/gapped_vectors.h"
#include "run/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pair of a query and a subject: positions of their first codes. A code 0 precedes and follows each sequence. */
struct align_gpu_pair {
    uint32_t query, subject;
    int query_length, subject_length;
};

struct align_gpu_start {
    uint32_t pair;
    int query, subject;
};

/* As align_hsp() leaves an HSP. A run is 4 * length + enum gapped_operation. */
struct align_gpu_alignment {
    int query, query_end, subject, subject_end, score;
    uint32_t first_run;
    int n_runs; /* below 0: not made, because something does not fit, or because its pair has no matrix */
};

/* What is to be aligned. */
struct align_gpu_batch {
    const uint8_t *codes; /* n_codes */
    size_t n_codes;
    const struct align_gpu_pair *pairs;
    size_t n_pairs;
    const struct align_gpu_start *starts;
    size_t n_starts;
    const int16_t *d_scores;  /* in device memory: a matrix of RESIDUE_CODES x RESIDUE_CODES for each pair; NULL: all have costs->scores */
    const uint8_t *d_is_made; /* in device memory: whether the pair has a matrix; NULL with d_scores */
    size_t work_bytes;        /* device memory that the alignments may use, beside those of the batch */
};

/* All zero is empty. The caller frees it with align_gpu_found_free(). */
struct align_gpu_found {
    struct align_gpu_alignment *alignments; /* one for each start */
    int *runs;
    uint8_t *is_made; /* for each pair: whether it has a matrix */
    size_t alignments_capacity, runs_capacity, pairs_capacity;
};
void align_gpu_found_free(struct align_gpu_found *found);

/* Device memory of a start and of a pair, without the matrix; the least useful work_bytes. */
enum { ALIGN_GPU_START_BYTES = 40 + 4 * 24, ALIGN_GPU_PAIR_BYTES = 16, ALIGN_GPU_LEAST_BYTES = 16 << 20 };

/* align_gpu_takes() - whether the GPU supports these costs; costs->scores is not read. */
bool align_gpu_takes(const struct gapped_costs *costs);

/*
 * align_gpu() - makes all alignments of a batch.
 *   costs [in] with matrices for the pairs these take the place of costs->scores, which otherwise have 16 bits
 *   found [in,out] replaced by the results
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status align_gpu(tms_context *ctx, const struct gapped_costs *costs, const struct align_gpu_batch *batch,
                     struct align_gpu_found *found);

#ifdef __cplusplus
}
#endif
#endif
