/*
 * two_hit_int16.c - the 16-bit form of the scan: takes thousands of hits at once, in passes without branches that depend on a hit.
 *
 *   1. The first pass writes the positions of many words one after the other, as diagonals.
 *   2. The second pass compares each hit with the state of its diagonal. Most hits are far from the last one: the hit becomes the state.
 *   The pass puts the others into a queue and marks their diagonals, so that later hits on them go into the queue too.
 *   3. The third pass drops queued hits that overlap the last one or lie within an extension. Of two on a diagonal the later one waits.
 *   4. The fourth pass extends the rest; then the waiting hits are taken one by one.
 *
 * States have 16 bits: 2 x (position in the subject + base), or 2 x (position + base - window) + 1 if hits before the position lie in an
 * extension. One comparison then tells for both that a hit is far. A state that an earlier subject left is far from every hit.
 */
#include "lookup/two_hit_int16.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lookup/two_hit_extension.h"

enum {
    WORDS_AT_ONCE = 512,
    HITS_AT_ONCE = 2048,
    POSITIONS_AT_ONCE = 8, /* positions that are copied together */
    WAITS = 0xFFFF,        /* state of a diagonal that has a hit in the queue */
};

_Static_assert((int)WORD_LOOKUP_READ_BEYOND >= (int)POSITIONS_AT_ONCE, "positions are read beyond the last");

typedef uint16_t lanes __attribute__((vector_size(2 * POSITIONS_AT_ONCE)));

/* A scan in progress. Hits have the numbers 0 .. n_hits - 1, in the order of the subject. */
struct scan {
    const struct two_hit_queries *queries;
    const struct concatenated_queries *concatenated;
    const uint8_t *subject;
    struct two_hit_found *found;
    two_hit_extend *extend;
    uint16_t *last;
    uint32_t mask;
    int base, window, word_size;
    size_t n_hits, n_queue, n_waiting;
    uint16_t diagonals[HITS_AT_ONCE + POSITIONS_AT_ONCE]; /* (position - subject's offset) & mask */
    uint16_t ats[HITS_AT_ONCE + POSITIONS_AT_ONCE];       /* 2 x (subject's offset + base) */
    uint16_t queue[HITS_AT_ONCE], states[HITS_AT_ONCE];
    uint16_t waiting[HITS_AT_ONCE];
};

/* --- extension --- */

static void extend_by_residues(const struct concatenated_queries *queries, const uint8_t *subject, struct two_hit_job *jobs, size_t n)
{
    for (struct two_hit_job *job = jobs; job < jobs + n; job++) {
        const uint8_t *at = subject + job->subject;
        int64_t scored = two_hit_left(queries, job->position, at, job->x_drop, (struct two_hit_run){0, 0, 0});
        job->left = two_hit_length_of(scored);
        job->score = two_hit_score_of(scored);
        job->right = 0;
        job->went_right = job->left >= job->reach;
        if (job->went_right) {
            struct two_hit_run start = {(int64_t)job->score * (1 << 16), (int64_t)job->score * (1 << 16), 0};
            scored = two_hit_right(queries, job->position, at, job->x_drop, start, &job->stopped);
            job->right = two_hit_length_of(scored);
            job->score = two_hit_score_of(scored);
        }
    }
}

static two_hit_extend *extend_of(tms_simd simd)
{
#if TMS_HAVE_X86_SIMD
    if (simd == TMS_SIMD_AVX512 && two_hit_vbmi_usable())
        return two_hit_extend_vbmi;
#endif
    (void)simd;
    return extend_by_residues;
}

/* Number of residues of a word that have the best score. */
static inline int best_prefix(const int32_t *scores, const uint16_t *rows, const uint8_t *subject, int word_size)
{
    int64_t run = 0, best = 0;

    for (int i = 0; i < word_size; i++) {
        run += scores[rows[i] + subject[i]];
        best = two_hit_higher(best, run);
    }
    return two_hit_length_of(best);
}

