/* blast_output.h - the output of a search, which --resume can continue, and the file of --stats. */
#ifndef TAMIS_CLI_BLAST_OUTPUT_H
#define TAMIS_CLI_BLAST_OUTPUT_H

#include "cli/blast/blast_job.h"

/*
 * blast_open_output() - opens run.output and run.stats_file, and sets run.n_done.
 * Returns CLI_OK, or the exit code after a message.
 */
int blast_open_output(blast_job *job);

/* blast_end_output() - closes the finished output. Returns CLI_OK, or the exit code after a message. */
int blast_end_output(blast_job *job);

/* blast_leave_output() - keeps an unfinished output, which --resume can continue, and drops the statistics. Without one it does nothing. */
void blast_leave_output(blast_job *job);

#endif
