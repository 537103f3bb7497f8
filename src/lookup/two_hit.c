/*
 * two_hit.c - the plain form of the scan: takes hits one by one, in the order of the subject.
 *
 * A diagonal's state is one number. A state that an earlier subject left is less than base - window. Then both of its cases, the position
 * of a hit and the end of an extension, have the same result as an empty state: the scan remembers the hit. So the states need not be
 * cleared between subjects.
 *
 * A subject with n_more leaves states beyond its end, which the next subjects take for their own hits, as in BLAST. The plain form also
 * scans these subjects, until such states are out of reach.
 */
#include "lookup/two_hit.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lookup/query_stretches.h"
#include "lookup/two_hit_sieve.h"

enum { WORDS_AT_ONCE = 256 };

#define MOST_POSITIONS (1 << 29) /* base + positions stay below this, so that twice as many fit into 31 bits */

tms_status two_hit_diagonals_init(int n_positions, int window, struct two_hit_diagonals *out)
{
    uint32_t n = 1;

    memset(out, 0, sizeof *out);
    while (n < (uint32_t)n_positions + (uint32_t)window)
        n *= 2;
    out->last = calloc(n, sizeof *out->last);
    out->sieve = two_hit_sieve_create(n_positions <= WORD_LOOKUP_POSITIONS16 ? n_positions : QUERY_STRETCH);
    out->mask = n - 1;
    out->base = window;
    return out->last != NULL && out->sieve != NULL ? TMS_OK : TMS_E_MEMORY;
}

void two_hit_diagonals_free(struct two_hit_diagonals *diagonals)
{
    free(diagonals->last);
    two_hit_sieve_destroy(diagonals->sieve);
    memset(diagonals, 0, sizeof *diagonals);
}

/* A scan in progress. */
struct scan {
    const struct two_hit_queries *queries;
    const uint8_t *subject;
    int n, word_size, window;
    struct two_hit_found *found;
    int32_t base;
};

