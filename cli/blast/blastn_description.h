/* blastn_description.h - describes blastn for reports: its names, references and parameters. */
#ifndef TAMIS_CLI_BLASTN_DESCRIPTION_H
#define TAMIS_CLI_BLASTN_DESCRIPTION_H

#include "report/report_program.h"
#include "tamis/blastn.h"

/* blastn_description_init() - describes the program and its search; params are those of the search. */
void blastn_description_init(const tms_blastn *search, const tms_blastn_params *params, struct report_program *out);

#endif
