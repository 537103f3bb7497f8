/* blastn_job.h - the job of tamis blastn. */
#ifndef TAMIS_CLI_BLASTN_JOB_H
#define TAMIS_CLI_BLASTN_JOB_H

#include "cli/blast/blast_job.h"
#include "tamis/blastn.h"

/* Options that are not in blast_rows.h, as typed. */
typedef struct blastn_own_options {
    const char *dust;
    int task, strand, soft_masking, ungapped, no_greedy, template_type, use_index, sum_stats;
    uint32_t gap_open, gap_extend, word_size, window, off_diagonal_range, reward, template_length;
    double penalty, min_raw_gapped_score, perc_identity, xdrop_ungap, xdrop_gap, xdrop_gap_final;
} blastn_own_options;

typedef struct blastn_job {
    blast_job blast;
    blastn_own_options own;

    /* The combined meaning of the options. */
    tms_blastn_params params;

    /* The run. */
    tms_blastn *search;
    struct report_program program;
} blastn_job;

/* blastn_check() - checks the options, and sets job->blast.plan and params. Returns CLI_OK, or the exit code after a message. */
int blastn_check(blastn_job *job, const options_given *given);

/* blastn_run() - the command; parts: what a report is made from, instead of a search; NULL: none. Returns the exit code. */
int blastn_run(int argc, char **argv, struct blast_parts *parts);

#endif
