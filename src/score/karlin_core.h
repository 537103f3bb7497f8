/*
 * karlin_core.h - lambda of ungapped alignments, for C and nvcc: the same bits on CPU and GPU, if nothing is fused (-ffp-contract=off,
 * -fmad=false).
 */
#ifndef TMS_KARLIN_CORE_H
#define TMS_KARLIN_CORE_H

#include <math.h>
#include <stdbool.h>

#include "base/core.h"

enum { KARLIN_ROUNDS = 20 };

/* The greatest common divisor of all scores that occur. probability[i] is that of score lowest + i. */
TMS_HD static inline int karlin_step(const double *probability, int lowest, int highest)
{
    int step = -lowest;

    for (int i = 1; i <= highest - lowest && step > 1; i++)
        if (probability[i] != 0)
            for (int b = i; b != 0;) { /* Euclid's algorithm */
                int rest = step % b;
                step = b;
                b = rest;
            }
    return step;
}

/* f(x) = (sum of p(s) x^(highest - s)) - x^highest, and its derivative, by Horner's rule from the lowest score up. */
TMS_HD static inline double karlin_polynomial(const double *probability, int lowest, int highest, int step, double x, double *derivative)
{
    const double *p = probability - lowest;
    double f = p[lowest], g = 0;
    int i = lowest + step;

    for (; i < 0; i += step) {
        g = x * g + f;
        f = f * x + p[i];
    }
    g = x * g + f;
    f = f * x + p[0] - 1;
    for (i = step; i <= highest; i += step) {
        g = x * g + f;
        f = f * x + p[i];
    }
    *derivative = g;
    return f;
}

/*
 * karlin_root() - the root of the polynomial between 0 and 1, by Newton's method and bisection: e to the power of -lambda step. The
 * iteration stops early, as BLAST's does, so the result depends on where it begins.
 *   x [in] where it begins
 */
TMS_HD static inline double karlin_root(const double *probability, int lowest, int highest, int step, double x)
{
    double low = 0, high = 1, f = 4;
    bool newton = false;

    for (int round = 0; round < KARLIN_ROUNDS; round++) {
        double before = f, g, move, to;
        bool was_newton = newton;

        newton = false;
        f = karlin_polynomial(probability, lowest, highest, step, x, &g);
        if (f > 0)
            low = x;
        else if (f < 0)
            high = x;
        else
            break;
        if (high - low < 2 * low * (1 - high) * 1e-5) {
            x = (low + high) / 2;
            break;
        }
        if ((was_newton && fabs(f) > 0.9 * fabs(before)) || g >= 0) {
            x = (low + high) / 2;
            continue;
        }
        move = -f / g;
        to = x + move;
        if (to <= low || to >= high) {
            x = (low + high) / 2;
            continue;
        }
        newton = true;
        x = to;
        if (fabs(move) < 1e-5 * x * (1 - x))
            break;
    }
    return x;
}

#endif
