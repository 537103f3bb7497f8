/*
 * two_hit_narrow.c - the fast form: hits by the thousand, in passes that have no branches that depend on a hit.
 *
 *   1. The places of many words are written one after the other, as diagonals.
 *   2. Each looks at the state of its diagonal. Most are far from the hit before: the state becomes this hit. The others are put into a
 *      queue, and their diagonal is marked, so that what comes later on it goes into the queue too.
 *   3. The queue drops hits that overlap the one before, or lie within an extension.
 *   4. What is left is extended, in the order of the subject.
 *
 * States have 16 bits: 2 x (place in the subject + base), or 2 x (the same - window) + 1 where hits before the place lie in an extension.
 * Then one comparison tells for both that a hit is far. A state that an earlier subject left is far from all.
 */
#include "seed/two_hit_narrow.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    WORDS_AT_ONCE = 512,
    HITS_AT_ONCE = 2048,
    PLACES_AT_ONCE = 8, /* are copied together */
    WAITS = 0xFFFF,     /* a state: a hit on this diagonal is in the queue */
};

_Static_assert((int)NEIGHBOURS_READ_BEYOND >= (int)PLACES_AT_ONCE, "places are read beyond the last");

typedef uint16_t lanes __attribute__((vector_size(2 * PLACES_AT_ONCE)));

/* A scan under way. Hits are numbers 0 .. n_hits - 1, in the order of the subject. */
struct scan {
    const struct two_hit_queries *queries;
    const struct two_hit_strip *strip;
    const uint8_t *subject;
    struct two_hit_found *found;
    uint16_t *last;
    uint32_t mask;
    int base, window, word_size;
    size_t n_hits, n_queue;
    uint16_t diagonals[HITS_AT_ONCE + PLACES_AT_ONCE]; /* place - subject's offset, modulo 2^16 */
    uint16_t ats[HITS_AT_ONCE + PLACES_AT_ONCE];       /* subject's offset + base */
    uint16_t queue[HITS_AT_ONCE], states[HITS_AT_ONCE];
};

/* --- extension --- */

/*
 * An extension's score and its length are one number, score x 2^16 - length, to which each pair of letters adds its score x 2^16 - 1: of
 * two equal scores the shorter extension is the larger number, and what a maximum keeps is the first best. The strip and the copy of the
 * subject have ends that no extension goes over.
 */
static inline int score_of(int64_t scored) { return (int)((scored + 0xFFFF) >> 16); }
static inline int length_of(int64_t scored) { return (int)((uint64_t)-scored & 0xFFFF); }
static inline int64_t higher(int64_t a, int64_t b) { return a > b ? a : b; }

/* As ungapped_left(). */
static inline int64_t extend_left(const int32_t *scores, const uint16_t *rows, const uint8_t *subject, int64_t drop)
{
    int64_t run = 0, lowest = -drop;

    for (ptrdiff_t i = -1;; i--) {
        run += scores[rows[i] + subject[i]];
        if (run <= lowest)
            break;
        lowest = higher(lowest, run - drop);
    }
    return lowest + drop;
}

/* As ungapped_right(). */
static inline int64_t extend_right(const int32_t *scores, const uint16_t *rows, const uint8_t *subject, int score, int64_t drop,
                                   int *stopped)
{
    int64_t run = (int64_t)score * (1 << 16), best = run, lowest = higher(run - drop, 0);
    ptrdiff_t i = 0;

    for (;; i++) {
        run += scores[rows[i] + subject[i]];
        if (run <= lowest)
            break;
        best = higher(best, run);
        lowest = higher(lowest, run - drop);
    }
    *stopped = (int)i;
    return best;
}

static inline int best_prefix(const int32_t *scores, const uint16_t *rows, const uint8_t *subject, int word_size)
{
    int64_t run = 0, best = 0;

    for (int i = 0; i < word_size; i++) {
        run += scores[rows[i] + subject[i]];
        best = higher(best, run);
    }
    return length_of(best);
}

static tms_status keep(struct two_hit_found *found, struct ungapped_hsp hsp, uint32_t query)
{
    if (!array_reserve(&found->hsps, &found->capacity, found->n + 1, sizeof *found->hsps))
        return TMS_E_MEMORY;
    found->hsps[found->n++] = (struct two_hit_hsp){hsp, query};
    return TMS_OK;
}

