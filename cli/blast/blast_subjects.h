/* blast_subjects.h - what is searched: a database, a part of it, or the sequences of a file; and masks of these. */
#ifndef TAMIS_CLI_BLAST_SUBJECTS_H
#define TAMIS_CLI_BLAST_SUBJECTS_H

#include <stdbool.h>

#include "cli/blast/blast_job.h"

/* Each returns CLI_OK, or the exit code after a message. */

/* blast_open_subjects() - run.db, and with lists run.whole. */
int blast_open_subjects(blast_job *job);

/* blast_open_masks() - run.masks: those of the database that were asked for. After blast_open_subjects(). */
int blast_open_masks(blast_job *job);

/* blast_open_taxonomy() - run.taxonomy, if the format has names of taxa and there are some. */
int blast_open_taxonomy(blast_job *job);

/* blast_close_subjects() - all of these, also after a failure. */
void blast_close_subjects(blast_job *job);

/* blast_file_is_empty() - whether a file has nothing but blanks; "-" is standard input. BLAST+ then warns, writes nothing, and ends
 * well. */
bool blast_file_is_empty(const char *path);

#endif
