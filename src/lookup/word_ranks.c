/* word_ranks.c - see word_ranks.h. */
#include "lookup/word_ranks.h"

#include <string.h>

void word_lookup_rank(const struct word_lookup_rules *rules, int code, struct word_lookup_ranks *out)
{
    const int first = rules->letter_of == NULL ? WORD_FIRST_CODE : 0;

    out->n = rules->n_letters - first;
    for (int n = 0; n < out->n; n++) {
        const int score = rules->scores[rules->n_letters * code + first + n];
        int at = n;
        for (; at > 0 && out->scores[at - 1] < score; at--) {
            out->scores[at] = out->scores[at - 1];
            out->letters[at] = out->letters[at - 1];
        }
        out->scores[at] = score;
        out->letters[at] = (uint8_t)(first + n);
    }
}

void word_letter_frequencies(const struct word_lookup_rules *rules, double of_letter[RESIDUE_ROW])
{
    memset(of_letter, 0, RESIDUE_ROW * sizeof *of_letter);
    for (int code = 0; code < RESIDUE_CODES && rules->frequencies != NULL; code++) {
        const uint8_t letter = rules->letter_of != NULL ? rules->letter_of[code] : (uint8_t)code;
        if (letter != WORD_LOOKUP_NO_LETTER)
            of_letter[letter] += rules->frequencies[code];
    }
}

double word_frequency(const double of_letter[RESIDUE_ROW], uint32_t word, uint32_t radix, int n_letters)
{
    double frequency = 1;

    for (int i = 0; i < n_letters; i++, word /= radix)
        frequency *= of_letter[word % radix];
    return frequency;
}

bool word_lookup_own(const struct word_lookup_rules *rules, const struct word_lookup *table, const uint8_t *codes, uint32_t *own, int *self)
{
    *own = 0;
    *self = 0;
    for (int i = 0; i < rules->word_size; i++) {
        const uint8_t letter = table->letter_of[codes[i]];
        if (letter == WORD_LOOKUP_NO_LETTER)
            return false;
        *self += rules->scores[rules->n_letters * codes[i] + letter];
        *own = *own * table->radix + letter;
    }
    return true;
}
