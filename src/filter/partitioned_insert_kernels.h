/* partitioned_insert_kernels.h - the last step of sorting values by owner: splitting them between two owners. */
#ifndef TMS_PARTITIONED_INSERT_KERNELS_H
#define TMS_PARTITIONED_INSERT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define DEAL_OVER 8 /* values beyond a bucket's last that a kernel may overwrite */

/* Values below first_of_high go to low, the others to high. Returns how many are low. */
typedef size_t partitioned_insert_deal(const uint64_t *values, size_t n, uint64_t first_of_high, uint64_t *low, uint64_t *high);
size_t partitioned_insert_deal_avx512(const uint64_t *values, size_t n, uint64_t first_of_high, uint64_t *low, uint64_t *high);

/* Writes each value to the ends of both buckets and advances one of the ends, without a branch. */
static inline size_t partitioned_insert_deal_scalar(const uint64_t *values, size_t n, uint64_t first_of_high, uint64_t *low, uint64_t *high)
{
    const uint64_t *low_begin = low;
    for (size_t i = 0; i < n; i++) {
        uint64_t value = values[i];
        size_t is_high = value >= first_of_high;
        *low = *high = value;
        low += 1 - is_high;
        high += is_high;
    }
    return (size_t)(low - low_begin);
}

#endif
