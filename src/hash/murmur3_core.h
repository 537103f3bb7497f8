/*
 * murmur3_core.h - MurmurHash3_x64_128 (A. Appleby, public domain), first 64 bits.
 *
 * The thesis names MurmurHash3 with one seed for each hash function [thesis, 3.2.1]. Of its variants this is the 64-bit one, because 32
 * bits cannot address a filter beyond 2^32 bits. Tests compare it with published values.
 */
#ifndef TMS_MURMUR3_CORE_H
#define TMS_MURMUR3_CORE_H

#include "base/core.h"

#define MURMUR3_C1 0x87c37b91114253d5u
#define MURMUR3_C2 0x4cf5ad432745937fu

TMS_HD static inline uint64_t murmur3_mix_k1(uint64_t k) { return core_rotl64(k * MURMUR3_C1, 31) * MURMUR3_C2; }
TMS_HD static inline uint64_t murmur3_mix_k2(uint64_t k) { return core_rotl64(k * MURMUR3_C2, 33) * MURMUR3_C1; }

TMS_HD static inline uint64_t murmur3_finalize(uint64_t h)
{
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
}

/* The last `n` (0 .. 8) bytes as a little-endian word. */
TMS_HD static inline uint64_t murmur3_tail(const uint8_t *p, size_t n)
{
    uint64_t word = 0;
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)p[i] << (8 * i);
    return word;
}

TMS_HD static inline uint64_t murmur3_64(const uint8_t *p, size_t len, uint32_t seed)
{
    uint64_t h1 = seed, h2 = seed;
    size_t i = 0;
    for (; i + 16 <= len; i += 16) {
        h1 ^= murmur3_mix_k1(core_read64(p + i));
        h1 = (core_rotl64(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= murmur3_mix_k2(core_read64(p + i + 8));
        h2 = (core_rotl64(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    size_t rest = len - i;
    if (rest > 8)
        h2 ^= murmur3_mix_k2(murmur3_tail(p + i + 8, rest - 8));
    if (rest)
        h1 ^= murmur3_mix_k1(murmur3_tail(p + i, rest < 8 ? rest : 8));
    h1 ^= len;
    h2 ^= len;
    h1 += h2;
    h2 += h1;
    return murmur3_finalize(h1) + murmur3_finalize(h2);
}

#endif
