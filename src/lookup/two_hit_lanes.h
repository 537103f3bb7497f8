/*
 * two_hit_lanes.h - two_hit_bound() without branches that depend on a candidate. The file that includes this defines flagged() and
 * look_up_pairs().
 *
 * Bounds are computed for PAIR_LANES candidates at once, from sums of the scores of two neighbouring residues. A sum hides a score
 * that is higher after the first of the two; `slack` of the queries is the most that this may be. Each round takes ROUND_PAIRS pairs on one
 * side of the candidates that go on there.
 */
#ifndef TMS_PAIR_LANES_H
#define TMS_PAIR_LANES_H

#include "lookup/two_hit_passes.h"
#include "lookup/two_hit_sieve_core.h"

#include <string.h>

enum { ROUND_PAIRS = 8, PAIR_LANES = 32 };

typedef int8_t lane_scores[PAIR_LANES];

/* Bit i is set if flags[i], 0 or -1, is not 0. */
static inline uint32_t flagged(const int8_t *flags);

/* Scores of the ROUND_PAIRS pairs from query[i] and subject[i] on for each of n lanes, as scores[pair][lane]. */
static inline void look_up_pairs(const int8_t *pair_scores, const uint16_t *const *query, const uint32_t *const *subject, size_t n,
                                 lane_scores *scores);

/* A candidate, and how far it has been extended. */
struct bounded {
    int32_t subject;
    uint16_t position;
    uint8_t n_between; /* pairs of residues to the left which an extension has yet to pass before it reaches the earlier hit */
    uint8_t x_drop;
    int8_t least;      /* what a score has to reach */
    int8_t run, best;  /* of the side that is being extended */
    int8_t least_left; /* what the side has to reach: the left one by itself, with the words; the right one after the left one */
};

/* One side of each candidate of a round. */
struct side {
    lane_scores run, best, x_drop, least;
    lane_scores least_left;                            /* what is left of `least` for this side */
    int8_t alive[PAIR_LANES];                          /* -1, or 0 if the extension has ended */
    int8_t n_alive[PAIR_LANES], n_between[PAIR_LANES]; /* n_alive: pairs after which it went on */
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
        for (int k = 0; k < PAIR_LANES; k++) {
            const int8_t run = (int8_t)(side->run[k] + (scores[i][k] & side->alive[k]));
            const int8_t best = run > side->best[k] ? run : side->best[k];
            const int8_t goes_on = (int8_t)(best - run) < side->x_drop[k] ? -1 : 0;
            side->run[k] = run;
            side->best[k] = best;
            side->alive[k] &= goes_on;
            side->n_alive[k] = (int8_t)(side->n_alive[k] - side->alive[k]);
        }
    for (int k = 0; k < PAIR_LANES; k++) {
        const int8_t before_gap = (int8_t)(side->run[k] + TWO_HIT_GAP_PAIR), drop = (int8_t)(side->best[k] - side->run[k]);
        const int8_t best = before_gap > side->best[k] ? before_gap : side->best[k];
        side->best[k] = drop > TWO_HIT_MOST_X_DROP ? best : side->best[k];
    }
}

static inline void gather_side(const struct bounded *c, size_t n, struct side *side)
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
static inline void look_up_side(const struct two_hit_bounded *in, const struct bounded *c, size_t n, int shift, lane_scores *scores)
{
    const uint16_t *query[PAIR_LANES];
    const uint32_t *subject[PAIR_LANES];

    for (size_t k = 0; k < n; k++) {
        query[k] = query_pairs(in->queries, c[k].position + shift);
        subject[k] = subject_pairs(in, c[k].subject + shift);
    }
    look_up_pairs(in->queries->pair_scores, query, subject, n, scores);
}

static inline uint32_t first_lanes(size_t n) { return n < PAIR_LANES ? ((uint32_t)1 << n) - 1 : UINT32_MAX; }

