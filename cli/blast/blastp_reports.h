/* blastp_reports.h - reports and warnings of a batch of queries, as text. */
#ifndef TAMIS_CLI_BLASTP_REPORTS_H
#define TAMIS_CLI_BLASTP_REPORTS_H

#include "cli/blast/blastp_job.h"

/*
 * blastp_put_queries() - writes a batch's reports to job->output, without the first job->n_done queries of all, which the interrupted run
 * has written. Advances n_done. If a query fails, the queries before it are written.
 */
io_status blastp_put_queries(blastp_job *job, const tms_seqs *seqs, const tms_search_results *results, io_error *err);

/* blastp_skip_batch() - counts a batch whose queries the interrupted run has all written. */
void blastp_skip_batch(blastp_job *job, const tms_seqs *seqs);

void blastp_answers_free(struct blastp_answers *answers); /* NULL is fine */

#endif
