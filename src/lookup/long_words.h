/* long_words.h - converts the rules for words of 4 residues or more to the form that GPU kernels use (long_words_core.h). */
#ifndef TMS_LONG_WORDS_H
#define TMS_LONG_WORDS_H

#include "lookup/long_words_core.h"
#include "lookup/word_lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LONG_WORDS_BREAKS = -(1 << 24) }; /* score against a code without a letter: no word with such a code reaches a threshold */

static inline bool long_words_are(int word_size) { return word_size >= LONG_WORDS_LEAST && word_size <= LONG_WORDS_MOST; }

/* long_words_scores() - sets scores of residues in words: [RESIDUE_CODES * query's code + subject's code]. */
void long_words_scores(const struct word_lookup_rules *rules, int code_scores[RESIDUE_CODES * RESIDUE_CODES]);

/*
 * long_words_init() - converts rules for which long_words_are() is true.
 *   code_scores [out] those of long_words_scores()
 */
void long_words_init(const struct word_lookup_rules *rules, struct long_words_rules *out, int code_scores[RESIDUE_CODES * RESIDUE_CODES]);

#ifdef __cplusplus
}
#endif
#endif
