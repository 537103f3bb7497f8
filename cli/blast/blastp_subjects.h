/* blastp_subjects.h - the subjects of tamis blastp: a database, a part of a database, or sequences of a file; and their masks. */
#ifndef TAMIS_CLI_BLASTP_SUBJECTS_H
#define TAMIS_CLI_BLASTP_SUBJECTS_H

#include <stdbool.h>

#include "cli/blast/blastp_job.h"

/* blastp_open_subjects() - opens job->db, and with lists also job->whole. Returns CLI_OK, or the exit code, after a message. */
int blastp_open_subjects(blastp_job *job);

/* blastp_open_masks() - opens the masks of the options; call it after blastp_open_subjects(). Returns CLI_OK, or the exit code, after a
 * message. */
int blastp_open_masks(blastp_job *job);

/* blastp_open_taxonomy() - opens job->taxonomy, if the format has names of taxa and there is a taxdb. Returns as blastp_open_subjects(). */
int blastp_open_taxonomy(blastp_job *job);

/* blastp_file_is_empty() - a file, or a device, without a byte, but for blanks; -: standard input: blastp warns of queries in it, writes
 * nothing, and ends well. */
bool blastp_file_is_empty(const char *path);

#endif
