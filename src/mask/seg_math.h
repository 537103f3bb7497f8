/*
 * seg_math.h - the formulas of SEG, with the order of additions of NCBI's programs: the last bit decides which of two parts of a segment
 * is kept.
 */
#ifndef TMS_MASK_SEG_MATH_H
#define TMS_MASK_SEG_MATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEG_AMINO_ACIDS = 20 };

#define SEG_LOG_20 2.9957322735539909

/* Bound of the error of sums of `millionths`. */
#define SEG_DOUBT 1e-4

/* log(i!) as NCBI computes it: rounded to six decimals up to 10000!, by Stirling's formula beyond. */
struct seg_factorials {
    double *values;
    int64_t *millionths; /* the values in millionths, as integers */
    long double sum;     /* log((n - 1)!), unrounded */
    size_t n, values_capacity, millionths_capacity;
};

/* seg_factorials_reserve() - compute log(i!) for i = 0 .. n - 1. Returns false if there is no memory. */
bool seg_factorials_reserve(struct seg_factorials *f, size_t n);
void seg_factorials_free(struct seg_factorials *f);

/* seg_complexity() - complexity, in bits, of a window with n different amino acids, whose counts are in descending order. */
double seg_complexity(const uint32_t *counts, unsigned n);

/*
 * seg_log_probability() - logarithm of the probability of such a composition in `length` residues, which may include some that are not one
 * of the 20 amino acids.
 */
double seg_log_probability(const struct seg_factorials *f, const uint32_t *counts, unsigned n, size_t length);

#endif
