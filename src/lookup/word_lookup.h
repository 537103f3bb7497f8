/* word_lookup.h - makes the lookup table of BLAST programs whose words are of residues, and numbers the words of subjects. */
#ifndef TMS_WORD_LOOKUP_H
#define TMS_WORD_LOOKUP_H

#include "lookup/word_lookup_types.h"
#include "run/context.h"
#include "run/shared_task.h"

/*
 * word_lookup_build() - makes the table of one or several queries.
 *   end [in] all positions are less than this
 *   tasks, thread [in] threads that may help, and the caller's number; tasks: NULL: nobody helps
 *   out [out] freed with word_lookup_free()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status word_lookup_build(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, size_t n_queries, int end,
                             struct shared_tasks *tasks, int thread, struct word_lookup *out);
void word_lookup_free(struct word_lookup *table); /* zeroed is fine */

/*
 * word_lookup_cut_ranges() - the ranges of a query's words that begin at residue `first` or later, with positions less `first`; residues up
 * to last_end may be in words.
 *   out [out] query->n_ranges at most
 * Returns their number.
 */
size_t word_lookup_cut_ranges(const struct word_lookup_query *query, int first, int last_end, struct residue_range *out);

/* word_lookup_words() - numbers of the n words that begin at subject[0] .. subject[n - 1]; table->n_words stands for a broken word. */
void word_lookup_words(const struct word_lookup *table, const uint8_t *subject, int n, uint32_t *words);

#endif
