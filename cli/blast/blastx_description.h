/* blastx_description.h - describes blastx for reports: its names, references and parameters. */
#ifndef TAMIS_CLI_BLASTX_DESCRIPTION_H
#define TAMIS_CLI_BLASTX_DESCRIPTION_H

#include "cli/blast/blastp_description.h"
#include "tamis/blastx.h"

/* blastx_description_init() - as blastp_description_init(). */
void blastx_description_init(const tms_blastx *search, const tms_blastp_params *params, const blastp_seg *seg, uint32_t genetic_code,
                             struct report_program *out);

#endif
