/* search_link.h - sum statistics: E-values of chains of HSPs of a strand of the query and one of the subject. */
#ifndef TMS_SEARCH_LINK_H
#define TMS_SEARCH_LINK_H

#include "search/search_setup.h"

#define SEARCH_LINK_DECAY        0.5 /* of gap_decay_divisor(): E-values of single HSPs are divided, too */
#define SEARCH_LINK_GAPPED_DECAY 0.1 /* the same of residues with gaps */

/*
 * search_link_strands() - of bases: sets E-values and n_linked of a subject's HSPs, and sorts them by score.
 *   query    [in] with its minus strand
 *   is_final [in] the HSPs have tracebacks; chains with small gaps are not considered [sic]
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status search_link_strands(const struct search_query *query, int subject_length, bool is_final, struct hsp_list *list);

/*
 * search_link_frames() - the same of residues. With the even rule cutoffs depend on the subject and on all queries of the batch; the uneven
 * one takes HSPs with E-values of their own.
 *   statistics     [in] NULL: those of each HSP's context; else those of scaled scores
 *   subject_length [in] residues; of a translated subject a third of its bases
 */
tms_status search_link_frames(const struct search_setup *setup, const struct search_query *query,
                              const struct gapped_statistics *statistics, int subject_length, struct hsp_list *list);

#endif
