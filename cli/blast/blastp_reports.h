/* blastp_reports.h - what was found for queries, as text; and what there is to say about them. */
#ifndef TAMIS_CLI_BLASTP_REPORTS_H
#define TAMIS_CLI_BLASTP_REPORTS_H

#include "cli/blast/blastp_job.h"

/*
 * blastp_put_queries() - of a batch, to job->output: all but those that the run before has put, job->n_done in all. n_done counts on. If
 * one fails, those before it are put.
 */
io_status blastp_put_queries(blastp_job *job, const tms_seqs *seqs, const tms_search_results *results, io_error *err);

/* blastp_skip_batch() - all of its queries were put by the run before. */
void blastp_skip_batch(blastp_job *job, const tms_seqs *seqs);

void blastp_answers_free(struct blastp_answers *answers); /* NULL is fine */

#endif
