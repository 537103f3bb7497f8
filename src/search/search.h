/*
 * search.h - searches a database with queries, by the program of a setup: the order of the stages.
 *
 * There are two stages: search_scan() leaves a list of preliminary HSPs for each chunk of a query, and search_align_found() makes final
 * HSPs of these lists. The lists between the stages are plain data: a caller can scan the parts of a database anywhere, merge their lists
 * with hit_list_merge(), and align once. search_run() does both for the whole database, and aligns queries while GPUs scan for others.
 */
#ifndef TMS_SEARCH_INTERNAL_H
#define TMS_SEARCH_INTERNAL_H

#include "search/gapped_stage.h"
#include "search/search_queries.h"
#include "search/search_subjects.h"

/*
 * search_scan() - finds the preliminary HSPs of all queries in subjects->part of the database, on the context's threads.
 *   found  [out] queries->n_chunks lists, numbered as in the database, unordered; zeroed by the caller, freed with hit_list_free(). A list
 *     has at most setup->n_preliminary subjects; with a filter of hits, which depends on the order of all subjects, it has all of them
 *   counts [in,out] the scan's counts are added
 * Returns TMS_OK; TMS_E_MEMORY; TMS_E_CANCELLED; TMS_E_FORMAT; TMS_E_DEVICE; or the status of subjects->open_gpu().
 */
tms_status search_scan(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                       const struct search_queries *queries, struct hit_list *found, struct search_counts *counts);

/*
 * search_align_found() - makes final HSPs of the lists that scans have found.
 *   found [in,out] the lists of search_scan(), merged over the parts of the database: no list has a subject twice; empty afterwards
 *   hits  [in] where the reported subjects go
 * Returns the same statuses as search_scan().
 */
tms_status search_align_found(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                              const struct search_queries *queries, struct hit_list *found, const struct search_hits *hits,
                              struct search_counts *counts);

/* search_run() - scans and aligns the whole database. hits, counts and status as for search_align_found(). */
tms_status search_run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                      const struct search_queries *queries, const struct search_hits *hits, struct search_counts *counts);

#endif
