/* partitioned_insert_avx512.c - partitions eight values at a time: packs each owner's values in a register and stores both registers whole.
 */
#include "filter/partitioned_insert_kernels.h"

#include <immintrin.h>

size_t partitioned_insert_deal_avx512(const uint64_t *values, size_t n, uint64_t first_of_high, uint64_t *low, uint64_t *high)
{
    const uint64_t *low_begin = low;
    const __m512i limit = _mm512_set1_epi64((long long)first_of_high);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m512i eight = _mm512_loadu_si512(values + i);
        __mmask8 is_high = _mm512_cmpge_epu64_mask(eight, limit);
        unsigned n_high = (unsigned)__builtin_popcount(is_high);
        _mm512_storeu_si512(low, _mm512_maskz_compress_epi64((__mmask8)~is_high, eight));
        _mm512_storeu_si512(high, _mm512_maskz_compress_epi64(is_high, eight));
        low += 8 - n_high;
        high += n_high;
    }
    size_t n_low = (size_t)(low - low_begin);
    return n_low + partitioned_insert_deal_scalar(values + i, n - i, first_of_high, low, high);
}
