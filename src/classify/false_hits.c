/* false_hits.c - see false_hits.h. */
#include "classify/false_hits.h"

#include <math.h>
#include <string.h>

#define MOST_HITS   512   /* most hits for which the distribution is summed exactly */
#define MOST_RUNS   300.0 /* largest mean number of runs: exp(-runs) must not underflow */
#define MORE_TERMS  512   /* most terms summed beyond `least` for a tail ... */
#define NO_SHARE    1e-17 /* ... until they fall below this share of it, which changes no bit of the sum */
#define CHAIN_WORDS 512   /* most w-mers of a read for which the Markov chain is used ... */
#define CHAIN_P     0.01  /* ... if hits are at least this frequent */
#define LONGEST_Q   0.999 /* largest q of runs otherwise */

static double q_of(const struct chance *c) { return fmin(c->q, LONGEST_Q); }

static double mean_of(const struct chance *c, uint64_t n_words) { return (double)n_words * c->p; }

/*
 * at[n] = P(N = n) for n = 0 .. least - 1, and from[n] = P(N >= n) for n = 0 .. least, summed from the far end, so that
 * small values are accurate. With runs of mean r: n P(n) = (r (1 - q) + 2 q (n - 1)) P(n - 1) - q^2 (n - 2) P(n - 2).
 */
static void polya_aeppli(const struct chance *c, uint64_t n_words, uint32_t least, double *at, double *from)
{
    double q = q_of(c), mean = mean_of(c, n_words), runs = mean * (1 - q), before = 0, term = exp(-runs), tail = 0;
    at[0] = term;
    for (uint32_t n = 1; n < least + MORE_TERMS && !(n > least && n > mean && term < NO_SHARE * tail); n++) {
        double next = n == 1 ? runs * (1 - q) * term : ((runs * (1 - q) + 2 * q * (n - 1)) * term - q * q * (n - 2) * before) / n;
        before = term;
        term = fmax(next, 0);
        if (n < least)
            at[n] = term;
        else
            tail += term;
    }
    from[least] = tail;
    for (uint32_t n = least; n > 0; n--)
        from[n - 1] = fmin(1, from[n] + at[n - 1]);
}

/*
 * The same distributions by the Markov chain, w-mer by w-mer: hit[n] and miss[n] are the probabilities of n hits so far, with the last
 * w-mer a hit or not; the state with `least` hits is absorbing.
 */
static void chain(const struct chance *c, uint64_t n_words, uint32_t least, double *at, double *from)
{
    double hit[MOST_HITS + 1] = {0}, miss[MOST_HITS + 1] = {0}, done = 0;
    double begin = c->p < 1 ? fmin(1, c->p * (1 - c->q) / (1 - c->p)) : 1, q = c->p < 1 ? c->q : 1;
    hit[0] = c->p; /* index n - 1: the first hit is not counted yet */
    miss[0] = 1 - c->p;
    for (uint64_t i = 0; i < n_words; i++) {
        /* hit[] and miss[] already hold the next w-mer's state: count its hit and draw the state after it. */
        double counted = 0;
        for (uint32_t n = 0; n < least; n++) {
            double is_hit = counted, is_miss = miss[n];
            counted = hit[n];
            hit[n] = is_hit * q + is_miss * begin;
            miss[n] = is_hit * (1 - q) + is_miss * (1 - begin);
        }
        done += counted;
    }
    for (uint32_t n = 0; n < least; n++)
        at[n] = hit[n] + miss[n];
    from[least] = fmin(1, done);
    for (uint32_t n = least; n > 0; n--)
        from[n - 1] = fmin(1, from[n] + at[n - 1]);
}

static void distribution(const struct chance *c, uint64_t n_words, uint32_t least, double *at, double *from)
{
    if (c->p >= CHAIN_P && n_words <= CHAIN_WORDS)
        chain(c, n_words, least, at, from);
    else
        polya_aeppli(c, n_words, least, at, from);
}

/* The logarithm K of the generating function at log z, with its first and second derivatives. */
static void cumulants(const struct chance *c, uint64_t n_words, double z, double k[3])
{
    double q = q_of(c), runs = mean_of(c, n_words) * (1 - q), rest = 1 - q * z;
    k[0] += runs * (z - 1) / rest;
    k[1] += runs * (1 - q) * z / (rest * rest);
    k[2] += runs * (1 - q) * z * (1 + q * z) / (rest * rest * rest);
}

static void cumulants_of_both(const struct false_hits *f, uint64_t n_words, double z, double k[3])
{
    memset(k, 0, 3 * sizeof *k);
    cumulants(&f->by_filter, n_words, z, k);
    cumulants(&f->by_reference, n_words, z, k);
}

/* The saddle-point approximation of a tail [Lugannani and Rice 1980], for integers: within 1 % for this many hits. */
static double many_hits_tail(const struct false_hits *f, uint64_t n_words, uint64_t least)
{
    double x = (double)least - 0.5, low = 0, high = 1 / fmax(0.25, fmax(q_of(&f->by_filter), q_of(&f->by_reference))), z = 1, k[3] = {0};
    for (int i = 0; i < 100 && high - low > 1e-13; i++) { /* bisect for the tilt whose mean is x */
        z = low + (high - low) / 2;
        cumulants_of_both(f, n_words, z, k);
        if (k[1] < x)
            low = z;
        else
            high = z;
    }
    double t = log(z), w = copysign(sqrt(fmax(0, 2 * (x * t - k[0]))), t), u = 2 * sinh(t / 2) * sqrt(k[2]);
    if (fabs(w) < 1e-3)
        return 0.5;
    return fmin(1, fmax(0, 0.5 * erfc(w / sqrt(2)) + exp(-w * w / 2) / sqrt(2 * acos(-1)) * (1 / u - 1 / w)));
}

double false_hits_tail(const struct false_hits *f, uint64_t n_words, uint64_t least)
{
    double at[2][MOST_HITS + 1], from[2][MOST_HITS + 1];
    double mean = mean_of(&f->by_filter, n_words) + mean_of(&f->by_reference, n_words), sum;
    if (least == 0)
        return 1;
    if (n_words < least || mean <= 0)
        return 0;
    if (least > MOST_HITS || (mean > MOST_RUNS && n_words > CHAIN_WORDS))
        return many_hits_tail(f, n_words, least);
    distribution(&f->by_filter, n_words, (uint32_t)least, at[0], from[0]);
    distribution(&f->by_reference, n_words, (uint32_t)least, at[1], from[1]);
    sum = from[0][least];
    for (uint32_t n = 0; n < least; n++)
        sum += at[0][n] * from[1][least - n];
    return fmin(1, sum);
}
