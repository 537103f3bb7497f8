#include "mask/seg_math.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

#define LAST_ROUNDED 10000

static const double ln_2 = 0.69314718055994530941723212145818;

/*
 * Logarithms of i/10: the window for subjects has ten residues, and NCBI has a table for it. The third is not log(3/10), but NCBI has this
 * value.
 */
static const double log_tenths[] = {
    0, -2.30258509, -1.60943791, -1.203982804, -0.91629073, -0.6931478, -0.510825623, -0.356674944, -0.22314355, -0.105360515, 0};

double seg_complexity(const uint32_t *counts, unsigned n)
{
    uint64_t total = 0;
    double sum = 0;

    for (unsigned i = 0; i < n; i++)
        total += counts[i];
    if (total == 0)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        double c = counts[i], t = (double)total;
        sum += total == 10 ? c * log_tenths[counts[i]] / ln_2 : c * log(c / t) / ln_2;
    }
    return fabs(sum / (double)total);
}

/* A `long double` has at least 64 bits of mantissa on the relevant machines, so the sixth decimal is never in doubt. */
static double factorial(struct seg_factorials *f, size_t i)
{
    double x = (double)i;

    if (i > LAST_ROUNDED)
        return (x + 0.5) * log(x) - x + 0.9189385332;
    if (i > 1)
        f->sum += logl((long double)i);
    return (double)nearbyintl(f->sum * 1e6L) / 1e6;
}

bool seg_factorials_reserve(struct seg_factorials *f, size_t n)
{
    if (n < SEG_AMINO_ACIDS + 2)
        n = SEG_AMINO_ACIDS + 2;
    if (!array_reserve(&f->values, &f->values_capacity, n, sizeof *f->values) ||
        !array_reserve(&f->millionths, &f->millionths_capacity, n, sizeof *f->millionths))
        return false;
    for (; f->n < n; f->n++) {
        f->values[f->n] = factorial(f, f->n);
        f->millionths[f->n] = (int64_t)nearbyint(f->values[f->n] * 1e6);
    }
    return true;
}

void seg_factorials_free(struct seg_factorials *f)
{
    free(f->values);
    free(f->millionths);
}

double seg_log_probability(const struct seg_factorials *f, const uint32_t *counts, unsigned n, size_t length)
{
    double compositions = f->values[SEG_AMINO_ACIDS], permutations = f->values[length];

    for (unsigned i = 0, end; i < n; i = end) {
        for (end = i; end < n && counts[end] == counts[i]; end++)
            permutations -= f->values[counts[end]];
        compositions -= f->values[end - i];
    }
    if (n > 0 && n < SEG_AMINO_ACIDS)
        compositions -= f->values[SEG_AMINO_ACIDS - n];
    return compositions + permutations - (double)length * SEG_LOG_20;
}
