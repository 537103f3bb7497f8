/*
 * composition_match.h - a subject that is being aligned with composition-based statistics: what the alignment of whole queries
 * (composition_align.c), that of frames (composition_frames.c, composition_translated.c) and Smith-Waterman share.
 */
#ifndef TMS_COMPOSITION_MATCH_H
#define TMS_COMPOSITION_MATCH_H

#include "protein/composition_aligner.h"

/* A subject that is being aligned. */
struct match {
    struct composition_aligner *aligner;
    const struct composition_query *query;
    struct residue_range window; /* the residues of the query that alignments may use */
    bool is_translated;          /* the query is a frame: the composition around an HSP counts, between stop codons */
    bool has_window;             /* the subject is a window of a frame: the same, and each alignment has a matrix of its own */
    const uint64_t *oid;         /* the subject's number, if `original` is all of it; else NULL */
    const uint8_t *original;     /* the subject, or the window of it that alignments may use: n residues */
    int n;
    int first; /* position of the first of them in the subject's frame */
    const struct composition_prepared *prepared;
    const struct composition_solution *ahead; /* with has_window: n_ahead solutions for the first HSPs, if their residues are as expected */
    size_t n_ahead;
    const struct composition_solution *solution; /* solution for the residues that the subject was prepared with */
    const struct align_gpu_alignment *made;      /* a GPU's alignments of the first n_made HSPs, and its matrix; NULL: it has made none */
    size_t n_made;
    bool is_made_scaled; /* by a scaled matrix */
    uint8_t *subject;    /* the copy that is aligned */
    bool maybe_biased;   /* false: the subject is known to have no low complexity */
    bool near, was_near;
    int n_matrices;
    enum hsp_method method; /* kind of the matrix, once this subject has one */
    bool waits;             /* the subject waits for the matrix that the subject before left */
    struct hsp_list *list;  /* alignments, the newest last */
};

/*
 * composition_aligner_adjust() - makes the matrix of a source. Returns false if there is none.
 *   solution [in] NULL, or a solution that may be that of the source
 */
bool composition_aligner_adjust(struct composition_aligner *aligner, const struct composition_source *source,
                                const struct composition_solution *solution);

/* match_is_near() - whether the HSP scores so well that its sequences may be nearly identical. */
bool match_is_near(const struct match *m, const struct hsp *h);

/* match_stays_unmasked() - whether subject and query are nearly identical in the range of the first HSP, and m->near. */
bool match_stays_unmasked(const struct match *m, const struct hsp *first);

/*
 * match_fetch() - copies the original subject to m->subject, and masks it unless it stays unmasked or is known to have no low complexity.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status match_fetch(struct match *m, bool stays_unmasked);

/* match_query_composition() - of a frame: the composition around an HSP that a matrix is made from. */
void match_query_composition(const struct match *m, const struct hsp *h, struct composition *out);

/* match_subject_composition() - the composition of the subject that a matrix for an HSP is made from. */
void match_subject_composition(const struct match *m, const struct hsp *h, struct composition *out);

/* match_begin() - begins with prepared pair number i, of which a GPU may have made the matrix and alignments. */
void match_begin(struct match *m, size_t i);

/* match_make_matrix() - makes the matrix for the current residues, at an HSP. Returns false if there is none. */
bool match_make_matrix(struct match *m, const struct hsp *h);

/*
 * match_redo() - aligns preliminary HSPs, the best first; m->list takes the alignments. It ends early if the subject waits.
 *   evidence [out] with Smith-Waterman: the first score
 *
 * match_redo_by_smith_waterman() - finds the best alignment, unless chance explains it; then, if there were several HSPs, the best one that
 * shares nothing with it, and so forth. With several HSPs this does not end if chance explains no score at all: TMS_E_ARG, as for a matrix
 * without frequencies.
 */
tms_status match_redo(struct match *m, const struct hsp_list *before, struct search_scratch *w, struct smith_waterman_evidence *evidence);
tms_status match_redo_by_smith_waterman(struct match *m, const struct hsp_list *before, struct search_scratch *w,
                                        struct smith_waterman_evidence *evidence);

/*
 * match_keep_significant() - drops alignments within a better one of their frame, then those that chance explains.
 *   n_subject [in] the length of the subject that E-values refer to
 */
tms_status match_keep_significant(const struct composition_aligner *aligner, const struct search_query *whole, int n_subject,
                                  struct hsp_list *list);

/* match_finish() - replaces a subject's preliminary HSPs by those of w->hsps. */
tms_status match_finish(const struct composition_aligner *aligner, struct search_scratch *w, struct subject_hits *hits,
                        struct smith_waterman_evidence *evidence);

/*
 * match_finish_windows() - keeps significant alignments of w->hsps, and finishes.
 *   rated_length [in] the length of the subject that E-values refer to
 */
tms_status match_finish_windows(const struct composition_aligner *aligner, const struct search_query *query, int rated_length,
                                struct search_scratch *w, struct subject_hits *hits, struct composition_outcome *outcome);

#endif
