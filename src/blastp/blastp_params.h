/* search_params.h - a caller's parameters to those of a search: what is left open follows from the task and the matrix. */
#ifndef TMS_BLASTP_PARAMS_H
#define TMS_BLASTP_PARAMS_H

#include "blastp/blastp_setup.h"
#include "tamis/blastp.h"

/* blastp_params_resolve() - Returns TMS_OK; TMS_E_ARG: a parameter is out of its range, or the matrix has no statistics for the costs. */
tms_status blastp_params_resolve(tms_context *ctx, const tms_blastp_params *given, struct search_params *out);

#endif
