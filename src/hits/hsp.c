/* hsp.c - orders compare one field after the other. */
#include "hits/hsp.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define AS_GOOD_AS_ZERO 1e-180

enum { FEW_HSPS = 1 }; /* a scan has a list for each query of a batch, and most reads have one HSP in a subject */

tms_status hsp_list_reserve(struct hsp_list *list, size_t n)
{
    return array_reserve_few(&list->items, &list->capacity, n, sizeof *list->items, n) ? TMS_OK : TMS_E_MEMORY;
}

tms_status hsp_list_add(struct hsp_list *list, const struct hsp *hsp)
{
    if (!array_reserve_few(&list->items, &list->capacity, list->n + 1, sizeof *list->items, FEW_HSPS))
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

static void shrink(struct gapped_script *script)
{
    struct gapped_run *runs = script->n < script->capacity && script->n > 0 ? realloc(script->runs, script->n * sizeof *runs) : NULL;

    if (runs == NULL)
        return;
    script->runs = runs;
    script->capacity = script->n;
}

tms_status hsp_list_move(struct hsp_list *from, struct hsp_list *to)
{
    struct hsp *items = to->items;

    if (from->n != to->capacity) {
        items = from->n > 0 ? malloc(from->n * sizeof *items) : NULL;
        if (from->n > 0 && items == NULL)
            return TMS_E_MEMORY;
        free(to->items);
    }
    for (size_t i = 0; i < from->n; i++) {
        items[i] = from->items[i];
        shrink(&items[i].script);
    }
    *to = (struct hsp_list){items, from->n, from->n};
    from->n = 0;
    return TMS_OK;
}

tms_status hsp_list_append(struct hsp_list *from, struct hsp_list *to)
{
    if (!array_reserve(&to->items, &to->capacity, to->n + from->n, sizeof *to->items)) {
        hsp_list_clear(from);
        return TMS_E_MEMORY;
    }
    for (size_t i = 0; i < from->n; i++)
        to->items[to->n++] = from->items[i];
    from->n = 0;
    return TMS_OK;
}

void hsp_list_reverse(struct hsp_list *list)
{
    for (size_t i = 0; i < list->n / 2; i++) {
        const struct hsp first = list->items[i];
        list->items[i] = list->items[list->n - 1 - i];
        list->items[list->n - 1 - i] = first;
    }
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

void hsp_sort_by(struct hsp_list *list, int (*compare)(const void *, const void *)) { sort_first(list, list->n, compare); }

void hsp_sort(struct hsp_list *list) { hsp_sort_by(list, compare_by_score); }
void hsp_sort_evalues(struct hsp_list *list) { hsp_sort_by(list, compare_by_evalue); }

bool hsp_box_has(const struct hsp *hsp, int query, int subject)
{
    return hsp->query <= query && query <= hsp->query_end && hsp->subject <= subject && subject <= hsp->subject_end;
}

double hsp_coverage(const struct hsp *hsp, int query_length)
{
    double percent = 100.0 * (hsp->query_end - hsp->query) / query_length;

    return percent < 99 ? percent + 0.5 : percent;
}

enum { BESTHIT_MARGIN = 3 };

/* Does b's range of the query, extended on both sides, contain a's, which is in the same context? */
static bool covers(const struct hsp *b, const struct hsp *a)
{
    const int from = b->query - BESTHIT_MARGIN;

    return a->context == b->context && a->query >= (from > 0 ? from : 0) && a->query_end <= b->query_end + BESTHIT_MARGIN;
}

/* The same for HSPs of opposite strands. */
static bool covers_across(const struct hsp *b, const struct hsp *a, int query_length)
{
    return a->context != b->context && a->query >= query_length - b->query_end - BESTHIT_MARGIN &&
           a->query_end <= query_length - b->query + BESTHIT_MARGIN;
}

/* Drops HSPs that an earlier one covers: within a context, or across strands. */
static void drop_covered(struct hsp_list *list, int query_length, bool across)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        const struct hsp *a = &list->items[i];
        bool covered = false;
        for (size_t j = 0; j < n && !covered; j++)
            covered = across ? covers_across(&list->items[j], a, query_length) : covers(&list->items[j], a);
        if (covered)
            free(list->items[i].script.runs);
        else
            list->items[n++] = list->items[i];
    }
    list->n = n;
}

void hsp_keep_besthits(struct hsp_list *list, int query_length)
{
    drop_covered(list, query_length, false);
    if (query_length > 0)
        drop_covered(list, query_length, true);
}

