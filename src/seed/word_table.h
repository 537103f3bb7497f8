/*
 * word_table.h - an exact table of words and their positions: of a query's w-mers (stage 1b), or of any pairs. word_table_core.h says how a
 * word is found.
 */
#ifndef TMS_WORD_TABLE_H
#define TMS_WORD_TABLE_H

#include "seed/word_table_core.h"
#include "seq/windows.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * word_table_build() - the table of all windows.
 *   windows [in] with strand minus the table gets the reverse complements, as the subject shows them
 *   out     [out] freed with word_table_free()
 * The same table whatever the number of threads. Returns TMS_OK; TMS_E_ARG: 2^31 positions or more; TMS_E_MEMORY.
 */
tms_status word_table_build(tms_context *ctx, const struct windows *windows, size_t n_bases, struct word_table *out);

/* A word may be at several positions, and several words at one: the neighbours of a word of a query, for instance. */
struct word_pair {
    uint64_t word; /* below 2^word_bits */
    uint32_t place;
};

/*
 * word_table_build_pairs() - the table of n pairs. The positions of a word are in the order in which they are given.
 *   pairs     [in] borrowed for the call
 *   word_bits [in] 1 .. 64
 * Returns as word_table_build().
 */
tms_status word_table_build_pairs(tms_context *ctx, const struct word_pair *pairs, size_t n, unsigned word_bits, struct word_table *out);
void word_table_free(struct word_table *table); /* zeroed is fine */
uint64_t word_table_bytes(const struct word_table *table);

/*
 * word_table_look_up() - find n words, up to WORD_TABLE_BATCH: entries[i] is word i's entry, or WORD_NONE.
 * Memory accesses of all words are under way at the same time.
 */
#define WORD_TABLE_BATCH 128
void word_table_look_up(const struct word_table *table, const uint64_t *words, size_t n, uint32_t *entries);

#ifdef __cplusplus
}
#endif
#endif
