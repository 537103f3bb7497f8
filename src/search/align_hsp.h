/* align_hsp.h - gapped extension of a start point to both sides, with its traceback. */
#ifndef TMS_ALIGN_HSP_H
#define TMS_ALIGN_HSP_H

#include "search/align_hsp_cuda.h"
#include "search/gapped_stage.h"

/*
 * align_hsp() - extends from h->start_query, h->start_subject, and removes gaps at both ends of the alignment.
 *   query, subject [in] codes with a readable byte before and after
 *   window [in] the range of the subject that the extension may use
 *   h [in,out] receives its ranges, score and script
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status align_hsp(const struct gapped_costs *costs, const uint8_t *query, int query_length, const uint8_t *subject,
                     struct gapped_window window, struct gapped_workspace *ws, struct hsp *h);

/*
 * align_hsp_take() - sets an HSP, which has no script, to an alignment that a GPU has made, whose runs are made->n_runs runs. Returns
 * TMS_OK or TMS_E_MEMORY.
 */
tms_status align_hsp_take(const struct align_gpu_alignment *made, const int *runs, struct hsp *h);

#endif