/* Keeps HSPs up to this E-value, and from this score on. */
static void keep_within(struct hsp_list *list, double evalue, int score)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        if (list->items[i].evalue <= evalue && list->items[i].score >= score)
            list->items[n++] = list->items[i];
        else
            free(list->items[i].script.runs);
    }
    list->n = n;
}

void hsp_keep_significant(struct hsp_list *list, double evalue) { keep_within(list, evalue, INT_MIN); }
void hsp_keep_scores(struct hsp_list *list, int score) { keep_within(list, INFINITY, score); }

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
    hsp_sort_by(list, compare_starts);
    keep_first(list, hsp_same_start);
    hsp_sort_by(list, compare_ends);
    keep_first(list, hsp_same_end);
    hsp_sort(list);
}

/* --- trimming --- */

/* Where a walk along a script stops: after `taken` operations of a run. */
struct cut {
    uint32_t run;
    int taken;
    int query, subject; /* positions reached */
};

/*
 * Walks from the start of an alignment, a pair of residues or a whole gap at a time, at least one step, until both positions have reached
 * these. Returns false if they never have.
 */
static bool walk_to(const struct hsp *h, int query, int subject, struct cut *cut)
{
    *cut = (struct cut){0, 0, h->query, h->subject};
    for (; cut->run < h->script.n; cut->run++) {
        const struct gapped_run run = h->script.runs[cut->run];
        int missing = query - cut->query > subject - cut->subject ? query - cut->query : subject - cut->subject;
        cut->taken = run.operation == GAPPED_MATCH && missing < run.n ? (missing > 1 ? missing : 1) : run.n;
        cut->query += run.operation != GAPPED_IN_QUERY ? cut->taken : 0;
        cut->subject += run.operation != GAPPED_IN_SUBJECT ? cut->taken : 0;
        if (cut->query >= query && cut->subject >= subject)
            return true;
    }
    return false;
}

/* Removes from h what it has in common with a better one from their start on. Returns false if nothing is left. */
static bool trim_start(struct hsp *h, const struct hsp *better)
{
    struct gapped_script *script = &h->script;
    struct cut cut;

    if (h->query_end <= better->query_end)
        return false;
    if (!walk_to(h, better->query_end, better->subject_end, &cut))
        return true;
    script->runs[cut.run].n -= cut.taken;
    cut.run += script->runs[cut.run].n == 0;
    script->n -= cut.run;
    memmove(script->runs, script->runs + cut.run, script->n * sizeof *script->runs);
    h->query = cut.query;
    h->subject = cut.subject;
    return script->n > 0;
}

/* The same from the better one's start to their end. */
static bool trim_end(struct hsp *h, const struct hsp *better)
{
    struct cut cut;

    if (h->query >= better->query)
        return false;
    if (!walk_to(h, better->query, better->subject, &cut))
        return true;
    h->script.n = cut.run + 1;
    h->script.runs[cut.run].n = cut.taken;
    h->query_end = cut.query;
    h->subject_end = cut.subject;
    return true;
}

/*
 * Trims all but the first of the HSPs that have an end in common, among the first n_whole of the list. The trimmed ones go behind those
 * that stay, the last one first.
 */
static tms_status trim_common(struct hsp_list *list, size_t *n_whole, bool (*same)(const struct hsp *, const struct hsp *),
                              bool (*trim)(struct hsp *, const struct hsp *))
{
    struct hsp_list trimmed = {0};
    tms_status status = TMS_OK;
    size_t n = 0, n_before = *n_whole;

    for (size_t i = 0; i < n_before; i++) {
        struct hsp *h = &list->items[i];
        if (n == 0 || status != TMS_OK || !same(&list->items[n - 1], h))
            list->items[n++] = *h;
        else if (!trim(h, &list->items[n - 1]) || (status = hsp_list_add(&trimmed, h)) != TMS_OK)
            free(h->script.runs);
    }
    *n_whole = n;
    for (size_t i = trimmed.n; i-- > 0;)
        list->items[n++] = trimmed.items[i];
    for (size_t i = n_before; i < list->n; i++)
        list->items[n++] = list->items[i];
    list->n = n;
    free(trimmed.items);
    return status;
}

tms_status hsp_trim(struct hsp_list *list, size_t *n_whole)
{
    tms_status status;

    *n_whole = list->n;
    sort_first(list, *n_whole, compare_starts);
    status = trim_common(list, n_whole, hsp_same_start, trim_start);
    if (status != TMS_OK)
        return status;
    sort_first(list, *n_whole, compare_ends);
    return trim_common(list, n_whole, hsp_same_end, trim_end);
}
