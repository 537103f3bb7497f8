/* word_endings.h - the words that are similar to the last letters of queries' words, the best first (long_lookup.c). */
#ifndef TMS_WORD_ENDINGS_H
#define TMS_WORD_ENDINGS_H

#include "lookup/word_ranks.h"

enum { WORD_ENDINGS_AT_ONCE = 16 };

/* Words that are similar to an ending, and their scores, in one line of the cache. */
struct similar_endings {
    uint16_t words[WORD_ENDINGS_AT_ONCE];
    int16_t scores[WORD_ENDINGS_AT_ONCE];
};

/* Lists of similar words, one after the other, aligned to lines of the cache. The last elements of a list, at least one, have the score
 * INT16_MIN. */
struct word_endings {
    struct similar_endings *similar;
    size_t n, capacity;
    const struct word_lookup_ranks *ranks; /* of each code; borrowed */
    uint32_t radix;
    int n_letters;
    /* The list in progress. */
    uint16_t *words;
    int16_t *scores;
    size_t n_listed;
    uint32_t *n_better; /* for each score, the best one first: how many words have a better one */
    size_t n_better_capacity;
};

/* The letters before an ending of a query's word, or similar ones. */
struct word_beginning {
    int32_t position; /* of the query's word */
    uint32_t ending;  /* where the list of similar endings begins */
    int wanted;       /* what these have to score */
};

/* Words of the same beginning, by their endings, and their positions: as 16 bits, or 32. All zero is empty. */
struct words_found {
    uint16_t *words, *positions16;
    int32_t *positions32;
    size_t n, capacity;
};

/* word_endings_init() - for endings of n_letters, of which there are less than 65536. Returns false if there is no memory. */
bool word_endings_init(const struct word_lookup_ranks *ranks, uint32_t radix, int n_letters, struct word_endings *out);

/* word_endings_expect() - makes room for about so many lists. Returns false if there is no memory. */
bool word_endings_expect(struct word_endings *e, size_t n_lists);

/* word_endings_best() - the highest score of n codes. */
int word_endings_best(const struct word_lookup_ranks *ranks, const uint8_t *codes, int n);

/* word_endings_add() - adds the list of words that score `least` or more against an ending. Returns false if there is no memory. */
bool word_endings_add(struct word_endings *e, const uint8_t *codes, int least);

/* word_endings_add_own() - adds a list of one word, which scores INT16_MAX. Returns false if there is no memory. */
bool word_endings_add_own(struct word_endings *e, uint16_t word);

/* word_endings_find() - lists the words of n beginnings, in their order. Returns false if there is no memory. */
bool word_endings_find(const struct word_endings *e, const struct word_beginning *of, size_t n, bool short_positions,
                       struct words_found *out);
void words_found_free(struct words_found *found);

void word_endings_free(struct word_endings *e); /* zeroed is fine */

#endif
