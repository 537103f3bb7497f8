/* traceback.h - the last stage without composition-based statistics: the subjects that are kept are aligned again, with the way. */
#ifndef TMS_TRACEBACK_H
#define TMS_TRACEBACK_H

#include "search/gapped_stage.h"

/*
 * traceback() - replaces the preliminary HSPs of a subject by alignments. None may be left.
 *   hits [in,out] of this subject
 */
tms_status traceback(const struct search_setup *setup, const struct search_query *query, const uint8_t *subject, int n,
                     struct search_scratch *worker, struct subject_hits *hits);

/* traceback_ungapped() - the way of HSPs that have no gaps. Returns TMS_OK or TMS_E_MEMORY. */
tms_status traceback_ungapped(struct hsp_list *list);

#endif
