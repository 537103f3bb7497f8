/*
 * ap_core.h - AP hash (A. Partow, "General Purpose Hash Function Algorithms"), started from a salt [Ong13, II-B].
 */
#ifndef TMS_AP_CORE_H
#define TMS_AP_CORE_H

#include "base/core.h"

#define AP_DEFAULT_START 0xAAAAAAAAu

/* The salt of function i. Never 0: from salt 0 the hash of a run of zero bytes would not change at even positions. */
TMS_HD static inline uint32_t ap_salt(uint64_t seed, uint32_t i)
{
    uint32_t salt = (uint32_t)core_splitmix(seed, i);
    return salt ? salt : AP_DEFAULT_START;
}

TMS_HD static inline uint32_t ap_step_even(uint32_t h, uint32_t byte) { return h ^ (h << 7 ^ byte * (h >> 3)); }
TMS_HD static inline uint32_t ap_step_odd(uint32_t h, uint32_t byte) { return h ^ ~((h << 11) + (byte ^ h >> 5)); }

TMS_HD static inline uint32_t ap_hash(const uint8_t *p, size_t len, uint32_t salt)
{
    uint32_t h = salt;
    size_t i = 0;
    for (; i + 2 <= len; i += 2)
        h = ap_step_odd(ap_step_even(h, p[i]), p[i + 1]);
    return i < len ? ap_step_even(h, p[i]) : h;
}

#endif
