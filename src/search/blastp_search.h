/*
 * blastp_search.h - proteins against a database: the order of the stages.
 */
#ifndef TMS_BLASTP_SEARCH_H
#define TMS_BLASTP_SEARCH_H

#include "search/blastp_preliminary.h"
#include "search/blastp_queries.h"
#include "search/blastp_subjects.h"

/*
 * blastp_search() - queries against all subjects, on the context's threads.
 *   hits [out] a list for each query, of at most max_target_seqs subjects, the best first; zeroed by the caller, freed with
 *        hit_list_free(). Subjects have their number in the database as oid
 *   counts [in,out] is added to
 * Returns TMS_OK; TMS_E_MEMORY; TMS_E_CANCELLED; TMS_E_FORMAT; TMS_E_DEVICE; or what subjects->open_gpu() did.
 */
tms_status blastp_search(tms_context *ctx, const struct blastp_setup *setup, const struct blastp_subjects *subjects,
                         const struct blastp_queries *queries, struct hit_list *hits, struct blastp_counts *counts);

#endif
