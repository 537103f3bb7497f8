/* tblastn_description.h - describes tblastn for reports: its names, references and parameters. */
#ifndef TAMIS_CLI_TBLASTN_DESCRIPTION_H
#define TAMIS_CLI_TBLASTN_DESCRIPTION_H

#include "cli/blast/blastp_description.h"
#include "tamis/tblastn.h"

/* tblastn_description_init() - as blastp_description_init(). */
void tblastn_description_init(const tms_tblastn *search, const tms_blastp_params *params, const blastp_seg *seg, uint32_t genetic_code,
                              struct report_program *out);

#endif
