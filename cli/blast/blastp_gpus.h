/*
 * blastp_gpus.h - the GPUs of --device. CUDA initialises a GPU once per process, in 0.15 s, however often the process opens it. So
 * background threads open the GPUs that the user named by number, and keep them open until the search has opened them
 * itself.
 */
#ifndef TAMIS_CLI_BLASTP_GPUS_H
#define TAMIS_CLI_BLASTP_GPUS_H

#include "cli/blast/blastp_job.h"

/* blastp_gpus_begin() - begins to open the GPUs named by number. Returns CLI_OK, or the exit code, after a message. */
int blastp_gpus_begin(blastp_job *job);

/* blastp_gpus_use() - with auto: moves the context to a GPU if the search will then end sooner. The database has to be open. Returns
 * CLI_OK, or the exit code, after a message. */
int blastp_gpus_use(blastp_job *job);

/* blastp_gpus_wait() - waits for the first n GPUs that blastp_gpus_begin() opens. Returns CLI_OK, or the exit code, after one message. */
int blastp_gpus_wait(blastp_job *job, size_t n);

void blastp_gpus_end(blastp_job *job); /* also if GPUs failed */

#endif
