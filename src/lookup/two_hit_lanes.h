/*
 * two_hit_lanes.h - the passes of two_hit_passes.h, without branches that depend on a hit: a wrong guess of the processor costs as much as
 * thirty instructions. The file that includes this defines near_hits() and look_up_pairs().
 *
 * Bounds are computed for TWO_HIT_LANES candidates at once, from sums of the scores of two neighbouring residues. A sum hides a score
 * that is higher after the first of the two; `slack` of the queries is the most that this may be. Each round takes ROUND_PAIRS pairs on one
 * side of the candidates that go on there.
 */
#ifndef TMS_TWO_HIT_LANES_H
#define TMS_TWO_HIT_LANES_H

#include "lookup/two_hit_passes.h"
#include "lookup/two_hit_sieve_core.h"

#include <string.h>

enum { ROUND_PAIRS = 8, POSITIONS_AT_ONCE = 16 };

enum { LONG_LISTS = 100000 /* more positions in a table: most words have more than POSITIONS_AT_ONCE */ };

_Static_assert((int)WORD_LOOKUP_READ_BEYOND >= 2 * (int)POSITIONS_AT_ONCE, "positions are read beyond the last");

typedef int8_t lane_scores[TWO_HIT_LANES];

/* Bit i is set if ats[i] - before[i] is `least` or more, and less than `end`. Reads TWO_HIT_LANES of both. */
static inline uint32_t near_hits(const uint8_t *ats, const uint8_t *before, int least, int end);

/* Bit i is set if flags[i], 0 or -1, is not 0. */
static inline uint32_t flagged(const int8_t *flags);

/* Scores of the ROUND_PAIRS pairs from query[i] and subject[i] on for each of n lanes, as scores[pair][lane]. */
static inline void look_up_pairs(const int8_t *pair_scores, const uint16_t *const *query, const uint32_t *const *subject, size_t n,
                                 lane_scores *scores);

/* --- hits --- */

typedef uint16_t position_lanes __attribute__((vector_size(2 * POSITIONS_AT_ONCE)));
typedef uint8_t at_lanes __attribute__((vector_size(POSITIONS_AT_ONCE)));

/* Hits of a chunk. Entries and `ats` are written beyond the last hit. */
struct chunk_hits {
    uint16_t entries[TWO_HIT_CHUNK_HITS + 2 * POSITIONS_AT_ONCE]; /* where their diagonals are in chunk.last */
    uint8_t ats[TWO_HIT_CHUNK_HITS + 2 * POSITIONS_AT_ONCE];      /* their positions as they are remembered */
    uint8_t before[TWO_HIT_CHUNK_HITS + TWO_HIT_LANES];           /* what was remembered before */
};

static inline void copy_positions(const uint16_t *positions, position_lanes shift, at_lanes at, struct chunk_hits *hits, size_t i)
{
    position_lanes p;

    memcpy(&p, positions, sizeof p);
    p += shift;
    memcpy(hits->entries + i, &p, sizeof p);
    memcpy(hits->ats + i, &at, sizeof at);
}

/*
 * Chooses the chunk's words that may have positions, in their order. Returns their number. In a sparse table most words have none: those
 * are left out here, without branches, and the entries of the others are read ahead.
 */
static inline size_t choose_words(const struct two_hit_chunk *c, uint8_t *chosen)
{
    const struct word_lookup *words = c->words;
    size_t n = 0;

    if (words->present == NULL) {
        for (int k = c->next; k < c->n_words; k++)
            chosen[n++] = (uint8_t)k;
        return n;
    }
    for (int k = c->next; k < c->n_words; k++) {
        const uint32_t word = c->numbers[k];
        chosen[n] = (uint8_t)k;
        n += words->present[word / 64] >> word % 64 & 1;
    }
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(&words->starts[word_lookup_entry(words, c->numbers[chosen[i]])]);
    return n;
}

