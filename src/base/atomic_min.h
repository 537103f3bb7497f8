/* atomic_min.h - what threads find comes to the lowest: the first fault, the first sequence. */
#ifndef TMS_LOWER_TO_H
#define TMS_LOWER_TO_H

#include <stdatomic.h>
#include <stdint.h>

/* atomic_min() - *least becomes value, if that is lower. Any number of threads at once. */
static inline void atomic_min(atomic_uint_fast64_t *least, uint64_t value)
{
    uint_fast64_t old = atomic_load(least);

    while (value < old && !atomic_compare_exchange_weak(least, &old, value)) {
    }
}

#endif