static uint32_t query_at(const struct scan *s, int place)
{
    const struct two_hit_query *items = s->queries->items;
    uint32_t q = s->strip->query_near[place / TWO_HIT_NEAR];

    while (q + 1 < s->queries->n && items[q + 1].first_place <= place)
        q++;
    return q;
}

/* A hit at place and subject, the first one at the subject's offset first. *state: what becomes of the diagonal. */
static tms_status extend(const struct scan *s, int place, int subject, int first, uint16_t *state)
{
    uint32_t number = query_at(s, place);
    const struct two_hit_query *q = &s->queries->items[number];
    const uint16_t *rows = s->strip->rows + place;
    const uint8_t *codes = s->subject + subject;
    const int32_t *scores = s->strip->scores;
    const int64_t drop = q->x_drop * (1 << 16);
    int prefix, left, right = 0, stopped, score;
    int64_t scored;

    *state = (uint16_t)(2 * (subject + s->base));
    if (place - q->first_place < subject - first) /* the first hit is another query's */
        return TMS_OK;
    s->found->n_extensions++;
    prefix = best_prefix(scores, rows, codes, s->word_size);
    scored = extend_left(scores, rows + prefix, codes + prefix, drop);
    left = length_of(scored);
    score = score_of(scored);
    if (left >= subject + prefix - (first + s->word_size)) {
        scored = extend_right(scores, rows + prefix, codes + prefix, score, drop, &stopped);
        right = length_of(scored);
        score = score_of(scored);
        *state = (uint16_t)(2 * (subject + prefix + stopped - (s->word_size - 1) + s->base - s->window) + 1);
    }
    if (score < q->cutoff)
        return TMS_OK;
    return keep(s->found, (struct ungapped_hsp){place - q->first_place + prefix - left, subject + prefix - left, left + right, score},
                number);
}

/* --- passes --- */

/* All bits set if a hit is not far from the state, else 0: arithmetic, so that no compiler makes a branch of it. */
static inline uint32_t is_near(uint32_t at, uint32_t state, uint32_t window)
{
    return (uint32_t)((int32_t)(2 * (at - window) + 1 - state) >> 31);
}

static void queue_near_hits(struct scan *s)
{
    uint16_t *last = s->last;
    const uint32_t mask = s->mask, window = (uint32_t)s->window;
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n_hits; i++) {
        uint16_t *of = &last[s->diagonals[i] & mask];
        uint32_t state = *of, at = s->ats[i], near = is_near(at, state, window);
        *of = (uint16_t)(2 * at | near);
        s->queue[n] = (uint16_t)i;
        s->states[n] = (uint16_t)state;
        n -= near;
    }
    s->n_queue = n;
}

static void drop_overlaps(struct scan *s)
{
    const uint32_t mask = s->mask, window = (uint32_t)s->window, word_size = (uint32_t)s->word_size;
    uint32_t n = 0;

    for (size_t k = 0; k < s->n_queue; k++) {
        uint32_t i = s->queue[k], at = s->ats[i], state = s->states[k], near, waits, ignored, waited;
        uint16_t *of = &s->last[s->diagonals[i] & mask];
        waited = 0u - (state == WAITS);
        state = (state & ~waited) | (*of & waited);
        near = is_near(at, state, window);
        waits = 0u - (state == WAITS);
        ignored = ~waits & near & ((0u - state % 2) | (uint32_t)((int32_t)(at - state / 2 - word_size) >> 31));
        *of = (uint16_t)((2 * at & ~near) | (state & ignored) | (near & ~ignored));
        s->queue[n] = (uint16_t)i;
        s->states[n] = (uint16_t)state;
        n -= near & ~ignored;
    }
    s->n_queue = n;
}

static tms_status extend_queue(struct scan *s)
{
    tms_status status = TMS_OK;

    for (size_t k = 0; k < s->n_queue && status == TMS_OK; k++) {
        uint32_t i = s->queue[k], at = s->ats[i], state = s->states[k];
        uint16_t *of = &s->last[s->diagonals[i] & s->mask];
        int subject = (int)at - s->base;
        if (state == WAITS) { /* what came before it on its diagonal is done: it is looked at again */
            state = *of;
            if (!is_near(at, state, (uint32_t)s->window)) {
                *of = (uint16_t)(2 * at);
                continue;
            }
            if (state % 2 == 1 || (int)at - (int)(state / 2) < s->word_size)
                continue;
        }
        status = extend(s, (uint16_t)(s->diagonals[i] + subject), subject, (int)(state / 2) - s->base, of);
    }
    return status;
}

