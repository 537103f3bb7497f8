/*
 * blastp_search.h - proteins against a database: the order of the stages.
 */
#ifndef TMS_BLASTP_SEARCH_H
#define TMS_BLASTP_SEARCH_H

#include "search/blastp_preliminary.h"
#include "tamis/seqdb.h"

/*
 * blastp_search() - queries against all sequences of a database, on the context's threads.
 *   hits [out] a list for each query, of at most max_target_seqs subjects, the best first; zeroed by the caller, freed with
 *        hit_list_free(). Subjects have their number in db as oid
 *   counts [in,out] is added to
 * Returns TMS_OK; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
tms_status blastp_search(tms_context *ctx, const struct blastp_setup *setup, const tms_seqdb *db, const struct blastp_query *queries,
                         size_t n_queries, struct hit_list *hits, struct blastp_counts *counts);

#endif
