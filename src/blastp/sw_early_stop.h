/*
 * sw_early_stop.h - with Smith-Waterman, subjects that come too late. BLAST takes the subjects of a batch of queries one after the other.
 * It does not look at one that is not promising while all queries have enough; and does not go on with one whose first alignment is not
 * among the best so far. So what is reported depends on the order in which subjects are taken.
 */
#ifndef TMS_LATE_SUBJECTS_H
#define TMS_LATE_SUBJECTS_H

#include "hits/hit_list.h"

/*
 * sw_early_stop() - takes the HSPs of late subjects away.
 *   lists [in,out] of the n queries of a batch, aligned, in the order in which they were handed on
 *   most [in] subjects that a query wants
 *   by_oid [in] subjects are taken in the order of the database; else query by query, in the order of the list
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status sw_early_stop(struct hit_list *lists, size_t n, size_t most, bool by_oid);

#endif