static tms_status take_hits(struct scan *s)
{
    s->found->n_hits += s->n_hits;
    queue_near_hits(s);
    drop_overlaps(s);
    s->n_hits = 0;
    return extend_queue(s);
}

/* Adds the hits of the word at `subject`. */
static tms_status add_word(struct scan *s, const uint16_t *places, uint32_t n, int subject)
{
    const lanes at = (lanes){0} + (uint16_t)(subject + s->base);

    while (n > 0) {
        uint32_t n_now = n < HITS_AT_ONCE - s->n_hits ? n : (uint32_t)(HITS_AT_ONCE - s->n_hits);
        uint16_t *diagonals = s->diagonals + s->n_hits, *ats = s->ats + s->n_hits;
        for (uint32_t i = 0; i < n_now; i += PLACES_AT_ONCE) {
            lanes d;
            memcpy(&d, places + i, sizeof d);
            d -= (uint16_t)subject;
            memcpy(diagonals + i, &d, sizeof d);
            memcpy(ats + i, &at, sizeof at);
        }
        s->n_hits += n_now;
        places += n_now;
        n -= n_now;
        if (s->n_hits == HITS_AT_ONCE) {
            tms_status status = take_hits(s);
            if (status != TMS_OK)
                return status;
        }
    }
    return TMS_OK;
}

/* --- a subject --- */

bool two_hit_narrow_takes(const struct two_hit_queries *queries, int n)
{
    return queries->strip != NULL && n <= TWO_HIT_MOST_STATES - 2 * queries->window;
}

/* A copy with a gap before and after, and no code that has no row. */
static uint8_t *copy_subject(struct two_hit_diagonals *diagonals, const uint8_t *subject, int n)
{
    uint8_t *copy;

    if (!array_reserve(&diagonals->copy, &diagonals->copy_capacity, (size_t)n + 2, 1))
        return NULL;
    copy = diagonals->copy + 1;
    copy[-1] = copy[n] = 0;
    for (int i = 0; i < n; i++)
        copy[i] = subject[i] % TWO_HIT_ROW;
    return copy;
}

tms_status two_hit_narrow_scan(const struct two_hit_queries *queries, const uint8_t *subject, int n, struct two_hit_diagonals *diagonals,
                               struct two_hit_found *found)
{
    const struct neighbours *words = queries->words;
    struct scan s;
    uint32_t numbers[WORDS_AT_ONCE];
    const int n_words = n - words->word_size + 1;
    tms_status status = TMS_OK;

    subject = copy_subject(diagonals, subject, n);
    if (subject == NULL)
        return TMS_E_MEMORY;
    if (diagonals->narrow_base > TWO_HIT_MOST_STATES - n - queries->window) {
        memset(diagonals->narrow, 0, ((size_t)diagonals->mask + 1) * sizeof *diagonals->narrow);
        diagonals->narrow_base = queries->window;
    }
    s.queries = queries;
    s.strip = queries->strip;
    s.subject = subject;
    s.found = found;
    s.last = diagonals->narrow;
    s.mask = diagonals->mask;
    s.base = diagonals->narrow_base;
    s.window = queries->window;
    s.word_size = words->word_size;
    s.n_hits = 0;
    for (int first = 0; first < n_words && status == TMS_OK; first += WORDS_AT_ONCE) {
        int n_now = n_words - first < WORDS_AT_ONCE ? n_words - first : WORDS_AT_ONCE;
        neighbours_words(words, subject + first, n_now, numbers);
        for (int i = 0; i < n_now && status == TMS_OK; i++) {
            uint32_t n_places, at = neighbours_find(words, numbers[i], &n_places);
            status = add_word(&s, words->narrow + at, n_places, first + i);
        }
    }
    if (status == TMS_OK)
        status = take_hits(&s);
    diagonals->narrow_base += n + queries->window;
    return status;
}
