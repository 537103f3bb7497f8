/* composition_subjects.h - queries and subjects as the alignment with composition-based statistics takes them. */
#ifndef TMS_COMPOSITION_SUBJECTS_H
#define TMS_COMPOSITION_SUBJECTS_H

#include "score/composition.h"
#include "search/align_hsp_cuda.h"
#include "search/gapped_stage.h"

/* The data of a query, or of a frame of one, that all its subjects share. Freed with composition_query_free(); all zero is empty. */
struct composition_query {
    const struct search_query *query;
    uint8_t *codes; /* of the query, or with U replaced by C; a 0 before and after */
    struct composition composition;
};
tms_status composition_query_init(const struct search_query *query, bool replaces_u, struct composition_query *out);
void composition_query_free(struct composition_query *query);

/* A prepared pair: a subject and the query, or a subject and a window of a frame, with the residues of the first alignment. */
struct composition_prepared {
    size_t subject;              /* number of the subject among those that are prepared together */
    int context;                 /* the frame; 0: of a query without frames */
    struct residue_range window; /* the residues of query or frame that alignments may use */
    size_t n_hsps;               /* preliminary HSPs in the window */
    size_t at;                   /* offset in composition_subjects.residues */
    int n;                       /* residues */
    bool maybe_biased, near;
    struct composition_pair pair;
};

/* Whether a subject's own residues are read once more for its alignments: not all of its HSPs may need the same residues masked. */
static inline bool composition_reads_again(const struct composition_prepared *prepared)
{
    return prepared->maybe_biased && prepared->n_hsps > 1;
}

/* Subjects of a query that are prepared together. All zero is empty; freed with composition_subjects_free(). */
struct composition_subjects {
    struct composition_prepared items[COMPOSITION_SOLUTIONS];
    size_t n, n_subjects;
    uint8_t *residues; /* copies of the subjects' residues, most with low complexity replaced by X; each has a 0 before and after */
    size_t n_residues, residues_capacity;
};
void composition_subjects_init(struct composition_subjects *subjects); /* of which nothing has been set */
void composition_subjects_free(struct composition_subjects *subjects);
void composition_subjects_clear(struct composition_subjects *subjects); /* forgets them */

/* composition_subjects_suffice() - whether there are n_pairs, or enough residues. */
bool composition_subjects_suffice(const struct composition_subjects *subjects, size_t n_pairs);

/* composition_subjects_reserve() - makes room for a copy of n residues. Returns where the copy begins; NULL: out of memory. */
uint8_t *composition_subjects_reserve(struct composition_subjects *subjects, int n);

/*
 * composition_subjects_add() - adds a subject whose copy is in the room that was reserved last: the next pair, with a whole query.
 * Everything else of the pair is 0.
 */
struct composition_prepared *composition_subjects_add(struct composition_subjects *subjects, int n, size_t n_hsps, int query_length);

/* What a GPU has made for prepared subjects. */
struct composition_made {
    bool has_matrix[COMPOSITION_SOLUTIONS];       /* false: nothing was made for the subject */
    bool is_scaled[COMPOSITION_SOLUTIONS];        /* its matrix is scaled; false: optimised */
    const struct align_gpu_alignment *alignments; /* of the subjects one after the other */
    uint32_t first[COMPOSITION_SOLUTIONS + 1];    /* alignments first[i] .. first[i + 1] - 1 are of the first HSPs of subject i */
    const int *runs;                              /* of these alignments */
};

#endif
