/* logarithms.h - natural logarithms of many numbers at once, each the one that log() gives, to the last bit. */
#ifndef TMS_SCORE_LOGARITHMS_H
#define TMS_SCORE_LOGARITHMS_H

#include <stddef.h>

#include "tamis/context.h"

/* logarithms() - replaces n numbers by their logarithms; 1 costs little. */
void logarithms(tms_simd simd, double *x, size_t n);

/* The same for a processor with AVX-512. */
void logarithms_avx512(double *x, size_t n);

#endif
