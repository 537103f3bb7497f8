/* logarithms.h - natural logarithms of many numbers at once, each equal to that of log(), to the last bit. */
#ifndef TMS_SCORE_LOGARITHMS_H
#define TMS_SCORE_LOGARITHMS_H

#include <stddef.h>

#include "tamis/context.h"

/* logarithms() - replaces n numbers by their logarithms; numbers that are 1 are fast. */
void logarithms(tms_simd simd, double *x, size_t n);

/* logarithms_avx512() - same as logarithms(), for processors with AVX-512. */
void logarithms_avx512(double *x, size_t n);

#endif
