/*
 * long_words_core.h - words of 4 residues or more, whose table is made on the GPU: which words are similar to a query's word, and which
 * words a subject has. For kernels and for the tests that compare them with word_lookup.h. Words have the same numbers in both.
 *
 * The letters of a word are residue codes, or groups of codes in a reduced alphabet.
 */
#ifndef TMS_LONG_WORDS_CORE_H
#define TMS_LONG_WORDS_CORE_H

#include "alphabet/residues.h"
#include "base/core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LONG_WORDS_LEAST = 4, /* letters of the shortest long word */
    LONG_WORDS_MOST = 7,
    LONG_WORDS_FIRST = 3,       /* letters that one thread of a search takes as given */
    LONG_WORDS_NO_CODE = 31,    /* code of no letter: its scores are 0, and its row of letters has only letter 0 */
    LONG_WORDS_NO_LETTER = 255, /* stands for the letter of a code that breaks words */
    LONG_WORDS_AT_ONCE = 4      /* words of a subject that long_words_read() reads */
};

/* How words are numbered. */
struct long_words_numbers {
    int32_t word_size;
    uint32_t radix;                 /* letters are less than this */
    uint32_t n_words, top;          /* radix^word_size; radix^(word_size - 1) */
    uint8_t letter_of[RESIDUE_ROW]; /* the letter of each code */
};

/* The rules of word_lookup_rules, without pointers. */
struct long_words_rules {
    double frequencies[RESIDUE_ROW]; /* frequency of each letter in a random subject */
    struct long_words_numbers numbers;
    int32_t threshold;                         /* 0: only equal words are similar */
    int32_t n_ranked;                          /* letters that words similar to a query's may have */
    int32_t own[RESIDUE_ROW];                  /* score of each code against its own letter */
    int32_t scores[RESIDUE_ROW * RESIDUE_ROW]; /* scores of each query's code against the letters, best first */
    uint8_t ranked[RESIDUE_ROW * RESIDUE_ROW]; /* the letters of `scores`, in the same order */
};

/* Receives a word that a search finds; `to` is the caller's argument. */
typedef void long_words_take(void *to, uint32_t word);

/* The letters that a word similar to a query's may have at one position, best first. */
struct long_words_choice {
    uint32_t row;   /* offset of these letters in scores and in ranked */
    uint32_t n;     /* number of letters */
    uint32_t radix; /* factor of the number of the letters before */
    int32_t best;   /* the highest score of these letters */
};

/* Number of ways to choose the first LONG_WORDS_FIRST letters of a word. */
TMS_HD static inline uint32_t long_words_beginnings(const struct long_words_rules *r)
{
    return (uint32_t)(r->n_ranked * r->n_ranked * r->n_ranked);
}

/* The choice for letter i of the query's word at codes. The first LONG_WORDS_FIRST letters are given, which leaves no choice. */
TMS_HD static inline struct long_words_choice long_words_choose(const struct long_words_rules *r, const uint8_t *codes, int i)
{
    const uint32_t row = RESIDUE_ROW * (i < LONG_WORDS_FIRST ? (uint32_t)LONG_WORDS_NO_CODE : codes[i]);
    struct long_words_choice choice = {row, 1, 1, r->scores[row]};

    if (i >= LONG_WORDS_FIRST) {
        choice.n = (uint32_t)r->n_ranked;
        choice.radix = r->numbers.radix;
    }
    return choice;
}

/*
 * long_words_near() - passes each word similar to the one at codes to `take`, in no particular order.
 *   beginning [in] 0 .. long_words_beginnings() - 1: chooses the letters with which the words begin
 *
 * Each letter has its own loop, so that a GPU thread needs no memory but registers. Scores fall along a row.
 */
