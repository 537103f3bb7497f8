/* gapped_types.h - what goes into the gapped stage on a GPU and comes out of it, for its kernels too. */
#ifndef TMS_GAPPED_TYPES_H
#define TMS_GAPPED_TYPES_H

#include <stdint.h>

/* A query, as the gapped stage needs it. */
struct gapped_gpu_query {
    int first_position, length;
    int cutoff, near; /* least accepted score; least score that calls for the full form of the extension */
};

/* An accepted HSP; with n_left > 0, a pair that the GPU leaves to the CPU. */
struct gapped_gpu_hsp {
    uint32_t pair, subject, query;
    int query_begin, query_end, subject_begin, subject_end, score, start_query, start_subject;
    uint32_t first_left, n_left; /* the pair's ungapped HSPs in found->hsps */
};

#endif
