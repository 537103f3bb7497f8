/*
 * xxh3_core.h - XXH3 with a seed, 64 and 128 bits, for the CPU and the GPU.
 *
 * Written from the algorithm's specification (xxHash by Y. Collet, BSD-2-Clause: constants and steps are its facts). Tests compare it with
 * the xxHash library for every length class and seed. The xxHash library itself does not compile for a GPU.
 */
#ifndef TMS_XXH3_CORE_H
#define TMS_XXH3_CORE_H

#include "base/core.h"

typedef struct xxh3_hash128 {
    uint64_t low, high;
} xxh3_hash128;

#define XXH3_P32_1  0x9E3779B1u
#define XXH3_P32_2  0x85EBCA77u
#define XXH3_P32_3  0xC2B2AE3Du
#define XXH3_P64_1  0x9E3779B185EBCA87u
#define XXH3_P64_2  0xC2B2AE3D27D4EB4Fu
#define XXH3_P64_3  0x165667B19E3779F9u
#define XXH3_P64_4  0x85EBCA77C2B2AE63u
#define XXH3_P64_5  0x27D4EB2F165667C5u
#define XXH3_RRMXMX 0x9FB21C651E98DF25u

#define XXH3_SECRET_WORDS      24 /* 192 bytes */
#define XXH3_STRIPE_BYTES      64
#define XXH3_STRIPES_PER_BLOCK 16

/* The default secret as little-endian words. */
#define XXH3_SECRET_TABLE                                                                                                                  \
    {                                                                                                                                      \
        0xbe4ba423396cfeb8u, 0x1cad21f72c81017cu, 0xdb979083e96dd4deu, 0x1f67b3b7a4a44072u, 0x78e5c0cc4ee679cbu, 0x2172ffcc7dd05a82u,      \
            0x8e2443f7744608b8u, 0x4c263a81e69035e0u, 0xcb00c391bb52283cu, 0xa32e531b8b65d088u, 0x4ef90da297486471u, 0xd8acdea946ef1938u,  \
            0x3f349ce33f76faa8u, 0x1d4f0bc7c7bbdcf9u, 0x3159b4cd4be0518au, 0x647378d9c97e9fc8u, 0xc3ebd33483acc5eau, 0xeb6313faffa081c5u,  \
            0x49daf0b751dd0d17u, 0x9e68d429265516d3u, 0xfca1477d58be162bu, 0xce31d07ad1b8f88fu, 0x280416958f3acb45u, 0x7e404bbbcafbd7afu   \
    }

static const uint64_t xxh3_secret_host[XXH3_SECRET_WORDS] = XXH3_SECRET_TABLE;
#ifdef __CUDACC__
static __device__ __constant__ const uint64_t xxh3_secret_gpu[XXH3_SECRET_WORDS] = XXH3_SECRET_TABLE;
#endif
#ifdef __CUDA_ARCH__
#define XXH3_SECRET xxh3_secret_gpu
#else
#define XXH3_SECRET xxh3_secret_host
#endif

/* 64 bits at byte `offset` of a secret. */
TMS_HD static inline uint64_t xxh3_secret64(const uint64_t *secret, unsigned offset)
{
    unsigned word = offset / 8, shift = offset % 8 * 8;
    return shift ? secret[word] >> shift | secret[word + 1] << (64 - shift) : secret[word];
}

TMS_HD static inline uint64_t xxh3_fold(uint64_t a, uint64_t b) { return a * b ^ core_mul_high(a, b); }

TMS_HD static inline uint64_t xxh3_avalanche(uint64_t h)
{
    h = (h ^ h >> 37) * 0x165667919E3779F9u;
    return h ^ h >> 32;
}

TMS_HD static inline uint64_t xxh3_xxh64_avalanche(uint64_t h)
{
    h = (h ^ h >> 33) * XXH3_P64_2;
    h = (h ^ h >> 29) * XXH3_P64_3;
    return h ^ h >> 32;
}

TMS_HD static inline uint64_t xxh3_mix16(const uint8_t *p, unsigned secret_offset, uint64_t seed)
{
    return xxh3_fold(core_read64(p) ^ (xxh3_secret64(XXH3_SECRET, secret_offset) + seed),
                     core_read64(p + 8) ^ (xxh3_secret64(XXH3_SECRET, secret_offset + 8) - seed));
}

