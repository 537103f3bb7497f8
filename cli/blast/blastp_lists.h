/* blastp_lists.h - blastp's lists of ids, of gis and of taxids: the part of a database that is searched. */
#ifndef TAMIS_CLI_BLASTP_LISTS_H
#define TAMIS_CLI_BLASTP_LISTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

/* The options of lists, of which at most one is set. All but taxids and negative_taxids are paths. */
typedef struct blastp_lists {
    const char *seqidlist, *negative_seqidlist, *gilist, *negative_gilist, *taxidlist, *negative_taxidlist, *taxids, *negative_taxids;
} blastp_lists;

/* blastp_lists_path() - the file of the list; NULL: none. */
const char *blastp_lists_path(const blastp_lists *lists);

/* blastp_lists_is_positive() - whether the list selects the sequences to search, rather than those to leave out. */
bool blastp_lists_is_positive(const blastp_lists *lists);

/*
 * blastp_lists_select() - the part of the database that the list selects.
 *   db_name [in]  of db, for messages
 *   out     [out] a part of db; NULL: there is no list, so that the search takes all of db
 * Returns CLI_OK; otherwise the exit code, blastp's, after a message.
 */
int blastp_lists_select(const char *command, const blastp_lists *lists, tms_context *ctx, const tms_seqdb *db, const char *db_name,
                        tms_seqdb **out);

#endif
