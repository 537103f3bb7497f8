/*
 * blast_math.h - elementary functions, and the integral that sum statistics need, computed step by step as BLAST computes them: its
 * E-values have these roundings. Pure functions; blast_erfc.h has the error function.
 */
#ifndef TMS_SCORE_BLAST_MATH_H
#define TMS_SCORE_BLAST_MATH_H

/* x to the n-th power by repeated squaring, n >= 0. */
double power(double x, int n);

/* exp(x) - 1, and log(1 + x) for x > -1, by series near 0. */
double exp_less_1(double x);
double log_of_1_and(double x);

/* log((n - 1)!), n >= 1: of exact factorials as far as a table reaches. */
double log_gamma(int n);

/* log(n!), n >= 0, by Lanczos' series, as E-values of sums have it. Differs from log_gamma(n + 1) in the last bits. */
double log_factorial(int n);

/*
 * romberg_integral() - integral of f from `from` to `to` by Romberg's method: extrapolates from intervals halved at least least_rounds
 * times, and at most 19 times, until two extrapolations differ by no more than `precision`, relatively. f [in] the integrand, called with
 * `data`
 */
double romberg_integral(double (*f)(double x, const void *data), const void *data, double from, double to, double precision,
                        int least_rounds);

#endif
