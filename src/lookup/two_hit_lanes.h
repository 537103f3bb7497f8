/*
 * two_hit_lanes.h - two_hit_bound() without branches that depend on a candidate. The file that includes this defines CANDIDATES_AT_ONCE,
 * how many bytes a vector has, and the functions that are declared here.
 *
 * Bounds are computed for LANES candidates at once, one residue after the other. Each round takes ROUND residues on one side of the
 * candidates that go on there.
 *
 * The bound is that of sieve_bound(), so no extension that reaches its cutoff is dropped; it stays one if a score is replaced by a higher
 * number, as score_hash.h does. In addition, an extension that ends to the left before it reaches the earlier hit has no right side: it
 * scores what it gained to the left, and what the words may add (`least_left`). The rule's extension ends there no later than the bound's.
 */
#ifndef TMS_TWO_HIT_LANES_H
#define TMS_TWO_HIT_LANES_H

#include "lookup/two_hit_passes.h"

#include <string.h>

enum { LANES = CANDIDATES_AT_ONCE, ROUND = 32 };

typedef int8_t score_lanes __attribute__((vector_size(LANES)));
typedef uint8_t wrapping_lanes __attribute__((vector_size(LANES)));

_Static_assert(2 * sizeof(struct two_hit_extended) <= (size_t)TWO_HIT_SCRATCH, "candidates at the beginning, and those done on the left");

static inline score_lanes more_of(score_lanes a, score_lanes b);

/* Bit i is set if flags[i], 0 or -1, is not 0. */
static inline uint32_t flagged(score_lanes flags);

/*
 * Scores, or bounds of them, of the ROUND residues that begin `shift` residues after each of n candidates, n at most LANES. Other lanes
 * have any scores. Scores are at least -TWO_HIT_GAP - TWO_HIT_LEAST; against a gap they are less than -TWO_HIT_MOST_X_DROP.
 */
static inline void look_up(const struct two_hit_bounded *in, const struct two_hit_extended *c, size_t from, size_t n, int shift,
                           score_lanes *scores);

static inline score_lanes load(const void *lanes)
{
    score_lanes loaded;

    memcpy(&loaded, lanes, sizeof loaded);
    return loaded;
}

static inline score_lanes all(int value) { return (score_lanes){0} + (int8_t)value; }

static inline score_lanes plus(score_lanes a, score_lanes b) { return (score_lanes)((wrapping_lanes)a + (wrapping_lanes)b); }

static inline score_lanes minus(score_lanes a, score_lanes b) { return (score_lanes)((wrapping_lanes)a - (wrapping_lanes)b); }

static inline score_lanes capped(score_lanes a)
{
    const score_lanes over = a > TWO_HIT_LEAST_MOST;

    return (a & ~over) | (all(TWO_HIT_LEAST_MOST) & over);
}

/* Extensions of candidates to one side. */
struct side {
    score_lanes run, top; /* also behind the end of the extension; top: the highest run, while the extension goes on `best` */
    score_lanes best;     /* 0 or more */
    score_lanes alive;    /* -1, or 0 if the extension has ended */
    score_lanes n_taken;  /* residues after which it went on */
    score_lanes n_between;
};

static inline struct side side_of(const struct two_hit_extended *c, size_t from)
{
    const score_lanes best = load(c->best + from);
    const struct side side = {load(c->run + from), best, best, all(-1), all(0), load(c->n_between + from)};

    return side;
}

/* Takes a score. A run may wrap behind the end of the extension, and if it was TWO_HIT_LEAST_MOST or more: then its candidate passes. */
static inline void take(struct side *side, score_lanes score, score_lanes x_drop)
{
    side->run = plus(side->run, score);
    side->top = more_of(side->top, side->run);
    side->best = more_of(side->best, side->run & side->alive);
    side->alive &= minus(side->top, side->run) < x_drop;
    side->n_taken -= side->alive;
}

/* Bit i is set for candidate i, if it is one of the first n and flags[i] is -1. */
static inline uint32_t chosen_of(score_lanes flags, size_t n)
{
    const uint32_t first = n < LANES ? ((uint32_t)1 << n) - 1 : UINT32_MAX;

    return flagged(flags) & first;
}

/* Copies the chosen ones of the candidates from `from` on to place n of `to`, which may be before them. Returns their number. */
static inline size_t copy_chosen(const struct two_hit_extended *c, size_t from, uint32_t chosen, const struct side *side,
                                 struct two_hit_extended *to, size_t n)
{
    int8_t run[LANES], best[LANES], n_between[LANES];
    size_t n_to = n;

    memcpy(run, &side->run, sizeof run);
    memcpy(best, &side->best, sizeof best);
    memcpy(n_between, &side->n_between, sizeof n_between);
    for (; chosen != 0; chosen &= chosen - 1) {
        const size_t k = (size_t)__builtin_ctz(chosen);
        to->subject[n_to] = c->subject[from + k];
        to->position[n_to] = c->position[from + k];
        to->n_between[n_to] = (uint8_t)n_between[k];
        to->x_drop[n_to] = c->x_drop[from + k];
        to->least[n_to] = c->least[from + k];
        to->least_left[n_to] = c->least_left[from + k];
        to->run[n_to] = run[k];
        to->best[n_to++] = best[k];
    }
    return n_to - n;
}

