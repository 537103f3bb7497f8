/* align_hsp.h - an alignment from a start point to both sides, with the way through it. */
#ifndef TMS_ALIGN_HSP_H
#define TMS_ALIGN_HSP_H

#include "search/gapped_stage.h"

/*
 * align_hsp() - from h->start_query, h->start_subject. Gaps at either end of the alignment are taken off.
 *   query, subject [in] with a byte before and after
 *   window [in] of the subject
 *   h [in,out] gets ranges, score and script
 */
tms_status align_hsp(const struct gapped_costs *costs, const uint8_t *query, int query_length, const uint8_t *subject,
                     struct gapped_window window, struct gapped_workspace *ws, struct hsp *h);

#endif
