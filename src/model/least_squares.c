/* least_squares.c - see the header. */
#include "model/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- fitting ------------------------------------------------------------------------------------------------------------------- */

void least_squares_begin(struct least_squares *fit, int n_unknowns)
{
    memset(fit, 0, sizeof *fit);
    fit->n_unknowns = n_unknowns;
}

/* row has n_unknowns + 1 numbers and is overwritten. */
static void add_row(struct least_squares *fit, double *row)
{
    int n = fit->n_unknowns;
    for (int i = 0; i < n; i++) {
        double *of = fit->triangle[i], length = hypot(of[i], row[i]);
        if (length == 0)
            continue;
        double cosine = of[i] / length, sine = row[i] / length;
        for (int j = i; j <= n; j++) {
            double up = of[j], down = row[j];
            of[j] = cosine * up + sine * down;
            row[j] = cosine * down - sine * up;
        }
    }
    fit->residual2 += row[n] * row[n];
    fit->n++;
}

void least_squares_add(struct least_squares *fit, const double *x, double y, double weight)
{
    double row[LEAST_SQUARES_MOST + 1];
    for (int j = 0; j < fit->n_unknowns; j++)
        row[j] = weight * x[j];
    row[fit->n_unknowns] = weight * y;
    add_row(fit, row);
}

/* A column depends on the previous ones if its diagonal element is negligible relative to its length; rounding leaves less. */
#define DEPENDENT 1e-12

static bool is_dependent(const struct least_squares *fit, int column)
{
    double length = 0;
    for (int i = 0; i <= column; i++)
        length = hypot(length, fit->triangle[i][column]);
    return !(fabs(fit->triangle[column][column]) > DEPENDENT * length);
}

bool least_squares_solve(const struct least_squares *fit, double *c)
{
    int n = fit->n_unknowns;
    double found[LEAST_SQUARES_MOST] = {0};
    for (int i = n - 1; i >= 0; i--) {
        if (is_dependent(fit, i))
            return false;
        double left = fit->triangle[i][n];
        for (int j = i + 1; j < n; j++)
            left -= fit->triangle[i][j] * found[j];
        found[i] = left / fit->triangle[i][i];
        if (!isfinite(found[i]))
            return false;
    }
    memcpy(c, found, (size_t)n * sizeof *c);
    return true;
}

/* Solves for the unknowns in the set `kept`; the others are 0. The triangle represents all equations. Returns false as solve() does. */
static bool solve_some(const struct least_squares *fit, unsigned kept, double *c, double *residual2)
{
    struct least_squares part;
    double row[LEAST_SQUARES_MOST + 1], some[LEAST_SQUARES_MOST];
    least_squares_begin(&part, __builtin_popcount(kept));
    for (int i = 0; i < fit->n_unknowns; i++) {
        int n = 0;
        for (int j = 0; j < fit->n_unknowns; j++)
            if (kept >> j & 1)
                row[n++] = fit->triangle[i][j];
        row[n] = fit->triangle[i][fit->n_unknowns];
        add_row(&part, row);
    }
    if (!least_squares_solve(&part, some))
        return false;
    for (int j = 0, n = 0; j < fit->n_unknowns; j++)
        c[j] = kept >> j & 1 ? some[n++] : 0;
    *residual2 = part.residual2;
    return true;
}

/*
 * The best c >= 0 is the plain solution for those of its unknowns that are above 0. So it is the best of the nonnegative
 * plain solutions of all sets. With eight unknowns this costs less than one measurement, and it cannot cycle as an active-set
 * search can.
 */
bool least_squares_solve_positive(const struct least_squares *fit, double *c)
{
    double best[LEAST_SQUARES_MOST] = {0}, best_residual2 = 0;
    for (int i = 0; i < fit->n_unknowns; i++) {
        best_residual2 += fit->triangle[i][fit->n_unknowns] * fit->triangle[i][fit->n_unknowns];
        for (int j = i; j <= fit->n_unknowns; j++)
            if (!isfinite(fit->triangle[i][j]))
                return false;
    }
    for (unsigned kept = 1; kept < 1u << fit->n_unknowns; kept++) {
        double some[LEAST_SQUARES_MOST], residual2;
        if (!solve_some(fit, kept, some, &residual2) || !(residual2 < best_residual2))
            continue;
        bool is_positive = true;
        for (int j = 0; j < fit->n_unknowns; j++)
            is_positive = is_positive && some[j] >= 0;
        if (is_positive) {
            memcpy(best, some, sizeof best);
            best_residual2 = residual2;
        }
    }
    memcpy(c, best, (size_t)fit->n_unknowns * sizeof *c);
    return true;
}

