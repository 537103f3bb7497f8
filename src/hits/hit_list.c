/*
 * hit_list.c - a list grows to twice its limit, then the worse half is dropped. The order of subjects is total, so the same ones are left
 * whatever the order of arrival.
 */
#include "hits/hit_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FEW_SUBJECTS = 4 }; /* each query of a batch has a list */

static int compare_hits(const void *pa, const void *pb)
{
    const struct subject_hits *a = pa, *b = pb;
    int order = hsp_compare_evalues(a->evalue, b->evalue);

    if (order != 0)
        return order;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->oid != b->oid)
        return a->oid > b->oid ? -1 : 1;
    return 0;
}

void subject_hits_rate(struct subject_hits *hits)
{
    hits->score = hits->hsps.items[0].score;
    hits->evalue = hits->hsps.items[0].evalue;
    for (size_t i = 1; i < hits->hsps.n; i++)
        if (hits->hsps.items[i].evalue < hits->evalue)
            hits->evalue = hits->hsps.items[i].evalue;
}

void hit_list_sort(struct hit_list *list)
{
    if (list->n > 1)
        qsort(list->items, list->n, sizeof *list->items, compare_hits);
    list->is_cut |= list->n > list->max_hits;
    while (list->n > list->max_hits)
        hsp_list_free(&list->items[--list->n].hsps);
}

static int compare_oids(const void *pa, const void *pb)
{
    const struct subject_hits *a = pa, *b = pb;

    return a->oid < b->oid ? -1 : a->oid > b->oid;
}

void hit_list_sort_oids(struct hit_list *list)
{
    if (list->n > 1)
        qsort(list->items, list->n, sizeof *list->items, compare_oids);
}

tms_status hit_list_add(struct hit_list *list, const struct subject_hits *hits)
{
    struct subject_hits mine = *hits;

    if (list->n >= 2 * list->max_hits)
        hit_list_sort(list);
    if (!array_reserve_few(&list->items, &list->capacity, list->n + 1, sizeof *list->items, FEW_SUBJECTS)) {
        hsp_list_free(&mine.hsps);
        return TMS_E_MEMORY;
    }
    list->items[list->n++] = mine;
    return TMS_OK;
}

static int compare_places(const void *pa, const void *pb)
{
    const struct arrived_hsp *a = pa, *b = pb;

    if (a->oid != b->oid)
        return a->oid < b->oid ? -1 : 1;
    return a->hsp.place < b->hsp.place ? -1 : a->hsp.place > b->hsp.place;
}

tms_status hit_list_add_arrived(struct hit_list *list, struct arrived_hsp *items, size_t n)
{
    struct subject_hits hits = {0};
    tms_status status = TMS_OK;

    for (size_t i = 0; i < n; i++)
        items[i].hsp.place = (uint32_t)i;
    if (n > 1)
        qsort(items, n, sizeof *items, compare_places);
    for (size_t i = 0; i < n; i++) {
        hits.oid = items[i].oid;
        if (status == TMS_OK)
            status = hsp_list_add(&hits.hsps, &items[i].hsp);
        if (status != TMS_OK) {
            free(items[i].hsp.script.runs);
        } else if (i + 1 == n || items[i + 1].oid != items[i].oid) {
            hsp_sort(&hits.hsps);
            subject_hits_rate(&hits);
            status = hit_list_add(list, &hits);
            memset(&hits, 0, sizeof hits);
        }
    }
    hsp_list_free(&hits.hsps); /* after a failure amid a subject */
    return status;
}

tms_status hit_list_merge(struct hit_list *to, struct hit_list *from)
{
    tms_status status = TMS_OK;

    for (size_t i = 0; i < from->n; i++) {
        if (status == TMS_OK)
            status = hit_list_add(to, &from->items[i]);
        else
            hsp_list_free(&from->items[i].hsps);
    }
    from->n = 0;
    to->is_cut |= from->is_cut;
    return status;
}

void hit_list_free(struct hit_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        hsp_list_free(&list->items[i].hsps);
    free(list->items);
    memset(list, 0, sizeof *list);
}
