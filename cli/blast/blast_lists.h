/* blast_lists.h - lists of ids, gis and taxids: which part of a database is searched. */
#ifndef TAMIS_CLI_BLAST_LISTS_H
#define TAMIS_CLI_BLAST_LISTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

/* The options as typed, at most one of them. All but taxids and negative_taxids are paths. */
typedef struct blast_lists {
    const char *seqidlist, *negative_seqidlist, *gilist, *negative_gilist, *taxidlist, *negative_taxidlist, *taxids, *negative_taxids;
} blast_lists;

/* blast_lists_path() - the file of the list; NULL: there is none. */
const char *blast_lists_path(const blast_lists *lists);

/* blast_lists_is_positive() - whether there is a list of what is searched, not of what is left out. */
bool blast_lists_is_positive(const blast_lists *lists);

/*
 * blast_lists_select() - the part of a database that the list selects.
 *   db_name [in]  of db, for messages
 *   out     [out] a part of db; NULL: there is no list, all of db is searched
 * Returns CLI_OK, or the exit code of BLAST+ after a message.
 */
int blast_lists_select(const char *command, const blast_lists *lists, tms_context *ctx, const tms_seqdb *db, const char *db_name,
                       tms_seqdb **out);

#endif
