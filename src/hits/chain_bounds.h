/*
 * chain_bounds.h - how much the weights of a chain of HSPs are together at most, by the number of HSPs, if gaps may have any length.
 *
 * For each slope s, no chain has more than M(s) of weights less s each. So n HSPs have at most M(s) + n s. There are several slopes,
 * because each bounds chains of some lengths best.
 */
#ifndef TMS_CHAIN_BOUNDS_H
#define TMS_CHAIN_BOUNDS_H

#include "hits/chain_sweep.h"

enum { CHAIN_SLOPES = 14 };

struct chain_bounds {
    double slopes[CHAIN_SLOPES], most[CHAIN_SLOPES];
    int longest; /* most HSPs of a chain */
};

/*
 * chain_bounds_find() - bounds the chains of the HSPs of a sweep.
 *   weights [in] by the HSPs' numbers; 0: in no chain
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status chain_bounds_find(struct chain_sweep *sweep, const double *weights, struct chain_bounds *out);

/* chain_bounds_most() - what the weights of a chain of n HSPs are together, at most. */
double chain_bounds_most(const struct chain_bounds *bounds, int n);

#endif