/* Copies candidates to `to`, with their side. Returns their number. */
static inline size_t copy_chosen(uint32_t chosen, const struct bounded *c, const struct side *side, struct bounded *to)
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
static size_t bound_left(const struct two_hit_bounded *in, struct bounded *c, size_t n, int round, struct bounded *done, size_t *n_done)
{
    lane_scores scores[ROUND_PAIRS], leftwards[ROUND_PAIRS];
    struct side side;
    size_t n_on = 0;

    for (size_t from = 0; from < n; from += PAIR_LANES) {
        const size_t n_now = n - from < PAIR_LANES ? n - from : PAIR_LANES;
        int8_t is_done[PAIR_LANES], goes_on[PAIR_LANES];
        gather_side(c + from, n_now, &side);
        look_up_side(in, c + from, n_now, -2 * ROUND_PAIRS * (round + 1), scores);
        for (int i = 0; i < ROUND_PAIRS; i++)
            memcpy(leftwards[i], scores[ROUND_PAIRS - 1 - i], sizeof leftwards[i]);
        extend_side(&side, leftwards);
        for (int k = 0; k < PAIR_LANES; k++) {
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
static size_t bound_within(const struct two_hit_bounded *in, struct bounded *c, size_t n)
{
    const struct concatenated_queries *queries = in->queries;
    const int n_within = 2 * in->word_size - 1;
    size_t n_on = 0;

    for (size_t k = 0; k < n; k++) {
        struct bounded now = c[k];
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
static size_t bound_right(const struct two_hit_bounded *in, struct bounded *c, size_t n, int round, struct two_hit_candidates *passed,
                          size_t *n_passed)
{
    lane_scores scores[ROUND_PAIRS];
    struct side side;
    size_t n_on = 0;

    for (size_t from = 0; from < n; from += PAIR_LANES) {
        const size_t n_now = n - from < PAIR_LANES ? n - from : PAIR_LANES;
        int8_t passes[PAIR_LANES], goes_on[PAIR_LANES];
        gather_side(c + from, n_now, &side);
        look_up_side(in, c + from, n_now, 2 * in->word_size - 1 + 2 * ROUND_PAIRS * round, scores);
        extend_side(&side, scores);
        for (int k = 0; k < PAIR_LANES; k++) {
            passes[k] = side.best[k] >= side.least_left[k] ? -1 : 0;
            goes_on[k] = (int8_t)(side.alive[k] & ~passes[k]);
        }
        for (uint32_t chosen = flagged(passes) & first_lanes(n_now); chosen != 0; chosen &= chosen - 1) {
            const struct bounded *now = &c[from + (size_t)__builtin_ctz(chosen)];
            passed->subject[*n_passed] = now->subject;
            passed->position[(*n_passed)++] = now->position;
        }
        n_on += copy_chosen(flagged(goes_on) & first_lanes(n_now), c + from, &side, c + n_on);
    }
    return n_on;
}

static size_t bound_candidates(const struct two_hit_bounded *in, struct two_hit_candidates *candidates, size_t n, void *scratch)
{
    const struct concatenated_queries *queries = in->queries;
    struct bounded *begun = scratch, *done = begun + TWO_HIT_CANDIDATES + PAIR_LANES;
    size_t n_done = 0, n_passed = 0;

    for (size_t i = 0; i < n; i++) {
        struct bounded *c = &begun[i];
        const struct two_hit_bounds *limits = &queries->limits[candidates->position[i] / TWO_HIT_NEAR];
        const int between = candidates->distance[i] - (2 * in->word_size - 1);
        *c = (struct bounded){.subject = candidates->subject[i], .position = candidates->position[i]};
        c->n_between = (uint8_t)(between > 0 ? between / 2 : 0);
        c->x_drop = limits->x_drop;
        c->least = limits->least_of_pairs;
        c->least_left = (int8_t)sieve_more(c->least - limits->within, INT8_MIN);
    }
    for (int round = 0; n > 0; round++)
        n = bound_left(in, begun, n, round, done, &n_done);
    n_done = bound_within(in, done, n_done);
    for (int round = 0; n_done > 0; round++)
        n_done = bound_right(in, done, n_done, round, candidates, &n_passed);
    return n_passed;
}

#endif
