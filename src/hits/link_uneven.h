/*
 * link_uneven.h - links HSPs of a pair of sequences into chains, whose members follow each other in both sequences with limited gaps
 * between them, which may be of other lengths in the query than in the subject: exons that introns separate. The E-value of a chain
 * [Karlin & Altschul 1993] replaces those of its members.
 */
#ifndef TMS_LINK_UNEVEN_H
#define TMS_LINK_UNEVEN_H

#include "hits/hsp.h"

#define LINK_DECAY 0.1 /* of gap_decay_divisor(): E-values of single HSPs are divided, too */

/* Residues of the longest gap between two HSPs of a chain in each sequence; in the translated one it may be an intron. */
struct link_rules {
    int query_gap, subject_gap;
};

/* What E-values of chains need of a context of the query. */
struct link_context {
    int length;           /* residues */
    int64_t adjustment;   /* the length adjustment */
    int64_t search_space; /* effective */
};

/*
 * link_uneven() - for HSPs of the frames of a translated query with a protein, or of a protein with the frames of a translated subject.
 * HSPs of one strand can be in a chain; positions of its frames are compared as they are.
 *   lambda, log_K  [in] of the scores
 *   contexts       [in] by context of the HSPs
 *   subject_length [in] residues
 *   list           [in,out] HSPs with E-values of their own. Afterwards E-values and n_linked are those of chains, and the list is
 *     sorted by score
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status link_uneven(const struct link_rules *rules, double lambda, double log_K, const struct link_context *contexts, int subject_length,
                       struct hsp_list *list);

#endif
