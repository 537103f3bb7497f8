/* tblastn_job.h - the job of tamis tblastn. */
#ifndef TAMIS_CLI_TBLASTN_JOB_H
#define TAMIS_CLI_TBLASTN_JOB_H

#include "cli/blast/translated_options.h"
#include "tamis/tblastn.h"

typedef struct tblastn_job {
    translated_job translation;
    tms_tblastn_params params; /* the combined meaning of the options */
    tms_tblastn *search;       /* of the run */
} tblastn_job;

/* tblastn_check() - checks the options, and sets params and what protein_check() sets. Returns CLI_OK, or the exit code after a message. */
int tblastn_check(tblastn_job *job, const options_given *given);

/* tblastn_run() - the command; parts: what a report is made from, instead of a search; NULL: none. Returns the exit code. */
int tblastn_run(int argc, char **argv, struct blast_parts *parts);

#endif
