/* word_ranks.h - lists the residues of words by their score against a residue of a query, the best first; finds the word at a position. */
#ifndef TMS_WORD_RANKS_H
#define TMS_WORD_RANKS_H

#include "lookup/word_lookup_types.h"

enum { WORD_FIRST_CODE = 1 /* of residues whose codes are letters: no word has a gap */ };

/* Letters by their score against a query's code, best first; among equal scores the lowest letter first. */
struct word_lookup_ranks {
    int n, scores[RESIDUE_ROW];
    uint8_t letters[RESIDUE_ROW];
};
void word_lookup_rank(const struct word_lookup_rules *rules, int code, struct word_lookup_ranks *out);

/* word_letter_frequencies() - of letters in a random subject; of RESIDUE_ROW letters, also of those that are none. */
void word_letter_frequencies(const struct word_lookup_rules *rules, double of_letter[RESIDUE_ROW]);

/* word_frequency() - the frequency of a word, or of n_letters of it, in a random subject. */
double word_frequency(const double of_letter[RESIDUE_ROW], uint32_t word, uint32_t radix, int n_letters);

/*
 * word_lookup_own() - sets *own to the word that a query has at codes, and *self to its score against itself. Returns false if a code has
 * no letter.
 *   table [in] its letters
 */
bool word_lookup_own(const struct word_lookup_rules *rules, const struct word_lookup *table, const uint8_t *codes, uint32_t *own,
                     int *self);

#endif
