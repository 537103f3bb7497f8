/* blastp_traceback.h - the last stage without composition-based statistics: the subjects that are kept are aligned again, with the way. */
#ifndef TMS_BLASTP_TRACEBACK_H
#define TMS_BLASTP_TRACEBACK_H

#include "search/blastp_preliminary.h"

/*
 * blastp_traceback() - replaces the preliminary HSPs of a subject by alignments. None may be left.
 *   hits [in,out] of this subject
 */
tms_status blastp_traceback(const struct blastp_setup *setup, const struct blastp_query *query, const uint8_t *subject, int n,
                            struct blastp_worker *worker, struct subject_hits *hits);

/* blastp_align_ungapped() - the way of HSPs that have no gaps. Returns TMS_OK or TMS_E_MEMORY. */
tms_status blastp_align_ungapped(struct hsp_list *list);

#endif
