/* db_taxa.h - the taxa of a database, as blastdbcmd -tax_info prints them. */
#ifndef TAMIS_CLI_DB_TAXA_H
#define TAMIS_CLI_DB_TAXA_H

#include <stdio.h>

#include "cli/cli.h"
#include "tamis/seqdb.h"

/* What -tax_info prints if nothing else is asked for: the letters as in -outfmt, tabs between and one behind them. */
#define DB_TAXA_FORMAT "%T\t%S\t%L\t%K\t%B\t"

/* db_taxa_check() - NULL, or what is wrong with a format. */
const char *db_taxa_check(const char *format);

/* db_taxa_put() - how many taxa there are, and a line for each. Returns the exit code, after a message. */
int db_taxa_put(const char *command, tms_context *ctx, const tms_seqdb *db, const tms_taxonomy *taxonomy, const char *format, FILE *to);

/* db_taxa_name() - the taxon's name that a letter of a format stands for: S L B K; "N/A" where there is none. */
const char *db_taxa_name(const tms_taxonomy *taxonomy, int64_t taxid, char letter, size_t *n);

#endif
