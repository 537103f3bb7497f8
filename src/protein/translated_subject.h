/* translated_subject.h - reads the frames of a subject of bases. */
#ifndef TMS_TRANSLATED_SUBJECT_H
#define TMS_TRANSLATED_SUBJECT_H

#include "search/search_state.h"
#include "search/subject_frames.h"

/* translated_subject_read() - sets the lengths of a subject's frames. Returns its bases; -1 after a failure, which it records. */
int translated_subject_lengths(struct search_state *s, uint64_t number, struct subject_frames *out);

/*
 * translated_subject_scanned() - all frames as the scan uses them: an ambiguous base is the one that the database stores in its place.
 *   out [out] borrows from the thread's memory until the next call of a function of this header
 * Returns false after a failure, which it records.
 */
bool translated_subject_scanned(struct search_state *s, uint64_t number, struct search_scratch *scratch, struct subject_frames *out);

/*
 * translated_subject_range() - the residues `range` of a frame, with ambiguous bases, as alignments use them; a 0 lies before and after.
 *   frame   [in] of which range is a part
 *   out     [out] range.end - range.first + 2 codes, the first and the last of them 0
 * Returns false after a failure, which it records.
 */
bool translated_subject_range(struct search_state *s, uint64_t number, int frame, struct residue_range range,
                              struct search_scratch *scratch, uint8_t *out);

/* translated_subject_aligned() - all frames that HSPs are of, each as by translated_subject_range(); as translated_subject_scanned(). */
bool translated_subject_aligned(struct search_state *s, uint64_t number, const struct hsp_list *hsps, struct search_scratch *scratch,
                                struct subject_frames *out);

void translated_subject_free_scratch(void *own); /* implements search_program.free_scratch() */

#endif
