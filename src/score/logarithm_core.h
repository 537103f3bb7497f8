/*
 * logarithm_core.h - the C library's log(), operation by operation, so that a GPU has the same bits.
 *
 * This is the algorithm of glibc 2.28 and later on processors with fused multiplication: x is 2^k z, and z is near to one of 128 numbers
 * c, so that log(x) is k log 2 + log(c) + log(z / c), the last by a polynomial; near 1 by another polynomial. The numbers are those of the
 * library that is loaded (logarithm_table.h). Other libraries, and processors without fused multiplication, round some logarithms
 * otherwise: compare with log() before use.
 */
#ifndef TMS_LOGARITHM_CORE_H
#define TMS_LOGARITHM_CORE_H

#include <stdint.h>
#include <string.h>

#include "base/core.h"

/* Of log 2; then of log(1 + r) from r^2 on: away from 1, and near it, where the first is that of r^2, too. */
struct logarithm_coefficients {
    double ln2_high, ln2_low, far[5], near[11];
};

/* 1 / c and log(c), by turns. */
enum { LOGARITHM_ENTRIES = 2 * 128 };

/* As it lies in the library. */
struct logarithm_table {
    struct logarithm_coefficients coefficients;
    double entries[LOGARITHM_ENTRIES];
};

TMS_HD static inline double logarithm_fused(double a, double b, double c)
{
#ifdef __CUDA_ARCH__
    return __fma_rn(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
}

TMS_HD static inline uint64_t logarithm_bits(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

TMS_HD static inline double logarithm_of_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

TMS_HD static inline double logarithm_near_1(const struct logarithm_coefficients *t, double x)
{
    const double *b = t->near, r = x - 1.0, r2 = r * r, r3 = r * r2;
    const double p1 = logarithm_fused(r2, b[3], logarithm_fused(r, b[2], b[1]));
    const double p2 = logarithm_fused(r2, b[6], logarithm_fused(r, b[5], b[4]));
    const double p3 = logarithm_fused(r3, b[10], logarithm_fused(r2, b[9], logarithm_fused(r, b[8], b[7])));
    const double y = logarithm_fused(logarithm_fused(p3, r3, p2), r3, p1);
    const double shifted = logarithm_fused(r, 0x1p27, r), high = logarithm_fused(-0x1p27, r, shifted), square = high * high;
    const double sum = logarithm_fused(square, b[0], r);
    double low = logarithm_fused(square, b[0], r - sum);

    low = logarithm_fused(b[0] * (r - high), r + high, low);
    return sum + logarithm_fused(y, r3, low);
}

/* logarithm_of() - of a normal positive number; of any other one, not a number. The caller may have a copy of the entries nearby. */
TMS_HD static inline double logarithm_of(const struct logarithm_coefficients *t, const double *entries, double x)
{
    const uint64_t bits = logarithm_bits(x);
    const int64_t above = (int64_t)(bits - UINT64_C(0x3fe6000000000000));
    const int i = (int)(above >> 45) & 127;
    const double k = (double)(int)(above >> 52);
    double z, w, r, r2, sum, low;

    if (bits - UINT64_C(0x3fee000000000000) < UINT64_C(0x3090000000000))
        return x == 1 ? 0 : logarithm_near_1(t, x);
    if (bits - UINT64_C(0x0010000000000000) >= UINT64_C(0x7fe0000000000000))
        return logarithm_of_bits(UINT64_C(0x7ff8000000000000));
    z = logarithm_of_bits(bits - ((uint64_t)above & (UINT64_C(0xfff) << 52)));
    w = logarithm_fused(k, t->ln2_high, entries[2 * i + 1]);
    r = logarithm_fused(z, entries[2 * i], -1.0);
    sum = r + w;
    r2 = r * r;
    low = logarithm_fused(k, t->ln2_low, (w - sum) + r);
    low = logarithm_fused(r2, t->far[0], low);
    return logarithm_fused(r * r2, logarithm_fused(logarithm_fused(r, t->far[4], t->far[3]), r2, logarithm_fused(r, t->far[2], t->far[1])),
                           low) +
           sum;
}

#endif
