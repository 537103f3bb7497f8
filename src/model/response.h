/* response.h - accesses per second as a function of the number of warps, by the formula in profile.h. */
#ifndef TMS_RESPONSE_H
#define TMS_RESPONSE_H

#include <math.h>

#include "model/profile.h"

/* Rates per second. full and chip were measured, with warps_full warps on one multiprocessor and warps_chip warps on every one. */
struct response {
    double warp, full, chip, p, q;
    double warps_full, warps_chip, n_multiprocessors;
};

/* b: what a multiprocessor reaches with any number of warps. INFINITY if warps_full warps do not reach a limit. */
static inline double response_peak(const struct response *r)
{
    const double rest = pow(r->full, -r->p) - pow(r->warp * r->warps_full, -r->p);
    return rest > 0 ? pow(rest, -1 / r->p) : INFINITY;
}

/* Rate of a multiprocessor with the given warps, without the chip's limit. */
static inline double response_rate(const struct response *r, double warps)
{
    const double peak = response_peak(r);
    return isinf(peak) ? r->warp * warps : rate_of_both(r->warp * warps, peak, r->p);
}

/* c: what the chip reaches with any number of warps on each multiprocessor. INFINITY if the measurement shows no limit. */
static inline double response_chip(const struct response *r)
{
    const double rest = pow(r->chip, -r->q) - pow(response_rate(r, r->warps_chip) * r->n_multiprocessors, -r->q);
    return rest > 0 ? pow(rest, -1 / r->q) : INFINITY;
}

/*
 * Accesses per second of a number of CPU threads, interpolated between one thread and all n: each thread has its own rate and all share
 * a limit c, so rate^-p = (threads one)^-p + c^-p, with c chosen such that n threads reach the rate `all`.
 */
static inline double response_cpu(double one, double all, double n, double threads, double p)
{
    const double share = all / (n * one); /* share of n times one thread's rate */
    if (threads <= 1 || n <= 1)
        return one;
    if (threads >= n)
        return all;
    if (share >= 1)
        return one + (all - one) * (threads - 1) / (n - 1);
    return rate_of_both(threads * one, all * pow(1 - pow(share, p), -1 / p), p);
}

#endif