/* Writes the hits of words one after the other. Most words have few positions; these are copied without a branch on their number. */
static inline size_t collect(struct two_hit_chunk *c, struct chunk_hits *hits)
{
    const struct word_lookup *words = c->words;
    const bool has_long_lists = words->n_positions > LONG_LISTS && words->present == NULL;
    uint8_t chosen[TWO_HIT_CHUNK_WORDS + 1];
    const size_t n_chosen = choose_words(c, chosen);
    size_t n = 0;

    for (size_t w = 0; w < n_chosen; w++) {
        const int word = chosen[w];
        const position_lanes shift = (position_lanes){0} + (uint16_t)(c->n_words - 1 - word);
        const at_lanes at = (at_lanes){0} + (uint8_t)(c->at + word);
        uint32_t n_positions, n_now, first = word_lookup_find(words, c->numbers[word], &n_positions);
        const uint16_t *positions = words->positions16 + first + c->n_taken;
        if (has_long_lists)
            __builtin_prefetch(&words->positions16[words->starts[c->numbers[word + TWO_HIT_WORDS_AHEAD]]]);
        n_positions -= c->n_taken;
        n_now = n_positions < TWO_HIT_CHUNK_HITS - n ? n_positions : (uint32_t)(TWO_HIT_CHUNK_HITS - n);
        copy_positions(positions, shift, at, hits, n);
        if (has_long_lists)
            copy_positions(positions + POSITIONS_AT_ONCE, shift, at, hits, n + POSITIONS_AT_ONCE);
        for (uint32_t i = has_long_lists ? 2 * POSITIONS_AT_ONCE : POSITIONS_AT_ONCE; i < n_now; i += POSITIONS_AT_ONCE)
            copy_positions(positions + i, shift, at, hits, n + i);
        n += n_now;
        if (n_now < n_positions) {
            c->n_taken += n_now;
            c->next = word;
            return n;
        }
        c->n_taken = 0;
    }
    c->next = c->n_words;
    return n;
}

/* later_by[d]: by how much a hit d residues after the remembered one changes what is remembered: not at all if they overlap. */
static inline void count_later(unsigned word_size, uint8_t *later_by)
{
    for (unsigned d = 0; d <= UINT8_MAX; d++)
        later_by[d] = (uint8_t)(d < word_size ? 0 : d);
}

/*
 * Remembers hits, in their order, except those that overlap the remembered one (sieve_hit()). A table decides: compilers make a branch of a
 * comparison.
 */
static inline void remember(uint8_t *restrict last, struct chunk_hits *restrict hits, size_t n, const uint8_t *restrict later_by)
{
    const uint16_t *restrict entries = hits->entries;
    const uint8_t *restrict ats = hits->ats;
    uint8_t *restrict befores = hits->before;

#pragma GCC unroll 4
    for (size_t i = 0; i < n; i++) {
        const size_t entry = entries[i], before = last[entry];
        befores[i] = (uint8_t)before;
        last[entry] = (uint8_t)(before + later_by[ats[i] - before]);
    }
}

static size_t take_hits(struct two_hit_chunk *c, struct two_hit_candidate *candidates)
{
    struct chunk_hits hits;
    const size_t n = collect(c, &hits);
    uint8_t later_by[UINT8_MAX + 1];
    size_t n_candidates = 0;

    c->n_hits += n;
    count_later((unsigned)c->word_size, later_by);
    remember(c->last, &hits, n, later_by);
    for (size_t i = 0; i < n; i += TWO_HIT_LANES) {
        uint32_t near = near_hits(hits.ats + i, hits.before + i, c->word_size, c->near);
        if (n - i < TWO_HIT_LANES)
            near &= ((uint32_t)1 << (n - i)) - 1;
        for (; near != 0; near &= near - 1) {
            const size_t k = i + (size_t)__builtin_ctz(near);
            const int word = hits.ats[k] - c->at;
            struct two_hit_candidate *out = &candidates[n_candidates++];
            out->subject = c->subject + word;
            out->position = (uint16_t)(hits.entries[k] - (c->n_words - 1 - word));
            out->distance = (uint8_t)(hits.ats[k] - hits.before[k]);
        }
    }
    return n_candidates;
}

/* --- bounds --- */

/* One side of each candidate of a round. */
struct side {
    lane_scores run, best, x_drop, least;
    lane_scores least_left;                                  /* what is left of `least` for this side */
    int8_t alive[TWO_HIT_LANES];                             /* -1, or 0 if the extension has ended */
    int8_t n_alive[TWO_HIT_LANES], n_between[TWO_HIT_LANES]; /* n_alive: pairs after which it went on */
};

/*
 * Takes ROUND_PAIRS pairs. The sum of a pair with a gap is TWO_HIT_GAP_PAIR less than what an extension may gain before the gap; no other
 * sum is so low. A run of a score of TWO_HIT_LEAST_MOST and more may wrap; its candidate passes.
 */
