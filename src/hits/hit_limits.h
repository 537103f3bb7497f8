/* hit_limits.h - from the alignments of a query to those that are reported, in their order. */
#ifndef TMS_BLASTP_FINISH_H
#define TMS_BLASTP_FINISH_H

#include "blastp/blastp_setup.h"
#include "hits/hit_list.h"

/*
 * hit_limits_apply() - sorts a list and keeps what is wanted: max_target_seqs, culling or best hits, max_hsps, coverage, subject_besthit,
 * one after the other. Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status hit_limits_apply(const struct search_setup *setup, const struct search_query *query, struct hit_list *list);

#endif
