/*
 * db_report.h - what is in a database: as blastdbcmd -info says it, and more; as text and as JSON.
 */
#ifndef TAMIS_CLI_DB_REPORT_H
#define TAMIS_CLI_DB_REPORT_H

#include <stdio.h>

#include "cli/cli.h"
#include "tamis/seqdb.h"

/* What is known of the files besides that they opened. */
typedef struct db_checks {
    int all_was_read;    /* all sequences and deflines, and they are sound; and the checksums, where there are some */
    uint64_t n_sums;     /* files whose checksums were compared, and hold */
    uint64_t n_old_sums; /* files of checksums that are of databases that were there before */
} db_checks;

/* only_info: the lines of blastdbcmd and no others. */
void db_report_text(const tms_seqdb *db, const db_checks *checks, int only_info, FILE *to);

/* db_report_json() - one object. Returns the exit code, after a message. */
int db_report_json(const char *command, const tms_seqdb *db, const db_checks *checks, FILE *to);

#endif
