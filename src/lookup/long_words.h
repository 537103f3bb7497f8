/*
 * long_words.h - rules for words of 4 letters and more, in the form that the kernels of a GPU take: long_words_core.h.
 */
#ifndef TMS_LONG_WORDS_H
#define TMS_LONG_WORDS_H

#include "lookup/long_words_core.h"
#include "lookup/word_lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LONG_WORDS_BREAKS = -(1 << 24) }; /* score against a code without a letter: no word with it reaches a threshold */

static inline bool long_words_are(int word_size) { return word_size >= LONG_WORDS_LEAST && word_size <= LONG_WORDS_MOST; }

/*
 * long_words_init() - for rules whose words long_words_are().
 *   frequencies [in] of codes in a random subject
 *   code_scores [out] [RESIDUE_CODES * query's code + subject's code] of letters of words
 */
void long_words_init(const struct word_lookup_rules *rules, const double frequencies[RESIDUE_CODES], struct long_words_rules *out,
                     int code_scores[RESIDUE_CODES * RESIDUE_CODES]);

#ifdef __cplusplus
}
#endif
#endif
