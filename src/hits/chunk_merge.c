/* chunk_merge.c - subjects of two lists are matched by ordinal id; then HSPs of a subject that meet in the overlap are joined. */
#include "hits/chunk_merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/lesser.h"

enum { NEAR_DIAGONALS = 10 }; /* two HSPs may be parts of one if their diagonals differ by less */

static void swap(struct hsp *a, struct hsp *b)
{
    struct hsp other = *a;

    *a = *b;
    *b = other;
}

/*
 * The border of a chunk. In the query: the chunk's first position in each context. On the minus strand, whose chunks descend, BLAST looks
 * for HSPs at this end of the chunk, too.
 */
struct border {
    const struct chunk_place *query; /* NULL: the border is in the subject */
    int subject;
    bool is_ungapped; /* HSPs on different diagonals do not continue each other */
};

static bool is_plus(const struct border *border, const struct hsp *h) { return h->context < border->query->n_contexts / 2; }

/* Does an HSP of the chunks before reach beyond the start of the chunk? */
static bool ends_in_chunk(const struct border *border, const struct hsp *h)
{
    if (border->query == NULL)
        return h->subject_end > border->subject;
    return is_plus(border, h) ? h->query_end > border->query->starts[h->context]
                              : h->query < border->query->starts[h->context] + border->query->overlap;
}

/* Does an HSP of the chunk begin in the overlap? */
static bool begins_in_overlap(const struct border *border, const struct hsp *h)
{
    if (border->query == NULL)
        return h->subject < border->subject + CHUNK_OVERLAP;
    return is_plus(border, h) ? h->query < border->query->starts[h->context] + border->query->overlap
                              : h->query_end > border->query->starts[h->context];
}

/* HSPs at the border come first. Returns how many there are. */
static size_t bring_forward(struct hsp_list *list, const struct border *border, bool (*is_at)(const struct border *, const struct hsp *))
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++)
        if (is_at(border, &list->items[i]))
            swap(&list->items[i], &list->items[n++]);
    return n;
}

static int diagonal_of_start(const struct hsp *h) { return h->query - h->subject; }
static int diagonal_of_end(const struct hsp *h) { return h->query_end - h->subject_end; }

/* Does `after` continue `before`? */
static bool continues(const struct border *border, const struct hsp *before, const struct hsp *after)
{
    const bool is_reversed = border->query != NULL && !is_plus(border, before);
    const int distance = is_reversed ? diagonal_of_end(after) - diagonal_of_start(before)
                                     : diagonal_of_end(before) - diagonal_of_start(after);
    const int most = border->is_ungapped ? 0 : NEAR_DIAGONALS - 1;

    return before->context == after->context && distance <= most && distance >= -most &&
           (hsp_box_has(before, after->query, after->subject) || hsp_box_has(before, after->query_end, after->subject_end));
}

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

static tms_status merge_hsps(struct hsp_list *to, const struct border *border, struct hsp_list *from)
{
    const bool is_first = border->query != NULL ? border->query->is_first : border->subject <= 0;
    size_t n_ends = is_first ? 0 : bring_forward(to, border, ends_in_chunk);
    size_t n_starts = is_first ? 0 : bring_forward(from, border, begins_in_overlap);
    bool *is_gone = calloc(from->n + 1, sizeof *is_gone);
    tms_status status = is_gone != NULL ? TMS_OK : TMS_E_MEMORY;

    for (size_t i = 0; i < n_ends && status == TMS_OK; i++)
        for (size_t j = 0; j < n_starts; j++)
            if (!is_gone[j] && continues(border, &to->items[i], &from->items[j])) {
                join(&to->items[i], &from->items[j]);
                is_gone[j] = true;
            }
    if (status == TMS_OK && to->n == 0)
        status = hsp_list_reserve(to, from->n); /* no more than that: of most queries and subjects all HSPs are in one chunk */
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

static void move_to(const struct chunk_place *place, struct hsp_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct hsp *h = &list->items[i];
        h->context = place->contexts[h->context];
        h->query += place->starts[h->context];
        h->query_end += place->starts[h->context];
        h->start_query += place->starts[h->context];
    }
}

tms_status chunk_merge(struct hit_list *to, const struct chunk_place *place, struct hit_list *chunk)
{
    const struct border border = {.query = place};
    size_t n = to->n;
    bool is_first = n == 0;
    tms_status status = TMS_OK;

    to->is_mixed |= chunk->is_mixed;
    hit_list_sort(chunk);
    for (size_t i = 0; i < chunk->n; i++) {
        struct subject_hits *from = &chunk->items[i], *known = find(to, n, from->oid);
        move_to(place, &from->hsps);
        if (status == TMS_OK && known != NULL) {
            status = merge_hsps(&known->hsps, &border, &from->hsps);
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

struct chunk_place chunk_place_of_strands(int plus, int minus)
{
    return (struct chunk_place){
        .n_contexts = 2, .starts = {plus, minus}, .contexts = {0, 1}, .overlap = CHUNK_OVERLAP, .is_first = plus <= 0 && minus <= 0};
}

struct chunk_place chunk_place_of_frames(int n_bases, int first, int end, int overlap)
{
    struct chunk_place place = {.n_contexts = FRAMES, .overlap = overlap, .is_first = first == 0};

    for (int i = 0; i < FRAMES; i++) {
        const int before = (i < FRAMES_A_STRAND ? first : n_bases - end) + frame_start(i); /* bases before the frame on its strand */
        place.contexts[i] = before % 3 + (i < FRAMES_A_STRAND ? 0 : FRAMES_A_STRAND);
        place.starts[place.contexts[i]] = before / 3;
    }
    return place;
}

tms_status subject_chunk_merge(struct hsp_list *to, int start, struct hsp_list *chunk, bool is_ungapped)
{
    const struct border border = {.subject = start, .is_ungapped = is_ungapped};
    tms_status status;

    for (size_t i = 0; i < chunk->n; i++) {
        chunk->items[i].subject += start;
        chunk->items[i].subject_end += start;
        chunk->items[i].start_subject += start;
    }
    status = merge_hsps(to, &border, chunk);
    chunk->n = 0;
    return status;
}
