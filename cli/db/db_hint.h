/* db_hint.h - a hint if a name has no database of the wanted molecule. */
#ifndef TAMIS_CLI_DB_HINT_H
#define TAMIS_CLI_DB_HINT_H

#include "cli/cli.h"
#include "tamis/seqdb.h"

/*
 * db_hint_say() - prints a line on standard error if the name is that of a FASTA file, or of a database of the other molecule;
 * nothing if tamis is called as a program of BLAST+. Overwrites the context's message.
 *   molecule [in] the wanted molecule, a tms_molecule; another number: both
 */
void db_hint_say(const char *command, tms_context *ctx, const char *name, int molecule);

#endif
