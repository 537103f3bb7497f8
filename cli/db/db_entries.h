/*
 * db_entries.h - which sequences of a database to print, and which residues of them.
 */
#ifndef TAMIS_CLI_DB_ENTRIES_H
#define TAMIS_CLI_DB_ENTRIES_H

#include "cli/cli.h"
#include "tamis/seqdb.h"

/* Residues from first to last, counted from 1; last UINT64_MAX: to the end. first 0: all. */
typedef struct db_range {
    uint64_t first, last;
} db_range;

typedef struct db_entry {
    uint64_t number;  /* of the sequence; UINT64_MAX: no sequence has the id */
    uint64_t defline; /* index of the defline that has the id */
    size_t place;     /* index of the id in the list */
    const char *id;   /* as the user gave it */
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

/* db_entries_list() - the ids of a list, separated by commas. Returns the exit code, after a message. */
int db_entries_list(const char *command, const char *list, db_range range, int minus, db_entries *out);

/* db_entries_file() - the ids of a file, one per line, each optionally followed by a range and "plus" or "minus" in any order. "-" is
 * standard input. */
int db_entries_file(const char *command, const char *path, db_entries *out);

/*
 * db_entries_find() - look all ids up. Returns the exit code, after a message; ids that are not found are no failure.
 *   all [in] an id that several sequences have becomes as many entries
 */
int db_entries_find(const char *command, tms_context *ctx, const tms_seqdb *db, int all, db_entries *entries);

/*
 * db_entries_of_taxa() - the sequences that have one of the taxa.
 *   list [in] numbers, separated by commas; NULL: the numbers of a file, one per line
 *   part [out] the same sequences with the deflines that have one of the taxa; destroyed before db by the caller, or NULL
 * Returns the exit code, after a message: CLI_NO_MATCH if there is no such sequence, or the database has version 4, which has no taxa for
 * blastdbcmd.
 */
int db_entries_of_taxa(const char *command, tms_context *ctx, const tms_seqdb *db, const char *list, const char *path, tms_seqdb **part,
                       db_entries *out);

void db_entries_free(db_entries *entries);

#endif
