/* partitioned_insert_kernels.h - sorting values by owner: the last step, of two owners. */
#ifndef TMS_OWNERS_KERNELS_H
#define TMS_OWNERS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define DEAL_OVER 8 /* values beyond its last that may be written over in a bucket */

/* Values below first_of_high go to low, the others to high. Returns how many are low. */
typedef size_t partitioned_insert_deal(const uint64_t *values, size_t n, uint64_t first_of_high, uint64_t *low, uint64_t *high);
size_t partitioned_insert_deal_scalar(const uint64_t *values, size_t n, uint64_t first_of_high, uint64_t *low, uint64_t *high);
size_t partitioned_insert_deal_avx512(const uint64_t *values, size_t n, uint64_t first_of_high, uint64_t *low, uint64_t *high);

#endif
