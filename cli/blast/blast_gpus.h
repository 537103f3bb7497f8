/*
 * blast_gpus.h - the GPUs of --device. CUDA takes 0.15 s for a GPU when a process opens it first, and nothing when it opens it again. So
 * GPUs that are given by number are opened in the background, and stay open until the search has opened them itself.
 */
#ifndef TAMIS_CLI_BLAST_GPUS_H
#define TAMIS_CLI_BLAST_GPUS_H

#include "cli/blast/blast_job.h"
#include "tamis/model.h"

/* blast_gpus_begin() - starts to open the GPUs that are given by number. Returns CLI_OK, or the exit code after a message. */
int blast_gpus_begin(blast_job *job);

/* Seconds of a search, as tms_model_blastp() predicts them. */
typedef double blast_model(const tms_profile *profile, double query_residues, double subject_residues, int n_threads);

/*
 * blast_gpus_use() - with auto: puts the context on a GPU if the model predicts a faster search. The database is open.
 * Returns CLI_OK, or the exit code after a message.
 */
int blast_gpus_use(blast_job *job, blast_model *model);

/* blast_gpus_wait() - waits for the first n of the GPUs that were begun. Returns CLI_OK, or the exit code; there is one message for each
 * failure. */
int blast_gpus_wait(blast_job *job, size_t n);

/* blast_gpus_end() - closes what blast_gpus_begin() opened, also after a failure. */
void blast_gpus_end(blast_job *job);

#endif