static tms_status keep(struct two_hit_found *found, struct ungapped_hsp hsp, uint32_t query)
{
    if (!array_reserve(&found->hsps, &found->capacity, found->n + 1, sizeof *found->hsps))
        return TMS_E_MEMORY;
    found->hsps[found->n++] = (struct two_hit_hsp){hsp, query, 0};
    return TMS_OK;
}

static uint32_t query_at(const struct scan *s, int position)
{
    const struct two_hit_query *items = s->queries->items;
    uint32_t q = s->concatenated->query_near[position / TWO_HIT_NEAR];

    while (q + 1 < s->queries->n && items[q + 1].first_position <= position)
        q++;
    return q;
}

/* A queued hit near an earlier one. */
struct second_hit {
    int position, subject, first; /* first: the subject's offset of the earlier hit */
    uint32_t query;
};

static inline void make_job(const struct scan *s, uint32_t diagonal, uint32_t at, uint32_t state, struct second_hit *hit,
                            struct two_hit_job *job)
{
    const uint8_t *codes;
    int prefix;

    hit->subject = (int)(at / 2) - s->base;
    hit->first = (int)(state / 2) - s->base;
    hit->position = (int)((diagonal + (uint32_t)hit->subject) & s->mask);
    hit->query = query_at(s, hit->position);
    codes = s->subject + hit->subject;
    prefix = best_prefix(s->concatenated->scores, s->concatenated->rows + hit->position, codes, s->word_size);
    job->position = hit->position + prefix;
    job->subject = hit->subject + prefix;
    job->x_drop = s->queries->items[hit->query].x_drop;
    job->reach = job->subject - (hit->first + s->word_size);
}

/* Updates the diagonal's state, and keeps the extension if its score reaches the cutoff. */
static tms_status finish_job(const struct scan *s, const struct second_hit *hit, const struct two_hit_job *job, uint16_t *state)
{
    const struct two_hit_query *q = &s->queries->items[hit->query];
    struct ungapped_hsp hsp = {job->position - q->first_position - job->left, job->subject - job->left, job->left + job->right, job->score};

    *state = (uint16_t)(2 * (hit->subject + s->base));
    if (hit->position - q->first_position < hit->subject - hit->first) /* the first hit is another query's */
        return TMS_OK;
    s->found->n_extensions++;
    if (job->went_right)
        *state = (uint16_t)(2 * (job->subject + job->stopped - (s->word_size - 1) + s->base - s->window) + 1);
    return job->score < q->cutoff ? TMS_OK : keep(s->found, hsp, hit->query);
}

/* --- passes --- */

/* All bits set if a hit is not far from the state, else 0. Arithmetic, so that no compiler makes a branch of it. */
static inline uint32_t is_near(uint32_t at, uint32_t state, uint32_t window) { return 0u - ((at - (2 * window - 1) - state) >> 31); }

static void queue_near_hits(struct scan *s)
{
    uint16_t *last = s->last;
    const uint32_t window = (uint32_t)s->window;
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n_hits; i++) {
        uint16_t *of = &last[s->diagonals[i]];
        uint32_t state = *of, at = s->ats[i], near = is_near(at, state, window);
        *of = (uint16_t)(at | near);
        s->queue[n] = (uint16_t)i;
        s->states[n] = (uint16_t)state;
        n -= near;
    }
    s->n_queue = n;
}

/* Moves hits from the queue to the waiting hits if an earlier queued hit marks their diagonal. */
static void drop_overlaps(struct scan *s)
{
    const uint32_t window = (uint32_t)s->window, word_size = (uint32_t)s->word_size;
    uint32_t n = 0, n_waiting = 0;

    for (size_t k = 0; k < s->n_queue; k++) {
        uint32_t i = s->queue[k], at = s->ats[i], state = s->states[k], near, waits, ignored, waited;
        uint16_t *of = &s->last[s->diagonals[i]];
        waited = 0u - (state == WAITS);
        state = (state & ~waited) | (*of & waited);
        near = is_near(at, state, window);
        waits = 0u - (state == WAITS);
        ignored = ~waits & near & ((0u - state % 2) | (0u - ((at - state - 2 * word_size) >> 31)));
        *of = (uint16_t)((at & ~near) | (state & ignored) | (near & ~ignored));
        s->queue[n] = (uint16_t)i;
        s->states[n] = (uint16_t)state;
        n -= near & ~ignored & ~waits;
        s->waiting[n_waiting] = (uint16_t)i;
        n_waiting -= waits;
    }
    s->n_queue = n;
    s->n_waiting = n_waiting;
}

