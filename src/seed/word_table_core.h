/*
 * word_table_core.h - look-up of one word in a table of words and positions. A word is a w-mer of 2 w bits, or packed residues of
 * another alphabet.
 *
 * A bijection mixes the word_bits bits of a word. The top bucket_bits of the result select a bucket, so the table stores and compares only
 * the rest. The entry holds the rest's low 32 bits; a separate array holds its higher bits, which words
 * of up to 32 + bucket_bits bits do not have. If word_bits <= bucket_bits the bucket is the word: an inverted list.
 */
#ifndef TMS_WORD_TABLE_CORE_H
#define TMS_WORD_TABLE_CORE_H

#include "base/core.h"

#define WORD_NONE     UINT32_MAX
#define WORD_REVERSED ((uint32_t)1 << 31) /* flag in tms_seed_hit.word */

struct word_entry {
    uint32_t low;   /* low 32 bits of the rest */
    uint32_t first; /* index of its first position; the next entry's `first` is the end */
};

struct word_table {
    uint32_t word_bits;   /* bits of a word, 1 .. 64; w-mers: 2 w */
    uint32_t bucket_bits; /* 0 .. word_bits, at most 31 */
    uint32_t n_distinct, n_positions;
    uint32_t *buckets;          /* 2^bucket_bits + 1: the first entry of each */
    struct word_entry *entries; /* n_distinct + 4, sorted by bucket, then rest. The entry after the last ends the last one's positions */
    uint32_t *high;             /* n_distinct: the bits of the rest above the low 32; NULL if there are none */
    uint32_t *positions;        /* n_positions, ascending within an entry; of w-mers: tms_seed_place */
};

TMS_HD static inline uint64_t word_mix(uint64_t word, unsigned word_bits)
{
    uint64_t mask = ~(uint64_t)0 >> (64 - word_bits);
    uint64_t x = word * 0x9E3779B97F4A7C15u & mask;
    x ^= x >> (word_bits + 1) / 2;
    return x * 0xD6E8FEB86659FD93u & mask;
}

TMS_HD static inline uint32_t word_bucket(const struct word_table *table, uint64_t mixed)
{
    unsigned rest_bits = table->word_bits - table->bucket_bits;
    return rest_bits > 63 ? 0 : (uint32_t)(mixed >> rest_bits);
}

TMS_HD static inline uint64_t word_rest(const struct word_table *table, uint64_t mixed)
{
    unsigned rest_bits = table->word_bits - table->bucket_bits;
    return rest_bits ? mixed & ~(uint64_t)0 >> (64 - rest_bits) : 0;
}

/* Returns the entry with this rest among at .. end - 1, or WORD_NONE. */
TMS_HD static inline uint32_t word_search(const struct word_table *table, uint32_t at, uint32_t end, uint64_t rest)
{
    for (; at < end; at++)
        if (table->entries[at].low == (uint32_t)rest && (!table->high || table->high[at] == (uint32_t)(rest >> 32)))
            return at;
    return WORD_NONE;
}

/* Returns the entry of a mixed word, or WORD_NONE. */
TMS_HD static inline uint32_t word_find(const struct word_table *table, uint64_t mixed)
{
    uint32_t bucket = word_bucket(table, mixed);
    return word_search(table, table->buckets[bucket], table->buckets[bucket + 1], word_rest(table, mixed));
}

#endif
