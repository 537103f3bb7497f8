/* db_hint.h - what a name is, if it is not that of a database that was looked for. */
#ifndef TAMIS_CLI_DB_HINT_H
#define TAMIS_CLI_DB_HINT_H

#include "cli/cli.h"
#include "tamis/seqdb.h"

/*
 * db_hint_say() - a line on standard error: it is a database of the other molecule, or a file of sequences. Nothing otherwise, nor where
 * tamis is called as a program of BLAST+. The context's message is lost.
 *   molecule [in] that was looked for, a tms_molecule; another number: both
 */
void db_hint_say(const char *command, tms_context *ctx, const char *name, int molecule);

#endif