/* Takes a waiting hit: it followed a queued one on its diagonal, which is done by now. */
static tms_status take_waiting(struct scan *s, uint32_t i)
{
    uint16_t *of = &s->last[s->diagonals[i]];
    uint32_t at = s->ats[i], state = *of;
    struct second_hit hit;
    struct two_hit_job job;

    if (!is_near(at, state, (uint32_t)s->window)) {
        *of = (uint16_t)at;
        return TMS_OK;
    }
    if (state % 2 == 1 || (int)(at / 2) - (int)(state / 2) < s->word_size)
        return TMS_OK;
    make_job(s, s->diagonals[i], at, state, &hit, &job);
    s->extend(s->concatenated, s->subject, &job, 1);
    return finish_job(s, &hit, &job, of);
}

/* Extends n hits of the queue. */
static tms_status extend_some(struct scan *s, const uint16_t *queue, const uint16_t *states, size_t n)
{
    struct second_hit hits[TWO_HIT_JOBS];
    struct two_hit_job jobs[TWO_HIT_JOBS];
    tms_status status = TMS_OK;

    for (size_t k = 0; k < n; k++)
        make_job(s, s->diagonals[queue[k]], s->ats[queue[k]], states[k], &hits[k], &jobs[k]);
    s->extend(s->concatenated, s->subject, jobs, n);
    for (size_t k = 0; k < n && status == TMS_OK; k++)
        status = finish_job(s, &hits[k], &jobs[k], &s->last[s->diagonals[queue[k]]]);
    return status;
}

