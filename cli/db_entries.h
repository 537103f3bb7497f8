/*
 * db_entries.h - which sequences of a database to print, and which residues of them.
 */
#ifndef TAMIS_CLI_DB_ENTRIES_H
#define TAMIS_CLI_DB_ENTRIES_H

#include "cli.h"
#include "tamis/seqdb.h"

/* Residues from first to last, counted from 1; last UINT64_MAX: to the end. first 0: all. */
typedef struct db_range {
    uint64_t first, last;
} db_range;

typedef struct db_entry {
    uint64_t number;  /* of the sequence; UINT64_MAX: there is none of that id */
    uint64_t defline; /* the one that has the id */
    const char *id;   /* as it was given */
    db_range range;
    int minus; /* the other strand */
} db_entry;

typedef struct db_entries {
    db_entry *items;
    size_t n, capacity;
    char *text; /* that ids point into */
} db_entries;

/* db_range_parse() - "5-9", "5-", "5". Returns NULL, or what is wrong with it. */
const char *db_range_parse(const char *text, size_t n, db_range *out);

/* db_entries_list() - the ids of a list, commas between. Returns the exit code, having said why. */
int db_entries_list(const char *command, const char *list, db_range range, int minus, db_entries *out);

/* db_entries_file() - a line each: an id, and then, in any order, a range and "plus" or "minus". "-" is standard input. */
int db_entries_file(const char *command, const char *path, db_entries *out);

/* db_entries_find() - look all ids up. Returns the exit code, having said why; ids that are not there are no failure. */
int db_entries_find(const char *command, tms_context *ctx, const tms_seqdb *db, db_entries *entries);

void db_entries_free(db_entries *entries);

#endif
