/*
 * dna_core.h - extracts one w-mer from packed bases.
 *
 * A w-mer is a 64-bit word: base j at bits 2 j and 2 j + 1, zeros above bit 2 w - 1. So it is a slice of the packed sequence.
 */
#ifndef TMS_DNA_CORE_H
#define TMS_DNA_CORE_H

#include "base/core.h"

TMS_HD static inline uint64_t dna_word_mask(unsigned w) { return ~(uint64_t)0 >> (64 - 2 * w); }

/* The w-mer at base i of codes. May read one word after the last one that the w-mer touches. */
TMS_HD static inline uint64_t dna_word(const uint64_t *codes, size_t i, unsigned w)
{
    unsigned shift = 2 * (unsigned)(i & 31);
    uint64_t low = codes[i >> 5] >> shift;
    uint64_t high = codes[(i >> 5) + 1] << 1 << (63 - shift); /* 0 if shift is 0 */
    return (low | high) & dna_word_mask(w);
}

/* The reverse complement of a w-mer. */
TMS_HD static inline uint64_t dna_reverse_complement(uint64_t word, unsigned w)
{
    uint64_t x = ~word;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return core_swap64(x) >> (64 - 2 * w);
}

#endif
