/* long_lookup.h - the part of word_lookup_build() that makes tables of long words, and the memory of positions. */
#ifndef TMS_LONG_LOOKUP_H
#define TMS_LONG_LOOKUP_H

#include "base/base.h"
#include "lookup/word_lookup_types.h"
#include "run/shared_task.h"

static inline size_t word_lookup_bytes16(const struct word_lookup *t)
{
    return (t->n_entries + WORD_LOOKUP_READ_BEYOND) * sizeof *t->positions16;
}
static inline size_t word_lookup_bytes32(const struct word_lookup *t) { return (t->n_entries + 1) * sizeof *t->positions32; }

/* word_lookup_reserve() - makes positions16 or positions32, all zero. Returns false if there is no memory, or too many entries. */
static inline bool word_lookup_reserve(struct word_lookup *t, size_t n_entries, bool short_positions)
{
    t->n_entries = n_entries;
    if (n_entries > UINT32_MAX)
        return false;
    if (short_positions)
        t->positions16 = memory_alloc_zeroed(word_lookup_bytes16(t));
    else
        t->positions32 = memory_alloc_zeroed(word_lookup_bytes32(t));
    return t->positions16 != NULL || t->positions32 != NULL;
}

static inline void word_lookup_release(struct word_lookup *t)
{
    memory_free(t->positions16, word_lookup_bytes16(t));
    memory_free(t->positions32, word_lookup_bytes32(t));
    t->positions16 = NULL;
    t->positions32 = NULL;
}

/*
 * long_lookup_build() - makes a table of words of more than WORD_LOOKUP_LONGEST_DIRECT letters.
 *   short_positions [in] makes positions16, not positions32
 *   tasks, thread [in] of word_lookup_build()
 *   table [in,out] with its letters; and with has_word, all 0
 * Returns false if there is no memory; then the caller frees the table.
 */
bool long_lookup_build(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, size_t n_queries,
                       bool short_positions, struct shared_tasks *tasks, int thread, struct word_lookup *table);

#endif
