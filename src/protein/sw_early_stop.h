/*
 * sw_early_stop.h - which subjects BLAST skips in Smith-Waterman mode, and in translated searches. BLAST aligns the subjects of a batch of
 * queries one after the other. It skips a subject without a promising preliminary E-value once all queries have enough subjects, and stops
 * aligning a subject whose first alignment is not among the best so far. So the result depends on the order of subjects.
 */
#ifndef TMS_SW_EARLY_STOP_H
#define TMS_SW_EARLY_STOP_H

#include "hits/hit_list.h"

/* What the realignment of a subject leaves for the decision whether BLAST skips the subject. */
struct smith_waterman_evidence {
    double preliminary_evalue; /* the subject's, before its realignment */
    double first_evalue;       /* of the first alignment, by the search space alone: without a correction for finite lengths */
    int first_score;           /* of the first alignment, in units of the scaled matrix */
    int scaled_score;          /* of the best alignment, in units of the scaled matrix */
};

/*
 * sw_early_stop() - removes the HSPs of subjects that BLAST skips, or drops for better ones. The subjects stay in the lists.
 *   lists [in,out] the lists of a batch's n queries: aligned, in the order of preliminary hits
 *   evidence [in] one for each subject of the first list, then of the second list, and so forth
 *   most [in] number of subjects that a query keeps, 1 or more
 *   by_oid [in] true: BLAST takes subjects in the order of the database; false: query by query, in the order of the list
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status sw_early_stop(struct hit_list *lists, const struct smith_waterman_evidence *evidence, size_t n, size_t most, bool by_oid);

#endif
