/*
 * classic_sizing.c - the classic layout's false-positive rate and size.
 *
 * FPR: bloom_fpr(). m = -k n / ln(1 - FPR^(1/k)) [Ong13, eq. 5].
 */
#include "filter/classic_sizing.h"

#include <math.h>

#include "hash/bloom_fpr.h"

double classic_bits_per_key(double fpr) { return fpr >= 1 || fpr <= 0 ? 0 : -log(fpr) / (M_LN2 * M_LN2); }

double classic_actual_fpr(double fill, uint32_t k)
{
    double result = 1;
    for (; k; k >>= 1, fill *= fill)
        if (k & 1)
            result *= fill;
    return result;
}

/*
 * The least m for a rate; 0 if it exceeds the largest m. [Ong13, eq. 5] follows from the approximate form of eq. 2; a few more bits
 * reach the rate by the exact form too.
 */
static uint64_t classic_least_bits(uint64_t n, double fpr, uint32_t k)
{
    double m = ceil(-(double)k * (double)n / log1p(-pow(fpr, 1.0 / k)));
    m = m < 1 ? 1 : m;
    for (double step = 1; m <= (double)TMS_MAX_BITS && bloom_fpr(n, (uint64_t)m, k) > fpr; step *= 2)
        m += step;
    return m <= (double)TMS_MAX_BITS ? (uint64_t)m : 0;
}

void classic_choose_for_fpr(double fpr, const tms_filter_want *want, tms_filter_params *p)
{
    uint64_t n = want->n_keys;
    if (want->k) {
        p->m_bits = classic_least_bits(n, fpr, want->k);
        return;
    }
    double optimal = -log2(fpr); /* k = ln 2 m / n at the optimum */
    uint32_t low = optimal < 1 ? 1 : optimal > TMS_CLASSIC_MAX_K - 1 ? TMS_CLASSIC_MAX_K - 1 : (uint32_t)optimal;
    uint64_t a = classic_least_bits(n, fpr, low), b = classic_least_bits(n, fpr, low + 1);
    p->k = a && (a <= b || !b) ? low : low + 1;
    p->m_bits = p->k == low ? a : b;
}

void classic_best_for_m(const tms_filter_want *want, tms_filter_params *p)
{
    double optimal = M_LN2 * (double)want->m_bits / (double)want->n_keys;
    uint32_t low = optimal < 1 ? 1 : optimal >= TMS_CLASSIC_MAX_K ? TMS_CLASSIC_MAX_K : (uint32_t)optimal;
    uint32_t high = low < TMS_CLASSIC_MAX_K ? low + 1 : low;
    p->k = bloom_fpr(want->n_keys, p->m_bits, high) < bloom_fpr(want->n_keys, p->m_bits, low) ? high : low;
}
