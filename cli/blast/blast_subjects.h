/* blast_subjects.h - opens the subjects (a database, a part of one, or the sequences of a file), their masks and names of taxa. */
#ifndef TAMIS_CLI_BLAST_SUBJECTS_H
#define TAMIS_CLI_BLAST_SUBJECTS_H

#include <stdbool.h>

#include "cli/blast/blast_job.h"

/* The blast_open functions return CLI_OK, or the exit code after a message. */

/* blast_open_subjects() - opens run.db, and with lists run.whole. */
int blast_open_subjects(blast_job *job);

/* blast_open_masks() - opens run.masks, the masks of the database that options name. After blast_open_subjects(). */
int blast_open_masks(blast_job *job);

/* blast_open_taxonomy() - opens run.taxonomy, if the format prints names of taxa and names are installed. */
int blast_open_taxonomy(blast_job *job);

/* blast_close_subjects() - closes all that these functions opened, also after a failure. */
void blast_close_subjects(blast_job *job);

/* blast_file_is_empty() - whether a file has only blanks; "-" is standard input. For such queries BLAST+ prints a warning and no output,
 * and ends with status 0. */
bool blast_file_is_empty(const char *path);

#endif
