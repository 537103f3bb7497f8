/* response.h - accesses a second over the warps that make them: profile.h says how. */
#ifndef TMS_RESPONSE_H
#define TMS_RESPONSE_H

#include <math.h>

#include "model/profile.h"

/* Rates a second. full and chip are what was measured, of warps_full warps on one multiprocessor, and of warps_chip on each of all. */
struct response {
    double warp, full, chip, p, q;
    double warps_full, warps_chip, n_multiprocessors;
};

/* b: what a multiprocessor reaches with any number of warps. INFINITY if warps_full of them are no limit. */
static inline double response_peak(const struct response *r)
{
    const double rest = pow(r->full, -r->p) - pow(r->warp * r->warps_full, -r->p);
    return rest > 0 ? pow(rest, -1 / r->p) : INFINITY;
}

/* Of a multiprocessor with so many warps, the chip being no limit. */
static inline double response_rate(const struct response *r, double warps)
{
    const double peak = response_peak(r);
    return isinf(peak) ? r->warp * warps : rate_of_both(r->warp * warps, peak, r->p);
}

/* c: what the chip reaches with any number of warps on each multiprocessor. INFINITY if it was no limit. */
static inline double response_chip(const struct response *r)
{
    const double rest = pow(r->chip, -r->q) - pow(response_rate(r, r->warps_chip) * r->n_multiprocessors, -r->q);
    return rest > 0 ? pow(rest, -1 / r->q) : INFINITY;
}

/*
 * Accesses a second of so many threads of a CPU, between one thread's and those of all n of them: each has its own rate, and together they
 * come up against a limit c, so (threads one)^-p + c^-p is what the rate is ^-p. c is such that n threads have the rate of all.
 */
static inline double response_cpu(double one, double all, double n, double threads, double p)
{
    const double share = all / (n * one); /* of n times what one does */
    if (threads <= 1 || n <= 1)
        return one;
    if (threads >= n)
        return all;
    if (share >= 1)
        return one + (all - one) * (threads - 1) / (n - 1);
    return rate_of_both(threads * one, all * pow(1 - pow(share, p), -1 / p), p);
}

#endif