/* Combines 1 .. 3 bytes and the length in one word. */
TMS_HD static inline uint32_t xxh3_combine_1to3(const uint8_t *p, size_t len)
{
    return (uint32_t)p[0] << 16 | (uint32_t)p[len >> 1] << 24 | (uint32_t)p[len - 1] | (uint32_t)len << 8;
}

TMS_HD static inline uint64_t xxh3_seed_4to8(uint64_t seed) { return seed ^ (uint64_t)core_swap32((uint32_t)seed) << 32; }

/* The 64-bit hash of 4 .. 8 bytes from their first and last four as little-endian words. */
TMS_HD static inline uint64_t xxh3_64_word(uint32_t first, uint32_t last, size_t len, uint64_t seed)
{
    uint64_t h = ((uint64_t)first << 32 | last) ^ ((XXH3_SECRET[1] ^ XXH3_SECRET[2]) - xxh3_seed_4to8(seed));
    h ^= core_rotl64(h, 49) ^ core_rotl64(h, 24);
    h *= XXH3_RRMXMX;
    h ^= (h >> 35) + len;
    h *= XXH3_RRMXMX;
    return h ^ h >> 28;
}

/* --- keys over 240 bytes: eight accumulators over stripes of 64 bytes --- */

/* The seeded secret: even words + seed, odd words - seed. */
TMS_HD static inline void xxh3_seeded_secret(uint64_t seed, uint64_t *secret)
{
    for (unsigned i = 0; i < XXH3_SECRET_WORDS; i += 2) {
        secret[i] = XXH3_SECRET[i] + seed;
        secret[i + 1] = XXH3_SECRET[i + 1] - seed;
    }
}

TMS_HD static inline void xxh3_stripe(uint64_t *acc, const uint8_t *p, const uint64_t *secret, unsigned secret_offset)
{
    for (unsigned i = 0; i < 8; i++) {
        uint64_t data = core_read64(p + 8 * i);
        uint64_t keyed = data ^ xxh3_secret64(secret, secret_offset + 8 * i);
        acc[i ^ 1] += data;
        acc[i] += (keyed & 0xffffffffu) * (keyed >> 32);
    }
}

TMS_HD static inline uint64_t xxh3_merge(const uint64_t *acc, const uint64_t *secret, unsigned secret_offset, uint64_t start)
{
    for (unsigned i = 0; i < 8; i += 2)
        start += xxh3_fold(acc[i] ^ xxh3_secret64(secret, secret_offset + 8 * i),
                           acc[i + 1] ^ xxh3_secret64(secret, secret_offset + 8 * i + 8));
    return xxh3_avalanche(start);
}

TMS_HD_NOINLINE static xxh3_hash128 xxh3_long(const uint8_t *p, size_t len, uint64_t seed)
{
    uint64_t secret[XXH3_SECRET_WORDS];
    xxh3_seeded_secret(seed, secret);
    uint64_t acc[8] = {XXH3_P32_3, XXH3_P64_1, XXH3_P64_2, XXH3_P64_3, XXH3_P64_4, XXH3_P32_2, XXH3_P64_5, XXH3_P32_1};
    size_t n_stripes = (len - 1) / XXH3_STRIPE_BYTES; /* the last stripe, full or not, is the last 64 bytes of the key */
    for (size_t s = 0; s < n_stripes; s++) {
        unsigned in_block = (unsigned)(s % XXH3_STRIPES_PER_BLOCK);
        xxh3_stripe(acc, p + s * XXH3_STRIPE_BYTES, secret, 8 * in_block);
        if (in_block == XXH3_STRIPES_PER_BLOCK - 1)
            for (unsigned i = 0; i < 8; i++)
                acc[i] = (acc[i] ^ acc[i] >> 47 ^ secret[16 + i]) * XXH3_P32_1;
    }
    xxh3_stripe(acc, p + len - XXH3_STRIPE_BYTES, secret, 121);
    xxh3_hash128 h;
    h.low = xxh3_merge(acc, secret, 11, (uint64_t)len * XXH3_P64_1);
    h.high = xxh3_merge(acc, secret, 117, ~((uint64_t)len * XXH3_P64_2));
    return h;
}

/* --- 64 bits --- */

