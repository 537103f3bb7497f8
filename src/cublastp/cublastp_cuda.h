/*
 * cublastp_cuda.h - two_hit_gpu_scan() as cuBLASTP does it: hits of words go to bins by their diagonals, bins are sorted, hits without a
 * neighbour are left out, and the others are extended diagonal by diagonal [Zhang et al. 2014, sections 3.2 to 3.5]. The same extensions
 * are kept.
 *
 * In a build without CUDA cublastp_none.c stands in its place.
 */
#ifndef TMS_CUBLASTP_CUDA_H
#define TMS_CUBLASTP_CUDA_H

#include "lookup/two_hit_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cublastp_extension {
    CUBLASTP_WINDOW = 0,   /* a group of lanes a diagonal, which looks at as many residues at a time: Algorithm 5 */
    CUBLASTP_DIAGONAL = 1, /* a thread a diagonal: Algorithm 3 */
    CUBLASTP_HIT = 2       /* a thread a hit: Algorithm 4 */
};

enum cublastp_scoring {
    CUBLASTP_SCORING_AUTO = 0, /* by residue: as fast or faster for queries of 127, 517 and 1,054 residues on an H200 */
    CUBLASTP_PSSM = 1,         /* scores by place of the query, in shared memory if they fit there */
    CUBLASTP_MATRIX = 2        /* scores by residue, in shared memory */
};

enum {
    CUBLASTP_MOST_BINS = 1024,
    CUBLASTP_USUAL_BINS = 128,
    CUBLASTP_USUAL_LANES = 8,
    CUBLASTP_WORD_SIZE = 3 /* residues of the words that it is for */
};

struct cublastp_options {
    enum cublastp_extension extension;
    enum cublastp_scoring scoring;
    int n_bins;     /* of a warp: a power of two, 1 .. CUBLASTP_MOST_BINS */
    int lanes;      /* of a window: 8, 16 or 32 */
    bool avoids_l1; /* positions of words are read past the first cache */
};

/* What a scan did, and seconds of each step on the GPU. Sums over calls. */
enum cublastp_step { CUBLASTP_DETECT, CUBLASTP_ASSEMBLE, CUBLASTP_SORT, CUBLASTP_FILTER, CUBLASTP_EXTEND, CUBLASTP_REPLAY, CUBLASTP_STEPS };
struct cublastp_report {
    double seconds[CUBLASTP_STEPS];
    uint64_t n_kept, n_diagonals; /* hits with a neighbour; diagonals that have some */
};

/*
 * cublastp_scan() - a part of the subjects, as two_hit_gpu_scan() takes it.
 *   tables [in] those that two_hit_gpu_takes(), of words of CUBLASTP_WORD_SIZE residues
 *   report [in,out] NULL: none, and steps are not waited for
 *   out [in,out] what was in it is replaced; n_candidates: extensions made; n_diagonals: those that were walked along, with CUBLASTP_HIT
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status cublastp_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                         const struct cublastp_options *options, struct cublastp_report *report, struct two_hit_gpu_part *part,
                         struct two_hit_gpu_found *out);

#ifdef __cplusplus
}
#endif
#endif
