/*
 * sw_early_stop.h - which subjects BLAST skips in Smith-Waterman mode. BLAST aligns the subjects of a batch of queries one after the other.
 * It skips a subject without a promising preliminary E-value once all queries have enough subjects, and stops aligning a subject whose
 * first alignment is not among the best so far. So the result depends on the order of subjects.
 */
#ifndef TMS_SW_EARLY_STOP_H
#define TMS_SW_EARLY_STOP_H

#include "hits/hit_list.h"

/*
 * sw_early_stop() - removes the HSPs of subjects that BLAST skips. The subjects stay in the lists.
 *   lists [in,out] the lists of a batch's n queries: aligned, with their evidence, in the order of preliminary hits
 *   most [in] number of subjects that a query keeps, 1 or more
 *   by_oid [in] true: BLAST takes subjects in the order of the database; false: query by query, in the order of the list
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status sw_early_stop(struct hit_list *lists, size_t n, size_t most, bool by_oid);

#endif
