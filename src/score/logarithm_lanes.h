/*
 * logarithm_lanes.h - logarithm_of() for several numbers at once. A file that includes it first defines
 *   LANES, vector, integers          doubles, and as many integers of 64 bits
 *   v_load(), v_store(), v_all()     from and to any place; a number in each lane
 *   v_fused(a, b, c)                 a * b + c, rounded once
 *   v_pick(lanes, a, b)              a in the lanes whose bits are all set, b in those whose bits are 0
 *   v_is_any(lanes)                  whether any bit is set
 *   v_entries(e, i, &c, &l)          of each lane's i, a number below LOGARITHM_ENTRIES: c = e[i], l = e[i + 1]
 *
 * The operations and their order are those of logarithm_core.h, which has the formulas.
 */
#ifndef TMS_LOGARITHM_LANES_H
#define TMS_LOGARITHM_LANES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "score/logarithm_core.h"

enum { STEP = 2 * LANES /* numbers at a time: a vector's operations wait for each other, and two vectors need the same constants */ };

typedef uint64_t words __attribute__((vector_size(8 * LANES)));

static inline vector lanes_near_1(const struct logarithm_coefficients *t, vector x)
{
    const double *b = t->near;
    const vector r = x - v_all(1), r2 = r * r, r3 = r * r2;
    const vector p1 = v_fused(r2, v_all(b[3]), v_fused(r, v_all(b[2]), v_all(b[1])));
    const vector p2 = v_fused(r2, v_all(b[6]), v_fused(r, v_all(b[5]), v_all(b[4])));
    const vector p3 = v_fused(r3, v_all(b[10]), v_fused(r2, v_all(b[9]), v_fused(r, v_all(b[8]), v_all(b[7]))));
    const vector y = v_fused(v_fused(p3, r3, p2), r3, p1);
    const vector shifted = v_fused(r, v_all(0x1p27), r), high = v_fused(v_all(-0x1p27), r, shifted), square = high * high;
    const vector sum = v_fused(square, v_all(b[0]), r);
    vector low = v_fused(square, v_all(b[0]), r - sum);

    low = v_fused(v_all(b[0]) * (r - high), r + high, low);
    return sum + v_fused(y, r3, low);
}

static inline vector lanes_far_from_1(const struct logarithm_coefficients *t, const double *entries, vector x)
{
    const words above = (words)x - UINT64_C(0x3fe6000000000000), part = above & (UINT64_C(0xfff) << 52);
    /* k + 1024, which is above 0, lies in the last bits of a double from 2^52 on. */
    const vector k = (vector)((above + (UINT64_C(1024) << 52)) >> 52 | (words)v_all(0x1p52)) - v_all(0x1p52 + 1024);
    const vector z = (vector)((words)x - part);
    vector reciprocal, logarithm, w, r, r2, sum, low;

    v_entries(entries, (integers)(above >> 44 & 254), &reciprocal, &logarithm);
    w = v_fused(k, v_all(t->ln2_high), logarithm);
    r = v_fused(z, reciprocal, v_all(-1));
    sum = r + w;
    r2 = r * r;
    low = v_fused(k, v_all(t->ln2_low), (w - sum) + r);
    low = v_fused(r2, v_all(t->far[0]), low);
    return v_fused(r * r2, v_fused(v_fused(r, v_all(t->far[4]), v_all(t->far[3])), r2, v_fused(r, v_all(t->far[2]), v_all(t->far[1]))),
                   low) +
           sum;
}

/* Converts STEP numbers. */
static inline void convert(const struct logarithm_coefficients *t, const double *entries, double *x)
{
    vector from[2], to[2];
    words is_near[2], is_odd[2];

    for (int i = 0; i < 2; i++) {
        from[i] = v_load(x + i * LANES);
        is_near[i] = (words)((words)from[i] - UINT64_C(0x3fee000000000000) < UINT64_C(0x3090000000000));
        is_odd[i] = (words)((words)from[i] - UINT64_C(0x0010000000000000) >= UINT64_C(0x7fe0000000000000));
        to[i] = lanes_far_from_1(t, entries, from[i]);
    }
    if (v_is_any((integers)(is_near[0] | is_near[1])))
        for (int i = 0; i < 2; i++)
            to[i] = v_pick((vector)is_near[i], lanes_near_1(t, from[i]), to[i]);
    for (int i = 0; i < 2; i++)
        v_store(x + i * LANES, to[i]);
    if (v_is_any((integers)(is_odd[0] | is_odd[1])))
        for (int i = 0; i < STEP; i++)
            x[i] = log(from[i / LANES][i % LANES]);
}

static inline void convert_all(const struct logarithm_table *table, double *x, size_t n)
{
    const struct logarithm_coefficients t = table->coefficients;
    double last[STEP];
    size_t at = 0;

    for (; n - at >= STEP; at += STEP)
        convert(&t, table->entries, x + at);
    if (at == n)
        return;
    for (size_t i = 0; i < STEP; i++)
        last[i] = at + i < n ? x[at + i] : 1;
    convert(&t, table->entries, last);
    memcpy(x + at, last, (n - at) * sizeof *x);
}

#endif
