/*
 * classic_core.h - where the k bits of a key lie among the m bits of a classic filter.
 *
 * Callers use a family in two steps: classic_key() computes what all k functions share (one XXH3-128, or nothing), and
 * classic_position() gives the bit of function i. Each function can be evaluated without the others, so k threads
 * can evaluate one each [Ong13, IV; thesis, 3.2.1].
 *
 *   XXH3          x_i = h1 + i h2 + C i (i^2 - 1) / 6: enhanced double hashing (Dillinger and Manolios 2004). The top
 *                 bits of the 64-bit x_i give the position, so C = 2^64 / golden ratio scales the cubic term.
 *   XXH3_SQUARE   x_i = h1 + i^2 h2 [thesis, Fig. 8]
 *   MURMUR3       x_i = MurmurHash3(key, seed_i) [thesis, 3.2.1]
 *   AP            x_i = mix(AP hash(key, salt_i), i) [Ong13, II-B]. AP hash has 32 bits, too few to address a large
 *                 filter evenly; the mixer spreads each function's 2^32 values over 64 bits, differently for each i.
 * The bit is floor(x_i m / 2^64), so any m works.
 */
#ifndef TMS_CLASSIC_CORE_H
#define TMS_CLASSIC_CORE_H

#include "hash/ap_core.h"
#include "hash/murmur3_core.h"
#include "hash/xxh3_core.h"
#include "tamis/filter.h"

#define CLASSIC_CUBIC_SCALE       0x9E3779B97F4A7C15u
#define CLASSIC_CUBIC_SCALE_THIRD 0xDF67D33DD518D407ull /* C / 3: times 3 it is C, modulo 2^64 */

typedef struct classic_key {
    const uint8_t *bytes;
    size_t len;
    uint64_t h1, h2; /* XXH3 families only */
} classic_key;

TMS_HD static inline int classic_hashes_once(tms_hash hash) { return hash == TMS_HASH_XXH3 || hash == TMS_HASH_XXH3_SQUARE; }

TMS_HD static inline classic_key classic_key_make(tms_hash hash, uint64_t seed, const uint8_t *bytes, size_t len)
{
    classic_key key = {bytes, len, 0, 0};
    if (classic_hashes_once(hash)) {
        xxh3_hash128 h = xxh3_128(bytes, len, seed);
        key.h1 = h.low;
        key.h2 = h.high;
    }
    return key;
}

TMS_HD static inline uint64_t classic_value(tms_hash hash, uint64_t seed, const classic_key *key, uint32_t i)
{
    switch (hash) {
    case TMS_HASH_XXH3_SQUARE:
        return key->h1 + (uint64_t)i * i * key->h2;
    case TMS_HASH_MURMUR3:
        return murmur3_64(key->bytes, key->len, (uint32_t)core_splitmix(seed, i));
    case TMS_HASH_AP:
        return core_splitmix((uint64_t)i << 32 ^ ap_hash(key->bytes, key->len, ap_salt(seed, i)), 0);
    default: {
        uint32_t pairs = i * (i + 1) / 2; /* i is below 2^16 */
        return key->h1 + i * key->h2 + (uint64_t)pairs * (i - 1) * CLASSIC_CUBIC_SCALE_THIRD;
    }
    }
}

TMS_HD static inline uint64_t classic_position(tms_hash hash, uint64_t seed, const classic_key *key, uint32_t i, uint64_t m_bits)
{
    uint64_t value = classic_value(hash, seed, key, i);
#ifdef __CUDA_ARCH__
    if (m_bits <= 0xffffffffu) /* two products of 32 bits instead of four; m is the same for all threads */
        return ((value >> 32) * (uint32_t)m_bits + __umulhi((uint32_t)value, (uint32_t)m_bits)) >> 32;
#endif
    return core_scale(value, m_bits);
}

#endif
