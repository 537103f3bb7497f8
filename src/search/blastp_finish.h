/* blastp_finish.h - from the alignments of a query to those that are reported, in their order. */
#ifndef TMS_BLASTP_FINISH_H
#define TMS_BLASTP_FINISH_H

#include "search/blastp_setup.h"
#include "search/hit_list.h"

/*
 * blastp_finish() - sorts a list and keeps what is wanted: max_target_seqs, culling or best hits, max_hsps, coverage, subject_besthit, one
 * after the other. Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status blastp_finish(const struct blastp_setup *setup, const struct blastp_query *query, struct hit_list *list);

#endif
