/* blastp_job.h - the job of tamis blastp. */
#ifndef TAMIS_CLI_BLASTP_JOB_H
#define TAMIS_CLI_BLASTP_JOB_H

#include "cli/blast/blast_job.h"
#include "cli/blast/blastp_description.h"
#include "tamis/blastp.h"

/* Options that are not in blast_rows.h, as typed. */
typedef struct blastp_own_options {
    const char *matrix, *seg, *comp_based_stats;
    int task, soft_masking, ungapped, use_sw_tback, gpu_strategy, gpu_extension, gpu_scoring;
    uint32_t gap_open, gap_extend, word_size, window, gpu_bins;
    double threshold, xdrop_ungap, xdrop_gap, xdrop_gap_final;
} blastp_own_options;

typedef struct blastp_job {
    blast_job blast;
    blastp_own_options own;

    /* The combined meaning of the options. */
    tms_blastp_params params;
    blastp_seg seg;

    /* The run. */
    tms_blastp *search;
    struct report_program program;
} blastp_job;

/* blastp_check() - checks the options, and sets job->blast.plan, params and seg. Returns CLI_OK, or the exit code after a message. */
int blastp_check(blastp_job *job, const options_given *given);

/* blastp_run() - the command; parts: what a report is made from, instead of a search; NULL: none. Returns the exit code. */
int blastp_run(int argc, char **argv, struct blast_parts *parts);

#endif
