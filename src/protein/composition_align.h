/*
 * composition_align.h - final HSPs with composition-based statistics: aligns each kept subject with a matrix adjusted to its composition.
 * Smith-Waterman mode also uses this file without these statistics, with the standard matrix.
 */
#ifndef TMS_COMPOSITION_ALIGN_H
#define TMS_COMPOSITION_ALIGN_H

#include "protein/composition_aligner.h"
#include "search/search_state.h"

/*
 * composition_aligner_init() - borrows `setup` and `masks`, which several threads may share. Returns TMS_OK or TMS_E_MEMORY; free it in
 * either case.
 */
tms_status composition_aligner_init(const struct protein_setup *setup, tms_simd simd, struct subject_masks *masks,
                                    struct composition_aligner *out);
void composition_aligner_free(struct composition_aligner *aligner); /* zeroed is fine */

/* composition_aligner_begin() - begins an alignment task; the matrix that the task before left is unknown. */
void composition_aligner_begin(struct composition_aligner *aligner);

/* composition_aligner_restore() - makes the matrix that an earlier task left, again; the standard matrix if source is empty. */
void composition_aligner_restore(struct composition_aligner *aligner, const struct composition_source *source);

/* composition_aligner_source() - what the last matrix of the task follows from, whose prepared subjects still exist. */
const struct composition_source *composition_aligner_source(struct composition_aligner *aligner);

/*
 * A query's subjects are prepared first, several together, because their matrices are then made faster; afterwards each is aligned.
 * composition_subjects_clear() forgets the prepared subjects; composition_aligner_prepare() adds one, unless they are full.
 *   hits [in] of the subject, with one HSP at least
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status composition_aligner_prepare(struct composition_aligner *aligner, const struct composition_query *query, const uint8_t *subject,
                                       int n, const struct subject_hits *hits, struct composition_subjects *subjects);

/*
 * composition_aligner_begin_subjects() - after all are prepared: solves those for which a GPU has made nothing. Borrows subjects and made.
 *   made [in] NULL: no GPU has made anything
 */
void composition_aligner_begin_subjects(struct composition_aligner *aligner, const struct composition_subjects *subjects,
                                        const struct composition_made *made);

/*
 * composition_aligner_subject() - replaces the preliminary HSPs of a subject by final ones; the list may become empty.
 *   i     [in] index of the subject among those begun with, from 0; each may be used once
 *   subject [in] the residues that the subject was prepared with, as many; NULL unless composition_reads_again()
 *   hits [in,out] of this subject
 *   outcome [out] if the subject waits, hits is unchanged: call composition_aligner_restore(), prepare the subject again, and repeat the
 *     call
 */
tms_status composition_aligner_subject(struct composition_aligner *aligner, const struct composition_query *query, size_t i,
                                       const uint8_t *subject, struct search_scratch *worker, struct subject_hits *hits,
                                       struct composition_outcome *outcome);

/*
 * The same for a translated query. Each frame is aligned by windows around its preliminary HSPs, which have matrices of their own; as many
 * are prepared as there is room for. composition_frames.c
 */
struct composition_frames {
    const struct search_query *whole;
    const struct composition_query *frames; /* FRAMES */
};
tms_status composition_aligner_prepare_frames(struct composition_aligner *aligner, const struct composition_frames *query,
                                              const uint8_t *subject, int n, const struct subject_hits *hits,
                                              struct composition_subjects *subjects);
tms_status composition_aligner_frames(struct composition_aligner *aligner, const struct composition_frames *query, size_t i,
                                      struct gapped_side subject, struct search_scratch *worker, struct subject_hits *hits,
                                      struct composition_outcome *outcome);

/*
 * The same for a translated subject: each alignment has a matrix of its own. composition_translated.c
 *
 * composition_aligner_begin_translated() forgets the prepared subjects; composition_aligner_prepare_translated() prepares one, while
 * composition_aligner_has_room(); after composition_aligner_solve_translated() these are aligned, in the order in which they were prepared.
 */
struct composition_translated {
    struct search_state *state;
    uint64_t number; /* of the subject */
};
void composition_aligner_begin_translated(struct composition_aligner *aligner);
bool composition_aligner_has_room(const struct composition_aligner *aligner);
tms_status composition_aligner_prepare_translated(struct composition_aligner *aligner, const struct composition_query *query,
                                                  const struct composition_translated *subject, struct search_scratch *worker,
                                                  const struct subject_hits *hits);
void composition_aligner_solve_translated(struct composition_aligner *aligner);
tms_status composition_aligner_translated(struct composition_aligner *aligner, const struct composition_query *query,
                                          const struct composition_translated *subject, struct search_scratch *worker,
                                          struct subject_hits *hits, struct composition_outcome *outcome);

#endif
