/* logarithms.h - natural logarithms of many numbers at once, each equal to that of log(), to the last bit. */
#ifndef TMS_SCORE_LOGARITHMS_H
#define TMS_SCORE_LOGARITHMS_H

#include <stddef.h>

#include "score/logarithm_table.h"
#include "tamis/context.h"

/* logarithms() - replaces n numbers by their logarithms. table: what logarithm_table_find() found, or NULL: log() is called for each. */
void logarithms(tms_simd simd, const struct logarithm_table *table, double *x, size_t n);

#if TMS_HAVE_X86_SIMD
/* Each is logarithms() with a table, for one kind of processor. */
void logarithms_avx2(const struct logarithm_table *table, double *x, size_t n);
void logarithms_avx512(const struct logarithm_table *table, double *x, size_t n);
#endif

#endif
