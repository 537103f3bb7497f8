/*
 * neighbours.h - which words of a subject are similar to which words of a protein query: the lookup table of BLASTP.
 *
 * A word of w letters hits a word of the query if the sum of their letters' scores reaches the threshold. A word of the query whose score
 * against itself does not reach it is hit by itself too. The subject's letters may be groups of codes; a code without a group breaks words.
 */
#ifndef TMS_NEIGHBOURS_H
#define TMS_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/context.h"

enum {
    NEIGHBOURS_CODES = 28,
    NEIGHBOURS_ROW = 32, /* codes that an array has space for, and then no letter of a subject need be checked */
    NEIGHBOURS_MAX_WORD = 7,
    NEIGHBOURS_NO_LETTER = 255,
    NEIGHBOURS_NARROW = 1 << 16 /* places of a table whose places are 16-bit numbers */
};

/* What words are made of, and which are similar. */
struct neighbours_rules {
    int word_size;            /* 2 .. NEIGHBOURS_MAX_WORD */
    int threshold;            /* 0: exact words alone */
    int n_letters;            /* NEIGHBOURS_CODES, or groups */
    const uint8_t *letter_of; /* of each code; NULL: the code */
    const int *scores;        /* [n_letters * query's code + subject's letter] */
};

/* Letters by their score against a code of the query, best first; of equal ones the lowest. */
struct neighbours_ranks {
    int n, scores[NEIGHBOURS_ROW];
    uint8_t letters[NEIGHBOURS_ROW];
};
void neighbours_rank(const struct neighbours_rules *rules, int code, struct neighbours_ranks *out);

/*
 * Places of word x in the queries, ascending: from neighbours_find() on. Words are numbers to the base `radix`, the first letter on top.
 * Short words are looked up in `starts` at once. Most of the long ones have no place, and a bit that says so; `starts` has the others
 * alone.
 */
struct neighbours {
    int word_size, threshold;
    uint32_t radix, n_words;           /* radix^word_size */
    uint8_t letter_of[NEIGHBOURS_ROW]; /* of each code */
    uint32_t tops[NEIGHBOURS_ROW];     /* letter x radix^(word_size - 1), of each code */
    bool breaks;                       /* there are codes without a letter */
    uint64_t *present;                 /* of each word a bit; NULL: all are in starts */
    uint32_t *ranks;                   /* bits before those of present[i] */
    uint32_t *starts;                  /* of each word, and one more; word n_words has no place */
    uint16_t *narrow;                  /* places, and some more that may be read; NULL: they are in wide */
    int32_t *wide;
    size_t n_places;
};

/* Letters first .. end - 1 of a query, in which words may lie. */
struct neighbours_range {
    int first, end;
};

/* A query, or one of several that share a table. */
struct neighbours_query {
    const uint8_t *codes;
    const struct neighbours_range *ranges; /* what is not masked, ascending */
    size_t n_ranges;
    int first_place; /* of its first letter: queries follow each other */
};

/*
 * neighbours_build() - the table of some queries.
 *   end [in] all places are below
 *   out [out] freed with neighbours_free()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status neighbours_build(const struct neighbours_rules *rules, const struct neighbours_query *queries, size_t n_queries, int end,
                            struct neighbours *out);
void neighbours_free(struct neighbours *table); /* zeroed is fine */

/* neighbours_words() - numbers of the n words that begin at subject[0] .. subject[n - 1]; table->n_words: it is broken. */
void neighbours_words(const struct neighbours *table, const uint8_t *subject, int n, uint32_t *words);

/* neighbours_expected() - hits at one place of a random subject, whose letters come with these frequencies. */
double neighbours_expected(const struct neighbours *table, const double frequencies[NEIGHBOURS_CODES]);

enum { NEIGHBOURS_READ_BEYOND = 16 }; /* narrow places after the last */

/* Places of a word are those from the result on, *n of them. */
static inline uint32_t neighbours_find(const struct neighbours *table, uint32_t word, uint32_t *n)
{
    uint32_t i = word;

    if (table->present != NULL) {
        uint64_t bits = table->present[word / 64];
        if ((bits >> word % 64 & 1) == 0) {
            *n = 0;
            return 0;
        }
        i = table->ranks[word / 64] + (uint32_t)__builtin_popcountll(bits & (((uint64_t)1 << word % 64) - 1));
    }
    *n = table->starts[i + 1] - table->starts[i];
    return table->starts[i];
}

static inline int neighbours_place(const struct neighbours *table, uint32_t i)
{
    return table->narrow != NULL ? table->narrow[i] : table->wide[i];
}

#endif
