/*
 * partial_frames.h - what NCBI's program translates of a subject's frames without composition-based statistics: at first some residues
 * around each HSP, and all frames when an extension has come to an end of these. The alignments are those of whole frames, but E-values
 * refer to the length of what is translated [sic].
 */
#ifndef TMS_PARTIAL_FRAMES_H
#define TMS_PARTIAL_FRAMES_H

#include "search/gapped_stage.h"

struct partial_frames {
    const struct subject_frames *subject;
    struct residue_range known[FRAMES]; /* residues that are translated; empty: none yet */
    int n_bases;                        /* of the subject */
    bool is_whole;                      /* frames are translated as a whole */
};

/* partial_frames_begin() - nothing is translated. subject [in] its lengths; borrowed */
void partial_frames_begin(const struct subject_frames *subject, struct partial_frames *out);

/* partial_frames_add() - translates around a preliminary HSP, before it is aligned. */
void partial_frames_add(struct partial_frames *partial, const struct hsp *hsp);

/*
 * partial_frames_check() - whether the extensions of an HSP came to an end of what is translated of its frame.
 *   query    [in] its codes
 *   h        [in] the aligned HSP, with its start point
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status partial_frames_check(struct partial_frames *partial, const struct gapped_costs *costs, struct gapped_side query,
                                struct gapped_workspace *ws, const struct hsp *h);

/* partial_frames_end() - the length of a frame up to the end of what is translated. */
int partial_frames_end(const struct partial_frames *partial, int frame);

#endif
