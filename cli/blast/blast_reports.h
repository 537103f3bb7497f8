/* blast_reports.h - writes the reports of queries, and prints warnings about queries. */
#ifndef TAMIS_CLI_BLAST_REPORTS_H
#define TAMIS_CLI_BLAST_REPORTS_H

#include "cli/blast/blast_job.h"

/*
 * blast_open_reports() - creates run.report and run.reports. The database and its masks must be open.
 *   program [in] borrowed until blast_close_reports()
 * Returns as report_create().
 */
io_status blast_open_reports(blast_job *job, const struct report_program *program, io_error *err);

/*
 * blast_take_queries() - takes over the results of a batch, for all queries but those before run.n_before.
 * blast_put_queries() - writes the reports of these queries to run.output, and updates run.n_done. If a report fails, those before it are
 * written.
 */
io_status blast_take_queries(blast_job *job, const tms_seqs *seqs, tms_search_results *results, io_error *err);
io_status blast_put_queries(blast_job *job, io_error *err);

/* blast_skip_batch() - skips a batch whose reports an earlier run has written. */
void blast_skip_batch(blast_job *job, const tms_seqs *seqs);

/* blast_close_reports() - frees the reports and their texts, also after a failure. */
void blast_close_reports(blast_job *job);

#endif
