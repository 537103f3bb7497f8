/*
 * blast_plan.h - checks the shared options together, and sets job->plan. A command calls these functions in the order in which BLAST+
 * programs check the options, with its own checks in between. Each returns CLI_OK, or the exit code after a message.
 */
#ifndef TAMIS_CLI_BLAST_PLAN_H
#define TAMIS_CLI_BLAST_PLAN_H

#include "cli/blast/blast_job.h"

/* blast_plan_report() - the format; fails without -db and -subject. */
int blast_plan_report(blast_job *job);

/* blast_plan_threads() - -num_threads and -mt_mode. */
int blast_plan_threads(blast_job *job, const options_given *given);

/* blast_plan_batches() - the size of BLAST's query batches, from BATCH_SIZE; usual: without it. */
int blast_plan_batches(blast_job *job, uint64_t usual);

/* blast_plan_subjects() - the best-hit filter, the numbers of subjects to keep and to show, and their order. */
int blast_plan_subjects(blast_job *job, const options_given *given);

/* blast_plan_ranges() - -query_loc and -subject_loc. */
int blast_plan_ranges(blast_job *job);

#endif