static tms_status extend_queue(struct scan *s)
{
    tms_status status = TMS_OK;

    for (size_t k = 0; k < s->n_queue && status == TMS_OK; k += TWO_HIT_JOBS)
        status = extend_some(s, s->queue + k, s->states + k, s->n_queue - k < TWO_HIT_JOBS ? s->n_queue - k : TWO_HIT_JOBS);
    for (size_t k = 0; k < s->n_waiting && status == TMS_OK; k++)
        status = take_waiting(s, s->waiting[k]);
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

static inline void copy_positions(const uint16_t *positions, int subject, uint32_t mask, lanes at, uint16_t *diagonals, uint16_t *ats)
{
    lanes d;

    memcpy(&d, positions, sizeof d);
    d = (d - (uint16_t)subject) & (uint16_t)mask;
    memcpy(diagonals, &d, sizeof d);
    memcpy(ats, &at, sizeof at);
}

/* Adds the hits of a word at `subject` that has more positions than there is space for. */
static tms_status add_many(struct scan *s, const uint16_t *positions, uint32_t n, int subject)
{
    const lanes at = (lanes){0} + (uint16_t)(2 * (subject + s->base));
    tms_status status = TMS_OK;

    while (n > 0 && status == TMS_OK) {
        uint32_t space = (uint32_t)(HITS_AT_ONCE - s->n_hits), n_now = n < space ? n : space;
        for (uint32_t i = 0; i < n_now; i += POSITIONS_AT_ONCE)
            copy_positions(positions + i, subject, s->mask, at, s->diagonals + s->n_hits + i, s->ats + s->n_hits + i);
        s->n_hits += n_now;
        positions += n_now;
        n -= n_now;
        if (s->n_hits == HITS_AT_ONCE)
            status = take_hits(s);
    }
    return status;
}

/* Adds the hits of n words from `first` on. Most words have few positions; these are copied without a branch on their number. */
static tms_status add_words(struct scan *s, const uint32_t *numbers, int n, int first)
{
    const struct word_lookup *words = s->queries->words;
    size_t n_hits = s->n_hits;
    tms_status status = TMS_OK;

    for (int subject = first; subject < first + n && status == TMS_OK; subject++) {
        const lanes at = (lanes){0} + (uint16_t)(2 * (subject + s->base));
        uint32_t n_positions, from = word_lookup_find(words, numbers[subject - first], &n_positions);
        const uint16_t *positions = words->positions16 + from;
        if (n_positions > HITS_AT_ONCE - n_hits) {
            s->n_hits = n_hits;
            status = add_many(s, positions, n_positions, subject);
            n_hits = s->n_hits;
            continue;
        }
        copy_positions(positions, subject, s->mask, at, s->diagonals + n_hits, s->ats + n_hits);
        for (uint32_t i = POSITIONS_AT_ONCE; i < n_positions; i += POSITIONS_AT_ONCE)
            copy_positions(positions + i, subject, s->mask, at, s->diagonals + n_hits + i, s->ats + n_hits + i);
        n_hits += n_positions;
    }
    s->n_hits = n_hits;
    return status;
}

/* --- a subject --- */

bool two_hit_int16_takes(const struct two_hit_queries *queries, int n)
{
    return queries->concatenated != NULL && n <= TWO_HIT_MOST_STATES - 2 * queries->window;
}

/* Copies the subject with a gap before and after; codes without a row of scores are replaced. */
static uint8_t *copy_subject(struct two_hit_diagonals *diagonals, const uint8_t *subject, int n)
{
    uint8_t *copy;

    if (!array_reserve(&diagonals->copy, &diagonals->copy_capacity, (size_t)n + 2 * TWO_HIT_MARGIN, 1))
        return NULL;
    copy = diagonals->copy + TWO_HIT_MARGIN;
    copy[-1] = copy[n] = 0;
    for (int i = 0; i < n; i++)
        copy[i] = subject[i] % RESIDUE_ROW;
    return copy;
}

/* Takes the words that begin at begin .. end - 1. */
static tms_status scan_range(struct scan *s, int begin, int end)
{
    uint32_t numbers[WORDS_AT_ONCE];
    tms_status status = TMS_OK;

    for (int first = begin; first < end && status == TMS_OK; first += WORDS_AT_ONCE) {
        int n_now = end - first < WORDS_AT_ONCE ? end - first : WORDS_AT_ONCE;
        word_lookup_words(s->queries->words, s->subject + first, n_now, numbers);
        status = add_words(s, numbers, n_now, first);
    }
    return status;
}

tms_status two_hit_int16_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject,
                              struct two_hit_diagonals *diagonals, struct two_hit_found *found)
{
    struct scan s;
    const int n = subject->n;
    tms_status status = TMS_OK;

    s.subject = copy_subject(diagonals, subject->codes, n);
    if (s.subject == NULL)
        return TMS_E_MEMORY;
    if (diagonals->base16 > TWO_HIT_MOST_STATES - n - queries->window) {
        memset(diagonals->last16, 0, ((size_t)diagonals->mask + 1) * sizeof *diagonals->last16);
        diagonals->base16 = queries->window;
    }
    s.queries = queries;
    s.concatenated = queries->concatenated;
    s.found = found;
    s.extend = extend_of(queries->simd);
    s.last = diagonals->last16;
    s.mask = diagonals->mask;
    s.base = diagonals->base16;
    s.window = queries->window;
    s.word_size = queries->words->word_size;
    s.n_hits = 0;
    for (size_t i = 0; i < two_hit_n_ranges(subject) && status == TMS_OK; i++) {
        const struct residue_range range = two_hit_range(subject, i);
        status = scan_range(&s, range.first, range.end - s.word_size + 1);
    }
    if (status == TMS_OK)
        status = take_hits(&s);
    diagonals->base16 += n + queries->window;
    return status;
}
