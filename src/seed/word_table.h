/*
 * word_table.h - an exact table of words and their positions: of a query's w-mers (stage 1b), or of any pairs. word_table_core.h
 * describes the look-up.
 */
#ifndef TMS_WORD_TABLE_H
#define TMS_WORD_TABLE_H

#include "seed/word_table_core.h"
#include "seq/windows.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * word_table_build() - builds the table of all windows.
 *   windows [in] with strand minus the table holds the reverse complements, as they occur in the subject
 *   out     [out] free with word_table_free()
 * The table does not depend on the number of threads. Returns TMS_OK; TMS_E_ARG: 2^31 positions or more; TMS_E_MEMORY.
 */
tms_status word_table_build(tms_context *ctx, const struct windows *windows, size_t n_bases, struct word_table *out);

/* A word may have several positions, and a position several words, such as the neighbours of a query's word. */
struct word_pair {
    uint64_t word; /* below 2^word_bits */
    uint32_t place;
};

/*
 * word_table_build_pairs() - builds the table of n pairs. The positions of a word keep the order of the pairs.
 *   pairs     [in] borrowed for the call
 *   word_bits [in] 1 .. 64
 * Returns as word_table_build().
 */
tms_status word_table_build_pairs(tms_context *ctx, const struct word_pair *pairs, size_t n, unsigned word_bits, struct word_table *out);
void word_table_free(struct word_table *table); /* accepts a zeroed table */
uint64_t word_table_bytes(const struct word_table *table);

/*
 * word_table_look_up() - finds n words, up to WORD_TABLE_BATCH: entries[i] is word i's entry, or WORD_NONE.
 * The memory accesses of all words overlap.
 */
#define WORD_TABLE_BATCH 128
void word_table_look_up(const struct word_table *table, const uint64_t *words, size_t n, uint32_t *entries);

#ifdef __cplusplus
}
#endif
#endif
