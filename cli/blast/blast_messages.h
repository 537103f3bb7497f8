/* blast_messages.h - prints failures and warnings in the words of BLAST+ programs. */
#ifndef TAMIS_CLI_BLAST_MESSAGES_H
#define TAMIS_CLI_BLAST_MESSAGES_H

#include "cli/blast/blast_job.h"

/* blast_is_quiet() - whether to suppress the program's warnings: with --quiet, unless tamis is called by the program's name. */
int blast_is_quiet(const blast_job *job);

/* blast_warn() - prints a warning of the program, unless blast_is_quiet(). */
void blast_warn(blast_job *job, const char *text);

/* blast_fit_threads() - reduces the number of threads to that of processors, with the program's warnings. is_given: the user gave the
 * number. */
void blast_fit_threads(blast_job *job, int is_given);

/* blast_count_units() - counts the batches that -mt_mode 1 would divide the queries into. */
void blast_count_units(blast_job *job, const tms_seqs *seqs);

/* blast_warn_of_units() - warns if these batches are fewer than the threads. */
void blast_warn_of_units(blast_job *job);

/* blast_warn_of_residues() - warns of residues that a reader leaves out; .warn of seqio_blast_records_options. arg: the job. */
void blast_warn_of_residues(void *arg, const char *text);

/* blast_fail_io(), blast_fail_library() - print the failure: the message of err, or of the context. Return the exit code. */
int blast_fail_io(blast_job *job, io_status status, const io_error *err);
int blast_fail_library(blast_job *job, tms_status status);

#endif
