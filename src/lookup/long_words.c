/* long_words.c - see long_words.h. */
#include "lookup/long_words.h"

#include <string.h>

#include "lookup/word_ranks.h"

_Static_assert((int)LONG_WORDS_MOST == (int)WORD_LOOKUP_MAX_WORD && (int)LONG_WORDS_NO_LETTER == (int)WORD_LOOKUP_NO_LETTER &&
                   (int)LONG_WORDS_NO_CODE >= (int)RESIDUE_CODES,
               "the words are those of word_lookup.h");
_Static_assert((int)LONG_WORDS_MOST == LONG_WORDS_FIRST + 4 && (int)LONG_WORDS_LEAST >= 4, "long_words_near() has four loops");
_Static_assert((int64_t)LONG_WORDS_MOST *LONG_WORDS_BREAKS > INT32_MIN, "scores of words have 32 bits");

static void rank(const struct word_lookup_rules *rules, int code, struct long_words_rules *out)
{
    struct word_lookup_ranks ranks;

    word_lookup_rank(rules, code, &ranks);
    out->n_ranked = ranks.n;
    memcpy(out->scores + RESIDUE_ROW * code, ranks.scores, (size_t)ranks.n * sizeof *ranks.scores);
    memcpy(out->ranked + RESIDUE_ROW * code, ranks.letters, (size_t)ranks.n);
}

void long_words_scores(const struct word_lookup_rules *rules, int code_scores[RESIDUE_CODES * RESIDUE_CODES])
{
    for (int code = 0; code < RESIDUE_CODES; code++) {
        const uint8_t letter = rules->letter_of != NULL ? rules->letter_of[code] : (uint8_t)code;
        for (int query = 0; query < RESIDUE_CODES; query++)
            code_scores[RESIDUE_CODES * query + code] = letter == LONG_WORDS_NO_LETTER ? LONG_WORDS_BREAKS
                                                                                       : rules->scores[rules->n_letters * query + letter];
    }
}

void long_words_init(const struct word_lookup_rules *rules, struct long_words_rules *out, int code_scores[RESIDUE_CODES * RESIDUE_CODES])
{
    memset(out, 0, sizeof *out);
    memset(out->numbers.letter_of, LONG_WORDS_NO_LETTER, sizeof out->numbers.letter_of);
    out->numbers.word_size = rules->word_size;
    out->threshold = rules->threshold;
    out->numbers.radix = (uint32_t)rules->n_letters;
    out->numbers.top = 1;
    for (int i = 1; i < rules->word_size; i++)
        out->numbers.top *= out->numbers.radix;
    long_words_scores(rules, code_scores);
    word_letter_frequencies(rules, out->frequencies);
    out->numbers.n_words = out->numbers.top * out->numbers.radix;
    for (int code = 0; code < RESIDUE_CODES; code++) {
        const uint8_t letter = rules->letter_of != NULL ? rules->letter_of[code] : (uint8_t)code;
        out->numbers.letter_of[code] = letter;
        rank(rules, code, out);
        if (letter != LONG_WORDS_NO_LETTER)
            out->own[code] = rules->scores[rules->n_letters * code + letter];
    }
}
