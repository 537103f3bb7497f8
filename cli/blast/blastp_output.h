/* blastp_output.h - the outputs of tamis blastp: a resumable report, and statistics. */
#ifndef TAMIS_CLI_BLASTP_OUTPUT_H
#define TAMIS_CLI_BLASTP_OUTPUT_H

#include "cli/blast/blastp_job.h"

/* blastp_open_output() - sets job->output, job->n_done and job->stats_file. Returns CLI_OK, or the exit code, after a message. */
int blastp_open_output(blastp_job *job);

/* blastp_end_output() - ends a complete output, and writes statistics. Returns CLI_OK, or the exit code, after a message. */
int blastp_end_output(blastp_job *job);

/* blastp_leave_output() - what was put stays, so that --resume continues it; statistics are not written. After an end there is nothing left
 * to leave. */
void blastp_leave_output(blastp_job *job);

#endif
