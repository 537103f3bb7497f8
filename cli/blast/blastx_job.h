/* blastx_job.h - the job of tamis blastx. */
#ifndef TAMIS_CLI_BLASTX_JOB_H
#define TAMIS_CLI_BLASTX_JOB_H

#include "cli/blast/translated_options.h"
#include "tamis/blastx.h"

/* Options that only blastx has, as typed. */
typedef struct blastx_own_options {
    int strand;
} blastx_own_options;

typedef struct blastx_job {
    translated_job translation;
    blastx_own_options own;
    tms_blastx_params params; /* the combined meaning of the options */
    tms_blastx *search;       /* of the run */
} blastx_job;

/* blastx_check() - checks the options, and sets params and what protein_check() sets. Returns CLI_OK, or the exit code after a message. */
int blastx_check(blastx_job *job, const options_given *given);

/* blastx_run() - the command; parts: what a report is made from, instead of a search; NULL: none. Returns the exit code. */
int blastx_run(int argc, char **argv, struct blast_parts *parts);

#endif
