/*
 * seg_math.h - the formulas of SEG, in the order in which NCBI's programs add: a last bit decides which of two parts of a segment stays.
 */
#ifndef TMS_MASK_SEG_MATH_H
#define TMS_MASK_SEG_MATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEG_AMINO_ACIDS = 20 };

#define SEG_LOG_20 2.9957322735539909

/* What comes from `millionths` is off by less than this. */
#define SEG_DOUBT 1e-4

/* log(i!), as NCBI has it: rounded to six decimals up to 10000!, and Stirling's formula beyond. */
struct seg_factorials {
    double *values;
    int64_t *millionths; /* the same, as whole numbers */
    long double sum;     /* log((n - 1)!) */
    size_t n, values_capacity, millionths_capacity;
};

/* seg_factorials_reserve() - those of 0 .. n - 1. false: there is no memory. */
bool seg_factorials_reserve(struct seg_factorials *f, size_t n);
void seg_factorials_free(struct seg_factorials *f);

/* seg_complexity() - in bits, of a window in which n amino acids come `counts` times, in descending order. */
double seg_complexity(const uint32_t *counts, unsigned n);

/* seg_log_probability() - the logarithm of the probability of such a composition in `length` letters, more of which may be no amino acids.
 */
double seg_log_probability(const struct seg_factorials *f, const uint32_t *counts, unsigned n, size_t length);

#endif