static inline void extend_side(struct side *side, const lane_scores *scores)
{
    memset(side->alive, -1, sizeof side->alive);
    memset(side->n_alive, 0, sizeof side->n_alive);
    for (int i = 0; i < ROUND_PAIRS; i++)
        for (int k = 0; k < TWO_HIT_LANES; k++) {
            const int8_t run = (int8_t)(side->run[k] + (scores[i][k] & side->alive[k]));
            const int8_t best = run > side->best[k] ? run : side->best[k];
            const int8_t goes_on = (int8_t)(best - run) < side->x_drop[k] ? -1 : 0;
            side->run[k] = run;
            side->best[k] = best;
            side->alive[k] &= goes_on;
            side->n_alive[k] = (int8_t)(side->n_alive[k] - side->alive[k]);
        }
    for (int k = 0; k < TWO_HIT_LANES; k++) {
        const int8_t before_gap = (int8_t)(side->run[k] + TWO_HIT_GAP_PAIR), drop = (int8_t)(side->best[k] - side->run[k]);
        const int8_t best = before_gap > side->best[k] ? before_gap : side->best[k];
        side->best[k] = drop > TWO_HIT_MOST_X_DROP ? best : side->best[k];
    }
}

static inline void gather_side(const struct two_hit_candidate *c, size_t n, struct side *side)
{
    for (size_t k = 0; k < n; k++) {
        side->run[k] = c[k].run;
        side->best[k] = c[k].best;
        side->x_drop[k] = (int8_t)c[k].x_drop;
        side->least[k] = c[k].least;
        side->least_left[k] = c[k].least_left;
        side->n_between[k] = (int8_t)c[k].n_between;
    }
}

/* Where the pairs of a position are. */
static inline const uint16_t *query_pairs(const struct concatenated_queries *queries, int position)
{
    return queries->pairs + (position & 1) * (ptrdiff_t)queries->half + (position >> 1);
}

static inline const uint32_t *subject_pairs(const struct two_hit_bounded *in, int subject)
{
    return in->pairs + (subject & 1) * (ptrdiff_t)in->half + (subject >> 1);
}

/* Scores of the pairs that begin `shift` residues after the candidates, and at every second residue on. */
static inline void look_up_side(const struct two_hit_bounded *in, const struct two_hit_candidate *c, size_t n, int shift,
                                lane_scores *scores)
{
    const uint16_t *query[TWO_HIT_LANES];
    const uint32_t *subject[TWO_HIT_LANES];

    for (size_t k = 0; k < n; k++) {
        query[k] = query_pairs(in->queries, c[k].position + shift);
        subject[k] = subject_pairs(in, c[k].subject + shift);
    }
    look_up_pairs(in->queries->pair_scores, query, subject, n, scores);
}

static inline uint32_t first_lanes(size_t n) { return n < TWO_HIT_LANES ? ((uint32_t)1 << n) - 1 : UINT32_MAX; }

/* Copies candidates to `to`, with their side. Returns their number. */
static inline size_t copy_chosen(uint32_t chosen, const struct two_hit_candidate *c, const struct side *side, struct two_hit_candidate *to)
{
    size_t n = 0;

    for (; chosen != 0; chosen &= chosen - 1) {
        const size_t k = (size_t)__builtin_ctz(chosen);
        to[n] = c[k];
        to[n].run = side->run[k];
        to[n].best = side->best[k];
        to[n++].n_between = (uint8_t)side->n_between[k];
    }
    return n;
}

/*
 * Takes pairs number `round` x ROUND_PAIRS and further to the left. Returns the number of candidates that go on there. Adds those to `done`
 * that have reached the earlier hit, or may score enough without the right side.
 */
static size_t bound_left(const struct two_hit_bounded *in, struct two_hit_candidate *c, size_t n, int round, struct two_hit_candidate *done,
                         size_t *n_done)
{
    lane_scores scores[ROUND_PAIRS], leftwards[ROUND_PAIRS];
    struct side side;
    size_t n_on = 0;

    for (size_t from = 0; from < n; from += TWO_HIT_LANES) {
        const size_t n_now = n - from < TWO_HIT_LANES ? n - from : TWO_HIT_LANES;
        int8_t is_done[TWO_HIT_LANES], goes_on[TWO_HIT_LANES];
        gather_side(c + from, n_now, &side);
        look_up_side(in, c + from, n_now, -2 * ROUND_PAIRS * (round + 1), scores);
        for (int i = 0; i < ROUND_PAIRS; i++)
            memcpy(leftwards[i], scores[ROUND_PAIRS - 1 - i], sizeof leftwards[i]);
        extend_side(&side, leftwards);
        for (int k = 0; k < TWO_HIT_LANES; k++) {
            const int8_t left = (int8_t)(side.n_between[k] - side.n_alive[k]), n_between = left > 0 ? left : 0;
            const int8_t passes = side.best[k] >= side.least[k] ? -1 : 0, may_suffice = side.best[k] >= side.least_left[k] ? -1 : 0;
            const int8_t has_reached = n_between == 0 ? -1 : 0;
            side.n_between[k] = n_between;
            goes_on[k] = (int8_t)(side.alive[k] & ~passes);
            is_done[k] = (int8_t)(passes | (~side.alive[k] & (has_reached | may_suffice)));
        }
        *n_done += copy_chosen(flagged(is_done) & first_lanes(n_now), c + from, &side, done + *n_done);
        n_on += copy_chosen(flagged(goes_on) & first_lanes(n_now), c + from, &side, c + n_on);
    }
    return n_on;
}

