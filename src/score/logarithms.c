/* logarithms.c - logarithms one by one, or by vectors. */
#include "score/logarithms.h"

#include <math.h>

void logarithms(tms_simd simd, double *x, size_t n)
{
#if TMS_HAVE_X86_SIMD
    if (simd == TMS_SIMD_AVX512) {
        logarithms_avx512(x, n);
        return;
    }
#endif
    (void)simd;
    for (size_t i = 0; i < n; i++)
        x[i] = log(x[i]);
}
