/*
 * chunk_merge.h - what the pieces of a long query have found, merged as BLAST merges it: HSPs that go on from one piece into the next
 * become one, with a score that is guessed from both. The last stage aligns them anew.
 */
#ifndef TMS_BLASTP_PIECES_H
#define TMS_BLASTP_PIECES_H

#include "hits/hit_list.h"

/*
 * chunk_merge() - the next piece of a query.
 *   start [in] of the piece in the query
 *   piece [in,out] what it has found, at most max_hits subjects; empty afterwards
 *   to    [in,out] what the pieces before have found; its max_hits is that of a list for a piece
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status chunk_merge(struct hit_list *to, int start, struct hit_list *piece);

#endif
