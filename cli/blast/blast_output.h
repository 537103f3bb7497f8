/* blast_output.h - the output of a search, which --resume can continue, and the file of --stats. */
#ifndef TAMIS_CLI_BLAST_OUTPUT_H
#define TAMIS_CLI_BLAST_OUTPUT_H

#include "cli/blast/blast_job.h"

/*
 * blast_open_output() - run.output, run.n_done and run.stats_file.
 *   is_stats [in] whether a file of these first bytes is one of --stats, which may be replaced
 * Returns CLI_OK, or the exit code after a message.
 */
int blast_open_output(blast_job *job, int (*is_stats)(const uint8_t *bytes, size_t n));

/* blast_end_output() - the output is whole. Returns CLI_OK, or the exit code after a message. */
int blast_end_output(blast_job *job);

/* blast_leave_output() - keeps what was written, for --resume to continue, and drops the statistics. After an end it does nothing. */
void blast_leave_output(blast_job *job);

#endif
