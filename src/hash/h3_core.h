/*
 * h3_core.h - the H3 family of hash functions [Ma11, eq. 1]: h(x) is the exclusive or of the matrix rows q(i) for which bit i of x is 1.
 *
 * A matrix has 65 rows of 64 bits, which SplitMix64 draws from the seed. The hash by one matrix is called a lane; lanes are independent. x
 * is a 64-bit word and, above it, a bit that is always 1. Without this bit all functions would map the word 0, which is AAA..., the most
 * frequent word of many genomes, to position 0, and it would set one bit in a filter instead of k.
 *
 * h(x ^ y) ^ h(x) ^ h(y) is the same for all x and y, so a table for each byte of x gives the same value in 8 look-ups.
 */
#ifndef TMS_H3_CORE_H
#define TMS_H3_CORE_H

#include "base/core.h"

#define H3_TABLE_BYTES 8                              /* most bytes of x */
#define H3_LANE_WORDS  ((size_t)H3_TABLE_BYTES * 256) /* words in the tables of one lane */

#define H3_ROWS 65

/* Row i, 0 .. 64, of lane l's matrix. */
TMS_HD static inline uint64_t h3_row(uint64_t seed, unsigned lane, unsigned i) { return core_splitmix(seed, H3_ROWS * lane + i); }

/* The definition of H3, bit by bit. */
TMS_HD static inline uint64_t h3_by_rows(uint64_t seed, unsigned lane, uint64_t x)
{
    uint64_t h = h3_row(seed, lane, 64);
    for (unsigned i = 0; i < 64; i++)
        if (x >> i & 1)
            h ^= h3_row(seed, lane, i);
    return h;
}

/*
 * The value of h3_by_rows() from a lane's tables: tables[256 b + v] is what value v of byte b contributes. n_bytes: 1 or more; all higher
 * bytes of x are 0.
 */
TMS_HD static inline uint64_t h3_by_tables(const uint64_t *tables, unsigned n_bytes, uint64_t x)
{
    uint64_t h = 0;
    for (unsigned b = 0; b < n_bytes; b++)
        h ^= tables[256 * b + (x >> 8 * b & 255)];
    return h;
}

/* Fills the H3_LANE_WORDS words of a lane's tables. The table of byte 0 includes the constant bit's row. */
static inline void h3_make_tables(uint64_t *tables, uint64_t seed, unsigned lane)
{
    for (unsigned b = 0; b < H3_TABLE_BYTES; b++) {
        uint64_t *table = tables + 256 * b;
        table[0] = b == 0 ? h3_row(seed, lane, 64) : 0;
        for (unsigned v = 1; v < 256; v++)
            table[v] = table[v & (v - 1)] ^ h3_row(seed, lane, 8 * b + (unsigned)__builtin_ctz(v));
    }
}

#endif
