#include "seqdb/seqdb_list.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static bool copy_numbers(const int64_t *numbers, size_t n, int64_t **to, size_t *n_to)
{
    *to = malloc((n + 1) * sizeof **to);
    if (*to == NULL)
        return false;
    if (n > 0) {
        memcpy(*to, numbers, n * sizeof **to);
        qsort(*to, n, sizeof **to, by_value);
    }
    *n_to = n;
    return true;
}

static bool has_number(const int64_t *numbers, size_t n, int64_t number)
{
    return n > 0 && bsearch(&number, numbers, n, sizeof number, by_value) != NULL;
}

tms_status seqdb_list_create(tms_context *ctx, const tms_seqdb_selection *selection, int version, struct seqdb_list **out)
{
    struct seqdb_list *list = calloc(1, sizeof *list);
    bool is_fine = list != NULL && copy_numbers(selection->gis, selection->n_gis, &list->gis, &list->n_gis) &&
                   copy_numbers(selection->taxids, selection->n_taxids, &list->taxids, &list->n_taxids);

    if (is_fine) {
        list->is_negative = selection->is_negative != 0;
        list->n_ids = selection->n_ids;
        list->ids.rule = version == 4 ? ID_TABLE_LIST : ID_TABLE_LIST_BY_CASE;
    }
    for (size_t i = 0; i < selection->n_ids && is_fine; i++)
        is_fine = id_table_want(&list->ids, selection->ids[i], i);
    *out = list;
    if (is_fine && id_table_make(&list->ids))
        return TMS_OK;
    seqdb_list_free(list);
    *out = NULL;
    return context_fail_memory(ctx, "the ids that are selected", selection->n_ids + selection->n_gis + selection->n_taxids);
}

void seqdb_list_free(struct seqdb_list *list)
{
    if (list == NULL)
        return;
    id_table_free(&list->ids);
    free(list->gis);
    free(list->taxids);
    free(list);
}

static void met(void *arg, size_t id)
{
    (void)id;
    *(bool *)arg = true;
}

bool seqdb_list_keeps(const struct seqdb_list *list, const struct defline *defline)
{
    bool is_listed;

    if (list == NULL)
        return true;
    is_listed = has_number(list->taxids, list->n_taxids, defline->taxid);
    for (size_t i = 0; i < defline->n_ids && !is_listed; i++) {
        const struct seqid *id = &defline->ids[i];
        is_listed = id->kind == SEQID_GI && has_number(list->gis, list->n_gis, id->number);
        if (list->n_ids > 0)
            id_table_meet(&list->ids, id, met, &is_listed);
    }
    return is_listed != list->is_negative;
}
