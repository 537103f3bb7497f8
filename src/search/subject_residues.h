/* subject_residues.h - a subject's residues as a search sees them. */
#ifndef TMS_SUBJECT_RESIDUES_H
#define TMS_SUBJECT_RESIDUES_H

#include "search/search_state.h"

enum { SUBJECT_MAX_RESIDUES = 1 << 29 }; /* of a subject */

/*
 * subject_residues() - as they are searched: n codes, good until this worker asks for the next. All are codes, also those around
 * them: tables are not read beyond their ends, whatever is in the file. NULL: it is damaged, or there is no memory, which is noted.
 */
const uint8_t *subject_residues(struct search_state *work, uint64_t i, struct search_scratch *worker, int *n);

/* subject_residues_aligned() - the same as they are aligned in the second round. */
const uint8_t *subject_residues_aligned(struct search_state *work, uint64_t i, struct search_scratch *worker, int *n);

/*
 * subject_read_masks() - what is masked of a subject, to worker->masked; and what is not, to worker->ranges.
 * Returns whether that could be done; if not it is noted why.
 */
bool subject_read_masks(struct search_state *work, uint64_t i, int n, struct search_scratch *worker);

#endif
