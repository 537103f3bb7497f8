/* target_frequencies.h - joint probabilities with given sums and relative entropy, nearest to given ones. */
#ifndef TMS_TARGET_FREQUENCIES_H
#define TMS_TARGET_FREQUENCIES_H

#include <stdbool.h>

/*
 * target_frequencies() - [Yu & Altschul 2005], by Newton's method on the 400 probabilities and 40 multipliers.
 *   joint, target [in, out] 20 x 20, row after row
 *   rows, columns [in] what the rows and columns of target sum to, all above 0
 * Returns false if it does not converge; *n_iterations is set either way.
 */
bool target_frequencies(const double *joint, const double *rows, const double *columns, double *target, int *n_iterations);

#endif