/* Returns the query at a position. */
static uint32_t query_at(const struct two_hit_queries *queries, int position)
{
    size_t low = 0, high = queries->n;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (queries->items[middle].first_position <= position)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static struct ungapped_pair pair_of(const struct scan *s, const struct two_hit_query *q)
{
    return (struct ungapped_pair){s->queries->scores, q->codes, s->subject, q->length, s->n, q->x_drop};
}

static tms_status keep(const struct scan *s, uint32_t query, const struct ungapped_hsp *hsp)
{
    struct two_hit_found *found = s->found;

    found->n_extensions++;
    if (hsp->score < s->queries->items[query].cutoff)
        return TMS_OK;
    if (!array_reserve(&found->hsps, &found->capacity, found->n + 1, sizeof *found->hsps))
        return TMS_E_MEMORY;
    found->hsps[found->n++] = (struct two_hit_hsp){*hsp, query, 0};
    return TMS_OK;
}

/* Extends two hits that are near enough; the second one is at `position` of the queries and at `subject`. *last is the state of the
 * diagonal. */
static tms_status extend(const struct scan *s, int position, int subject, int32_t *last)
{
    int32_t at = subject + s->base, before = *last >> 1;
    uint32_t query = query_at(s->queries, position);
    const struct two_hit_query *q = &s->queries->items[query];
    struct ungapped_pair pair = pair_of(s, q);
    struct ungapped_result r;

    if (position - q->first_position < at - before) { /* the first hit is another query's */
        *last = 2 * at;
        return TMS_OK;
    }
    r = ungapped_two_hits(&pair, position - q->first_position, subject, before - s->base, s->word_size);
    *last = r.went_right ? 2 * (r.stopped - (s->word_size - 1) + s->base) + 1 : 2 * at;
    return keep(s, query, &r.hsp);
}

/*
 * Takes the hits of a word at `subject` and at n positions. Most hits are far from the last hit on their diagonal, or the first there; one
 * comparison finds these. Values that the loop reads again and again are in local variables, because the compiler cannot know that *last
 * does not alias them.
 */
static tms_status take_hits(const struct scan *s, uint32_t first, uint32_t n, int subject, int32_t *last_of, uint32_t mask)
{
    const struct word_lookup *words = s->queries->words;
    const int32_t at = subject + s->base, window = s->window, word_size = s->word_size;

    for (uint32_t i = first; i < first + n; i++) {
        int position = word_lookup_position(words, i);
        int32_t *last = &last_of[(uint32_t)(position - subject) & mask];
        int32_t state = *last, distance = at - (state >> 1), in_extension = state & 1;
        tms_status status;
        if (distance >= (in_extension ? 0 : window)) {
            *last = 2 * at;
            continue;
        }
        if (in_extension || distance < word_size)
            continue;
        status = extend(s, position, subject, last);
        if (status != TMS_OK)
            return status;
    }
    return TMS_OK;
}

static tms_status take_single_hit(const struct scan *s, int position, int subject, int32_t *last)
{
    uint32_t query;
    struct ungapped_pair pair;
    struct ungapped_result r;

    if (subject + s->base < *last >> 1)
        return TMS_OK;
    query = query_at(s->queries, position);
    pair = pair_of(s, &s->queries->items[query]);
    r = ungapped_one_hit(&pair, position - s->queries->items[query].first_position, subject, s->word_size);
    *last = 2 * (r.stopped - (s->word_size - 1) + s->base);
    return keep(s, query, &r.hsp);
}

/* Takes the words of a range, up to the one that begins at `last`. */
static tms_status scan_range(struct scan *s, struct two_hit_diagonals *diagonals, int begin, int last)
{
    const struct word_lookup *words = s->queries->words;
    uint32_t numbers[WORDS_AT_ONCE];
    tms_status status = TMS_OK;

    for (int at = begin; at <= last && status == TMS_OK; at++) {
        const int k = (at - begin) % WORDS_AT_ONCE;
        uint32_t first, n_positions;
        if (k == 0)
            word_lookup_words(words, s->subject + at, last - at < WORDS_AT_ONCE ? last - at + 1 : WORDS_AT_ONCE, numbers);
        first = word_lookup_find(words, numbers[k], &n_positions);
        s->found->n_hits += n_positions;
        if (s->window > 0)
            status = take_hits(s, first, n_positions, at, diagonals->last, diagonals->mask);
        for (uint32_t i = first; i < first + n_positions && s->window == 0 && status == TMS_OK; i++) {
            int position = word_lookup_position(words, i);
            status = take_single_hit(s, position, at, &diagonals->last[(uint32_t)(position - at) & diagonals->mask]);
        }
    }
    return status;
}

tms_status two_hit_plain_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject,
                              struct two_hit_diagonals *diagonals, struct two_hit_found *found)
{
    const int n = subject->n, word_size = queries->words->word_size;
    struct scan s = {queries, subject->codes, n, word_size, queries->window, found, 0};
    tms_status status = TMS_OK;

    if (diagonals->base > MOST_POSITIONS - n - subject->n_more - queries->window) {
        memset(diagonals->last, 0, ((size_t)diagonals->mask + 1) * sizeof *diagonals->last);
        diagonals->base = queries->window;
        diagonals->left_up_to = 0;
    }
    s.base = diagonals->base;
    for (size_t i = 0; i < two_hit_n_ranges(subject) && status == TMS_OK; i++) {
        const struct residue_range range = two_hit_range(subject, i);
        status = scan_range(&s, diagonals, range.first, range.end - word_size);
    }
    if (subject->n_more > 0 && diagonals->base + n + subject->n_more > diagonals->left_up_to)
        diagonals->left_up_to = diagonals->base + n + subject->n_more;
    diagonals->base += n + queries->window;
    return status;
}

tms_status two_hit_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject, struct two_hit_diagonals *diagonals,
                        struct two_hit_found *found)
{
    const bool is_left_alone = subject->n_more == 0 && diagonals->left_up_to <= diagonals->base - queries->window;

    if (is_left_alone && queries->concatenated != NULL)
        return two_hit_sieve_scan(queries, subject, diagonals->sieve, found);
    return two_hit_plain_scan(queries, subject, diagonals, found);
}
