/* blastp_setup.h - the constants of blastp: those of a protein search, and how GPUs find hits. */
#ifndef TMS_BLASTP_SETUP_H
#define TMS_BLASTP_SETUP_H

#include "cublastp/cublastp_cuda.h"
#include "protein/protein_setup.h"

struct blastp_setup {
    struct protein_setup protein; /* first, so that protein_setup_of() finds it */
    bool is_cublastp;             /* GPUs find hits by cuBLASTP's strategy */
    struct cublastp_options cublastp;
};

/* blastp_params_resolve() - as protein_params_resolve(), with blastp's tasks and strategies. */
tms_status blastp_params_resolve(tms_context *ctx, const tms_blastp_params *given, struct blastp_setup *out);

/* blastp_setup_init() - as protein_setup_init(), with the program. */
tms_status blastp_setup_init(tms_context *ctx, const struct search_database *database, struct blastp_setup *setup);

static inline const struct blastp_setup *blastp_setup_of(const struct search_setup *search)
{
    return (const struct blastp_setup *)protein_setup_of(search);
}

extern const struct search_program blastp_program; /* blastp_program.c */

#endif
