/* hit_limits.c - a subject that loses all its HSPs is not replaced by another. */
#include "hits/hit_limits.h"

#include <stdlib.h>

#include "hits/hit_filter.h"

/*
 * The last HSP that -max_hsps keeps behind culling or best hits. blastp takes them by score there, though the list be by E-value, as with
 * composition-based statistics: two of one score then differ.
 */
static tms_status last_by_score(const struct hsp_list *list, size_t most, struct hsp *last)
{
    struct hsp_list by_score = {0};
    tms_status status = hsp_list_copy(list, &by_score);

    if (status != TMS_OK)
        return status;
    hsp_sort(&by_score);
    *last = by_score.items[most - 1];
    free(by_score.items); /* the scripts are list's */
    return TMS_OK;
}

/* Behind culling or best hits by score too; then in the order that the list had. */
static void keep_besthits(const struct search_params *p, struct hsp_list *list)
{
    const bool is_by_score = hit_filter_is_wanted(p);

    if (is_by_score)
        hsp_sort(list);
    hsp_keep_besthits(list);
    if (is_by_score && p->composition != COMPOSITION_OFF)
        hsp_sort_evalues(list);
}

static tms_status keep_wanted(const struct search_params *p, const struct search_query *query, struct hsp_list *list)
{
    size_t n = 0, most = p->max_hsps > 0 && (size_t)p->max_hsps < list->n ? (size_t)p->max_hsps : list->n;
    const bool is_by_score = most < list->n && hit_filter_is_wanted(p);
    struct hsp last;

    if (is_by_score && last_by_score(list, most, &last) != TMS_OK)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < list->n; i++) {
        const struct hsp *hsp = &list->items[i];
        const bool is_first = is_by_score ? hsp_compare_score(hsp, &last) <= 0 : i < most;
        if (is_first && (p->min_coverage <= 0 || hsp_coverage(hsp, query->length) >= p->min_coverage))
            list->items[n++] = *hsp;
        else
            free(hsp->script.runs);
    }
    list->n = n;
    if (p->subject_besthit)
        keep_besthits(p, list);
    return TMS_OK;
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
static tms_status filter(const struct search_setup *setup, int query_length, struct hit_list *list)
{
    struct hit_filter filter;
    tms_status status = hit_filter_init(setup, query_length, FILTER_FINAL, &filter);

    if (status == TMS_OK)
        status = hit_filter_offer(&filter, list);
    if (status == TMS_OK)
        status = hit_filter_take(&filter, list);
    hit_filter_free(&filter);
    hit_list_sort(list);
    return status;
}

tms_status hit_limits_apply(const struct search_setup *setup, const struct search_query *query, struct hit_list *list)
{
    const struct search_params *p = &setup->params;
    tms_status status = TMS_OK;

    drop_empty(list);
    list->max_hits = (size_t)p->max_target_seqs;
    list->is_cut &= list->n >= list->max_hits; /* else those that were left out before are not missed */
    hit_list_sort(list);
    if (hit_filter_is_wanted(p))
        status = filter(setup, query->length, list);
    for (size_t i = 0; i < list->n && status == TMS_OK; i++)
        status = keep_wanted(p, query, &list->items[i].hsps);
    drop_empty(list);
    return status;
}
