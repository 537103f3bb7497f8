/* gpu_round.h - from the ungapped HSPs that a GPU has found to preliminary ones, on the GPU or by threads of the CPU. */
#ifndef TMS_GPU_ROUND_H
#define TMS_GPU_ROUND_H

#include "lookup/two_hit_gpu.h"
#include "search/gapped_cuda.h"
#include "search/search_state.h"

/* A round: what a GPU finds for one group of queries in one block of subjects, or in a part of the block. */
struct gpu_round {
    struct search_state *s;
    const struct query_group *group;
    const struct two_hit_gpu_subjects *block;
    const uint32_t *pieces; /* [n_subjects + 1] of translated subjects: the first piece of each, and the end; else NULL */
    struct two_hit_gpu_part part;
    uint32_t wanted_end;    /* end of the part that the scan was asked for; memory may have ended it earlier */
    uint64_t first_subject; /* first subject of the block */
    uint32_t n_subjects;    /* subjects of the block */
    struct two_hit_gpu_found ungapped;
    struct gapped_gpu_found gapped; /* of frames: slices of subjects for each query, which the CPU extends */
};

/* Whether the round is the last of its group and block. */
static inline bool gpu_round_ends_block(const struct gpu_round *round) { return round->part.end == round->n_subjects; }

/*
 * gpu_round_extend() - after the scan: runs the gapped stage on the GPU, or leaves all pairs to the CPU if there is none, if the setup or
 * the costs require that, or if queries have frames, which are extended together. Called by the driving thread.
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE, with a message in ctx.
 */
tms_status gpu_round_extend(tms_context *ctx, struct gpu_round *round, struct search_counts *counts);

/* gpu_round_n_left() - the ungapped HSPs of pairs that the GPU has left. */
uint64_t gpu_round_n_left(const struct gpu_round *round);

/*
 * gpu_round_finish() - finishes the pairs of one of the round's gpu_round_n_tasks() tasks; any thread. Failures are recorded in the
 * search's state.
 */
size_t gpu_round_n_tasks(const struct gpu_round *round);
void gpu_round_finish(const struct gpu_round *round, size_t task, int thread);

#endif
