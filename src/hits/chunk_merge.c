/* chunk_merge.c - subjects of two lists are matched by ordinal id; then HSPs of a subject that meet in the overlap are joined. */
#include "hits/chunk_merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { NEAR_DIAGONALS = 10 }; /* two HSPs may be parts of one if their diagonals differ by less */

static void swap(struct hsp *a, struct hsp *b)
{
    struct hsp other = *a;

    *a = *b;
    *b = other;
}

/* HSPs that reach beyond the start of the chunk come first. Returns how many there are. */
static size_t bring_ends_forward(struct hsp_list *list, int start)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].query_end > start)
            swap(&list->items[i], &list->items[n++]);
    return n;
}

/* HSPs that begin in the overlap come first. Returns how many there are. */
static size_t bring_starts_forward(struct hsp_list *list, int start)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].query < start + CHUNK_OVERLAP)
            swap(&list->items[i], &list->items[n++]);
    return n;
}

/* Does `after` continue `before`? */
static bool continues(const struct hsp *before, const struct hsp *after)
{
    int distance = (before->query_end - before->subject_end) - (after->query - after->subject);

    return distance < NEAR_DIAGONALS && distance > -NEAR_DIAGONALS &&
           (hsp_box_has(before, after->query, after->subject) || hsp_box_has(before, after->query_end, after->subject_end));
}

static int lesser(int a, int b) { return a < b ? a : b; }
static int greater(int a, int b) { return a > b ? a : b; }

/* The score a residue of the query is that of both parts together. */
static void join(struct hsp *to, const struct hsp *other)
{
    int length = (to->query_end - to->query) + (other->query_end - other->query);
    double density = (double)(to->score + other->score) / length;

    to->query = lesser(to->query, other->query);
    to->query_end = greater(to->query_end, other->query_end);
    to->subject = lesser(to->subject, other->subject);
    to->subject_end = greater(to->subject_end, other->subject_end);
    if (other->score > to->score) {
        to->start_query = other->start_query;
        to->start_subject = other->start_subject;
        to->score = other->score;
    }
    to->score = greater((int)(density * (to->query_end - to->query)), to->score);
}

static tms_status merge_hsps(struct hsp_list *to, int start, struct hsp_list *from)
{
    size_t n_ends = start > 0 ? bring_ends_forward(to, start) : 0;
    size_t n_starts = start > 0 ? bring_starts_forward(from, start) : 0;
    bool *is_gone = calloc(from->n + 1, sizeof *is_gone);
    tms_status status = is_gone != NULL ? TMS_OK : TMS_E_MEMORY;

    for (size_t i = 0; i < n_ends && status == TMS_OK; i++)
        for (size_t j = 0; j < n_starts; j++)
            if (!is_gone[j] && continues(&to->items[i], &from->items[j])) {
                join(&to->items[i], &from->items[j]);
                is_gone[j] = true;
            }
    for (size_t j = 0; j < from->n && status == TMS_OK; j++)
        if (!is_gone[j])
            status = hsp_list_add(to, &from->items[j]);
    free(is_gone);
    hsp_sort(to);
    return status;
}

/* Keeps the best max_hits subjects. If any is dropped HSPs are sorted by E-value, which for one score differs between chunks. */
static void keep_best(struct hit_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct subject_hits *hits = &list->items[i];
        if (list->n > list->max_hits)
            hsp_sort_evalues(&hits->hsps);
        subject_hits_rate(hits);
    }
    if (list->n > list->max_hits)
        hit_list_sort(list);
}

static struct subject_hits *find(struct hit_list *list, size_t n, uint64_t oid)
{
    for (size_t i = 0; i < n; i++)
        if (list->items[i].oid == oid)
            return &list->items[i];
    return NULL;
}

static void move_to(int start, struct hsp_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        list->items[i].query += start;
        list->items[i].query_end += start;
        list->items[i].start_query += start;
    }
}

tms_status chunk_merge(struct hit_list *to, int start, struct hit_list *chunk)
{
    size_t n = to->n;
    bool is_first = n == 0;
    tms_status status = TMS_OK;

    hit_list_sort(chunk);
    for (size_t i = 0; i < chunk->n; i++) {
        struct subject_hits *from = &chunk->items[i], *known = find(to, n, from->oid);
        move_to(start, &from->hsps);
        if (status == TMS_OK && known != NULL) {
            status = merge_hsps(&known->hsps, start, &from->hsps);
        } else if (status == TMS_OK && array_reserve(&to->items, &to->capacity, to->n + 1, sizeof *to->items)) {
            to->items[to->n++] = *from;
            memset(&from->hsps, 0, sizeof from->hsps);
        } else {
            status = TMS_E_MEMORY;
        }
        hsp_list_free(&from->hsps);
    }
    chunk->n = 0;
    if (!is_first)
        keep_best(to);
    return status;
}
