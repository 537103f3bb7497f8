/*
 * false_hits.h - the distribution of hits of a random read.
 *
 * Hits have two causes, and both come in runs: the w-mer after a hit is a hit with probability q. One cause is the filter's false
 * positives, because neighbouring w-mers share s-mers and a block; the other is chance, because the reference contains the w-mer, and
 * one base in four then continues it. For each cause a read of n w-mers has a Poisson number of runs, with mean n p (1 - q) and
 * geometric lengths: the Polya-Aeppli distribution. The hits are the sum of two such variables. Where hits are not rare, a short read
 * has room for few runs; there a Markov chain with the same p and q gives the distribution.
 */
#ifndef TMS_FALSE_HITS_H
#define TMS_FALSE_HITS_H

#include <stdint.h>

struct false_hits {
    struct chance {
        double p; /* probability that a w-mer is a hit, 0 .. 1 */
        double q; /* probability that the w-mer after a hit is a hit, 0 .. 1 */
    } by_filter, by_reference;
};

/* false_hits_tail() - the probability of `least` hits or more among n_words w-mers. */
double false_hits_tail(const struct false_hits *f, uint64_t n_words, uint64_t least);

#endif
