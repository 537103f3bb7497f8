/*
 * blocked_core.h - the blocked layout: the block of a key and the key's bits in that block.
 *
 * A block is 256 bits = eight 32-bit words: one sector of GPU memory, half a cache line. From the key's 64-bit hash h the
 * block is floor(h * n_blocks / 2^64), so any number of blocks works, and bit j = 0 .. k - 1 of the key lies in
 * word j mod 8 at position top5(low32(h) * salt_j). Up to k = 8 every bit has a word of its own (the "split block" of
 * Apache Parquet, which supplies the first eight salts; the other salts are odd random numbers). Above k = 8 a word gets a second bit.
 * Multiplications replace k hash functions: one SIMD multiply and one shift compute all words of a key.
 *
 * With c blocks per key the filter consists of c such filters side by side, called parts, of n_blocks / c blocks each. Part i takes
 * blocked_hash(h, i) for h, and a key is in the filter if it is in every part. The rates multiply, so each part may be far smaller;
 * nearly every missing key is decided in part 0, by one access to 1 / c of the memory. Choosing blocks
 * anywhere in the whole filter would need as many bits per key (slightly more in small filters, where a key's blocks may coincide)
 * and lose this locality. Each part is a filter with one block per key, so the kernels for one block serve every filter.
 */
#ifndef TMS_BLOCKED_CORE_H
#define TMS_BLOCKED_CORE_H

#include "base/core.h"
#include "tamis/filter.h"

#define BLOCKED_WORDS     8
#define BLOCKED_SAME_BITS 0x1p-32 /* probability that two keys of a block agree in the low half of their hashes, so in all bits */

#define BLOCKED_SALTS                                                                                                                      \
    {                                                                                                                                      \
        0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du, 0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u, 0xb5297a4du, 0x68e31da5u,  \
            0x1b56c4e9u, 0xd2a98b27u, 0x93f8e60bu, 0xe7037ed1u, 0x3c6ef373u, 0xcc9e2d51u                                                   \
    }

static const uint32_t blocked_salts_host[TMS_BLOCKED_MAX_K] = BLOCKED_SALTS;
#ifdef __CUDACC__
static __device__ __constant__ const uint32_t blocked_salts_gpu[TMS_BLOCKED_MAX_K] = BLOCKED_SALTS;
#endif
#ifdef __CUDA_ARCH__
#define BLOCKED_SALT blocked_salts_gpu
#else
#define BLOCKED_SALT blocked_salts_host
#endif

TMS_HD static inline uint64_t blocked_index(uint64_t h, uint64_t n_blocks) { return core_scale(h, n_blocks); }

/* blocked_index() by two 32-bit multiplications, for the GPU, which composes 64-bit multiplications from 32-bit ones. */
TMS_HD static inline uint32_t blocked_index32(uint64_t h, uint32_t n_blocks)
{
    return (uint32_t)(((h >> 32) * n_blocks + ((h & 0xffffffffu) * n_blocks >> 32)) >> 32);
}

/*
 * The hash for part i of a key with hash h: h itself, then SplitMix64's stream from h. Each part's hash is a permutation of all 64 bits, so
 * two keys that have the same block and bits in one part (their hashes agree in 32 bits and those of the block) differ in every other part,
 * unless their h is equal.
 */
TMS_HD static inline uint64_t blocked_hash(uint64_t h, uint32_t part) { return part ? core_splitmix(h, part - 1) : h; }

/* The probability that a missing key has the same 64-bit hash as one of n keys. */
static inline double blocked_same_hash(uint64_t n_keys) { return (double)n_keys * 0x1p-64; }

/* The bits that a key with hash h has in word w of its block. */
TMS_HD static inline uint32_t blocked_word(uint64_t h, uint32_t k, uint32_t w)
{
    uint32_t low = (uint32_t)h, bits = 0;
    if (w < k)
        bits = 1u << (low * BLOCKED_SALT[w] >> 27);
    if (w + BLOCKED_WORDS < k)
        bits |= 1u << (low * BLOCKED_SALT[w + BLOCKED_WORDS] >> 27);
    return bits;
}

#endif
