/* blastp_reports.h - what was found for queries, as text; and what there is to say about them. */
#ifndef TAMIS_CLI_BLASTP_REPORTS_H
#define TAMIS_CLI_BLASTP_REPORTS_H

#include "blastp_job.h"

/* blastp_put_queries() - of a batch, to job->text. */
io_status blastp_put_queries(blastp_job *job, const tms_seqs *seqs, const tms_blastp_results *results, io_error *err);

/* blastp_skip_batch() - its queries were reported by the run before. */
void blastp_skip_batch(blastp_job *job, const tms_seqs *seqs);

#endif
