/*
 * search.h - proteins against a database: the order of the stages.
 */
#ifndef TMS_BLASTP_SEARCH_H
#define TMS_BLASTP_SEARCH_H

#include "search/gapped_stage.h"
#include "search/search_queries.h"
#include "search/search_subjects.h"

/*
 * search_run() - queries against all subjects, on the context's threads.
 *   hits [out] a list for each query, of at most max_target_seqs subjects, the best first; zeroed by the caller, freed with
 *        hit_list_free(). Subjects have their number in the database as oid
 *   counts [in,out] is added to
 * Returns TMS_OK; TMS_E_MEMORY; TMS_E_CANCELLED; TMS_E_FORMAT; TMS_E_DEVICE; or what subjects->open_gpu() did.
 */
tms_status search_run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                      const struct search_queries *queries, struct hit_list *hits, struct search_counts *counts);

#endif
