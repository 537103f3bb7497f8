/* blastp_job.h - the job of tamis blastp. */
#ifndef TAMIS_CLI_BLASTP_JOB_H
#define TAMIS_CLI_BLASTP_JOB_H

#include "cli/blast/protein_options.h"

/* Options that only blastp has, as typed. */
typedef struct blastp_own_options {
    int strategy, extension, scoring; /* of GPUs */
    uint32_t bins;
} blastp_own_options;

typedef struct blastp_job {
    protein_job protein;
    blastp_own_options own;
    tms_blastp *search; /* of the run */
} blastp_job;

/* blastp_check() - checks the options, and sets what protein_check() sets. Returns CLI_OK, or the exit code after a message. */
int blastp_check(blastp_job *job, const options_given *given);

/* blastp_run() - the command; parts: what a report is made from, instead of a search; NULL: none. Returns the exit code. */
int blastp_run(int argc, char **argv, struct blast_parts *parts);

#endif
