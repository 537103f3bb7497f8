/*
 * least_squares.h - least-squares fits of a model's coefficients, errors of predictions, and confidence intervals.
 *
 * Pure functions that allocate no memory; different threads may work on different structs.
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
 * The equations so far, as the triangle of their QR decomposition; Givens rotations merge each equation when it is added. So
 * there may be any number of equations, without the loss of digits of the normal equations. The columns are the
 * unknowns and, after them, the right-hand side.
 */
struct least_squares {
    int n_unknowns;
    size_t n;         /* number of equations */
    double residual2; /* the least sum of squared residuals over all unknowns */
    double triangle[LEAST_SQUARES_MOST][LEAST_SQUARES_MOST + 1];
};

/* n_unknowns: 1 .. LEAST_SQUARES_MOST. A constant term is an unknown whose x is always 1. */
void least_squares_begin(struct least_squares *fit, int n_unknowns);

/*
 * least_squares_add() - adds one measurement.
 *   x      [in] n_unknowns numbers, finite
 *   weight [in] factor of the residual before squaring: 1, or 1 / y to minimise relative errors
 */
void least_squares_add(struct least_squares *fit, const double *x, double y, double weight);

/*
 * least_squares_solve() - computes the unknowns with the least sum of squares, c[0 .. n_unknowns - 1].
 * Returns false, with c unchanged, if the equations do not determine them: too few, dependent (to the precision of double), or
 * numbers that are not finite.
 */
bool least_squares_solve(const struct least_squares *fit, double *c);

/*
 * least_squares_solve_positive() - the least-squares solution with all c >= 0: exact, by trying all sets of zero unknowns (at most 255).
 * With dependent equations some of the unknowns become 0. Returns false, with c unchanged, if numbers are not finite.
 */
bool least_squares_solve_positive(const struct least_squares *fit, double *c);

/* ---- predictions against measurements ------------------------------------------------------------------------------------------ */

/* Relative errors are |predicted - measured| / measured. */
struct prediction_errors {
    size_t n;
    double r2;            /* 1 - (sum of squared errors) / (sum of squared distances from the mean); NaN if all measurements are equal */
    double median, worst; /* relative errors; the median of an even number is the mean of the two in the middle */
    size_t worst_at;      /* index of the first measurement with the largest error */
};

/*
 * prediction_errors_of() - computes the errors of n predictions.
 *   measured [in]  n numbers above 0
 *   scratch  [out] room for n numbers; left undefined
 * Returns false, with out unchanged, if n is 0, a number is not finite, or a measurement is not above 0.
 */
bool prediction_errors_of(const double *predicted, const double *measured, size_t n, double *scratch, struct prediction_errors *out);

/* ---- confidence intervals of 95 % ---------------------------------------------------------------------------------------------- */

struct confidence {
    double low, high;
};

/* The 97.5 % quantile of Student's t distribution with at least 1 degree of freedom: 12.706 for 1, 1.960 for many. */
double student_quantile(uint64_t degrees);

/* Interval of the mean of n measurements x, by Student's t; from -infinity to infinity if n < 2. */
struct confidence mean_confidence(const double *x, size_t n);

/* Interval of the mean from n measurements' mean and variance (the sum of squared distances from the mean over n - 1). */
struct confidence mean_confidence_of(double mean, double variance, size_t n);

/* Interval of a proportion from n_hits of n trials (Wilson 1927); from 0 to 1 without trials. */
struct confidence proportion_confidence(uint64_t n_hits, uint64_t n);

#ifdef __cplusplus
}
#endif
#endif
