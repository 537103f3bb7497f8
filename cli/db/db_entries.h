/*
 * db_entries.h - the sequences of a database to print, each with a range and a strand.
 */
#ifndef TAMIS_CLI_DB_ENTRIES_H
#define TAMIS_CLI_DB_ENTRIES_H

#include "cli/cli.h"
#include "tamis/seqdb.h"

/* Positions first .. last, counted from 1; last UINT64_MAX: to the end. first 0: the whole sequence. */
typedef struct db_range {
    uint64_t first, last;
} db_range;

typedef struct db_entry {
    uint64_t number;  /* number of the sequence; UINT64_MAX: no sequence has the id */
    uint64_t defline; /* index of the defline that has the id */
    size_t index;     /* index of the id in the list */
    const char *id;   /* as the user gave it */
    db_range range;
    int minus; /* print the minus strand */
} db_entry;

typedef struct db_entries {
    db_entry *items;
    size_t n, capacity;
    char *text; /* the bytes of all ids */
} db_entries;

/* db_range_parse() - parses "5-9", "5-" or "5". Returns NULL, or a message. */
const char *db_range_parse(const char *text, size_t n, db_range *out);

/* db_entries_list() - parses a list of ids, separated by commas. Returns the exit code, after a message. */
int db_entries_list(const char *command, const char *list, db_range range, int minus, db_entries *out);

/* db_entries_file() - reads the ids of a file, one per line, each optionally followed by a range and "plus" or "minus" in any order. "-" is
 * standard input. */
int db_entries_file(const char *command, const char *path, db_entries *out);

/*
 * db_entries_find() - looks up all ids. Returns the exit code, after a message; a missing id is not an error.
 *   all [in] 1: an id of several sequences becomes an entry for each; 0: for the first one
 */
int db_entries_find(const char *command, tms_context *ctx, const tms_seqdb *db, int all, db_entries *entries);

/*
 * db_entries_of_taxa() - selects the sequences that have one of the taxa.
 *   list [in] numbers, separated by commas; NULL: the numbers of a file, one per line
 *   part [out] the same sequences with the deflines that have one of the taxa; destroyed before db by the caller, or NULL
 * Returns the exit code, after a message: CLI_NO_MATCH if there is no such sequence, or the database has version 4, which has no taxa for
 * blastdbcmd.
 */
int db_entries_of_taxa(const char *command, tms_context *ctx, const tms_seqdb *db, const char *list, const char *path, tms_seqdb **part,
                       db_entries *out);

void db_entries_free(db_entries *entries);

#endif
