/*
 * blast_gpus.h - the GPUs of --device. CUDA takes 0.15 s to open a GPU for the first time in a process, and no time to open it again. So
 * tamis opens GPUs that are given by number in the background, and keeps them open until the search has opened them itself.
 */
#ifndef TAMIS_CLI_BLAST_GPUS_H
#define TAMIS_CLI_BLAST_GPUS_H

#include "cli/blast/blast_job.h"
#include "tamis/model.h"

/* blast_gpus_begin() - starts to open the GPUs that --device gives by number. Returns CLI_OK, or the exit code after a message. */
int blast_gpus_begin(blast_job *job);

/* Predicts the seconds of a search on the context's threads, with or without a GPU. profile: of this machine; NULL: there is none */
typedef double blast_model(const blast_job *job, const tms_profile *profile, double query_residues, double subject_residues, int on_gpu);

/*
 * blast_gpus_use() - with --device auto: puts the context on a GPU if the model predicts a faster search there. Of a
 * cell, only its part of the search counts. The database must be open.
 * Returns CLI_OK, or the exit code after a message.
 */
int blast_gpus_use(blast_job *job, blast_model *model);

/* blast_gpus_wait() - waits until the first n of the GPUs of blast_gpus_begin() are open. Returns CLI_OK, or the exit code; each failure
 * is reported once. */
int blast_gpus_wait(blast_job *job, size_t n);

/* blast_gpus_end() - closes what blast_gpus_begin() opened, also after a failure. */
void blast_gpus_end(blast_job *job);

#endif