TMS_HD_NOINLINE static uint64_t xxh3_64_129to240(const uint8_t *p, size_t len, uint64_t seed)
{
    uint64_t acc = len * XXH3_P64_1;
    unsigned n_rounds = (unsigned)len / 16;
    for (unsigned i = 0; i < 8; i++)
        acc += xxh3_mix16(p + 16 * i, 16 * i, seed);
    acc = xxh3_avalanche(acc);
    for (unsigned i = 8; i < n_rounds; i++)
        acc += xxh3_mix16(p + 16 * i, 16 * (i - 8) + 3, seed);
    acc += xxh3_mix16(p + len - 16, 136 - 17, seed);
    return xxh3_avalanche(acc);
}

TMS_HD static inline uint64_t xxh3_64_17to128(const uint8_t *p, size_t len, uint64_t seed)
{
    uint64_t acc = len * XXH3_P64_1;
    if (len > 32) {
        if (len > 64) {
            if (len > 96)
                acc += xxh3_mix16(p + 48, 96, seed) + xxh3_mix16(p + len - 64, 112, seed);
            acc += xxh3_mix16(p + 32, 64, seed) + xxh3_mix16(p + len - 48, 80, seed);
        }
        acc += xxh3_mix16(p + 16, 32, seed) + xxh3_mix16(p + len - 32, 48, seed);
    }
    acc += xxh3_mix16(p, 0, seed) + xxh3_mix16(p + len - 16, 16, seed);
    return xxh3_avalanche(acc);
}

TMS_HD static inline uint64_t xxh3_64_9to16(const uint8_t *p, size_t len, uint64_t seed)
{
    uint64_t low = core_read64(p) ^ ((XXH3_SECRET[3] ^ XXH3_SECRET[4]) + seed);
    uint64_t high = core_read64(p + len - 8) ^ ((XXH3_SECRET[5] ^ XXH3_SECRET[6]) - seed);
    return xxh3_avalanche(len + core_swap64(low) + high + xxh3_fold(low, high));
}

/* XXH3_64bits_withSeed(p, len, seed) */
TMS_HD static inline uint64_t xxh3_64(const uint8_t *p, size_t len, uint64_t seed)
{
    if (len > 16) {
        if (len <= 128)
            return xxh3_64_17to128(p, len, seed);
        return len <= 240 ? xxh3_64_129to240(p, len, seed) : xxh3_long(p, len, seed).low;
    }
    if (len > 8)
        return xxh3_64_9to16(p, len, seed);
    if (len >= 4)
        return xxh3_64_word(core_read32(p), core_read32(p + len - 4), len, seed);
    if (len)
        return xxh3_xxh64_avalanche(xxh3_combine_1to3(p, len) ^
                                    ((uint64_t)((uint32_t)XXH3_SECRET[0] ^ (uint32_t)(XXH3_SECRET[0] >> 32)) + seed));
    return xxh3_xxh64_avalanche(seed ^ XXH3_SECRET[7] ^ XXH3_SECRET[8]);
}

/* --- 128 bits --- */

TMS_HD static inline xxh3_hash128 xxh3_mix32(xxh3_hash128 acc, const uint8_t *a, const uint8_t *b, unsigned secret_offset, uint64_t seed)
{
    acc.low = (acc.low + xxh3_mix16(a, secret_offset, seed)) ^ (core_read64(b) + core_read64(b + 8));
    acc.high = (acc.high + xxh3_mix16(b, secret_offset + 16, seed)) ^ (core_read64(a) + core_read64(a + 8));
    return acc;
}

TMS_HD static inline xxh3_hash128 xxh3_128_finish(xxh3_hash128 acc, size_t len, uint64_t seed)
{
    xxh3_hash128 h;
    h.low = xxh3_avalanche(acc.low + acc.high);
    h.high = 0 - xxh3_avalanche(acc.low * XXH3_P64_1 + acc.high * XXH3_P64_4 + (len - seed) * XXH3_P64_2);
    return h;
}

TMS_HD static inline xxh3_hash128 xxh3_128_17to128(const uint8_t *p, size_t len, uint64_t seed)
{
    xxh3_hash128 acc = {len * XXH3_P64_1, 0};
    if (len > 32) {
        if (len > 64) {
            if (len > 96)
                acc = xxh3_mix32(acc, p + 48, p + len - 64, 96, seed);
            acc = xxh3_mix32(acc, p + 32, p + len - 48, 64, seed);
        }
        acc = xxh3_mix32(acc, p + 16, p + len - 32, 32, seed);
    }
    return xxh3_128_finish(xxh3_mix32(acc, p, p + len - 16, 0, seed), len, seed);
}

