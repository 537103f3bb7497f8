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
    int recursive;        /* also list subfolders */
    int only_independent; /* leave out databases that an alias file of the folder lists */
} db_list_options;

/* db_list_check() - checks a format. Returns NULL or a message. specifier [out] the wrong specifier, or "" */
const char *db_list_check(const char *format, char specifier[3]);

/* db_list_put() - prints a line for each index and alias file, by path. Stops at the first database that the format needs open and
 * that does not open. Returns the exit code, after a message. */
int db_list_put(const db_list_options *options, tms_context *ctx, FILE *to);

#endif
