/* db_list.h - the databases of a folder, as blastdbcmd -list prints them. */
#ifndef TAMIS_CLI_DB_LIST_H
#define TAMIS_CLI_DB_LIST_H

#include <stdio.h>

#include "cli/cli.h"
#include "tamis/seqdb.h"

typedef struct db_list_options {
    const char *command, *folder;
    const char *format;   /* "%f %p" */
    int molecule;         /* tms_molecule; another number: both */
    int recursive;        /* folders in it too */
    int only_independent; /* not those that an alias file there lists */
} db_list_options;

/* db_list_check() - NULL, or what is wrong with a format. specifier [out] the one that it is about, or "" */
const char *db_list_check(const char *format, char specifier[3]);

/* db_list_put() - a line for each index and each alias file, by path; up to the first that the format needs opened and that cannot be.
 * Returns the exit code, after a message. */
int db_list_put(const db_list_options *options, tms_context *ctx, FILE *to);

#endif
