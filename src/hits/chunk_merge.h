/*
 * chunk_merge.h - merges the preliminary HSPs of a long query's chunks, as BLAST does: an HSP that continues from one chunk into the next
 * becomes one HSP, whose score is estimated from both parts. The traceback computes the true score.
 */
#ifndef TMS_CHUNK_MERGE_H
#define TMS_CHUNK_MERGE_H

#include "hits/hit_list.h"

enum { CHUNK_OVERLAP = 100 }; /* residues that neighbouring chunks of a query share */

/*
 * chunk_merge() - adds the hits of the next chunk to those of a query. Their HSPs are preliminary: they have no scripts.
 *   start [in] the chunk's first position in the query; chunks come in ascending order
 *   chunk [in,out] hits, with positions in the chunk; empty afterwards, also after a failure
 *   to    [in,out] hits of the chunks before this one, with positions in the query; its max_hits is a chunk's
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status chunk_merge(struct hit_list *to, int start, struct hit_list *chunk);

#endif
