/* target_frequencies.h - joint probabilities with given sums and relative entropy, nearest to given ones. */
#ifndef TMS_TARGET_FREQUENCIES_H
#define TMS_TARGET_FREQUENCIES_H

#include <stdbool.h>
#include <stddef.h>

#include "tamis/context.h"

/*
 * target_frequencies() - [Yu & Altschul 2005], by Newton's method on the 400 probabilities and 40 multipliers.
 *   joint, target [in, out] 20 x 20, row after row
 *   rows, columns [in] what the rows and columns of target sum to, all above 0
 * Returns false if it does not converge; *n_iterations is set either way.
 */
bool target_frequencies(const double *joint, const double *rows, const double *columns, double *target, int *n_iterations);

/* What it is given for a pair of sequences, and what it finds. */
struct target_pair {
    const double *columns;
    double *target; /* of no use if it does not converge */
    int n_iterations;
    bool converges;
};

/* target_frequencies_of() - n pairs with the same joint and rows. Results are the same for each simd, to the last bit. */
void target_frequencies_of(tms_simd simd, const double *joint, const double *rows, struct target_pair *pairs, size_t n);

#if TMS_HAVE_X86_SIMD
void target_frequencies_avx2(const double *joint, const double *rows, struct target_pair *pairs, size_t n);
void target_frequencies_avx512(const double *joint, const double *rows, struct target_pair *pairs, size_t n);
#endif

#endif
