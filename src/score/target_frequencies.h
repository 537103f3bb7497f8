/* target_frequencies.h - the joint probabilities with given sums and relative entropy that are nearest to given ones. */
#ifndef TMS_TARGET_FREQUENCIES_H
#define TMS_TARGET_FREQUENCIES_H

#include <stdbool.h>
#include <stddef.h>

#include "score/logarithm_table.h"
#include "tamis/context.h"

/*
 * target_frequencies() - computes them by Newton's method on the 400 probabilities and 40 multipliers [Yu & Altschul 2005].
 *   joint, target [in, out] 20 x 20, row after row
 *   rows, columns [in] the sums of target's rows and columns, all above 0
 * Returns false if the iteration does not converge; sets *n_iterations in both cases.
 */
bool target_frequencies(const double *joint, const double *rows, const double *columns, double *target, int *n_iterations);

/* Input and output for one pair of sequences. */
struct target_pair {
    const double *rows, *columns; /* the sums of target's rows and columns, all above 0 */
    double *target;               /* undefined if the iteration does not converge */
    int n_iterations;
    bool converges;
};

/*
 * target_frequencies_of() - solves n pairs with the same joint. table: what logarithm_table_find() found, or NULL, which is slower. The
 * results depend neither on it nor on simd, to the last bit.
 */
void target_frequencies_of(tms_simd simd, const double *joint, const struct logarithm_table *table, struct target_pair *pairs, size_t n);

#if TMS_HAVE_X86_SIMD
void target_frequencies_avx2(const double *joint, const struct logarithm_table *table, struct target_pair *pairs, size_t n);
void target_frequencies_avx512(const double *joint, const struct logarithm_table *table, struct target_pair *pairs, size_t n);
#endif

#endif
