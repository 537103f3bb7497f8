/*
 * long_words_core.h - words of 4 letters and more, whose table is made on the GPU: which words are near one of a query, and which ones a
 * subject has. For kernels, and for the tests that compare it with neighbours.h, whose numbers of words these are.
 */
#ifndef TMS_LONG_WORDS_CORE_H
#define TMS_LONG_WORDS_CORE_H

#include "base/core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LONG_WORDS_LEAST = 4, /* letters */
    LONG_WORDS_MOST = 7,
    LONG_WORDS_FIRST = 3,       /* letters that a search begins with */
    LONG_WORDS_ROW = 32,        /* codes, and letters, that arrays have space for */
    LONG_WORDS_NO_LETTER = 255, /* of a code that breaks words */
    LONG_WORDS_AT_ONCE = 4      /* words of a subject that long_words_read() reads */
};

/* How words are numbered. */
struct long_words_numbers {
    int32_t word_size;
    uint32_t radix;                    /* letters are below */
    uint32_t n_words, top;             /* radix^word_size, and by one letter less */
    uint8_t letter_of[LONG_WORDS_ROW]; /* of each code */
};

/* What words are made of, as neighbours_rules, in one piece. */
struct long_words_rules {
    double frequencies[LONG_WORDS_ROW]; /* of letters, in a random subject */
    struct long_words_numbers numbers;
    int32_t threshold;                               /* 0: exact words alone */
    int32_t n_ranked;                                /* letters that words near a query's have */
    int32_t own[LONG_WORDS_ROW];                     /* score of each code against its own letter */
    int32_t scores[LONG_WORDS_ROW * LONG_WORDS_ROW]; /* of a query's code against letters, best first */
    uint8_t ranked[LONG_WORDS_ROW * LONG_WORDS_ROW]; /* likewise: these letters */
};

/* A search for the words near one of a query that begin with LONG_WORDS_FIRST given letters. */
struct long_words_walk {
    const struct long_words_rules *rules;
    const uint8_t *codes;                /* of the query's word */
    int at;                              /* letter that is being chosen; below LONG_WORDS_FIRST: all are done */
    int wanted[LONG_WORDS_MOST + 1];     /* of letters i and more together */
    int best_after[LONG_WORDS_MOST + 1]; /* the most that letters i and more can score */
    uint32_t word[LONG_WORDS_MOST + 1];  /* of the first i letters */
    uint8_t next[LONG_WORDS_MOST + 1];   /* rank of the letter that is tried next */
};

/* With how many LONG_WORDS_FIRST letters words can begin. */
TMS_HD static inline uint32_t long_words_beginnings(const struct long_words_rules *r)
{
    return (uint32_t)(r->n_ranked * r->n_ranked * r->n_ranked);
}

/* long_words_begin() - near the word at codes, with beginning 0 .. long_words_beginnings() - 1. */
TMS_HD static inline void long_words_begin(const struct long_words_rules *r, const uint8_t *codes, uint32_t beginning,
                                           struct long_words_walk *walk)
{
    const uint32_t n = (uint32_t)r->n_ranked, ab = beginning / n, a = LONG_WORDS_ROW * codes[0] + ab / n,
                   b = LONG_WORDS_ROW * codes[1] + ab % n, c = LONG_WORDS_ROW * codes[2] + beginning % n;

    walk->rules = r;
    walk->codes = codes;
    walk->best_after[r->numbers.word_size] = 0;
    for (int i = r->numbers.word_size - 1; i >= LONG_WORDS_FIRST; i--)
        walk->best_after[i] = walk->best_after[i + 1] + r->scores[LONG_WORDS_ROW * codes[i]];
    walk->wanted[LONG_WORDS_FIRST] = r->threshold - r->scores[a] - r->scores[b] - r->scores[c];
    walk->word[LONG_WORDS_FIRST] = (r->ranked[a] * r->numbers.radix + r->ranked[b]) * r->numbers.radix + r->ranked[c];
    walk->next[LONG_WORDS_FIRST] = 0;
    walk->at = LONG_WORDS_FIRST;
    if (r->threshold == 0 || walk->wanted[LONG_WORDS_FIRST] > walk->best_after[LONG_WORDS_FIRST])
        walk->at--;
}

/* long_words_next() - the next one, in no particular order. Returns 1, or 0: there is none any more. */
TMS_HD static inline int long_words_next(struct long_words_walk *walk, uint32_t *word)
{
    const struct long_words_rules *r = walk->rules;

    while (walk->at >= LONG_WORDS_FIRST) {
        const int i = walk->at, k = LONG_WORDS_ROW * walk->codes[i] + walk->next[i], is_over = walk->next[i] == r->n_ranked;
        const int left = is_over ? 0 : walk->wanted[i] - r->scores[k];
        if (is_over || left > walk->best_after[i + 1]) { /* what comes later scores less */
            walk->at--;
            continue;
        }
        walk->next[i]++;
        *word = walk->word[i] * r->numbers.radix + r->ranked[k];
        if (i + 1 == r->numbers.word_size)
            return 1;
        walk->word[i + 1] = *word;
        walk->wanted[i + 1] = left;
        walk->next[i + 1] = 0;
        walk->at = i + 1;
    }
    return 0;
}

/* long_words_own() - whether the query's word at codes is hit by itself only because it is the same: then it is not among those near it. */
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

/* A letter more; `broken` counts the letters since the one without a letter. */
TMS_HD static inline uint32_t long_words_push(const struct long_words_numbers *n, uint8_t code, uint32_t word, int *since_broken)
{
    const uint32_t letter = n->letter_of[code % LONG_WORDS_ROW];

    *since_broken = letter == LONG_WORDS_NO_LETTER ? 0 : *since_broken + 1;
    return word * n->radix + (letter == LONG_WORDS_NO_LETTER ? 0 : letter);
}

/* long_words_read() - numbers of the words that begin at codes[0] .. codes[LONG_WORDS_AT_ONCE - 1]; n_words: it is broken. */
TMS_HD static inline void long_words_read(const struct long_words_numbers *n, const uint8_t *codes, uint32_t words[LONG_WORDS_AT_ONCE])
{
    uint32_t word = 0;
    int since_broken = 0;

    for (int i = 0; i + 1 < n->word_size; i++)
        word = long_words_push(n, codes[i], word, &since_broken);
    for (int i = 0; i < LONG_WORDS_AT_ONCE; i++) {
        const uint32_t first = n->letter_of[codes[i] % LONG_WORDS_ROW];
        word = long_words_push(n, codes[i + n->word_size - 1], word, &since_broken);
        words[i] = since_broken >= n->word_size ? word : n->n_words;
        word -= first == LONG_WORDS_NO_LETTER ? 0 : first * n->top;
    }
}

/* long_words_frequency() - of a word in a random subject. */
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
