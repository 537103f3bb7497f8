/*
 * least_squares.h - fitting a model's coefficients to measurements, how far predictions are off, and confidence intervals.
 *
 * Pure functions: no memory is allocated, and different threads may work on different structs.
 */
#ifndef TMS_MODEL_LEAST_SQUARES_H
#define TMS_MODEL_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- y = c[0] x[0] + c[1] x[1] + ... ------------------------------------------------------------------------------------------- */

#define LEAST_SQUARES_MOST 8 /* unknowns */

/*
 * The equations so far, as the triangle of their QR decomposition: each one is turned into it by Givens rotations when it is added. So
 * there may be any number of them, and none of the digits is lost that the normal equations would lose by squaring. The columns are the
 * unknowns and, after them, the right-hand side.
 */
struct least_squares {
    int n_unknowns;
    size_t n;         /* equations */
    double residual2; /* the sum of squares that no choice of unknowns removes */
    double triangle[LEAST_SQUARES_MOST][LEAST_SQUARES_MOST + 1];
};

/* n_unknowns: 1 .. LEAST_SQUARES_MOST. A constant term is an unknown whose x is always 1. */
void least_squares_begin(struct least_squares *fit, int n_unknowns);

/*
 * least_squares_add() - one measurement.
 *   x      [in] n_unknowns numbers, finite
 *   weight [in] what the residual is multiplied by before it is squared: 1, or 1 / y to minimise relative errors
 */
void least_squares_add(struct least_squares *fit, const double *x, double y, double weight);

/*
 * least_squares_solve() - the unknowns with the least sum of squares, c[0 .. n_unknowns - 1].
 * Returns false, and leaves c as it is, if the equations do not determine them: too few, dependent (to the precision of double), or
 * numbers that are not finite.
 */
bool least_squares_solve(const struct least_squares *fit, double *c);

/*
 * least_squares_solve_positive() - the same among c >= 0: exact, by trying which unknowns are 0 (at most 255 ways). Dependent
 * equations do no harm: some of the unknowns are 0 then. Returns false, and leaves c as it is, if numbers are not finite.
 */
bool least_squares_solve_positive(const struct least_squares *fit, double *c);

/* ---- predictions against measurements ------------------------------------------------------------------------------------------ */

/* Relative errors are |predicted - measured| / measured. */
struct prediction_errors {
    size_t n;
    double r2;            /* 1 - (sum of squared errors) / (sum of squared distances from the mean); NaN if all measurements are equal */
    double median, worst; /* relative errors; the median of an even number is the mean of the two in the middle */
    size_t worst_at;      /* index of the first measurement with the worst error */
};

/*
 * prediction_errors_of() -
 *   measured [in]  n numbers above 0
 *   scratch  [out] room for n numbers; left undefined
 * Returns false, and leaves out as it is, if n is 0, a number is not finite, or a measurement is not above 0.
 */
bool prediction_errors_of(const double *predicted, const double *measured, size_t n, double *scratch, struct prediction_errors *out);

/* ---- confidence intervals of 95 % ---------------------------------------------------------------------------------------------- */

struct confidence {
    double low, high;
};

/* The 97.5 % quantile of Student's t distribution with so many degrees of freedom, 1 or more: 12.706 for 1, 1.960 for many. */
double student_quantile(uint64_t degrees);

/* Of the mean of n measurements x, by Student's t; with fewer than two: from -infinity to infinity. */
struct confidence mean_confidence(const double *x, size_t n);

/* The same from n measurements' mean and variance (the sum of squared distances from the mean over n - 1). */
struct confidence mean_confidence_of(double mean, double variance, size_t n);

/* Of a proportion of which n_hits of n trials are a sample (Wilson 1927); without trials: from 0 to 1. */
struct confidence proportion_confidence(uint64_t n_hits, uint64_t n);

#ifdef __cplusplus
}
#endif
#endif