/*
 * Takes the residues within which an extension may start: up to the end of the last of the words that begin up to word_size - 1 after the
 * candidate (Kadane). Returns the number of candidates that need the right side, or pass.
 */
static size_t bound_within(const struct two_hit_bounded *in, struct two_hit_candidate *c, size_t n)
{
    const struct concatenated_queries *queries = in->queries;
    const int n_within = 2 * in->word_size - 1;
    size_t n_on = 0;

    for (size_t k = 0; k < n; k++) {
        struct two_hit_candidate now = c[k];
        const uint8_t *query = queries->codes + now.position, *subject = in->codes + now.subject;
        int run = now.best, most = run;
        for (int i = 0; i < n_within; i++) {
            run += queries->rows[RESIDUE_ROW * query[i] + subject[i]];
            run = run > 0 ? run : 0;
            most = most > run ? most : run;
        }
        run = run < TWO_HIT_LEAST_MOST ? run : TWO_HIT_LEAST_MOST;
        now.least_left = (int8_t)(most >= now.least ? 0 : now.least - run);
        now.run = now.best = 0;
        c[n_on] = now;
        n_on += (unsigned)(now.n_between == 0) | (most >= now.least);
    }
    return n_on;
}

/* Same to the right, from behind the residues of bound_within(). Candidates whose bound reaches `least` are added to `passed`. */
static size_t bound_right(const struct two_hit_bounded *in, struct two_hit_candidate *c, size_t n, int round,
                          struct two_hit_candidate *passed, size_t *n_passed)
{
    lane_scores scores[ROUND_PAIRS];
    struct side side;
    size_t n_on = 0;

    for (size_t from = 0; from < n; from += TWO_HIT_LANES) {
        const size_t n_now = n - from < TWO_HIT_LANES ? n - from : TWO_HIT_LANES;
        int8_t passes[TWO_HIT_LANES], goes_on[TWO_HIT_LANES];
        gather_side(c + from, n_now, &side);
        look_up_side(in, c + from, n_now, 2 * in->word_size - 1 + 2 * ROUND_PAIRS * round, scores);
        extend_side(&side, scores);
        for (int k = 0; k < TWO_HIT_LANES; k++) {
            passes[k] = side.best[k] >= side.least_left[k] ? -1 : 0;
            goes_on[k] = (int8_t)(side.alive[k] & ~passes[k]);
        }
        *n_passed += copy_chosen(flagged(passes) & first_lanes(n_now), c + from, &side, passed + *n_passed);
        n_on += copy_chosen(flagged(goes_on) & first_lanes(n_now), c + from, &side, c + n_on);
    }
    return n_on;
}

static size_t bound_candidates(const struct two_hit_bounded *in, struct two_hit_candidate *candidates, size_t n,
                               struct two_hit_candidate *spare)
{
    const struct concatenated_queries *queries = in->queries;
    size_t n_done = 0, n_passed = 0;

    for (size_t i = 0; i < n; i++) {
        struct two_hit_candidate *c = &candidates[i];
        const struct two_hit_bounds *limits = &queries->limits[c->position / TWO_HIT_NEAR];
        const int between = c->distance - (2 * in->word_size - 1);
        c->x_drop = limits->x_drop;
        c->least = limits->least;
        c->n_between = (uint8_t)(between > 0 ? between / 2 : 0);
        c->least_left = (int8_t)sieve_more(c->least - limits->within, INT8_MIN);
        c->run = c->best = 0;
    }
    for (int round = 0; n > 0; round++)
        n = bound_left(in, candidates, n, round, spare, &n_done);
    n_done = bound_within(in, spare, n_done);
    for (int round = 0; n_done > 0; round++)
        n_done = bound_right(in, spare, n_done, round, candidates, &n_passed);
    return n_passed;
}

#endif
