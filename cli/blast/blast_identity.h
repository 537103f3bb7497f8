/* blast_identity.h - what the parts of a search must agree in: the manifest of a part (doc/format-archive.md). */
#ifndef TAMIS_CLI_BLAST_IDENTITY_H
#define TAMIS_CLI_BLAST_IDENTITY_H

#include "archive/archive_manifest.h"
#include "cli/blast/blast_job.h"

/*
 * blast_parse_shard() - "3/16", from 1, to 2 and 16.
 *   option [in] its name, for a message
 * Returns CLI_OK, or the exit code after a message.
 */
int blast_parse_shard(const char *command, const char *option, const char *text, uint64_t *shard, uint64_t *n);

/*
 * blast_identity() - what a part of this search says of itself. The database is open and the queries are a file.
 *   records [in] the records of the part, from 0
 *   out     [in,out] empty; freed by the caller, also after a failure
 */
io_status blast_identity(const blast_job *job, const struct blast_grid *grid, tms_interval records, struct archive_manifest *out,
                         io_error *err);

/*
 * blast_identity_differs() - whether two parts are of different searches.
 *   with_cell [in] also compares which cell of the grid they are
 *   out [out] on true: what differs, "-evalue 1 and -evalue 10"
 */
bool blast_identity_differs(const struct archive_manifest *a, const struct archive_manifest *b, bool with_cell, char out[256]);

#endif
