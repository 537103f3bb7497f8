/*
 * link_uneven.h - links HSPs of a pair of sequences into chains, whose members follow each other in both sequences with limited gaps
 * between them, which may be of other lengths in the query than in the subject: exons that introns separate. The E-value of a chain
 * [Karlin & Altschul 1993] replaces those of its members.
 */
#ifndef TMS_LINK_UNEVEN_H
#define TMS_LINK_UNEVEN_H

#include "hits/link_context.h"

struct link_rules {
    int query_gap, subject_gap; /* residues of the longest gap in each sequence; in the translated one it may be an intron */
    double decay;               /* as in gap_decay_divisor() */
};

/*
 * link_uneven() - for HSPs of the frames of a translated query with a protein, or of a protein with the frames of a translated subject.
 * HSPs of one strand can be in a chain; positions of its frames are compared as they are.
 *   contexts [in] by context of the HSPs. The space of a chain is that of its first HSP.
 *   list     [in,out] HSPs with E-values of their own, divided by gap_decay_divisor(). Afterwards E-values and n_linked are those of
 *     chains, and the list is sorted by score
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status link_uneven(const struct link_rules *rules, const struct link_context *contexts, struct hsp_list *list);

#endif
