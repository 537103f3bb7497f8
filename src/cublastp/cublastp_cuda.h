/*
 * cublastp_cuda.h - two_hit_gpu_scan() by cuBLASTP's strategy: it sorts word hits into bins by their diagonals, sorts the bins, drops hits
 * without a neighbour, and extends the others diagonal by diagonal [Zhang et al. 2014, sections 3.2 to 3.5]. The results are the same.
 *
 * A build without CUDA uses cublastp_none.c instead.
 */
#ifndef TMS_CUBLASTP_CUDA_H
#define TMS_CUBLASTP_CUDA_H

#include "lookup/two_hit_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cublastp_extension {
    CUBLASTP_WINDOW = 0,   /* each group of lanes takes one diagonal, and as many residues at a time: Algorithm 5 */
    CUBLASTP_DIAGONAL = 1, /* each thread takes one diagonal: Algorithm 3 */
    CUBLASTP_HIT = 2       /* each thread takes one hit: Algorithm 4 */
};

enum cublastp_scoring {
    CUBLASTP_SCORING_AUTO = 0, /* chooses CUBLASTP_MATRIX: as fast or faster for queries of 127, 517 and 1,054 residues on an H200 */
    CUBLASTP_PSSM = 1,         /* scores by query position, in shared memory if they fit */
    CUBLASTP_MATRIX = 2        /* scores by residue, in shared memory */
};

enum {
    CUBLASTP_MOST_BINS = 1024,
    CUBLASTP_USUAL_BINS = 128,
    CUBLASTP_USUAL_LANES = 8,
    CUBLASTP_WORD_SIZE = 3 /* the only word size that the strategy supports */
};

struct cublastp_options {
    enum cublastp_extension extension;
    enum cublastp_scoring scoring;
    int n_bins;     /* bins of a warp: a power of two, 1 .. CUBLASTP_MOST_BINS */
    int lanes;      /* lanes of a window: 8, 16 or 32 */
    bool avoids_l1; /* positions of words are read past the first cache */
};

/* Statistics of scans, summed over calls; seconds of each step on the GPU. */
enum cublastp_step { CUBLASTP_DETECT, CUBLASTP_ASSEMBLE, CUBLASTP_SORT, CUBLASTP_FILTER, CUBLASTP_EXTEND, CUBLASTP_REPLAY, CUBLASTP_STEPS };
struct cublastp_report {
    double seconds[CUBLASTP_STEPS];
    uint64_t n_kept, n_diagonals; /* hits with a neighbour; diagonals that have such hits */
};

/*
 * cublastp_scan() - scans a part of the subjects; same contract as two_hit_gpu_scan().
 *   tables [in] tables for which two_hit_gpu_takes() is true, with words of CUBLASTP_WORD_SIZE residues
 *   report [in,out] NULL: none, and the scan does not wait for each step
 *   out [in,out] replaced by the results; n_candidates: extensions; n_diagonals: with CUBLASTP_HIT, diagonals to which the two-hit rule was
 *     applied again
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status cublastp_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                         const struct cublastp_options *options, struct cublastp_report *report, struct two_hit_gpu_part *part,
                         struct two_hit_gpu_found *out);

#ifdef __cplusplus
}
#endif
#endif