/*
 * Takes residues number `round` x ROUND and further to the left. Returns the number of candidates that go on there. Adds those to `done`
 * that have reached the earlier hit, or may score enough without the right side.
 */
static size_t bound_left(const struct two_hit_bounded *in, struct two_hit_extended *c, size_t n, int round, struct two_hit_extended *done,
                         size_t *n_done)
{
    score_lanes scores[ROUND];
    size_t n_on = 0;

    for (size_t from = 0; from < n; from += LANES) {
        const size_t n_now = n - from < LANES ? n - from : LANES;
        const score_lanes x_drop = load(c->x_drop + from);
        struct side side = side_of(c, from);
        score_lanes passes, is_done;
        look_up(in, c, from, n_now, -ROUND * (round + 1), scores);
#pragma GCC unroll 4
        for (int i = ROUND - 1; i >= 0; i--)
            take(&side, scores[i], x_drop);
        side.n_between = more_of(minus(side.n_between, side.n_taken), all(0));
        passes = side.best >= load(c->least + from);
        is_done = passes | (~side.alive & ((side.n_between == 0) | (side.best >= load(c->least_left + from))));
        *n_done += copy_chosen(c, from, chosen_of(is_done, n_now), &side, done, *n_done);
        n_on += copy_chosen(c, from, chosen_of(side.alive & ~passes, n_now), &side, c, n_on);
    }
    return n_on;
}

/*
 * Takes the residues within which an extension may start: up to the end of the last of the words that begin up to word_size - 1 after the
 * candidate (Kadane). Returns whether the bound has reached `least`.
 */
static inline score_lanes take_within(const score_lanes *scores, int width, score_lanes least, struct side *side)
{
    score_lanes most = side->best;

    side->run = capped(most);
    for (int i = 0; i < width; i++) {
        side->run = more_of(plus(side->run, scores[i]), all(0));
        most = more_of(most, side->run);
        side->run = capped(side->run);
    }
    side->best = side->top = side->run;
    return most >= least;
}

/* Same to the right, first within the words. Candidates whose bound reaches `least` are added to `passed`. */
static size_t bound_right(const struct two_hit_bounded *in, struct two_hit_extended *c, size_t n, int round,
                          struct two_hit_candidates *passed, size_t *n_passed)
{
    const int width = round == 0 ? 2 * in->word_size - 1 : 0;
    score_lanes scores[ROUND];
    size_t n_on = 0;

    for (size_t from = 0; from < n; from += LANES) {
        const size_t n_now = n - from < LANES ? n - from : LANES;
        const score_lanes x_drop = load(c->x_drop + from), least = load(c->least + from);
        struct side side = side_of(c, from);
        const score_lanes has_reached = side.n_between == 0;
        score_lanes passes = all(0);
        look_up(in, c, from, n_now, ROUND * round, scores);
        if (round == 0) {
            passes = take_within(scores, width, least, &side);
            side.alive = has_reached;
        }
#pragma GCC unroll 4
        for (int i = width; i < ROUND; i++)
            take(&side, scores[i], x_drop);
        passes |= has_reached & (side.best >= least);
        for (uint32_t bits = chosen_of(passes, n_now); bits != 0; bits &= bits - 1) {
            const size_t k = from + (size_t)__builtin_ctz(bits);
            passed->subject[*n_passed] = c->subject[k];
            passed->position[(*n_passed)++] = c->position[k];
        }
        n_on += copy_chosen(c, from, chosen_of(side.alive & ~passes, n_now), &side, c, n_on);
    }
    return n_on;
}

static void begin(const struct two_hit_bounded *in, const struct two_hit_candidates *candidates, size_t n, struct two_hit_extended *c)
{
    const int width = 2 * in->word_size - 1;

    for (size_t i = 0; i < n; i += LANES) {
        const score_lanes n_between = more_of(minus(load(candidates->distance + i), all(width)), all(0));
        memcpy(c->n_between + i, &n_between, sizeof n_between);
    }
    for (size_t i = 0; i < n; i++) {
        const struct two_hit_bounds limits = in->queries->limits[candidates->position[i] / TWO_HIT_NEAR];
        c->x_drop[i] = (int8_t)limits.x_drop;
        c->least[i] = limits.least;
        c->least_left[i] = (int8_t)limits.least_left;
    }
    memcpy(c->subject, candidates->subject, n * sizeof *c->subject);
    memcpy(c->position, candidates->position, n * sizeof *c->position);
    memset(c->run, 0, n);
    memset(c->best, 0, n);
}

static size_t bound_candidates(const struct two_hit_bounded *in, struct two_hit_candidates *candidates, size_t n, void *scratch)
{
    struct two_hit_extended *c = scratch, *done = c + 1;
    size_t n_done = 0, n_passed = 0;

    begin(in, candidates, n, c);
    for (int round = 0; n > 0; round++)
        n = bound_left(in, c, n, round, done, &n_done);
    for (int round = 0; n_done > 0; round++)
        n_done = bound_right(in, done, n_done, round, candidates, &n_passed);
    return n_passed;
}

#endif
