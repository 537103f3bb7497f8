/*
 * false_hits.h - how many w-mers of a random read are hits.
 *
 * Hits by chance come in runs: the w-mer after one that is a hit is one too with probability q, because they share their s-mers and
 * nearly all their letters. A read of n w-mers so has a Poisson number of runs, of mean n p (1 - q), each of a geometric length: the
 * Polya-Aeppli distribution.
 */
#ifndef TMS_FALSE_HITS_H
#define TMS_FALSE_HITS_H

#include <stdint.h>

struct false_hits {
    double p; /* of a w-mer to be a hit, 0 .. 1 */
    double q; /* of the w-mer after a hit, 0 .. below 1 */
};

/* false_hits_tail() - the probability of `least` hits or more among n_words w-mers. */
double false_hits_tail(const struct false_hits *f, uint64_t n_words, uint64_t least);

#endif
