/* long_lookup.h - the part of word_lookup_build() that makes tables of long words. */
#ifndef TMS_LONG_LOOKUP_H
#define TMS_LONG_LOOKUP_H

#include "lookup/word_lookup_types.h"
#include "run/shared_task.h"

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
