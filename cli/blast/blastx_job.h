/* blastx_job.h - the job of tamis blastx. */
#ifndef TAMIS_CLI_BLASTX_JOB_H
#define TAMIS_CLI_BLASTX_JOB_H

#include "cli/blast/protein_options.h"
#include "tamis/blastx.h"

/* Options that only blastx has, as typed. */
typedef struct blastx_own_options {
    int strand, sum_stats;
    uint32_t genetic_code, max_intron_length;
} blastx_own_options;

typedef struct blastx_job {
    protein_job protein;
    blastx_own_options own;
    tms_blastx_params params; /* the combined meaning of the options */
    tms_blastx *search;       /* of the run */
} blastx_job;

/* blastx_check() - checks the options, and sets params and what protein_check() sets. Returns CLI_OK, or the exit code after a message. */
int blastx_check(blastx_job *job, const options_given *given);

/* blastx_run() - the command; parts: what a report is made from, instead of a search; NULL: none. Returns the exit code. */
int blastx_run(int argc, char **argv, struct blast_parts *parts);

#endif
