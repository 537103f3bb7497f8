/*
 * db_report.h - the summary of a database: the text of blastdbcmd -info and more, or JSON.
 */
#ifndef TAMIS_CLI_DB_REPORT_H
#define TAMIS_CLI_DB_REPORT_H

#include <stdio.h>

#include "cli/cli.h"
#include "tamis/seqdb.h"

/* The results of --check. */
typedef struct db_checks {
    int all_was_read;    /* all sequences and deflines, and the checksums if any, were read and are sound */
    uint64_t n_sums;     /* files whose checksums match */
    uint64_t n_old_sums; /* ignored checksum files, of earlier databases */
} db_checks;

/* db_report_text() - prints text. only_info: only the lines of blastdbcmd -info. */
void db_report_text(const tms_seqdb *db, const db_checks *checks, int only_info, FILE *to);

/* db_report_json() - prints one object. Returns the exit code, after a message. */
int db_report_json(const char *command, const tms_seqdb *db, const db_checks *checks, FILE *to);

#endif
