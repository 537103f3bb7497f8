/* blastp_lists.h - blastp's lists of ids, of gis and of taxids: the part of a database that is searched. */
#ifndef TAMIS_CLI_BLASTP_LISTS_H
#define TAMIS_CLI_BLASTP_LISTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

/* As given; one of them at most. All but taxids and negative_taxids are paths. */
typedef struct blastp_lists {
    const char *seqidlist, *negative_seqidlist, *gilist, *negative_gilist, *taxidlist, *negative_taxidlist, *taxids, *negative_taxids;
} blastp_lists;

/* blastp_lists_path() - the file that is read; NULL: none. */
const char *blastp_lists_path(const blastp_lists *lists);

/* blastp_lists_is_positive() - whether one says what is searched, not what is left out. */
bool blastp_lists_is_positive(const blastp_lists *lists);

/*
 * blastp_lists_select() - what is listed.
 *   db_name [in]  of db, for messages
 *   out     [out] a part of db; NULL: nothing is listed, all of it is searched
 * Returns CLI_OK; otherwise the exit code, blastp's, after a message.
 */
int blastp_lists_select(const char *command, const blastp_lists *lists, tms_context *ctx, const tms_seqdb *db, const char *db_name,
                        tms_seqdb **out);

#endif
