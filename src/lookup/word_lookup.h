/*
 * word_lookup.h - which words of a subject are similar to which words of a protein query: the lookup table of BLAST programs whose words are of residues.
 *
 * A word of w letters hits a word of the query if the sum of their letters' scores reaches the threshold. A word of the query whose score
 * against itself does not reach it is hit by itself too. The subject's letters may be groups of codes; a code without a group breaks words.
 */
#ifndef TMS_NEIGHBOURS_H
#define TMS_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"
#include "run/context.h"

enum {
    WORD_LOOKUP_MAX_WORD = 7,
    WORD_LOOKUP_NO_LETTER = 255,
    WORD_LOOKUP_NARROW = 1 << 16 /* positions of a table whose positions are 16-bit numbers */
};

/* What words are made of, and which are similar. */
struct word_lookup_rules {
    int word_size;            /* 2 .. WORD_LOOKUP_MAX_WORD */
    int threshold;            /* 0: exact words alone */
    int n_letters;            /* RESIDUE_CODES, or groups */
    const uint8_t *letter_of; /* of each code; NULL: the code */
    const int *scores;        /* [n_letters * query's code + subject's letter] */
};

/* Letters by their score against a code of the query, best first; of equal ones the lowest. */
struct word_lookup_ranks {
    int n, scores[RESIDUE_ROW];
    uint8_t letters[RESIDUE_ROW];
};
void word_lookup_rank(const struct word_lookup_rules *rules, int code, struct word_lookup_ranks *out);

/*
 * Places of word x in the queries, ascending: from word_lookup_find() on. Words are numbers to the base `radix`, the first letter on top.
 * Short words are looked up in `starts` at once. Most of the long ones have no place, and a bit that says so; `starts` has the others
 * alone.
 */
struct word_lookup {
    int word_size, threshold;
    uint32_t radix, n_words;        /* radix^word_size */
    uint8_t letter_of[RESIDUE_ROW]; /* of each code */
    uint32_t tops[RESIDUE_ROW];     /* letter x radix^(word_size - 1), of each code */
    bool breaks;                    /* there are codes without a letter */
    uint64_t *present;              /* of each word a bit; NULL: all are in starts */
    uint32_t *ranks;                /* bits before those of present[i] */
    uint32_t *starts;               /* of each word, and one more; word n_words has no place */
    uint16_t *narrow;               /* positions, and some more that may be read; NULL: they are in wide */
    int32_t *wide;
    size_t n_positions;
};

/* Letters first .. end - 1 of a query, in which words may lie. */
struct residue_range {
    int first, end;
};

/* A query, or one of several that share a table. */
struct word_lookup_query {
    const uint8_t *codes;
    const struct residue_range *ranges; /* what is not masked, ascending */
    size_t n_ranges;
    int first_position; /* of its first letter: queries follow each other */
};

/*
 * word_lookup_build() - the table of some queries.
 *   end [in] all positions are below
 *   out [out] freed with word_lookup_free()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status word_lookup_build(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, size_t n_queries, int end,
                             struct word_lookup *out);
void word_lookup_free(struct word_lookup *table); /* zeroed is fine */

/* word_lookup_words() - numbers of the n words that begin at subject[0] .. subject[n - 1]; table->n_words: it is broken. */
void word_lookup_words(const struct word_lookup *table, const uint8_t *subject, int n, uint32_t *words);

/* word_lookup_expected() - hits at one place of a random subject, whose letters come with these frequencies. */
double word_lookup_expected(const struct word_lookup *table, const double frequencies[RESIDUE_CODES]);

enum { WORD_LOOKUP_READ_BEYOND = 16 }; /* narrow positions after the last */

/* Places of a word are those from the result on, *n of them. */
static inline uint32_t word_lookup_find(const struct word_lookup *table, uint32_t word, uint32_t *n)
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

static inline int word_lookup_place(const struct word_lookup *table, uint32_t i)
{
    return table->narrow != NULL ? table->narrow[i] : table->wide[i];
}

#endif
