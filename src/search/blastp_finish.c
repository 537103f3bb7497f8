/* blastp_finish.c - a subject that loses all its HSPs is not replaced by another. */
#include "search/blastp_finish.h"

#include <stdlib.h>

#include "search/hit_filter.h"

static void keep_wanted(const struct blastp_params *p, const struct blastp_query *query, struct hsp_list *list)
{
    size_t n = 0, most = p->max_hsps > 0 ? (size_t)p->max_hsps : list->n;

    for (size_t i = 0; i < list->n; i++) {
        if (i < most && (p->min_coverage <= 0 || hsp_coverage(&list->items[i], query->length) >= p->min_coverage))
            list->items[n++] = list->items[i];
        else
            free(list->items[i].script.runs);
    }
    list->n = n;
    if (p->subject_besthit)
        hsp_keep_besthits(list);
}

static void drop_empty(struct hit_list *list)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        if (list->items[i].hsps.n > 0)
            list->items[n++] = list->items[i];
        else
            hsp_list_free(&list->items[i].hsps);
    }
    list->n = n;
}

/* The best subject is offered first. Of a subject the best HSP may go, so the list is sorted again. */
static tms_status filter(const struct blastp_params *p, int query_length, struct hit_list *list)
{
    struct hit_filter filter;
    tms_status status = hit_filter_init(p, query_length, FILTER_FINAL, &filter);

    if (status == TMS_OK)
        status = hit_filter_offer(&filter, list);
    if (status == TMS_OK)
        status = hit_filter_take(&filter, list);
    hit_filter_free(&filter);
    hit_list_sort(list);
    return status;
}

tms_status blastp_finish(const struct blastp_setup *setup, const struct blastp_query *query, struct hit_list *list)
{
    const struct blastp_params *p = &setup->params;
    tms_status status = TMS_OK;

    drop_empty(list);
    list->max_hits = (size_t)p->max_target_seqs;
    list->is_cut &= list->n >= list->max_hits; /* else those that were left out before are not missed */
    hit_list_sort(list);
    if (hit_filter_is_wanted(p))
        status = filter(p, query->length, list);
    for (size_t i = 0; i < list->n; i++)
        keep_wanted(p, query, &list->items[i].hsps);
    drop_empty(list);
    return status;
}
