/* false_hits.c - see false_hits.h. */
#include "classify/false_hits.h"

#include <math.h>

#define MOST_RUNS  300.0 /* in the mean, from which on the distribution is normal, for our purposes */
#define MOST_HITS  256
#define MORE_TERMS 512 /* of a tail */

static double mean_of(const struct chance *c, uint64_t n_words) { return (double)n_words * c->p; }

static double variance_of(const struct chance *c, uint64_t n_words) { return mean_of(c, n_words) * (1 + c->q) / (1 - c->q); }

/*
 * at[n] = P(N = n) for n = 0 .. least - 1, and from[n] = P(N >= n) for n = 0 .. least, summed from the far end so that it is right where
 * it is small, too. With runs of mean r: n P(n) = (r (1 - q) + 2 q (n - 1)) P(n - 1) - q^2 (n - 2) P(n - 2).
 */
static void polya_aeppli(const struct chance *c, uint64_t n_words, uint32_t least, double *at, double *from)
{
    double q = c->q, runs = mean_of(c, n_words) * (1 - q), before = 0, term = exp(-runs), tail = 0;
    at[0] = term;
    for (uint32_t n = 1; n < least + MORE_TERMS; n++) {
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

double false_hits_beyond(const struct false_hits *f, uint64_t n_words, double n_deviations)
{
    return mean_of(&f->by_filter, n_words) + mean_of(&f->by_reference, n_words) +
           n_deviations * sqrt(variance_of(&f->by_filter, n_words) + variance_of(&f->by_reference, n_words));
}

double false_hits_tail(const struct false_hits *f, uint64_t n_words, uint64_t least)
{
    double at[2][MOST_HITS + 1], from[2][MOST_HITS + 1];
    double runs = mean_of(&f->by_filter, n_words) + mean_of(&f->by_reference, n_words), sum;
    if (least == 0)
        return 1;
    if (n_words < least || runs <= 0)
        return 0;
    if (least > MOST_HITS || runs > MOST_RUNS) {
        double mean = false_hits_beyond(f, n_words, 0), deviation = false_hits_beyond(f, n_words, 1) - mean;
        return 0.5 * erfc(((double)least - 0.5 - mean) / (sqrt(2) * deviation));
    }
    polya_aeppli(&f->by_filter, n_words, (uint32_t)least, at[0], from[0]);
    polya_aeppli(&f->by_reference, n_words, (uint32_t)least, at[1], from[1]);
    sum = from[0][least];
    for (uint32_t n = 0; n < least; n++)
        sum += at[0][n] * from[1][least - n];
    return fmin(1, sum);
}
