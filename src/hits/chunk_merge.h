/*
 * chunk_merge.h - merges the preliminary HSPs of chunks, of a long query or of a long subject, as BLAST does: an HSP that continues from
 * one chunk into the next becomes one HSP, whose score is estimated from both parts. The traceback computes the true score.
 */
#ifndef TMS_CHUNK_MERGE_H
#define TMS_CHUNK_MERGE_H

#include "alphabet/translation.h"
#include "hits/hit_list.h"

enum { CHUNK_OVERLAP = 100 }; /* residues that neighbouring chunks share */

/* Where the contexts of a chunk lie in the query. The first half of the contexts is on the plus strand. */
struct chunk_place {
    int n_contexts;
    int contexts[FRAMES]; /* the context of the query that each context of the chunk is in */
    int starts[FRAMES];   /* by context of the query: the chunk's first position. On the minus strand those of later chunks descend */
    int overlap;          /* positions that neighbouring chunks share */
    bool is_first;        /* there is no chunk before */
};

/* chunk_place_of_strands() - of a chunk of a protein, or of both strands; minus: where it begins in the minus strand, 0 for a protein. */
struct chunk_place chunk_place_of_strands(int plus, int minus);

/* chunk_place_of_frames() - bases first .. end - 1 of n_bases that are translated; overlap in residues. */
struct chunk_place chunk_place_of_frames(int n_bases, int first, int end, int overlap);

/*
 * chunk_merge() - adds the hits of the next chunk of a query to those of the query. Their HSPs are preliminary: they have no scripts.
 *   chunk [in,out] hits, with contexts and positions in the chunk; empty afterwards, also after a failure. Chunks come in ascending order
 *   to    [in,out] hits of the chunks before this one, with contexts and positions in the query; its max_hits is a chunk's
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status chunk_merge(struct hit_list *to, const struct chunk_place *place, struct hit_list *chunk);

/*
 * subject_chunk_merge() - adds the HSPs of the next chunk of a subject to those of the subject, and sorts them by score.
 *   start [in] the chunk's first position in the subject; chunks come in ascending order
 *   chunk [in,out] HSPs with positions in the chunk, without scripts; empty afterwards, also after a failure
 *   is_ungapped [in] HSPs without gaps: only those on the same diagonal continue each other
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status subject_chunk_merge(struct hsp_list *to, int start, struct hsp_list *chunk, bool is_ungapped);

#endif
