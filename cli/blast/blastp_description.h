/* blastp_description.h - describes blastp for reports: its names, references and parameters. */
#ifndef TAMIS_CLI_BLASTP_DESCRIPTION_H
#define TAMIS_CLI_BLASTP_DESCRIPTION_H

#include "report/report_program.h"
#include "tamis/blastp.h"

/* -seg as the user typed it. Reports show these numbers, although SEG replaces numbers that are not above 0 by defaults, and a hicut below
 * locut by locut. */
typedef struct blastp_seg {
    int window;
    double locut, hicut;
} blastp_seg;

/* protein_description_init() - what programs with a protein database have in common: all but name, version, n_references, is_positive. */
void protein_description_init(const tms_blastp_info *info, const tms_blastp_params *params, const blastp_seg *seg,
                              struct report_program *out);

/*
 * blastp_description_init() - describes the program and its search.
 *   params [in] the parameters of the search, whose name of the matrix the description borrows
 *   seg    [in] the value of -seg; NULL: that of params
 */
void blastp_description_init(const tms_blastp *search, const tms_blastp_params *params, const blastp_seg *seg, struct report_program *out);

#endif
