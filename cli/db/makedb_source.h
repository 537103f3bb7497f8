/* makedb_source.h - the database that makedb -input_type blastdb copies. */
#ifndef TAMIS_CLI_MAKEDB_SOURCE_H
#define TAMIS_CLI_MAKEDB_SOURCE_H

#include "cli/cli.h"
#include "tamis/seqdb.h"

/* All zero: closed. */
typedef struct makedb_source {
    tms_context *ctx;
    tms_seqdb *db;
} makedb_source;

/*
 * makedb_source_open() - opens the databases of -in, named as by -db of a search.
 *   why [out] the message, borrowed from the context; NULL: the function has printed it
 * Returns an exit code: CLI_OK; BLAST_DATABASE; another one without a message.
 */
int makedb_source_open(makedb_source *s, const cli_common *common, const char *names, tms_molecule molecule, const char **why);

/* makedb_source_has() - whether a single name is that of a database. */
int makedb_source_has(const makedb_source *s, const char *name, tms_molecule molecule);

/* makedb_source_is() - whether making a database at this path would remove files of the source. */
int makedb_source_is(const makedb_source *s, const char *base, tms_molecule molecule);

/* makedb_source_is_file() - whether the path is that of a file of the named database, which need not be open. */
int makedb_source_is_file(const char *name, const char *path, tms_molecule molecule);

void makedb_source_close(makedb_source *s);

#endif
