/* atomic_min.h - an atomic minimum, for reporting the lowest-numbered fault found by several threads. */
#ifndef TMS_ATOMIC_MIN_H
#define TMS_ATOMIC_MIN_H

#include <stdatomic.h>
#include <stdint.h>

/* atomic_min() - lower *least to value if value is lower. Thread-safe. */
static inline void atomic_min(atomic_uint_fast64_t *least, uint64_t value)
{
    uint_fast64_t old = atomic_load(least);

    while (value < old && !atomic_compare_exchange_weak(least, &old, value)) {
    }
}

#endif
