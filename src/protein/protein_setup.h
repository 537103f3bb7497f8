/* protein_setup.h - the constants of a search with words of residues: the resolved parameters, in the engine's setup and beside it. */
#ifndef TMS_PROTEIN_SETUP_H
#define TMS_PROTEIN_SETUP_H

#include "mask/intervals.h"
#include "run/context.h"
#include "score/composition.h"
#include "score/reduced_alphabet.h"
#include "search/search_setup.h"
#include "tamis/translated.h"

struct protein_setup {
    struct search_setup search; /* the engine's part; search.own is this setup */
    const struct score_matrix *matrix;
    enum composition_mode composition;
    struct composition_basis basis;                      /* unset if composition is off */
    double threshold;                                    /* the least score of two words that are a hit */
    struct reduced_alphabet groups;                      /* groups of residues, for words of REDUCED_SHORTEST residues or more */
    double x_drop_ungapped, x_drop_gapped, x_drop_final; /* bits */
    bool smith_waterman; /* final HSPs have the best score of all cells, instead of those that an X-drop reaches */
    bool soft_masking;   /* masked residues are only left out of words; false: they are replaced by X */
    bool masks_seg, masks_lower_case;
    tms_seg_params seg;
    bool keeps_weak;                    /* ungapped HSPs are kept from protein_weakest_score() on */
    bool has_strand[2];                 /* plus, minus: translated queries are searched with by its frames */
    struct codon_table query_codons;    /* of a translated query */
    struct codon_table subject_codons;  /* of a translated subject */
    struct packed_codons packed_codons; /* the same, for packed bases */
    bool has_ideal;                     /* queries whose own statistics have a greater lambda have `ideal` instead */
    struct karlin ideal;                /* ungapped statistics of the background's composition */
};

/* What a task sets, unless the caller does. */
struct protein_task {
    const char *matrix;
    int word_size;
    int threshold;       /* 0: the matrix's usual threshold */
    int more_than_usual; /* is added to the matrix's usual threshold */
};

/*
 * protein_params_resolve() - fills in defaults: unset parameters follow from the task and the matrix. given->task has no meaning here.
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of its range, or the matrix has no statistics for the gap costs.
 */
tms_status protein_params_resolve(tms_context *ctx, const struct protein_task *task, const tms_blastp_params *given,
                                  struct protein_setup *out);

/*
 * protein_setup_init() - completes a setup whose parameters are resolved, but for search.program. The setup must not move afterwards.
 * Returns TMS_OK, or TMS_E_ARG if the matrix has no statistics for adjustment by composition, or for words of this size.
 */
tms_status protein_setup_init(tms_context *ctx, const struct search_database *database, struct protein_setup *setup);

/*
 * protein_translation_resolve() - after protein_params_resolve(), with search.program and translates_subjects set: strands, genetic codes,
 * how HSPs are linked, and in which order they are.
 *   is_file [in] subjects are of a file, in which BLAST searches by the standard code; only reports use another one [sic]
 * Returns TMS_OK; TMS_E_ARG, with a message: no strand is left, there is no such code, or the intron has 2^31 bases or more.
 */
tms_status protein_translation_resolve(tms_context *ctx, const tms_translated_params *given, bool is_file, struct protein_setup *out);

static inline const struct protein_setup *protein_setup_of(const struct search_setup *search) { return search->own; }

/* Functions of a search_program that mask and prepare a query of residues; protein_query.c. */
tms_status protein_mask_query(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                              struct intervals *masked);
tms_status protein_mask_chunk(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                              struct intervals *masked);
void protein_free_masker(void *masker);

/*
 * protein_weakest_score() - weak HSPs may be in a good chain: the least score that has an E-value of 1 at most in a space of two short
 * sequences, of the length that cutoffs are for, or the query's length if that is less.
 *   s [in] of the query's alignments
 */
int protein_weakest_score(const struct search_setup *setup, const struct gapped_statistics *s, int64_t query_length);

/* protein_prepare_batch() - implements search_program.prepare_batch() of translated searches: cutoffs with linking, and what linking takes
 * of a batch. */
void protein_prepare_batch(const struct search_setup *setup, struct search_query *queries, size_t n);

/*
 * protein_mask_residues() - the masked intervals of residues without characters, by protein_mask_query()'s rules.
 *   more [in] intervals that are masked in any case
 */
tms_status protein_mask_residues(const struct protein_setup *setup, void **masker, const uint8_t *codes, size_t n,
                                 const struct intervals *more, struct intervals *masked);
tms_status protein_prepare_query(const struct search_setup *setup, void **masker, const struct query_part *part, struct search_query *out);

#endif