TMS_HD_NOINLINE static xxh3_hash128 xxh3_128_129to240(const uint8_t *p, size_t len, uint64_t seed)
{
    xxh3_hash128 acc = {len * XXH3_P64_1, 0};
    unsigned n_rounds = (unsigned)len / 32;
    for (unsigned i = 0; i < 4; i++)
        acc = xxh3_mix32(acc, p + 32 * i, p + 32 * i + 16, 32 * i, seed);
    acc.low = xxh3_avalanche(acc.low);
    acc.high = xxh3_avalanche(acc.high);
    for (unsigned i = 4; i < n_rounds; i++)
        acc = xxh3_mix32(acc, p + 32 * i, p + 32 * i + 16, 3 + 32 * (i - 4), seed);
    acc = xxh3_mix32(acc, p + len - 16, p + len - 32, 136 - 17 - 16, 0 - seed);
    return xxh3_128_finish(acc, len, seed);
}

TMS_HD static inline xxh3_hash128 xxh3_128_9to16(const uint8_t *p, size_t len, uint64_t seed)
{
    uint64_t first = core_read64(p), last = core_read64(p + len - 8);
    uint64_t a = first ^ last ^ ((XXH3_SECRET[4] ^ XXH3_SECRET[5]) - seed);
    uint64_t low = a * XXH3_P64_1 + ((uint64_t)(len - 1) << 54);
    uint64_t high = core_mul_high(a, XXH3_P64_1);
    last ^= (XXH3_SECRET[6] ^ XXH3_SECRET[7]) + seed;
    high += last + (last & 0xffffffffu) * (uint64_t)(XXH3_P32_2 - 1);
    low ^= core_swap64(high);
    xxh3_hash128 h;
    h.low = xxh3_avalanche(low * XXH3_P64_2);
    h.high = xxh3_avalanche(core_mul_high(low, XXH3_P64_2) + high * XXH3_P64_2);
    return h;
}

TMS_HD static inline xxh3_hash128 xxh3_128_4to8(const uint8_t *p, size_t len, uint64_t seed)
{
    uint64_t word = core_read32(p) + ((uint64_t)core_read32(p + len - 4) << 32);
    uint64_t keyed = word ^ ((XXH3_SECRET[2] ^ XXH3_SECRET[3]) + xxh3_seed_4to8(seed));
    uint64_t factor = XXH3_P64_1 + (len << 2);
    xxh3_hash128 h = {keyed * factor, core_mul_high(keyed, factor)};
    h.high += h.low << 1;
    h.low ^= h.high >> 3;
    h.low = (h.low ^ h.low >> 35) * XXH3_RRMXMX;
    h.low ^= h.low >> 28;
    h.high = xxh3_avalanche(h.high);
    return h;
}

TMS_HD static inline xxh3_hash128 xxh3_128_0to3(const uint8_t *p, size_t len, uint64_t seed)
{
    xxh3_hash128 h;
    if (!len) {
        h.low = xxh3_xxh64_avalanche(seed ^ XXH3_SECRET[8] ^ XXH3_SECRET[9]);
        h.high = xxh3_xxh64_avalanche(seed ^ XXH3_SECRET[10] ^ XXH3_SECRET[11]);
        return h;
    }
    uint32_t low = xxh3_combine_1to3(p, len);
    uint32_t swapped = core_swap32(low);
    uint32_t high = swapped << 13 | swapped >> 19;
    h.low = xxh3_xxh64_avalanche(low ^ ((uint64_t)((uint32_t)XXH3_SECRET[0] ^ (uint32_t)(XXH3_SECRET[0] >> 32)) + seed));
    h.high = xxh3_xxh64_avalanche(high ^ ((uint64_t)((uint32_t)XXH3_SECRET[1] ^ (uint32_t)(XXH3_SECRET[1] >> 32)) - seed));
    return h;
}

/* XXH3_128bits_withSeed(p, len, seed) */
TMS_HD static inline xxh3_hash128 xxh3_128(const uint8_t *p, size_t len, uint64_t seed)
{
    if (len > 16) {
        if (len <= 128)
            return xxh3_128_17to128(p, len, seed);
        return len <= 240 ? xxh3_128_129to240(p, len, seed) : xxh3_long(p, len, seed);
    }
    if (len > 8)
        return xxh3_128_9to16(p, len, seed);
    return len >= 4 ? xxh3_128_4to8(p, len, seed) : xxh3_128_0to3(p, len, seed);
}

#endif
