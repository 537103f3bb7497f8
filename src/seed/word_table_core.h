/*
 * word_table_core.h - looking a w-mer up in the table of the query's w-mers, for one w-mer.
 *
 * A w-mer of 2 w bits is mixed by a bijection of 2 w bits. The top bucket_bits of the result name a bucket, so only the rest has
 * to be kept and compared. The rest's low 32 bits lie in the entry; what is above lies in an array of its own, which w-mers
 * of up to (32 + bucket_bits) / 2 bases do without. Where 2 w <= bucket_bits the bucket is the w-mer: an inverted list.
 */
#ifndef TMS_WORD_TABLE_CORE_H
#define TMS_WORD_TABLE_CORE_H

#include "base/core.h"

#define WORD_NONE     UINT32_MAX
#define WORD_REVERSED ((uint32_t)1 << 31) /* in tms_seed_hit.word */

struct word_entry {
    uint32_t low;   /* low 32 bits of the rest */
    uint32_t first; /* of its places; they end where the next entry's begin */
};

struct word_table {
    uint32_t word_size;   /* w */
    uint32_t bucket_bits; /* 0 .. 2 w, at most 31 */
    uint32_t n_distinct, n_places;
    uint32_t *buckets;          /* 2^bucket_bits + 1: the first entry of each */
    struct word_entry *entries; /* n_distinct + 4, by bucket; within one by rest. The first after the last ends its places */
    uint32_t *high;             /* n_distinct: the rest above its low 32 bits; NULL where there is none */
    uint32_t *places;           /* n_places, ascending within an entry: tms_seed_place */
};

TMS_HD static inline uint64_t word_mix(uint64_t word, unsigned w)
{
    uint64_t mask = ~(uint64_t)0 >> (64 - 2 * w);
    uint64_t x = word * 0x9E3779B97F4A7C15u & mask;
    x ^= x >> w;
    return x * 0xD6E8FEB86659FD93u & mask;
}

TMS_HD static inline uint32_t word_bucket(const struct word_table *table, uint64_t mixed)
{
    unsigned rest_bits = 2 * table->word_size - table->bucket_bits;
    return rest_bits > 63 ? 0 : (uint32_t)(mixed >> rest_bits);
}

TMS_HD static inline uint64_t word_rest(const struct word_table *table, uint64_t mixed)
{
    unsigned rest_bits = 2 * table->word_size - table->bucket_bits;
    return rest_bits ? mixed & ~(uint64_t)0 >> (64 - rest_bits) : 0;
}

/* The entry with this rest among at .. end - 1, or WORD_NONE. */
TMS_HD static inline uint32_t word_search(const struct word_table *table, uint32_t at, uint32_t end, uint64_t rest)
{
    for (; at < end; at++)
        if (table->entries[at].low == (uint32_t)rest && (!table->high || table->high[at] == (uint32_t)(rest >> 32)))
            return at;
    return WORD_NONE;
}

/* The entry of a mixed w-mer, or WORD_NONE. */
TMS_HD static inline uint32_t word_find(const struct word_table *table, uint64_t mixed)
{
    uint32_t bucket = word_bucket(table, mixed);
    return word_search(table, table->buckets[bucket], table->buckets[bucket + 1], word_rest(table, mixed));
}

#endif
