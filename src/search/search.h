/*
 * search.h - queries against a database, by the program of a setup: the order of the stages.
 *
 * There are two: a scan of a part of the database leaves a list of preliminary HSPs for each chunk of a query, and an alignment makes
 * final HSPs of the lists. What lies between them is plain data, so parts can be scanned anywhere, merged with hit_list_merge(), and
 * aligned once. search_run() does both for the whole database, and lets alignments go along with a scan on GPUs.
 */
#ifndef TMS_SEARCH_INTERNAL_H
#define TMS_SEARCH_INTERNAL_H

#include "search/gapped_stage.h"
#include "search/search_queries.h"
#include "search/search_subjects.h"

/* Part `part` of a database that is cut into n_parts of about as many residues. */
struct search_part {
    uint64_t part, n_parts;
};

/*
 * search_scan() - the preliminary HSPs of all queries in a part of the database, on the context's threads.
 *   subjects [in] with GPUs the part is the whole database
 *   found  [out] a list for each of queries->n_chunks, of at most setup->n_preliminary subjects, numbered as in the database, in no
 *          order; zeroed by the caller, freed with hit_list_free()
 *   counts [in,out] is added to
 * Returns TMS_OK; TMS_E_MEMORY; TMS_E_CANCELLED; TMS_E_FORMAT; TMS_E_DEVICE; or what subjects->open_gpu() did.
 */
tms_status search_scan(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                       const struct search_queries *queries, struct search_part part, struct hit_list *found, struct search_counts *counts);

/*
 * search_align_found() - the final HSPs of what scans have found.
 *   found [in,out] the lists of search_scan(), those of several parts merged; empty afterwards
 *   hits  [out] a list for each of queries->n, what is reported, the best subject first; zeroed by the caller, freed with hit_list_free()
 * Returns as search_scan().
 */
tms_status search_align_found(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                              const struct search_queries *queries, struct hit_list *found, struct hit_list *hits,
                              struct search_counts *counts);

/* search_run() - both, of the whole database. hits, counts and status as above. */
tms_status search_run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                      const struct search_queries *queries, struct hit_list *hits, struct search_counts *counts);

#endif
