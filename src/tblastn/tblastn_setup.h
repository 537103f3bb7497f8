/* tblastn_setup.h - the constants of tblastn: those of a protein search with translated subjects. */
#ifndef TMS_TBLASTN_SETUP_H
#define TMS_TBLASTN_SETUP_H

#include "protein/protein_setup.h"
#include "tamis/tblastn.h"

/*
 * tblastn_params_resolve() - as protein_params_resolve(), with tblastn's own parameters.
 * Returns TMS_OK; TMS_E_ARG, with a message.
 */
tms_status tblastn_params_resolve(tms_context *ctx, const tms_blastp_params *protein, const tms_tblastn_params *own,
                                  struct protein_setup *out);

extern const struct search_program tblastn_program; /* tblastn_program.c */

#endif
