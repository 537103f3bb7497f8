/* cpu_features.c - chooses the SIMD level for this processor. */
#include "base/base.h"

tms_simd cpu_best_simd(void)
{
#if TMS_HAVE_X86_SIMD
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("fma"))
        return TMS_SIMD_SCALAR;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return TMS_SIMD_AVX512;
    return TMS_SIMD_AVX2;
#else
    return TMS_SIMD_SCALAR;
#endif
}
