/*
 * blastp_gpus.h - the GPUs that tamis blastp was asked for. What CUDA does for a GPU of a process, 0.15 s, it does once,
 * however often it is opened: those that were asked for by number are opened in the background, and kept until the search has opened them
 * itself.
 */
#ifndef TAMIS_CLI_BLASTP_GPUS_H
#define TAMIS_CLI_BLASTP_GPUS_H

#include "cli/blast/blastp_job.h"

/* blastp_gpus_begin() - GPUs that were asked for by number begin to start. Returns CLI_OK, or the exit code, after a message. */
int blastp_gpus_begin(blastp_job *job);

/* blastp_gpus_use() - with auto: the context goes to a GPU, if one is worth it; the database is open. Returns likewise. */
int blastp_gpus_use(blastp_job *job);

/* blastp_gpus_wait() - for the first n of those that began. Returns likewise; what failed is said once. */
int blastp_gpus_wait(blastp_job *job, size_t n);

void blastp_gpus_end(blastp_job *job); /* whatever became of them */

#endif
