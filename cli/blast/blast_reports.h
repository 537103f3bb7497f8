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
 * A call of a search, whose results a thread writes: blast_expect_results() before the call, blast_end_results() after it, and
 * blast_put_results() on the thread meanwhile, or afterwards.
 *
 * blast_expect_results() - takes over the queries from `first` on. At most WRITE_BEHIND_WORKS calls may be expected and not written.
 *   note [in] that of the checkpoint until all of them are written
 * blast_take_result() - tells of a complete result; a tms_take_result(), with the job.
 * blast_end_results() - takes over the results.
 *   results [in] NULL: the call failed, and none was complete
 *   are_complete [in] all of them are; otherwise those of which blast_take_result() has told
 *   note [in] that of the checkpoint once all are written
 * blast_put_results() - writes the reports of the next call to run.output, as far as results are or become complete, until the call has
 * ended, and updates run.n_done. If a report fails, those before it are written.
 */
io_status blast_expect_results(blast_job *job, const tms_seqs *seqs, size_t first, const char *note, io_error *err);
void blast_take_result(void *job, tms_search_results *results, size_t i);
void blast_end_results(blast_job *job, tms_search_results *results, bool are_complete, const char *note);
io_status blast_put_results(blast_job *job, io_error *err);

/* blast_skip_queries() - skips the first n queries of a batch, whose reports an earlier run has written. */
void blast_skip_queries(blast_job *job, const tms_seqs *seqs, size_t n);

/* blast_close_reports() - frees the reports and their texts, also after a failure; nothing may be written any more. */
void blast_close_reports(blast_job *job);

#endif
