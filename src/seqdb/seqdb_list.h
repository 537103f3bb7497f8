/* seqdb_list.h - which deflines a database made by tms_seqdb_select() keeps. */
#ifndef TMS_SEQDB_LIST_H
#define TMS_SEQDB_LIST_H

#include "run/context.h"
#include "seqid/id_table.h"
#include "tamis/seqdb.h"

struct seqdb_list {
    struct id_table ids;
    int64_t *gis, *taxids; /* ascending */
    size_t n_ids, n_gis, n_taxids;
    bool is_negative;
};

/* seqdb_list_create() - the list of a selection, for a database of this version. Returns TMS_OK or TMS_E_MEMORY. */
tms_status seqdb_list_create(tms_context *ctx, const tms_seqdb_selection *selection, int version, struct seqdb_list **out);
void seqdb_list_free(struct seqdb_list *list); /* NULL is fine */

/* seqdb_list_keeps() - true if the list keeps the defline. list: NULL keeps all. Thread-safe. */
bool seqdb_list_keeps(const struct seqdb_list *list, const struct defline *defline);

#endif
