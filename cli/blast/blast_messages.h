/* blast_messages.h - failures and warnings, in the words of BLAST+'s programs. */
#ifndef TAMIS_CLI_BLAST_MESSAGES_H
#define TAMIS_CLI_BLAST_MESSAGES_H

#include "cli/blast/blast_job.h"

/* blast_is_quiet() - whether the program's warnings are not printed: with --quiet, unless tamis is called by the program's name. */
int blast_is_quiet(const blast_job *job);

/* blast_warn() - a warning of the program, unless blast_is_quiet(). */
void blast_warn(blast_job *job, const char *text);

/* blast_fit_threads() - no more threads than there are processors, with the program's warnings. is_given: their number was typed. */
void blast_fit_threads(blast_job *job, int is_given);

/* blast_count_units() - counts the batches that -mt_mode 1 would divide the queries into. */
void blast_count_units(blast_job *job, const tms_seqs *seqs);

/* blast_warn_of_units() - that there are fewer of them than threads. */
void blast_warn_of_units(blast_job *job);

/* blast_warn_of_residues() - of residues that a reader leaves out; for seqio_blast_records_options. arg: the job. */
void blast_warn_of_residues(void *arg, const char *text);

/* blast_fail_io(), blast_fail_library() - print what failed, the latter with the context's message. Return the exit code. */
int blast_fail_io(blast_job *job, io_status status, const io_error *err);
int blast_fail_library(blast_job *job, tms_status status);

#endif
