/*
 * blastp_redo.h - the last stage with composition-based statistics: each subject that is kept is aligned again with a matrix of its own.
 * With Smith-Waterman also without them, and then with the standard matrix.
 */
#ifndef TMS_BLASTP_REDO_H
#define TMS_BLASTP_REDO_H

#include "extend/smith_waterman.h"
#include "mask/seg.h"
#include "search/blastp_preliminary.h"

/* What a matrix was made of: the letters of a subject. */
struct blastp_matrix_source {
    bool is_there;
    struct composition subject;
    size_t subject_length;
};

/* A subject that is prepared: its letters at the first alignment. */
struct blastp_redo_subject {
    size_t at; /* in blastp_redo.letters */
    bool maybe_biased, near;
};

/* A thread's own, beside its blastp_worker. */
struct blastp_redo {
    const struct blastp_setup *setup;
    tms_simd simd;
    int scale;                       /* of scores: COMPOSITION_SCALE; without composition 1 */
    struct gapped_statistics scaled; /* of scores times scale */
    struct gapped_costs costs;       /* the same; scores: those of matrix */
    double near;                     /* score a letter from which two sequences may be nearly identical */
    struct seg *seg;
    struct intervals segments;
    struct smith_waterman_boxes boxes;                            /* with Smith-Waterman: what earlier alignments of the subject took */
    struct adjusted_matrix matrix;                                /* the last one that was made, for whatever subject */
    struct blastp_matrix_source source;                           /* of the query under way: what the last matrix was made of */
    bool knows_matrix;                                            /* matrix is the one that BLAST would have now */
    struct blastp_redo_subject subjects[COMPOSITION_SOLUTIONS];   /* that are prepared */
    struct composition_solution solutions[COMPOSITION_SOLUTIONS]; /* for them */
    size_t n_subjects;
    uint8_t *letters; /* copies of them, in which low complexity is X; each between two 0 */
    size_t n_letters, letters_capacity;
};

/* What of a query is the same for all subjects. Freed with blastp_redo_query_free(); zeroed is fine. */
struct blastp_redo_query {
    const struct blastp_query *query;
    uint8_t *codes; /* U is C; a 0 before and after */
    struct composition composition;
};

tms_status blastp_redo_init(const struct blastp_setup *setup, tms_simd simd, struct blastp_redo *out);
void blastp_redo_free(struct blastp_redo *redo); /* zeroed is fine */
tms_status blastp_redo_query_init(const struct blastp_query *query, struct blastp_redo_query *out);
void blastp_redo_query_free(struct blastp_redo_query *query);

/* blastp_redo_begin() - a query begins: what matrix the one before left is not known. */
void blastp_redo_begin(struct blastp_redo *redo);

/* blastp_redo_restore() - the matrix that a query left; the standard one if source is not there. */
void blastp_redo_restore(struct blastp_redo *redo, const struct blastp_redo_query *query, const struct blastp_matrix_source *source);

/*
 * Subjects of a query are prepared first, some together, because their matrices are made faster so; then each is done.
 * blastp_redo_clear() forgets those that are prepared; blastp_redo_prepare() adds one, unless there are enough: see blastp_redo_is_full().
 *   hits [in] of the subject, with one HSP at least
 * Returns TMS_OK or TMS_E_MEMORY.
 */
void blastp_redo_clear(struct blastp_redo *redo);
bool blastp_redo_is_full(const struct blastp_redo *redo);
tms_status blastp_redo_prepare(struct blastp_redo *redo, const struct blastp_redo_query *query, const uint8_t *subject, int n,
                               const struct subject_hits *hits);
void blastp_redo_solve(struct blastp_redo *redo, const struct blastp_redo_query *query); /* after the last */

/*
 * blastp_redo_subject() - replaces the preliminary HSPs of a subject by alignments. None may be left.
 *   i     [in] it is the one that was prepared as the i-th, from 0 on; this can be done once
 *   hits  [in,out] of this subject
 *   waits [out] the subject has no amino acid that is not masked, so that it meets the matrix of the subject before (so it is in BLAST),
 * and that is not known: hits is as it was. blastp_redo_restore() first, and prepare it again
 */
tms_status blastp_redo_subject(struct blastp_redo *redo, const struct blastp_redo_query *query, size_t i, const uint8_t *subject, int n,
                               struct blastp_worker *worker, struct subject_hits *hits, bool *waits);

#endif
