/*
 * gapped_stage.h - from the ungapped HSPs of a query and a subject to preliminary HSPs: gapped extensions without a traceback.
 */
#ifndef TMS_GAPPED_STAGE_H
#define TMS_GAPPED_STAGE_H

#include "base/clock.h"
#include "extend/gapped_lanes.h"
#include "hits/hit_list.h"
#include "hits/hsp_set.h"
#include "lookup/two_hit.h"
#include "search/gapped_window.h"
#include "search/search_setup.h"
#include "search/subject_frames.h"
#include "tamis/seqdb.h"

/* Statistics of a search, summed over all subjects and queries. */
struct search_counts {
    uint64_t n_subjects, subject_residues; /* subjects and residues that were scanned */
    uint64_t n_words;                      /* entries of the lookup tables */
    uint64_t n_looked_up, n_present;       /* words of the subjects that were looked up; those that a lookup table has */
    uint64_t n_present_on_gpu;             /* the same of words that a GPU has looked up */
    uint64_t n_hits, n_extensions, n_ungapped, n_gapped, n_left, n_preliminary, n_realigned;
    double expected_hits, expected_extensions, expected_ungapped;      /* expected numbers for random subjects */
    double seconds_setup, seconds_scan, seconds_gapped, seconds_align; /* summed over all threads */
    double seconds_sieve;                                              /* of seconds_scan: those in which GPUs have looked up words */
    double seconds_sieved;         /* of seconds_scan: hits that GPUs have left, with their extensions */
    struct clock_sample taking;    /* of seconds_scan: hits of some of the n_present words, with their extensions */
    struct clock_sample extending; /* of seconds_scan: some of the n_extensions ungapped extensions */
};

/* The ungapped HSPs of a query and a subject: numbers first .. end - 1 of search_scratch.found. */
struct gapped_pair {
    size_t query;
    uint32_t place; /* of the query in its group; the first one, if it has frames */
    uint64_t oid;
    struct subject_frames subject; /* its codes are borrowed */
    size_t first, end;
};

/* Working memory of one thread. All zero is empty. */
struct search_scratch {
    struct two_hit_found found;
    struct gapped_pair *pairs; /* those that the gapped stage has yet to take */
    size_t n_pairs, pairs_capacity;
    struct gapped_both *made; /* extensions of the pairs' HSPs */
    size_t made_capacity;
    struct gapped_workspace gapped;
    struct hsp_set accepted;
    struct hsp_list hsps;
    uint8_t *subject; /* a copy of the subject in which O or masked residues are replaced by X */
    size_t subject_capacity;
    tms_interval *masked; /* masked intervals of the subject; `ranges` holds the unmasked ranges between them */
    size_t n_masked, masked_capacity;
    struct residue_range *ranges;
    size_t ranges_capacity;
    struct hsp_list joined; /* HSPs of all ranges of a subject */
    struct hsp_list framed; /* HSPs of all chunks of a frame of a subject */
    void *own;              /* the program's own memory; freed with free_scratch() */
    struct search_counts counts;
};
void search_scratch_free(struct search_scratch *worker);

/*
 * gapped_stage_sort() - sorts ungapped HSPs by query, and within a query in the order in which gapped_stage() extends them.
 * gapped_stage_sort_frames() - the order in which gapped_stage() extends HSPs of several frames of a query; .query is the frame.
 */
void gapped_stage_sort(struct two_hit_hsp *hsps, size_t n);
void gapped_stage_sort_frames(struct two_hit_hsp *hsps, size_t n);

/* The ungapped HSPs of a query and a subject, sorted by one of these. */
struct ungapped_hsps {
    const struct two_hit_hsp *items; /* .query is the context, 0 without frames. With parts of the subject, or chunks of its frames,
                                        positions count from the start of the HSP's part */
    size_t n;                        /* at least one */
    const struct gapped_both *made;  /* NULL, or for each its extension in the first form: the score, or that lanes have abandoned it */
};

/*
 * gapped_stage() - extends the ungapped HSPs of a query and a subject; appends the preliminary HSPs to hits.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_stage(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                        uint64_t oid, const struct subject_frames *subject, struct search_scratch *worker, struct hit_list *hits);

/* gapped_stage_by_lanes() - whether lanes may make extensions before gapped_stage(), with these instructions. */
bool gapped_stage_by_lanes(const struct search_setup *setup, tms_simd simd);

/*
 * gapped_stage_begin() - prepares the extensions of the HSPs of a pair for lanes, in the form that gapped_stage() makes first. Lanes
 * abandon all of a pair whose subject has parts. out [out] one for each HSP
 */
void gapped_stage_begin(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                        const struct subject_frames *subject, struct gapped_both *out);

/*
 * gapped_stage_keep() - last step of gapped_stage(): appends those of the accepted and purged HSPs in worker->hsps that pass on to the
 * alignment.
 *   subject [in] its lengths; of a translated subject, with ungapped alignments, also `exact`
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status gapped_stage_keep(const struct search_setup *setup, const struct search_query *query, uint64_t oid,
                             const struct subject_frames *subject, struct search_scratch *worker, struct hit_list *hits);

/*
 * The same for the frames of a subject, chunk by chunk: gapped_stage_begin_frames(); for each chunk with HSPs, ascending,
 * gapped_stage_chunk(), which replaces worker->hsps by the accepted and purged HSPs of a chunk, or another stage that does so, and
 * gapped_stage_add_chunk(), which takes these; then gapped_stage_keep_frames().
 *   initial    [in] the HSPs of the chunk, as gapped_stage() takes them
 *   part       [in] the chunk: two_hit_hsp.part
 *   ends_frame [in] no later chunk of this frame has HSPs
 * All return TMS_OK or TMS_E_MEMORY.
 */
void gapped_stage_begin_frames(struct search_scratch *worker);
tms_status gapped_stage_chunk(const struct search_setup *setup, const struct search_query *query, const struct ungapped_hsps *initial,
                              const struct subject_frames *subject, struct search_scratch *worker);
tms_status gapped_stage_add_chunk(const struct search_setup *setup, const struct search_query *query, const struct subject_frames *subject,
                                  uint32_t part, bool ends_frame, struct search_scratch *worker);
tms_status gapped_stage_keep_frames(const struct search_setup *setup, const struct search_query *query, uint64_t oid,
                                    const struct subject_frames *subject, struct search_scratch *worker, struct hit_list *hits);

/* gapped_restart_cutoff() - the least score that calls for the full form of the extension. */
int gapped_restart_cutoff(const struct search_query *query);
bool gapped_is_restricted(const struct search_setup *setup); /* whether extensions begin in the restricted form */

/*
 * gapped_best_start() - finds the best-scoring stretch of GAPPED_START_RESIDUES consecutive residues among n on a diagonal, the first of
 * equals; with fewer residues, the stretch is all of them. Returns its score; *first is where it begins.
 */
int gapped_best_start(const int *scores, const uint8_t *query, const uint8_t *subject, int n, int *first);

#endif
