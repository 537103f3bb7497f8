/* blastp_letters.h - a subject's letters as a search sees them. */
#ifndef TMS_BLASTP_LETTERS_H
#define TMS_BLASTP_LETTERS_H

#include "search/blastp_work.h"

enum { BLASTP_MOST_LETTERS = 1 << 29 }; /* of a subject */

/*
 * blastp_subject_letters() - as they are searched: n codes, good until this worker asks for the next. All are codes, also those around
 * them: tables are not read beyond their ends, whatever is in the file. NULL: it is damaged, or there is no memory, which is noted.
 */
const uint8_t *blastp_subject_letters(struct blastp_work *work, uint64_t i, struct blastp_worker *worker, int *n);

/* blastp_aligned_letters() - the same as they are aligned in the second round. */
const uint8_t *blastp_aligned_letters(struct blastp_work *work, uint64_t i, struct blastp_worker *worker, int *n);

/*
 * blastp_read_masks() - what is masked of a subject, to worker->masked; and what is not, to worker->ranges.
 * Returns whether that could be done; if not it is noted why.
 */
bool blastp_read_masks(struct blastp_work *work, uint64_t i, int n, struct blastp_worker *worker);

#endif
