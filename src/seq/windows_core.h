/*
 * windows_core.h - which of 32 bases begin a w-mer, from the ranges that windows_find() makes.
 */
#ifndef TMS_WINDOWS_CORE_H
#define TMS_WINDOWS_CORE_H

#include "base/core.h"

/* w-mers begin at bases first .. end - 1. Each is within a part and has no ambiguous base. */
struct window_range {
    uint32_t first, end;
};

/* The number of the first of n ascending ranges that ends after a base; n if there is none. */
TMS_HD static inline size_t windows_range_after(const struct window_range *ranges, size_t n, uint32_t base)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].end > base)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Bit i is 1 if a w-mer begins at base first + i. */
TMS_HD static inline uint32_t windows_valid_word(const struct window_range *ranges, size_t n, uint32_t first)
{
    uint32_t valid = 0;
    for (size_t r = windows_range_after(ranges, n, first); r < n && ranges[r].first < first + 32; r++) {
        uint32_t from = ranges[r].first > first ? ranges[r].first - first : 0;
        uint32_t to = ranges[r].end - first < 32 ? ranges[r].end - first : 32;
        valid |= (uint32_t)((((uint64_t)1 << to) - 1) >> from << from);
    }
    return valid;
}

#endif
