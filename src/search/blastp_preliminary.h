/*
 * blastp_preliminary.h - the stages that every subject goes through: hits, ungapped extensions, gapped extensions without the way back.
 */
#ifndef TMS_BLASTP_PRELIMINARY_H
#define TMS_BLASTP_PRELIMINARY_H

#include "search/blastp_core.h"
#include "search/blastp_setup.h"
#include "search/hit_list.h"
#include "search/hsp_set.h"
#include "seed/two_hit.h"
#include "tamis/seqdb.h"

/* What passed. Added up over all subjects and queries. */
struct blastp_counts {
    uint64_t n_subjects, subject_letters; /* walked over */
    uint64_t n_words;                     /* in tables */
    uint64_t n_hits, n_extensions, n_initial, n_gapped, n_left, n_preliminary, n_realigned;
    double expected_hits, expected_extensions, expected_initial;       /* in random subjects */
    double seconds_setup, seconds_scan, seconds_gapped, seconds_align; /* of all threads together */
};

/* A thread's own. Zeroed is empty. */
struct blastp_worker {
    struct two_hit_found found;
    struct gapped_workspace gapped;
    struct hsp_set accepted;
    struct hsp_list hsps;
    uint8_t *subject; /* a copy, in which O is X, or masked letters are */
    size_t subject_capacity;
    tms_interval *masked; /* of a subject, and what lies between: */
    size_t n_masked, masked_capacity;
    struct neighbours_range *ranges;
    size_t ranges_capacity;
    struct hsp_list joined; /* of the parts of a subject */
    struct blastp_counts counts;
};
void blastp_worker_free(struct blastp_worker *worker);

/* blastp_sort_initial() - ungapped HSPs by query, and for each in the order in which they are extended. */
void blastp_sort_initial(struct two_hit_hsp *hsps, size_t n);

/*
 * blastp_preliminary() - a query against a subject; what is left goes to hits.
 *   initial [in] its n_initial ungapped HSPs, one at least, sorted. With parts: their places are those in the parts
 *   subject [in] n NCBIstdaa codes with a byte before and after
 *   parts   [in] the ranges that the subject is cut into, each of which is extended in as if it were all; NULL: it is not cut
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status blastp_preliminary(const struct blastp_setup *setup, const struct blastp_query *query, const struct two_hit_hsp *initial,
                              size_t n_initial, uint64_t oid, const uint8_t *subject, int n, const struct neighbours_range *parts,
                              struct blastp_worker *worker, struct hit_list *hits);

/*
 * blastp_preliminary_keep() - its last part: of the HSPs in worker->hsps, which were accepted and purged, those that are handed on go to
 * hits. n [in] letters of the subject
 */
tms_status blastp_preliminary_keep(const struct blastp_setup *setup, const struct blastp_query *query, uint64_t oid, int n,
                                   struct blastp_worker *worker, struct hit_list *hits);

/* blastp_near_cutoff() - scores from here on call for the full form of the extension. */
int blastp_near_cutoff(const struct blastp_query *query);
bool blastp_is_restricted(const struct blastp_setup *setup); /* do extensions begin in the restricted form? */

/*
 * blastp_best_stretch() - the best BLASTP_STRETCH letters in a row of n on a diagonal, the first of equals; of fewer letters, that many.
 * Returns the score; *first: where they begin.
 */
int blastp_best_stretch(const int *scores, const uint8_t *query, const uint8_t *subject, int n, int *first);

#endif
