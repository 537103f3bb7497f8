/* false_hits.c - see false_hits.h. */
#include "classify/false_hits.h"

#include <math.h>

#define MOST_MEAN 300.0 /* runs, from which on the distribution is normal, for our purposes */

double false_hits_tail(const struct false_hits *f, uint64_t n_words, uint64_t least)
{
    double mean = (double)n_words * f->p, runs = mean * (1 - f->q);
    if (least == 0)
        return 1;
    if (n_words < least || mean <= 0)
        return 0;
    if (runs > MOST_MEAN)
        return 0.5 * erfc(((double)least - 0.5 - mean) / sqrt(2 * mean * (1 + f->q) / (1 - f->q)));
    /* Terms up to `least`, then those from there on: the sum is right where it is small, too. */
    double before = 0, term = exp(-runs), below = 0, tail = 0;
    for (uint64_t n = 0;; n++) {
        if (n > 0) {
            double next = n == 1 ? runs * (1 - f->q) * term
                                 : ((runs * (1 - f->q) + 2 * f->q * (double)(n - 1)) * term - f->q * f->q * (double)(n - 2) * before) /
                                       (double)n;
            before = term;
            term = fmax(next, 0);
        }
        if (n < least)
            below += term;
        else
            tail += term;
        if ((double)n > mean && n >= least && (term < 1e-9 * tail || term == 0))
            break;
        if (below > 0 && n > n_words)
            break;
    }
    return fmin(1, tail);
}