TMS_HD static inline void long_words_near(const struct long_words_rules *r, const uint8_t *codes, uint32_t beginning, long_words_take *take,
                                          void *to)
{
    const uint32_t n = (uint32_t)r->n_ranked, ab = beginning / n;
    const uint32_t first = RESIDUE_ROW * codes[0] + ab / n, second = RESIDUE_ROW * codes[1] + ab % n;
    const uint32_t third = RESIDUE_ROW * codes[2] + beginning % n;
    const int wanted = r->threshold - r->scores[first] - r->scores[second] - r->scores[third], end = r->numbers.word_size;
    const uint32_t word = (r->ranked[first] * r->numbers.radix + r->ranked[second]) * r->numbers.radix + r->ranked[third];
    const struct long_words_choice a = long_words_choose(r, codes, end - 4), b = long_words_choose(r, codes, end - 3),
                                   c = long_words_choose(r, codes, end - 2), d = long_words_choose(r, codes, end - 1);

    if (r->threshold == 0 || wanted > a.best + b.best + c.best + d.best)
        return;
    for (uint32_t i = 0; i < a.n; i++) {
        const int wanted_b = wanted - r->scores[a.row + i];
        const uint32_t word_a = word * a.radix + r->ranked[a.row + i];
        if (wanted_b > b.best + c.best + d.best)
            break;
        for (uint32_t j = 0; j < b.n; j++) {
            const int wanted_c = wanted_b - r->scores[b.row + j];
            const uint32_t word_b = word_a * b.radix + r->ranked[b.row + j];
            if (wanted_c > c.best + d.best)
                break;
            for (uint32_t k = 0; k < c.n; k++) {
                const int wanted_d = wanted_c - r->scores[c.row + k];
                const uint32_t word_c = word_b * c.radix + r->ranked[c.row + k];
                if (wanted_d > d.best)
                    break;
                for (uint32_t l = 0; l < d.n && r->scores[d.row + l] >= wanted_d; l++)
                    take(to, word_c * d.radix + r->ranked[d.row + l]);
            }
        }
    }
}

/*
 * long_words_own() - whether the query's word at codes is hit by itself only because it is equal; long_words_near() does not find it then.
 */
TMS_HD static inline int long_words_own(const struct long_words_rules *r, const uint8_t *codes, uint32_t *word)
{
    int score = 0;

    *word = 0;
    for (int i = 0; i < r->numbers.word_size; i++) {
        score += r->own[codes[i]];
        *word = *word * r->numbers.radix + r->numbers.letter_of[codes[i]];
    }
    return r->threshold == 0 || score < r->threshold;
}

/* Whether all codes of the word have a letter. */
TMS_HD static inline int long_words_has_letters(const struct long_words_numbers *n, const uint8_t *codes)
{
    for (int i = 0; i < n->word_size; i++)
        if (n->letter_of[codes[i] % RESIDUE_ROW] == LONG_WORDS_NO_LETTER)
            return 0;
    return 1;
}

/* Appends a letter; *since_broken counts the letters since the last code without one. */
TMS_HD static inline uint32_t long_words_push(const struct long_words_numbers *n, uint8_t code, uint32_t word, int *since_broken)
{
    const uint32_t letter = n->letter_of[code % RESIDUE_ROW];

    *since_broken = letter == LONG_WORDS_NO_LETTER ? 0 : *since_broken + 1;
    return word * n->radix + (letter == LONG_WORDS_NO_LETTER ? 0 : letter);
}

/* long_words_read() - numbers of the words that begin at codes[0] .. codes[LONG_WORDS_AT_ONCE - 1]; n_words stands for a broken word. */
TMS_HD static inline void long_words_read(const struct long_words_numbers *n, const uint8_t *codes, uint32_t words[LONG_WORDS_AT_ONCE])
{
    uint32_t word = 0;
    int since_broken = 0;

    for (int i = 0; i + 1 < n->word_size; i++)
        word = long_words_push(n, codes[i], word, &since_broken);
    for (int i = 0; i < LONG_WORDS_AT_ONCE; i++) {
        const uint32_t first = n->letter_of[codes[i] % RESIDUE_ROW];
        word = long_words_push(n, codes[i + n->word_size - 1], word, &since_broken);
        words[i] = since_broken >= n->word_size ? word : n->n_words;
        word -= first == LONG_WORDS_NO_LETTER ? 0 : first * n->top;
    }
}

/* long_words_frequency() - the frequency of a word in a random subject. */
TMS_HD static inline double long_words_frequency(const struct long_words_rules *r, uint32_t word)
{
    double frequency = 1;

    for (int i = 0; i < r->numbers.word_size; i++, word /= r->numbers.radix)
        frequency *= r->frequencies[word % r->numbers.radix];
    return frequency;
}

#ifdef __cplusplus
}
#endif
#endif
