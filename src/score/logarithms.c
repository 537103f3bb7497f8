/* logarithms.c - logarithms one by one, or by vectors. */
#include "score/logarithms.h"

#include <math.h>

void logarithms(tms_simd simd, const struct logarithm_table *table, double *x, size_t n)
{
#if TMS_HAVE_X86_SIMD
    if (simd == TMS_SIMD_AVX512 && table != NULL) {
        logarithms_avx512(table, x, n);
        return;
    }
    if (simd == TMS_SIMD_AVX2 && table != NULL) {
        logarithms_avx2(table, x, n);
        return;
    }
#endif
    (void)simd;
    (void)table;
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] != 1 ? log(x[i]) : 0;
}
