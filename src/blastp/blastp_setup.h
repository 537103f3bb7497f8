/* blastp_setup.h - the constants of a protein search: the resolved parameters, in the engine's setup and in blastp's own part. */
#ifndef TMS_BLASTP_SETUP_H
#define TMS_BLASTP_SETUP_H

#include "cublastp/cublastp_cuda.h"
#include "mask/intervals.h"
#include "run/context.h"
#include "score/composition.h"
#include "score/reduced_alphabet.h"
#include "search/search_setup.h"
#include "tamis/blastp.h"

struct blastp_setup {
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
    bool is_cublastp; /* GPUs find hits by cuBLASTP's strategy */
    struct cublastp_options cublastp;
};

/*
 * blastp_params_resolve() - fills in defaults: unset parameters follow from the task and the matrix.
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of its range, or the matrix has no statistics for the gap costs.
 */
tms_status blastp_params_resolve(tms_context *ctx, const tms_blastp_params *given, struct blastp_setup *out);

/*
 * blastp_setup_init() - completes a setup whose parameters are resolved. The setup must not move afterwards.
 * Returns TMS_OK, or TMS_E_ARG if the matrix has no statistics for adjustment by composition, or for words of this size.
 */
tms_status blastp_setup_init(tms_context *ctx, const struct search_database *database, struct blastp_setup *setup);

static inline const struct blastp_setup *blastp_setup_of(const struct search_setup *search) { return search->own; }

/* The functions of blastp's search_program that encode, mask and prepare a query; blastp_query.c. */
tms_status blastp_encode_query(tms_context *ctx, uint64_t record, const uint8_t *characters, size_t n, uint8_t *codes);
tms_status blastp_mask_query(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                             struct intervals *masked);
void blastp_free_masker(void *masker);
tms_status blastp_prepare_query(const struct search_setup *setup, const struct query_part *part, struct search_query *out);

extern const struct search_program blastp_program; /* blastp_program.c */

#endif
