/*
 * false_hits.h - how many w-mers of a random read are hits.
 *
 * They are for two reasons, each of which comes in runs: the w-mer after one that is a hit is one too with probability q. By the filter's
 * false positives, because neighbours share their s-mers and their block; and by chance, because the w-mer is in the reference, and the
 * next one then with one letter in four. A read of n w-mers so has a Poisson number of runs for each reason, of mean n p (1 - q), of
 * geometric lengths: the Polya-Aeppli distribution, of which the two are added. Where hits are not rare a short read has room for few
 * runs: there w-mers are hits or not as a Markov chain goes on, with the same p and q.
 */
#ifndef TMS_FALSE_HITS_H
#define TMS_FALSE_HITS_H

#include <stdint.h>

struct false_hits {
    struct chance {
        double p; /* of a w-mer to be a hit, 0 .. 1 */
        double q; /* of the w-mer after a hit, 0 .. 1 */
    } by_filter, by_reference;
};

/* false_hits_tail() - the probability of `least` hits or more among n_words w-mers. */
double false_hits_tail(const struct false_hits *f, uint64_t n_words, uint64_t least);

#endif
