/* db_taxa.h - the taxa of a database, as blastdbcmd -tax_info prints them. */
#ifndef TAMIS_CLI_DB_TAXA_H
#define TAMIS_CLI_DB_TAXA_H

#include <stdio.h>

#include "cli/cli.h"
#include "tamis/seqdb.h"

/* The default format of -tax_info: specifiers as in -outfmt, each followed by a tab. */
#define DB_TAXA_FORMAT "%T\t%S\t%L\t%K\t%B\t"

/* db_taxa_check() - checks a format. Returns NULL or a message. */
const char *db_taxa_check(const char *format);

/* db_taxa_put() - prints the number of taxa, and a line for each. Returns the exit code, after a message. */
int db_taxa_put(const char *command, tms_context *ctx, const tms_seqdb *db, const tms_taxonomy *taxonomy, const char *format, FILE *to);

/* db_taxa_name() - the taxon's name for a specifier of a format: S L B K; "N/A" if there is none. */
const char *db_taxa_name(const tms_taxonomy *taxonomy, int64_t taxid, char letter, size_t *n);

#endif
