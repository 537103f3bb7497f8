/* bloom_fpr.h - the false-positive rate of a classic Bloom filter, of strings or of w-mers. */
#ifndef TMS_BLOOM_FPR_H
#define TMS_BLOOM_FPR_H

#include <math.h>
#include <stdint.h>

/* (1 - (1 - 1/m)^(k n))^k [Ma11, eq. 2; Ong13, eq. 2], for n distinct keys. */
static inline double bloom_fpr(uint64_t n, uint64_t m, uint32_t k)
{
    double log_zero = (double)k * (double)n * log1p(-1.0 / (double)m);
    return pow(-expm1(log_zero), (double)k);
}

#endif
