/* blastp_description.h - blastp as reports describe it: its names, references and parameters. */
#ifndef TAMIS_CLI_BLASTP_DESCRIPTION_H
#define TAMIS_CLI_BLASTP_DESCRIPTION_H

#include "report/report_program.h"
#include "tamis/blastp.h"

/* -seg as it was typed: reports show that, though a number that is not above 0 means the usual one, and hicut is at least locut. */
typedef struct blastp_seg {
    int window;
    double locut, hicut;
} blastp_seg;

/*
 * blastp_description_init() - the program and its search.
 *   params [in] those that the search was made with, whose matrix the program borrows
 *   seg    [in] -seg; NULL: as in params
 */
void blastp_description_init(const tms_blastp *search, const tms_blastp_params *params, const blastp_seg *seg, struct report_program *out);

#endif
