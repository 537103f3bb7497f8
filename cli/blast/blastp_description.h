/* blastp_description.h - the description of blastp in reports: its names, references and parameters. */
#ifndef TAMIS_CLI_BLASTP_DESCRIPTION_H
#define TAMIS_CLI_BLASTP_DESCRIPTION_H

#include "report/report_program.h"
#include "tamis/blastp.h"

/* -seg as the user typed it: reports show these numbers, although SEG uses defaults for numbers not above 0, and at least locut for hicut.
 */
typedef struct blastp_seg {
    int window;
    double locut, hicut;
} blastp_seg;

/*
 * blastp_description_init() - describes the program and a search.
 *   params [in] the parameters of the search, whose matrix the description borrows
 *   seg    [in] -seg; NULL: as in params
 */
void blastp_description_init(const tms_blastp *search, const tms_blastp_params *params, const blastp_seg *seg, struct report_program *out);

#endif
