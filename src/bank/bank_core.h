/*
 * bank_core.h - the bit positions of one w-mer for one sub-query in a bank of Bloom filters.
 *
 * Function j takes half of a 64-bit hash (a lane): f_j = bits 32 (j mod 2) and up of lane j / 2. Its position in a vector of
 * m bits is floor(f_j m / 2^32). If m is a power of two the position is the top bits of f_j, so with H3 each function is
 * again a member of the H3 family.
 *
 * Where bit `position` of sub-query i's vector lies:
 *   shared        i * stride + position. Stride: m, rounded up to whole 64-bit words
 *   interleaved   row `position` of slice i / row_bits, column i mod row_bits. A row has 1, 2, 4, ... 128, or 256, 512, 768, 1,024
 *                 columns; more sub-queries take further slices of the same width
 */
#ifndef TMS_BANK_CORE_H
#define TMS_BANK_CORE_H

#include "hash/h3_core.h"
#include "hash/xxh3_core.h"

#define BANK_ROW_MAX_BITS 1024
#define BANK_MAX_K        16
#define BANK_MAX_LANES    (BANK_MAX_K / 2)

enum bank_hash { BANK_EXACT = 0, BANK_H3 = 1, BANK_XXH3 = 2 }; /* exact: position = w-mer, m = 4^w, k = 1 */

struct bank_shape {
    uint64_t m_bits; /* bits of a vector */
    uint64_t seed;
    uint32_t k;
    uint32_t n_subs;
    uint32_t row_bits; /* columns of a row in the interleaved layout; 0: shared */
    uint32_t hash;     /* enum bank_hash */
    uint32_t word_size;
};

TMS_HD static inline unsigned bank_lanes(const struct bank_shape *shape) { return (shape->k + 1) / 2; }
TMS_HD static inline uint64_t bank_stride(const struct bank_shape *shape) { return (shape->m_bits + 63) & ~(uint64_t)63; }

/* Columns of a row for n_subs sub-queries. Above 128 a slice has a multiple of 256 columns, so that a row is whole sectors of 32 bytes. */
static inline uint32_t bank_row_bits(uint32_t n_subs)
{
    uint32_t bits = 1, n_slices = (n_subs + BANK_ROW_MAX_BITS - 1) / BANK_ROW_MAX_BITS;
    if (n_subs > 128)
        return ((n_subs + n_slices - 1) / n_slices + 255) / 256 * 256;
    while (bits < n_subs)
        bits *= 2;
    return bits;
}

/* Bytes of a w-mer that H3 hashes. */
TMS_HD static inline unsigned bank_word_bytes(const struct bank_shape *shape) { return (shape->word_size + 3) / 4; }

/* Columns of a w-mer's answers, over all slices. */
TMS_HD static inline uint64_t bank_width(const struct bank_shape *shape)
{
    return shape->row_bits ? (uint64_t)(shape->n_subs + shape->row_bits - 1) / shape->row_bits * shape->row_bits : shape->n_subs;
}

TMS_HD static inline uint32_t bank_position(uint64_t lane, unsigned j, uint64_t m_bits)
{
    return (uint32_t)((lane >> 32 * (j & 1) & 0xffffffffu) * m_bits >> 32);
}

TMS_HD static inline uint64_t bank_xxh3_lane(uint64_t seed, unsigned lane, uint64_t word)
{
    return xxh3_64_word((uint32_t)word, (uint32_t)(word >> 32), 8, seed + lane);
}

TMS_HD static inline uint64_t bank_bit(const struct bank_shape *shape, uint32_t sub, uint64_t position)
{
    if (!shape->row_bits)
        return sub * bank_stride(shape) + position;
    return (sub / shape->row_bits * shape->m_bits + position) * shape->row_bits + sub % shape->row_bits;
}

#endif
