/* equal_bases.h - runs of equal bases in two sequences of BLASTNA codes, eight codes at a time. An ambiguous base equals none. */
#ifndef TMS_EQUAL_BASES_H
#define TMS_EQUAL_BASES_H

#include <stdint.h>

#include "base/core.h"

/* Bytes in which both words differ, or that are ambiguous in a. */
static inline uint64_t equal_bases_difference(uint64_t a, uint64_t b) { return (a ^ b) | (a & 0xfcfcfcfcfcfcfcfcu); }

/* Number of equal bases of a[0], a[1], ... and b[0], b[1], ..., at most n. */
static inline int equal_bases_from(const uint8_t *a, const uint8_t *b, int n)
{
    int i = 0;

    for (; i + 8 <= n; i += 8) {
        const uint64_t difference = equal_bases_difference(core_read64(a + i), core_read64(b + i));
        if (difference != 0)
            return i + __builtin_ctzll(difference) / 8;
    }
    while (i < n && a[i] == b[i] && a[i] < 4)
        i++;
    return i;
}

/* The same of a[-1], a[-2], ... and b[-1], b[-2], ... */
static inline int equal_bases_before(const uint8_t *a, const uint8_t *b, int n)
{
    int i = 0;

    for (; i + 8 <= n; i += 8) {
        const uint64_t difference = equal_bases_difference(core_read64(a - i - 8), core_read64(b - i - 8));
        if (difference != 0)
            return i + __builtin_clzll(difference) / 8;
    }
    while (i < n && a[-1 - i] == b[-1 - i] && a[-1 - i] < 4)
        i++;
    return i;
}

#endif
