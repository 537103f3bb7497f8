/* composition_aligner.h - working memory of an alignment with composition-based statistics. */
#ifndef TMS_COMPOSITION_ALIGNER_H
#define TMS_COMPOSITION_ALIGNER_H

#include "extend/smith_waterman.h"
#include "mask/seg.h"
#include "protein/composition_subjects.h"
#include "protein/frame_windows.h"
#include "protein/protein_setup.h"
#include "protein/subject_masks.h"
#include "protein/sw_early_stop.h"
#include "search/gapped_stage.h"

/* The compositions that a matrix was made from. */
struct composition_source {
    bool is_there;
    struct composition_pair pair;
};

/* What the alignment of a subject leaves beside its HSPs. */
struct composition_outcome {
    bool waits; /* every residue is masked: BLAST then reuses the previous subject's matrix, which is not known yet */
    struct smith_waterman_evidence evidence; /* with Smith-Waterman */
};

/* Working memory of one thread, beside its search_scratch. */
struct composition_aligner {
    const struct protein_setup *setup;
    tms_simd simd;
    int scale;                       /* scale of scores: COMPOSITION_SCALE, or 1 without composition */
    struct gapped_statistics scaled; /* statistics of scores times scale */
    struct gapped_costs costs;       /* gap costs times scale; costs.scores are those of `matrix` */
    double near;                     /* score per residue from which two sequences may be nearly identical */
    struct seg *seg;
    struct subject_masks *masks; /* shared by all threads */
    struct intervals segments;
    struct smith_waterman_boxes boxes;     /* with Smith-Waterman: boxes of the subject's earlier alignments */
    struct adjusted_matrix matrix;         /* the last matrix that was made, for any subject */
    struct composition_source source;      /* residues that the last matrix of the current task was made from */
    bool knows_matrix;                     /* whether BLAST would have the matrix of `source` now */
    const struct composition_pair *behind; /* of a prepared subject: a GPU has made its matrix since `matrix` and `source`; else NULL */
    const struct composition_subjects *subjects;                  /* the subjects to be aligned */
    const struct composition_made *made;                          /* what a GPU has made for them; NULL: nothing */
    struct composition_solution solutions[COMPOSITION_SOLUTIONS]; /* solutions for the pairs for which a GPU has made nothing */
    size_t next;                                                  /* of frames: the next prepared pair */
    uint8_t *residues;                                            /* by windows: the subject's, with a 0 before and after */
    size_t residues_capacity;
    struct frame_windows windows;
    struct composition_solution *ahead; /* of translated subjects: n_ahead solutions for their HSPs, in the order of the alignment */
    size_t n_ahead, ahead_capacity, next_ahead;
    struct hsp_list inside; /* by windows: the preliminary HSPs of a window */
};

#endif