/* ---- errors -------------------------------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool prediction_errors_of(const double *predicted, const double *measured, size_t n, double *scratch, struct prediction_errors *out)
{
    double mean = 0, residual2 = 0, total2 = 0;
    struct prediction_errors errors = {.n = n, .worst = -1};
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(predicted[i]) || !isfinite(measured[i]) || !(measured[i] > 0))
            return false;
        double distance = fabs(predicted[i] - measured[i]);
        scratch[i] = distance / measured[i];
        mean += (measured[i] - mean) / (double)(i + 1);
        residual2 += distance * distance;
        if (scratch[i] > errors.worst) {
            errors.worst = scratch[i];
            errors.worst_at = i;
        }
    }
    if (n == 0)
        return false;
    bool are_equal = true;
    for (size_t i = 0; i < n; i++) {
        total2 += (measured[i] - mean) * (measured[i] - mean);
        are_equal = are_equal && measured[i] == measured[0];
    }
    errors.r2 = are_equal ? NAN : 1 - residual2 / total2;
    qsort(scratch, n, sizeof *scratch, by_size);
    errors.median = (scratch[(n - 1) / 2] + scratch[n / 2]) / 2;
    *out = errors;
    return true;
}

/* ---- intervals ----------------------------------------------------------------------------------------------------------------- */

#define NORMAL_QUANTILE 1.959963984540054 /* 97.5 % */
#define SERIES_DEGREES  200               /* below this student_within(), above it the expansion, whose error is below 1e-11 */

/* The probability that |t| is at most x [Abramowitz and Stegun, 26.7.3, 26.7.4]: finite sums. */
static double student_within(double x, unsigned degrees)
{
    double angle = atan(x / sqrt(degrees)), cosine = cos(angle), sum = 0, term = degrees % 2 ? cosine : 1;
    for (unsigned i = degrees % 2 ? 3 : 2; i <= degrees; i += 2) {
        sum += term;
        term *= cosine * cosine * (i - 1) / i;
    }
    return degrees % 2 ? (angle + sin(angle) * sum) * M_2_PI : sin(angle) * sum;
}

double student_quantile(uint64_t degrees)
{
    if (degrees <= SERIES_DEGREES) {
        double low = 1.9, high = 12.8;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            *(student_within(middle, (unsigned)degrees) < 0.95 ? &low : &high) = middle;
        }
        return high;
    }
    /* [Abramowitz and Stegun, 26.7.5] */
    double z = NORMAL_QUANTILE, z2 = z * z, v = 1 / (double)degrees;
    double g1 = (z2 + 1) / 4, g2 = ((5 * z2 + 16) * z2 + 3) / 96, g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    double g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z * (1 + v * (g1 + v * (g2 + v * (g3 + v * g4))));
}

struct confidence mean_confidence_of(double mean, double variance, size_t n)
{
    double half = n < 2 ? INFINITY : student_quantile(n - 1) * sqrt(fmax(variance, 0) / (double)n);
    return (struct confidence){mean - half, mean + half};
}

struct confidence mean_confidence(const double *x, size_t n)
{
    double mean = 0, squares = 0; /* Welford: avoids subtracting a large mean from a sum of squares */
    for (size_t i = 0; i < n; i++) {
        double from = x[i] - mean;
        mean += from / (double)(i + 1);
        squares += from * (x[i] - mean);
    }
    return mean_confidence_of(mean, n < 2 ? 0 : squares / (double)(n - 1), n);
}

struct confidence proportion_confidence(uint64_t n_hits, uint64_t n)
{
    if (n == 0)
        return (struct confidence){0, 1};
    double trials = (double)n, share = (double)n_hits / trials, z2 = NORMAL_QUANTILE * NORMAL_QUANTILE;
    double middle = (share + z2 / (2 * trials)) / (1 + z2 / trials);
    double half = NORMAL_QUANTILE / (1 + z2 / trials) * sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials));
    return (struct confidence){n_hits == 0 ? 0 : middle - half, n_hits == n ? 1 : middle + half};
}
