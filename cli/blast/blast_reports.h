/* blast_reports.h - the reports of queries, and the warnings about them. */
#ifndef TAMIS_CLI_BLAST_REPORTS_H
#define TAMIS_CLI_BLAST_REPORTS_H

#include "cli/blast/blast_job.h"

/* blast_open_reports() - run.report and run.reports, of a program: borrowed until blast_close_reports(). The database and its masks are
 * open. Returns as report_create(). */
io_status blast_open_reports(blast_job *job, const struct report_program *program, io_error *err);

/*
 * blast_put_queries() - the queries of a batch, to run.output: all but those that an earlier run has put. run.n_done counts them. If one
 * fails, the queries before it are put.
 */
io_status blast_put_queries(blast_job *job, const tms_seqs *seqs, const tms_search_results *results, io_error *err);

/* blast_skip_batch() - a batch all of whose queries an earlier run has put. */
void blast_skip_batch(blast_job *job, const tms_seqs *seqs);

/* blast_close_reports() - frees what blast_open_reports() made, also after a failure, and the texts. */
void blast_close_reports(blast_job *job);

#endif
