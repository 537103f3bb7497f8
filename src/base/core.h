/*
 * core.h - what every *_core.h needs: arithmetic and byte reads that gcc and nvcc both compile.
 *
 * Words are read as little-endian from any address. On the GPU a word at an odd address is assembled from aligned 32-bit words, so a read
 * may touch the rest of the aligned words around the key: device arenas are padded for it.
 */
#ifndef TMS_CORE_H
#define TMS_CORE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define TMS_HD          __host__ __device__
#define TMS_HD_NOINLINE __host__ __device__ __noinline__
#else
#define TMS_HD
#define TMS_HD_NOINLINE __attribute__((noinline))
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tamis keeps filters as little-endian words in memory and on disk: this machine is big-endian"
#endif

#ifdef __CUDA_ARCH__

TMS_HD static inline uint32_t core_read32(const uint8_t *p)
{
    const uint32_t *word = (const uint32_t *)((uintptr_t)p & ~(uintptr_t)3);
    uint32_t shift = ((uint32_t)(uintptr_t)p & 3) * 8;
    return shift ? __funnelshift_r(word[0], word[1], shift) : word[0];
}

TMS_HD static inline uint64_t core_read64(const uint8_t *p)
{
    const uint32_t *word = (const uint32_t *)((uintptr_t)p & ~(uintptr_t)3);
    uint32_t shift = ((uint32_t)(uintptr_t)p & 3) * 8;
    uint32_t a = word[0], b = word[1];
    if (shift) {
        uint32_t c = word[2];
        a = __funnelshift_r(a, b, shift);
        b = __funnelshift_r(b, c, shift);
    }
    return (uint64_t)b << 32 | a;
}

TMS_HD static inline uint64_t core_mul_high(uint64_t a, uint64_t b) { return __umul64hi(a, b); }

#else

TMS_HD static inline uint32_t core_read32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

TMS_HD static inline uint64_t core_read64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

TMS_HD static inline uint64_t core_mul_high(uint64_t a, uint64_t b) { return (uint64_t)(((unsigned __int128)a * b) >> 64); }

#endif

/* For the host: writes a little-endian word to any address. */
static inline void core_write32(uint8_t *p, uint32_t v) { memcpy(p, &v, 4); }
static inline void core_write64(uint8_t *p, uint64_t v) { memcpy(p, &v, 8); }

TMS_HD static inline uint64_t core_rotl64(uint64_t v, int r) { return v << r | v >> (64 - r); }

TMS_HD static inline uint32_t core_swap32(uint32_t v) { return v << 24 | (v & 0xff00u) << 8 | (v >> 8 & 0xff00u) | v >> 24; }

TMS_HD static inline uint64_t core_swap64(uint64_t v)
{
    return (uint64_t)core_swap32((uint32_t)v) << 32 | core_swap32((uint32_t)(v >> 32));
}

/* Maps a uniform 64-bit hash to 0 .. n - 1 without a division: floor(h * n / 2^64). */
TMS_HD static inline uint64_t core_scale(uint64_t h, uint64_t n) { return core_mul_high(h, n); }

/* SplitMix64 (Steele, Lea, Flood 2014): the i-th 64-bit number of the stream that `seed` starts. */
TMS_HD static inline uint64_t core_splitmix(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

#endif
