/*
 * composition_align.h - final HSPs with composition-based statistics: aligns each kept subject with a matrix of its own. With
 * Smith-Waterman also without these statistics, and then with the standard matrix.
 */
#ifndef TMS_COMPOSITION_ALIGN_H
#define TMS_COMPOSITION_ALIGN_H

#include "blastp/blastp_setup.h"
#include "extend/smith_waterman.h"
#include "mask/seg.h"
#include "search/gapped_stage.h"

/* What a matrix was made of: the residues of a subject. */
struct composition_source {
    bool is_there;
    struct composition subject;
    size_t subject_length;
};

/* A subject that is prepared: its residues at the first alignment. */
struct composition_aligner_subject {
    size_t at; /* in composition_aligner.residues */
    bool maybe_biased, near;
};

/* A thread's own, beside its search_scratch. */
struct composition_aligner {
    const struct blastp_setup *setup;
    tms_simd simd;
    int scale;                       /* of scores: COMPOSITION_SCALE; without composition 1 */
    struct gapped_statistics scaled; /* of scores times scale */
    struct gapped_costs costs;       /* the same; scores: those of matrix */
    double near;                     /* score a residue from which two sequences may be nearly identical */
    struct seg *seg;
    struct intervals segments;
    struct smith_waterman_boxes boxes; /* with Smith-Waterman: what earlier alignments of the subject took */
    struct adjusted_matrix matrix;     /* the last one that was made, for whatever subject */
    struct composition_source source;  /* of the query under way: what the last matrix was made of */
    bool knows_matrix;                 /* matrix is the one that BLAST would have now */
    struct composition_aligner_subject subjects[COMPOSITION_SOLUTIONS]; /* that are prepared */
    struct composition_solution solutions[COMPOSITION_SOLUTIONS];       /* for them */
    size_t n_subjects;
    uint8_t *residues; /* copies of them, in which low complexity is X; each between two 0 */
    size_t n_residues, residues_capacity;
};

/* What of a query is the same for all subjects. Freed with composition_query_free(); zeroed is fine. */
struct composition_query {
    const struct search_query *query;
    uint8_t *codes; /* U is C; a 0 before and after */
    struct composition composition;
};

tms_status composition_aligner_init(const struct blastp_setup *setup, tms_simd simd, struct composition_aligner *out);
void composition_aligner_free(struct composition_aligner *aligner); /* zeroed is fine */
tms_status composition_query_init(const struct search_query *query, struct composition_query *out);
void composition_query_free(struct composition_query *query);

/* composition_aligner_begin() - a query begins: what matrix the one before left is not known. */
void composition_aligner_begin(struct composition_aligner *aligner);

/* composition_aligner_restore() - the matrix that a query left; the standard one if source is not there. */
void composition_aligner_restore(struct composition_aligner *aligner, const struct composition_query *query,
                                 const struct composition_source *source);

/*
 * Subjects of a query are prepared first, some together, because their matrices are made faster so; then each is done.
 * composition_aligner_clear() forgets those that are prepared; composition_aligner_prepare() adds one, unless there are enough: see
 * composition_aligner_is_full(). hits [in] of the subject, with one HSP at least Returns TMS_OK or TMS_E_MEMORY.
 */
void composition_aligner_clear(struct composition_aligner *aligner);
bool composition_aligner_is_full(const struct composition_aligner *aligner);
tms_status composition_aligner_prepare(struct composition_aligner *aligner, const struct composition_query *query, const uint8_t *subject,
                                       int n, const struct subject_hits *hits);
void composition_aligner_solve(struct composition_aligner *aligner, const struct composition_query *query); /* after the last */

/*
 * composition_aligner_subject() - replaces the preliminary HSPs of a subject by alignments. None may be left.
 *   i     [in] it is the one that was prepared as the i-th, from 0 on; this can be done once
 *   hits  [in,out] of this subject
 *   waits [out] the subject has no amino acid that is not masked, so that it meets the matrix of the subject before (so it is in BLAST),
 * and that is not known: hits is as it was. composition_aligner_restore() first, and prepare it again
 */
tms_status composition_aligner_subject(struct composition_aligner *aligner, const struct composition_query *query, size_t i,
                                       const uint8_t *subject, int n, struct search_scratch *worker, struct subject_hits *hits,
                                       bool *waits);

#endif
