/* hit_limits.c - limits for the list of subjects come first, then those for each subject's HSPs. */
#include "hits/hit_limits.h"

#include <stdlib.h>

/*
 * The last HSP that max_hsps keeps after a filter, with its place in the list. NCBI's program chooses them by score then, even if the list
 * is by E-value: two HSPs of one score may have different E-values.
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

/* After a filter HSPs are compared by score, too; the list is in its former order at the end. */
static void keep_besthits(const struct hit_limits *limits, struct hit_query query, struct hsp_list *list)
{
    const bool is_by_score = hit_filter_is_wanted(&limits->filter);

    if (is_by_score)
        hsp_sort(list);
    hsp_keep_besthits(list, query.frame_lengths != NULL ? 0 : query.length);
    if (is_by_score && limits->by_evalue)
        hsp_sort_evalues(list);
}

static tms_status limit_hsps(const struct hit_limits *limits, struct hit_query query, struct hsp_list *list)
{
    const size_t most = limits->max_hsps > 0 && limits->max_hsps < list->n ? limits->max_hsps : list->n;
    const bool is_by_score = most < list->n && hit_filter_is_wanted(&limits->filter);
    struct hsp last;
    size_t n = 0;

    if (is_by_score && last_by_score(list, most, &last) != TMS_OK)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < list->n; i++) {
        const struct hsp *hsp = &list->items[i];
        const int length = query.frame_lengths != NULL ? query.frame_lengths[hsp->context] : query.length;
        const int order = is_by_score ? hsp_compare_score(hsp, &last) : 0;
        const bool is_first = is_by_score ? order < 0 || (order == 0 && i <= last.place) : i < most;
        if (is_first && (limits->min_coverage <= 0 || hsp_coverage(hsp, length) >= limits->min_coverage))
            list->items[n++] = *hsp;
        else
            free(hsp->script.runs);
    }
    list->n = n;
    if (limits->subject_besthit)
        keep_besthits(limits, query, list);
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

static void sort_by_evalues(struct hit_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        hsp_sort_evalues(&list->items[i].hsps);
}

/* A filter leaves HSPs in the order of their scores. A subject may lose its best one, so subjects are sorted again. */
static tms_status filter(const struct hit_limits *limits, struct hit_query query, struct hit_list *list)
{
    struct hit_filter filter;
    tms_status status = hit_filter_init_final(&limits->filter, query, limits->max_aligned, &filter);

    if (status == TMS_OK)
        status = hit_filter_offer(&filter, list);
    if (status == TMS_OK)
        status = hit_filter_take(&filter, list);
    hit_filter_free(&filter);
    if (limits->by_evalue) {
        sort_by_evalues(list);
        for (size_t i = 0; i < list->n; i++)
            subject_hits_rate(&list->items[i]);
    }
    hit_list_sort(list);
    return status;
}

/* With shows_by_evalue: a filter takes the HSPs of a subject in the order of their E-values. */
static bool filters_by_evalue(const struct hit_limits *limits, const struct hit_list *list)
{
    return hit_filter_is_wanted(&limits->filter) && (limits->filter.culling_limit > 0 || !limits->best_hits_by_score || list->is_cut);
}

tms_status hit_limits_apply(const struct hit_limits *limits, struct hit_query query, struct hit_list *list)
{
    const bool is_filtered = hit_filter_is_wanted(&limits->filter);
    tms_status status = TMS_OK;

    drop_empty(list);
    list->max_hits = limits->max_subjects;
    list->is_mixed = false;                    /* shows_by_evalue says all here */
    list->is_cut &= list->n >= list->max_hits; /* a list that is not full misses none of those that were cut before */
    if (limits->shows_by_evalue && (list->n > list->max_hits || filters_by_evalue(limits, list)))
        sort_by_evalues(list);
    hit_list_sort(list);
    if (is_filtered)
        status = filter(limits, query, list);
    for (size_t i = 0; i < list->n && status == TMS_OK; i++)
        status = limit_hsps(limits, query, &list->items[i].hsps);
    drop_empty(list);
    if (limits->shows_by_evalue)
        sort_by_evalues(list);
    return status;
}
