/* search_subjects.h - what tamis blastp searches in: a database, a part of it, or sequences of a file; and masks of them. */
#ifndef TAMIS_CLI_BLASTP_SUBJECTS_H
#define TAMIS_CLI_BLASTP_SUBJECTS_H

#include <stdbool.h>

#include "cli/blast/blastp_job.h"

/* blastp_open_subjects() - job->db, or with lists also job->whole. Returns CLI_OK, or the exit code, after a message. */
int blastp_open_subjects(blastp_job *job);

/* blastp_open_masks() - of the database, if any were asked for; after that. Returns likewise. */
int blastp_open_masks(blastp_job *job);

/* blastp_open_taxonomy() - job->taxonomy, if the format has names of taxa and there are some. Returns as blastp_open_subjects(). */
int blastp_open_taxonomy(blastp_job *job);

/* blastp_file_is_empty() - a file, or a device, without a byte, but for blanks; -: standard input: blastp warns of queries in it, writes
 * nothing, and ends well. */
bool blastp_file_is_empty(const char *path);

#endif
