/*
 * block_waves.c - a simulation block by block: each event is the end of a block on some multiprocessor, which then starts the next block.
 *
 * A multiprocessor's blocks get nearly equal shares of its rate. The chip's limit slows all multiprocessors in proportion, so the order of
 * events does not depend on it: the simulation uses a clock without the chip's limit, and then stretches each step of
 * that clock.
 */
#include "model/block_waves.h"

#include <math.h>

#include "model/profile.h"

#define MOST_WAVES 4 /* with more waves, the first ones take the time of their work */

struct multiprocessor {
    double ends[MOST_ACTIVE_BLOCKS]; /* progress of a block of weight 1 at the end of each block; the last element ends first */
    double weights[MOST_ACTIVE_BLOCKS];
    double weight; /* sum of the weights of its blocks */
    double done;   /* progress of a block of weight 1 since the start */
    double share;  /* share of the chip's rate, about 1 */
    double next;   /* the clock at its next event */
    uint32_t n, turn;
};

struct state {
    const struct block_waves *w;
    struct multiprocessor all[MOST_MULTIPROCESSORS];
    uint32_t n, n_given;
    double clock, rate; /* rate: sum over all multiprocessors */
};

static double rate_of(const struct state *s, const struct multiprocessor *m) { return s->w->rates[m->n] * m->share; }

/* The clock at the end of the multiprocessor's next block. */
static void look_ahead(const struct state *s, struct multiprocessor *m)
{
    m->next = m->n ? s->clock + (m->ends[m->n - 1] - m->done) * m->weight / rate_of(s, m) : INFINITY;
}

/* Starts the next block, if any, on the multiprocessor, whose rate is not in the sum meanwhile. */
static void give(struct state *s, struct multiprocessor *m)
{
    const struct block_waves *w = s->w;
    if (s->n_given == w->n_blocks || m->n == w->active_blocks)
        return;
    const double weight = m->turn++ % 2 ? 1 + w->spread : 1 - w->spread;
    const double end = m->done + (s->n_given++ < w->n_large ? w->large_work : w->small_work) / weight;
    uint32_t at = m->n++;
    for (; at > 0 && m->ends[at - 1] < end; at--) {
        m->ends[at] = m->ends[at - 1];
        m->weights[at] = m->weights[at - 1];
    }
    m->ends[at] = end;
    m->weights[at] = weight;
    m->weight += weight;
}

static void begin(struct state *s)
{
    const struct block_waves *w = s->w;
    const double sum = w->rates[w->active_blocks] * s->n, throttle = rate_of_both(sum, w->chip_rate, w->q) / sum;
    s->n_given = 0;
    s->clock = s->rate = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        /* Neighbours have different shares, so that the blocks of a last partial wave do not all go to slow multiprocessors. */
        const double place = 2 * (double)((uint64_t)i * 7 % s->n) / s->n - 1 + 1.0 / s->n;
        s->all[i] = (struct multiprocessor){.share = 1 + w->spread * place * (1 - throttle)};
    }
    for (uint32_t round = 0; round < w->active_blocks; round++)
        for (uint32_t i = 0; i < s->n; i++)
            give(s, &s->all[i]);
    for (uint32_t i = 0; i < s->n; i++) {
        look_ahead(s, &s->all[i]);
        s->rate += s->all[i].n ? rate_of(s, &s->all[i]) : 0;
    }
}

/* Advances to the next event, if any, and adds the time until then to *seconds. */
static int step(struct state *s, double *seconds)
{
    const struct block_waves *w = s->w;
    struct multiprocessor *m = &s->all[0];
    for (uint32_t i = 1; i < s->n; i++)
        if (s->all[i].next < m->next)
            m = &s->all[i];
    if (m->n == 0)
        return 0;
    const double elapsed = m->next - s->clock;
    *seconds += isinf(w->chip_rate) ? elapsed : elapsed * s->rate / rate_of_both(s->rate, w->chip_rate, w->q);
    s->clock = m->next;
    s->rate -= rate_of(s, m);
    m->done = m->ends[m->n - 1];
    while (m->n > 0 && m->ends[m->n - 1] <= m->done * (1 + 1e-12))
        m->weight -= m->weights[--m->n];
    for (uint32_t i = m->n; i < w->active_blocks; i++)
        give(s, m);
    s->rate += m->n ? rate_of(s, m) : 0;
    look_ahead(s, m);
    return 1;
}

double block_waves_seconds(const struct block_waves *waves)
{
    struct block_waves w = *waves;
    struct state s;
    const uint64_t a_wave = (uint64_t)w.n_multiprocessors * w.active_blocks;
    double seconds = 0;
    if (a_wave == 0 || w.n_blocks == 0 || w.n_multiprocessors > MOST_MULTIPROCESSORS || w.active_blocks > MOST_ACTIVE_BLOCKS)
        return NAN;
    if (!(w.spread >= 0 && w.spread < 1) || !(w.small_work >= 0) || (w.n_large > 0 && !(w.large_work >= 0)))
        return NAN;                         /* time would stop or run backwards */
    if (w.n_blocks > MOST_WAVES * a_wave) { /* the first waves take the time of their work */
        const uint32_t n = (uint32_t)((w.n_blocks / a_wave - MOST_WAVES) * a_wave);
        const uint32_t n_large = n < w.n_large ? n : w.n_large;
        const double rate = rate_of_both(w.rates[w.active_blocks] * w.n_multiprocessors, w.chip_rate, w.q);
        seconds = (n_large * w.large_work + (n - n_large) * w.small_work) / rate;
        w.n_blocks -= n;
        w.n_large -= n_large;
    }
    s.w = &w;
    s.n = w.n_multiprocessors;
    begin(&s);
    while (step(&s, &seconds)) {
    }
    return seconds;
}
