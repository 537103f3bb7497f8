/* subject_residues.h - reads a subject's residues for the scan and for the alignment. */
#ifndef TMS_SUBJECT_RESIDUES_H
#define TMS_SUBJECT_RESIDUES_H

#include "search/search_state.h"

enum { SUBJECT_MAX_RESIDUES = 1 << 29 }; /* most residues of a subject */

/*
 * subject_residues() - the n codes of subject i, as the scan uses them; valid until the next call with this scratch. Every byte is a valid
 * code, even in a damaged file, and so are the bytes before and after: score tables are never read beyond their ends.
 * Returns NULL if the subject is damaged or memory is short, and records the failure in `s`.
 */
const uint8_t *subject_residues(struct search_state *s, uint64_t i, struct search_scratch *scratch, int *n);

/* subject_residues_aligned() - same as subject_residues(), as the alignment uses them. */
const uint8_t *subject_residues_aligned(struct search_state *s, uint64_t i, struct search_scratch *scratch, int *n);

/*
 * subject_read_masks() - sets scratch->masked to the masked intervals of a subject, and scratch->ranges to the unmasked ranges.
 * Returns false on failure, which it records in `s`.
 */
bool subject_read_masks(struct search_state *s, uint64_t i, int n, struct search_scratch *scratch);

#endif
