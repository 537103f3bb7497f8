/* hsp.c - orders compare one field after the other. */
#include "hits/hsp.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define AS_GOOD_AS_ZERO 1e-180

tms_status hsp_list_add(struct hsp_list *list, const struct hsp *hsp)
{
    if (!array_reserve(&list->items, &list->capacity, list->n + 1, sizeof *list->items))
        return TMS_E_MEMORY;
    list->items[list->n++] = *hsp;
    return TMS_OK;
}

tms_status hsp_list_copy(const struct hsp_list *list, struct hsp_list *to)
{
    to->items = malloc(list->n * sizeof *to->items);
    if (to->items == NULL)
        return TMS_E_MEMORY;
    memcpy(to->items, list->items, list->n * sizeof *to->items);
    to->n = to->capacity = list->n;
    return TMS_OK;
}

void hsp_list_clear(struct hsp_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i].script.runs);
    list->n = 0;
}

void hsp_list_free(struct hsp_list *list)
{
    hsp_list_clear(list);
    free(list->items);
    memset(list, 0, sizeof *list);
}

/* --- orders --- */

#define ASCENDING(field)                                                                                                                   \
    if (a->field != b->field)                                                                                                              \
    return a->field < b->field ? -1 : 1
#define DESCENDING(field)                                                                                                                  \
    if (a->field != b->field)                                                                                                              \
    return a->field > b->field ? -1 : 1

int hsp_compare_score(const void *pa, const void *pb)
{
    const struct hsp *a = pa, *b = pb;

    DESCENDING(score);
    ASCENDING(subject);
    DESCENDING(subject_end);
    ASCENDING(query);
    DESCENDING(query_end);
    ASCENDING(context);
    return 0;
}

static int compare_by_score(const void *pa, const void *pb)
{
    const struct hsp *a = pa, *b = pb;
    int order = hsp_compare_score(pa, pb);

    if (order != 0)
        return order;
    ASCENDING(place);
    return 0;
}

static int compare_starts(const void *pa, const void *pb)
{
    const struct hsp *a = pa, *b = pb;

    ASCENDING(context);
    ASCENDING(query);
    ASCENDING(subject);
    DESCENDING(score);
    DESCENDING(query_end);
    DESCENDING(subject_end);
    ASCENDING(place);
    return 0;
}

static int compare_ends(const void *pa, const void *pb)
{
    const struct hsp *a = pa, *b = pb;

    ASCENDING(context);
    ASCENDING(query_end);
    ASCENDING(subject_end);
    DESCENDING(score);
    DESCENDING(query);
    DESCENDING(subject);
    ASCENDING(place);
    return 0;
}

int hsp_compare_evalues(double a, double b)
{
    if (a == b || (a < AS_GOOD_AS_ZERO && b < AS_GOOD_AS_ZERO))
        return 0;
    return a < b ? -1 : 1;
}

static int compare_by_evalue(const void *pa, const void *pb)
{
    const struct hsp *a = pa, *b = pb;
    int order = hsp_compare_evalues(a->evalue, b->evalue);

    return order != 0 ? order : compare_by_score(pa, pb);
}

/* An empty list may have no array, and qsort() takes no NULL. */
static void sort_first(struct hsp_list *list, size_t n, int (*compare)(const void *, const void *))
{
    for (size_t i = 0; i < n; i++)
        list->items[i].place = (uint32_t)i;
    if (n > 1)
        qsort(list->items, n, sizeof *list->items, compare);
}

static void sort(struct hsp_list *list, int (*compare)(const void *, const void *)) { sort_first(list, list->n, compare); }

void hsp_sort(struct hsp_list *list) { sort(list, compare_by_score); }
void hsp_sort_evalues(struct hsp_list *list) { sort(list, compare_by_evalue); }

bool hsp_box_has(const struct hsp *hsp, int query, int subject)
{
    return hsp->query <= query && query <= hsp->query_end && hsp->subject <= subject && subject <= hsp->subject_end;
}

double hsp_coverage(const struct hsp *hsp, int query_length)
{
    double percent = 100.0 * (hsp->query_end - hsp->query) / query_length;

    return percent < 99 ? percent + 0.5 : percent;
}

void hsp_keep_besthits(struct hsp_list *list)
{
    enum { MARGIN = 3 };
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        bool covered = false;
        for (size_t j = 0; j < n && !covered; j++) {
            int from = list->items[j].query - MARGIN;
            covered = list->items[i].query >= (from > 0 ? from : 0) && list->items[i].query_end <= list->items[j].query_end + MARGIN;
        }
        if (covered)
            free(list->items[i].script.runs);
        else
            list->items[n++] = list->items[i];
    }
    list->n = n;
}

void hsp_keep_significant(struct hsp_list *list, double evalue)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        if (list->items[i].evalue <= evalue)
            list->items[n++] = list->items[i];
        else
            free(list->items[i].script.runs);
    }
    list->n = n;
}

/* --- common ends --- */

bool hsp_same_start(const struct hsp *a, const struct hsp *b)
{
    return a->query == b->query && a->subject == b->subject && a->context == b->context;
}

bool hsp_same_end(const struct hsp *a, const struct hsp *b)
{
    return a->query_end == b->query_end && a->subject_end == b->subject_end && a->context == b->context;
}

static void keep_first(struct hsp_list *list, bool (*same)(const struct hsp *, const struct hsp *))
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        if (n > 0 && same(&list->items[n - 1], &list->items[i]))
            free(list->items[i].script.runs);
        else
            list->items[n++] = list->items[i];
    }
    list->n = n;
}

void hsp_purge(struct hsp_list *list)
{
    sort(list, compare_starts);
    keep_first(list, hsp_same_start);
    sort(list, compare_ends);
    keep_first(list, hsp_same_end);
    hsp_sort(list);
}
