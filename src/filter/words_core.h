/*
 * words_core.h - the words layout: the bits of a w-mer of a sequence.
 *
 * A w-mer is in the filter if all its s-mers are, w - s + 1 of them (findere, Robidou and Peterlongo 2021). So neighbours share nearly all
 * their bits: a w-mer costs k new ones, and a missing one has to find (w - s + 1) k set. An s-mer's bits are in the block of its
 * minimizer, its m-mer with the least rank (Roberts et al. 2004), so neighbours are in the same block, a sector of GPU memory. A
 * block is 256 bits: four 64-bit words. Bits 2 i and 2 i + 1 of an s-mer are in word q + i mod 4: with k = 2 a test needs one 64-bit
 * access.
 *
 * Measured with K-12, w = 31, s = 23, m = 16, k = 2, against 2 * 10^7 random w-mers: none passes at 12 bits a w-mer. With blocks chosen by
 * the minimizer and the bits by the whole w-mer, k = 8, 7e-3 pass at 21.5 bits a w-mer, because minimizers fill blocks unevenly; with
 * blocks chosen by the w-mer's hash 3e-4. Runs of s-mers are forgiving with uneven blocks: all of w - s + 1 have to pass.
 *
 * The price: a w-mer that differs from a reference's w-mer in a base near its end differs in few s-mers, and passes at a higher rate.
 *
 * Ranks and hashes take an s-mer or m-mer as dna_core.h packs it, or its canonical form, the lesser of the word and its reverse complement.
 * An s-mer is reduced to two 32-bit numbers: its block hash, which selects the block for any number of blocks, and its mark, which selects
 * the bits in the block. Both depend on the sizes, strand and seed, not on m, so a classification computes them once for all filters.
 */
#ifndef TMS_WORDS_CORE_H
#define TMS_WORDS_CORE_H

#include "base/core.h"
#include "tamis/filter.h"

#define WORDS_BLOCK_WORDS   4
#define WORDS_MAX_MINIMIZER 16 /* bases; an m-mer has 32 bits */
#define WORDS_MAX_SUBWORD   24

/* An m-mer's rank; different m-mers have different ranks. With seed 0 poly-A is not the first. */
TMS_HD static inline uint32_t words_rank(uint32_t m_mer, uint64_t seed)
{
    uint32_t x = (m_mer ^ (uint32_t)seed ^ 0x5bd1e995u) * 0x9e3779b1u;
    x = (x ^ x >> 15) * 0x85ebca77u;
    return x ^ x >> 13;
}

/* The block hash of the s-mers whose minimizer has this rank: uniform in 32 bits, unlike the ranks of minimizers. */
TMS_HD static inline uint32_t words_block_hash(uint32_t rank)
{
    uint32_t x = (rank ^ rank >> 16) * 0xc2b2ae3du;
    x = (x ^ x >> 15) * 0x27d4eb2fu;
    return x ^ x >> 16;
}

TMS_HD static inline uint64_t words_block(uint32_t block_hash, uint64_t n_blocks) { return block_hash * n_blocks >> 32; }

/* The mark of an s-mer of up to 24 bases, 48 bits; the upper 16 bits are multiplied separately. */
TMS_HD static inline uint32_t words_mark(uint64_t s_mer, uint64_t seed)
{
    uint64_t x = (uint64_t)((uint32_t)s_mer ^ (uint32_t)(seed >> 32)) * 0x9e3779b1u + (s_mer >> 32) * 0xc2b2ae3du;
    return (uint32_t)(x ^ x >> 32);
}

/*
 * All bits of a mark: position j at bits 6 j .. 6 j + 5, the word at bits 48 and 49. The two top bits would be worse: the product of
 * 32-bit numbers and a constant is uneven there, and four times as many w-mers passed.
 */
TMS_HD static inline uint64_t words_spread(uint32_t mark)
{
    uint64_t x = mark * (uint64_t)0xd1b54a33u;
    return x ^ x >> 32;
}

TMS_HD static inline uint32_t words_first(uint64_t spread) { return (uint32_t)(spread >> 48) % WORDS_BLOCK_WORDS; }

/* The bits of a mark in word q + i mod 4, i = 0 .. (k - 1) / 2. */
TMS_HD static inline uint64_t words_bits(uint64_t spread, uint32_t i, uint32_t k)
{
    uint64_t bits = (uint64_t)1 << (spread >> 12 * i & 63);
    if (2 * i + 1 < k)
        bits |= (uint64_t)1 << (spread >> (12 * i + 6) & 63);
    return bits;
}

/* Does an s-mer pass? */
TMS_HD static inline int words_test(const uint64_t *block, uint32_t mark, uint32_t k)
{
    uint64_t spread = words_spread(mark);
    uint32_t first = words_first(spread), missing = 0;
    for (uint32_t i = 0; 2 * i < k; i++)
        missing |= (words_bits(spread, i, k) & ~block[(first + i) % WORDS_BLOCK_WORDS]) != 0;
    return !missing;
}

#endif
