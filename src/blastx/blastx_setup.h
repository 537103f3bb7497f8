/* blastx_setup.h - the constants of blastx: those of a protein search, and how queries are translated. */
#ifndef TMS_BLASTX_SETUP_H
#define TMS_BLASTX_SETUP_H

#include "alphabet/translation.h"
#include "protein/protein_setup.h"
#include "tamis/blastx.h"

struct blastx_setup {
    struct protein_setup protein; /* first, so that protein_setup_of() finds it */
    bool has_strand[2];           /* plus, minus: searched with */
};

/*
 * blastx_params_resolve() - as protein_params_resolve(), with blastx's own parameters.
 * Returns TMS_OK; TMS_E_ARG, with a message.
 */
tms_status blastx_params_resolve(tms_context *ctx, const tms_blastp_params *protein, const tms_blastx_params *own,
                                 struct blastx_setup *out);

/* blastx_setup_init() - as protein_setup_init(), with the program. */
tms_status blastx_setup_init(tms_context *ctx, const struct search_database *database, struct blastx_setup *setup);

static inline const struct blastx_setup *blastx_setup_of(const struct search_setup *search)
{
    return (const struct blastx_setup *)protein_setup_of(search);
}

/* The functions of blastx's search_program that mask and prepare a query; blastx_query.c. */
tms_status blastx_mask_query(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                             struct intervals *masked);
tms_status blastx_prepare_query(const struct search_setup *setup, void **masker, const struct query_part *part, struct search_query *out);

extern const struct search_program blastx_program; /* blastx_program.c */

#endif
