/* translated_subject.h - reads the frames of a subject of bases. */
#ifndef TMS_TRANSLATED_SUBJECT_H
#define TMS_TRANSLATED_SUBJECT_H

#include "search/search_state.h"
#include "search/subject_frames.h"

/* translated_subject_lengths() - sets the lengths of a subject's frames. Returns its bases; -1 after a failure, which it records. */
int translated_subject_lengths(struct search_state *s, uint64_t number, struct subject_frames *out);

/*
 * translated_subject_scanned() - all frames as the scan uses them: an ambiguous base is the one that the database stores in its place.
 *   out [out] borrows from the thread's memory until the next call of a function of this header
 * Returns false after a failure, which it records.
 */
bool translated_subject_scanned(struct search_state *s, uint64_t number, struct search_scratch *scratch, struct subject_frames *out);

/*
 * translated_subject_range() - the residues `range` of a frame, with ambiguous bases, as alignments use them, hard masks hidden; a 0 lies
 * before and after.
 *   frame [in] of which range is a part
 *   out [out] range.end - range.first + 2 codes, the first and the last of them 0
 * Returns false after a failure, which it records.
 */
bool translated_subject_range(struct search_state *s, uint64_t number, int frame, struct residue_range range,
                              struct search_scratch *scratch, uint8_t *out);

/* translated_subject_aligned() - all frames that HSPs are of, each as by translated_subject_range(); as translated_subject_scanned(). */
bool translated_subject_aligned(struct search_state *s, uint64_t number, const struct hsp_list *hsps, struct search_scratch *scratch,
                                struct subject_frames *out);

/*
 * translated_subject_ranges() - the unmasked ranges of a chunk of a frame, from those of the subject's bases, which subject_read_masks()
 * has read; with positions in the chunk.
 *   out [out] at most scratch->n_masked + 1 ranges; borrows from the thread's memory until the next call
 * Returns their number, 1 or more; 0 if memory is short, which it records.
 */
size_t translated_subject_ranges(struct search_state *s, int n_bases, int frame, struct residue_range chunk, struct search_scratch *scratch,
                                 struct residue_range **out);

/*
 * translated_subject_parts() - sets subject->places to the unmasked ranges of all frames, which are searched each on its own: *n parts.
 *   subject [in,out] with lengths; borrows from the thread's memory until the next call
 * Returns false if memory is short, which it records.
 * translated_subject_ends_masked() - whether all of a frame of `length` residues that is not masked is its beginning. BLAST then takes
 * words from the whole frame, although it extends hits only before the mask [sic].
 */
bool translated_subject_parts(struct search_state *s, int n_bases, struct search_scratch *scratch, struct subject_frames *subject,
                              size_t *n);
bool translated_subject_ends_masked(const struct search_scratch *scratch, int n_bases, int frame, int length);

void translated_subject_free_scratch(void *own); /* implements search_program.free_scratch() */

#endif
