/*
 * chunk_merge.h - merges the preliminary HSPs of chunks, of a long query or of a long subject, as BLAST does: an HSP that continues from
 * one chunk into the next becomes one HSP, whose score is estimated from both parts. The traceback computes the true score.
 */
#ifndef TMS_CHUNK_MERGE_H
#define TMS_CHUNK_MERGE_H

#include "hits/hit_list.h"

enum { CHUNK_OVERLAP = 100 }; /* residues that neighbouring chunks share */

/*
 * chunk_merge() - adds the hits of the next chunk of a query to those of the query. Their HSPs are preliminary: they have no scripts.
 *   start [in] the chunk's first position in the query; chunks come in ascending order
 *   chunk [in,out] hits, with positions in the chunk; empty afterwards, also after a failure
 *   to    [in,out] hits of the chunks before this one, with positions in the query; its max_hits is a chunk's
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status chunk_merge(struct hit_list *to, int start, struct hit_list *chunk);

/*
 * chunk_merge_strands() - same as chunk_merge() for a chunk of both strands.
 *   plus, minus [in] first positions of the chunk in the plus and in the minus strand; those on the minus strand descend
 */
tms_status chunk_merge_strands(struct hit_list *to, int plus, int minus, struct hit_list *chunk);

/*
 * subject_chunk_merge() - adds the HSPs of the next chunk of a subject to those of the subject, and sorts them by score.
 *   start [in] the chunk's first position in the subject; chunks come in ascending order
 *   chunk [in,out] HSPs with positions in the chunk, without scripts; empty afterwards, also after a failure
 *   is_ungapped [in] HSPs without gaps: only those on the same diagonal continue each other
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status subject_chunk_merge(struct hsp_list *to, int start, struct hsp_list *chunk, bool is_ungapped);

#endif
