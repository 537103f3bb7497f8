/*
 * blast_plan.h - the meaning of the shared options together, in the order in which BLAST+'s programs check them: a program calls these one
 * after the other, with checks of its own between. Each returns CLI_OK, or the exit code after a message.
 */
#ifndef TAMIS_CLI_BLAST_PLAN_H
#define TAMIS_CLI_BLAST_PLAN_H

#include "cli/blast/blast_job.h"

/* blast_plan_report() - the format, and whether there is anything to search. */
int blast_plan_report(blast_job *job);

/* blast_plan_threads() - -num_threads and -mt_mode. */
int blast_plan_threads(blast_job *job, const options_given *given);

/* blast_plan_batches() - BLAST's batches of queries. */
int blast_plan_batches(blast_job *job);

/* blast_plan_subjects() - the best-hit filter, how many subjects are kept and shown, and their order. */
int blast_plan_subjects(blast_job *job, const options_given *given);

/* blast_plan_ranges() - -query_loc and -subject_loc. */
int blast_plan_ranges(blast_job *job);

#endif
