/* sum_statistics.c - the formulas of sum_statistics.h, in the order in which BLAST evaluates them. */
#include "score/sum_statistics.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "score/blast_math.h"

#define MOST_EVALUE 2147483647.0

/*
 * Probabilities of sums of 2, 3 and 4 HSPs, from the greatest sum down by halves: the last entry is that of -2 n_hsps + 1/2. The first
 * three entries for 3 HSPs are beyond the sums that are looked up.
 */
static const double sums_of_2[] = {.01669, .0249, .03683, .05390, .07794, .1111, .1559, .2146, .2890, .3794,
                                   .4836,  .5965, .7092,  .8114,  .8931,  .9490, .9806, .9944, .9989};
static const double sums_of_3[] = {.9806,   .9944,   .9989,   .0001682, .0002542, .0003829, .0005745, .0008587, .001278, .001893,
                                   .002789, .004088, .005958, .008627,  .01240,   .01770,   .02505,   .03514,   .04880,  .06704,
                                   .09103,  .1220,   .1612,   .2097,    .2682,    .3368,    .4145,    .4994,    .5881,   .6765,
                                   .7596,   .8326,   .8922,   .9367,    .9667,    .9846,    .9939,    .9980};
static const double sums_of_4[] = {
    2.658e-07, 4.064e-07, 6.203e-07, 9.450e-07, 1.437e-06, 2.181e-06, 3.302e-06, 4.990e-06, 7.524e-06, 1.132e-05, 1.698e-05,
    2.541e-05, 3.791e-05, 5.641e-05, 8.368e-05, .0001237,  .0001823,  .0002677,  .0003915,  .0005704,  .0008275,  .001195,
    .001718,   .002457,   .003494,   .004942,   .006948,   .009702,   .01346,    .01853,    .02532,    .03431,    .04607,
    .06128,    .08068,    .1051,     .1352,     .1719,     .2157,     .2669,     .3254,     .3906,     .4612,     .5355,
    .6110,     .6849,     .7544,     .8168,     .8699,     .9127,     .9451,     .9679,     .9827,     .9915,     .9963};

static const struct {
    const double *entries;
    int last;
} tables[] = {{sums_of_2, (int)(sizeof sums_of_2 / sizeof *sums_of_2) - 1},
              {sums_of_3, (int)(sizeof sums_of_3 / sizeof *sums_of_3) - 1},
              {sums_of_4, (int)(sizeof sums_of_4 / sizeof *sums_of_4) - 1}};
enum { LEAST_TABLE = 2, MOST_TABLE = 4 };

/* The density of a sum is an integral too [Karlin & Altschul 1993, eq. 4]. */
#define PRECISION 0.002
struct density {
    int n_hsps;
    double log_factor; /* of the density */
    double sum;        /* at which the density is computed; the outer integral does not use it */
};

static double density_integrand(double z, const void *data)
{
    const struct density *d = data;
    double e = exp(z - d->sum / d->n_hsps);

    return z == 0 ? 0 : exp((d->n_hsps - 2) * log(z) + (d->log_factor - d->sum) - e);
}

static double density_at(double sum, const void *data)
{
    struct density d = *(const struct density *)data;

    d.sum = sum;
    return romberg_integral(density_integrand, &d, 0, sum > 0 ? sum / d.n_hsps + 3.0 : 3.0, PRECISION, 1);
}

/* Whether the sum is so small that the probability is 1 to the precision of the integral. */
static bool is_certain(int n_hsps, double sum)
{
    static const struct {
        int below;
        double factor;
    } limits[] = {{8, -2.3}, {15, -2.5}, {27, -3.0}, {51, -3.4}, {101, -4.0}};

    for (int i = 0; i < (int)(sizeof limits / sizeof *limits); i++)
        if (n_hsps < limits[i].below)
            return sum <= limits[i].factor * n_hsps;
    return sum <= -n_hsps * (n_hsps - 1.0) - 4 * sqrt(n_hsps);
}

/* The probability for 5 HSPs and more: the integral of the density from the sum on. */
static double integrated(int n_hsps, double sum)
{
    enum { MOST_ROUNDS = 4 };
    double deviation = sqrt(n_hsps), mean = n_hsps * (1.0 - log(n_hsps)) - 0.5, p, to;
    struct density density = {.n_hsps = n_hsps};
    int rounds = sum >= mean ? 1 : 2;

    if (is_certain(n_hsps, sum) || sum <= mean - 4 * deviation)
        return 1;
    to = (sum >= mean ? sum : mean) + 6 * deviation;
    density.log_factor = (n_hsps - 2) * log(n_hsps) - log_gamma(n_hsps - 1) - log_gamma(n_hsps);
    do
        p = romberg_integral(density_at, &density, sum, to, PRECISION, rounds);
    while (sum < mean && p < 0.4 && rounds++ < MOST_ROUNDS);
    return fmin(p, 1);
}

double sum_probability(int n_hsps, double sum)
{
    assert(n_hsps >= 1);
    if (n_hsps == 1)
        return -exp_less_1(-exp(-sum));
    if (n_hsps > MOST_TABLE)
        return integrated(n_hsps, sum);
    if (sum >= n_hsps * n_hsps + n_hsps - 1) {
        double log_n = log_gamma(n_hsps + 1);
        return n_hsps * exp((n_hsps - 1) * log(sum) - sum - log_n - log_n);
    }
    if (sum > -2 * n_hsps) {
        const double *entries = tables[n_hsps - LEAST_TABLE].entries;
        double part = sum + sum + 4 * n_hsps;
        int halves = (int)part, i = tables[n_hsps - LEAST_TABLE].last - halves;
        part -= halves;
        return part * entries[i - 1] + (1.0 - part) * entries[i];
    }
    return 1;
}

double gap_decay_divisor(double decay, int n_hsps) { return (1.0 - decay) * power(decay, n_hsps - 1); }

/* The E-value of a chain whose sum has been made free of lengths. */
static double sum_evalue(const struct sum_space *space, double pair_space, int n_hsps, double sum)
{
    double p = sum_probability(n_hsps, sum), expected = p == 1 ? MOST_EVALUE : -log_of_1_and(-p);

    return expected * ((double)space->search_space / pair_space);
}

double small_gaps_evalue(const struct sum_space *space, int n_hsps, double sum, int query_starts, int subject_starts, double divisor)
{
    double pair_space = (double)space->subject_length * (double)space->query_length, evalue;

    if (n_hsps == 1) {
        evalue = (double)space->search_space * exp(-sum);
    } else {
        sum -= log(pair_space) + (n_hsps - 1) * (log((double)query_starts) + log((double)subject_starts));
        evalue = sum_evalue(space, pair_space, n_hsps, sum - log_factorial(n_hsps));
    }
    return fmin(evalue / divisor, MOST_EVALUE);
}

double large_gaps_evalue(const struct sum_space *space, int n_hsps, double sum, double divisor)
{
    double pair_space = (double)space->subject_length * (double)space->query_length, evalue;

    if (n_hsps == 1)
        evalue = (double)space->search_space * exp(-sum);
    else
        evalue = sum_evalue(space, pair_space, n_hsps, sum - (n_hsps * log(pair_space) - log_factorial(n_hsps)));
    return fmin(evalue / divisor, MOST_EVALUE);
}
