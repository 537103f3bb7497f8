/* blast_lists.h - lists of ids, gis and taxids that select the part of a database to search. */
#ifndef TAMIS_CLI_BLAST_LISTS_H
#define TAMIS_CLI_BLAST_LISTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

/* The options as typed; at most one is not NULL. All but taxids and negative_taxids are paths. */
typedef struct blast_lists {
    const char *seqidlist, *negative_seqidlist, *gilist, *negative_gilist, *taxidlist, *negative_taxidlist, *taxids, *negative_taxids;
} blast_lists;

/* blast_lists_path() - the file of the list; NULL if there is no list in a file. */
const char *blast_lists_path(const blast_lists *lists);

/* blast_lists_is_positive() - whether a list names the sequences to search, rather than those to leave out. */
bool blast_lists_is_positive(const blast_lists *lists);

/*
 * blast_lists_select() - the part of a database that the list selects.
 *   db_name [in]  name of db for messages
 *   out     [out] the part of db; NULL if there is no list, or if it selects the whole of db
 * Returns CLI_OK, or the exit code of BLAST+ after a message.
 */
int blast_lists_select(const char *command, const blast_lists *lists, tms_context *ctx, const tms_seqdb *db, const char *db_name,
                       tms_seqdb **out);

#endif
