/*
 * gapped_stage.h - from the ungapped HSPs of a query and a subject to preliminary HSPs: gapped extensions without a traceback.
 */
#ifndef TMS_GAPPED_STAGE_H
#define TMS_GAPPED_STAGE_H

#include "hits/hit_list.h"
#include "hits/hsp_set.h"
#include "lookup/two_hit.h"
#include "search/gapped_window.h"
#include "search/search_setup.h"
#include "tamis/seqdb.h"

/* What passed. Added up over all subjects and queries. */
struct search_counts {
    uint64_t n_subjects, subject_residues; /* walked over */
    uint64_t n_words;                      /* in tables */
    uint64_t n_hits, n_extensions, n_ungapped, n_gapped, n_left, n_preliminary, n_realigned;
    double expected_hits, expected_extensions, expected_ungapped;      /* in random subjects */
    double seconds_setup, seconds_scan, seconds_gapped, seconds_align; /* of all threads together */
};

/* A thread's own. Zeroed is empty. */
struct search_scratch {
    struct two_hit_found found;
    struct gapped_workspace gapped;
    struct hsp_set accepted;
    struct hsp_list hsps;
    uint8_t *subject; /* a copy, in which O is X, or masked residues are */
    size_t subject_capacity;
    tms_interval *masked; /* of a subject, and what lies between: */
    size_t n_masked, masked_capacity;
    struct residue_range *ranges;
    size_t ranges_capacity;
    struct hsp_list joined; /* of the parts of a subject */
    struct search_counts counts;
};
void search_scratch_free(struct search_scratch *worker);

/* gapped_stage_sort() - ungapped HSPs by query, and for each in the order in which they are extended. */
void gapped_stage_sort(struct two_hit_hsp *hsps, size_t n);

/*
 * gapped_stage() - a query against a subject; what is left goes to hits.
 *   initial [in] its n_ungapped ungapped HSPs, one at least, sorted. With parts: their positions are those in the parts
 *   subject [in] n NCBIstdaa codes with a byte before and after
 *   parts   [in] the ranges that the subject is cut into, each of which is extended in as if it were all; NULL: it is not cut
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_stage(const struct search_setup *setup, const struct search_query *query, const struct two_hit_hsp *initial,
                        size_t n_ungapped, uint64_t oid, const uint8_t *subject, int n, const struct residue_range *parts,
                        struct search_scratch *worker, struct hit_list *hits);

/*
 * gapped_stage_keep() - its last part: of the HSPs in worker->hsps, which were accepted and purged, those that are handed on go to
 * hits. n [in] residues of the subject
 */
tms_status gapped_stage_keep(const struct search_setup *setup, const struct search_query *query, uint64_t oid, int n,
                             struct search_scratch *worker, struct hit_list *hits);

/* gapped_restart_cutoff() - scores from here on call for the full form of the extension. */
int gapped_restart_cutoff(const struct search_query *query);
bool gapped_is_restricted(const struct search_setup *setup); /* do extensions begin in the restricted form? */

/*
 * gapped_best_start() - the best GAPPED_START_RESIDUES residues in a row of n on a diagonal, the first of equals; of fewer residues, that
 * many. Returns the score; *first: where they begin.
 */
int gapped_best_start(const int *scores, const uint8_t *query, const uint8_t *subject, int n, int *first);

#endif
