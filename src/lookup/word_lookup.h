/*
 * word_lookup.h - which words of a subject are similar to which words of a protein query: the lookup table of BLAST programs whose words
 * are of residues.
 *
 * A word of w letters hits a query's word if the sum of the scores of their letters reaches the threshold. A query's word whose score
 * against itself is below the threshold is also hit by equal words. The subject's letters are residue codes or groups of codes; a code
 * without a group breaks words.
 */
#ifndef TMS_WORD_LOOKUP_H
#define TMS_WORD_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"
#include "run/context.h"

enum {
    WORD_LOOKUP_MAX_WORD = 7,
    WORD_LOOKUP_LONGEST_DIRECT = 3, /* letters of the longest words that index `starts` directly */
    WORD_LOOKUP_NO_LETTER = 255,
    WORD_LOOKUP_POSITIONS16 = 1 << 16 /* 16-bit positions are less than this */
};

/* What words are made of, and which words are similar. */
struct word_lookup_rules {
    int word_size;            /* 2 .. WORD_LOOKUP_MAX_WORD */
    int threshold;            /* 0: only equal words are similar */
    int n_letters;            /* RESIDUE_CODES, or the number of groups */
    const uint8_t *letter_of; /* the letter of each code; NULL: letters are codes */
    const int *scores;        /* [n_letters * query's code + subject's letter] */
};

/* Letters by their score against a query's code, best first; among equal scores the lowest letter first. */
struct word_lookup_ranks {
    int n, scores[RESIDUE_ROW];
    uint8_t letters[RESIDUE_ROW];
};
void word_lookup_rank(const struct word_lookup_rules *rules, int code, struct word_lookup_ranks *out);

/*
 * The lookup table: word_lookup_find() gives the ascending positions of a word in the queries. Words are numbers to the base `radix`, the
 * first letter being the most significant. Short words index `starts` directly. Most long words have no position; a bitmap tells which have
 * any, and `starts` has only these.
 */
struct word_lookup {
    int word_size, threshold;
    uint32_t radix, n_words;        /* n_words is radix^word_size */
    uint8_t letter_of[RESIDUE_ROW]; /* the letter of each code */
    uint32_t tops[RESIDUE_ROW];     /* letter x radix^(word_size - 1), for each code */
    bool breaks;                    /* some codes have no letter */
    uint64_t *present;              /* bitmap of words that occur; NULL for short words, which index `starts` directly */
    uint32_t *ranks;                /* number of bits set before present[i] */
    uint32_t *starts;               /* start of each word's positions, and the end; word n_words has no position */
    uint16_t *positions16; /* positions if all have 16 bits, with WORD_LOOKUP_READ_BEYOND more entries that may be read; else NULL */
    int32_t *positions32;  /* positions if positions16 is NULL */
    size_t n_positions, n_starts;
};

/* Residues first .. end - 1 of a sequence. */
struct residue_range {
    int first, end;
};

/* A query, or one of several that share a table. */
struct word_lookup_query {
    const uint8_t *codes;
    const struct residue_range *ranges; /* unmasked ranges, ascending */
    size_t n_ranges;
    int first_position; /* position of the first residue in the table; queries follow each other */
};

/*
 * word_lookup_build() - makes the table of one or several queries.
 *   end [in] all positions are less than this
 *   out [out] freed with word_lookup_free()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status word_lookup_build(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, size_t n_queries, int end,
                             struct word_lookup *out);
void word_lookup_free(struct word_lookup *table); /* zeroed is fine */

/*
 * word_lookup_cut_ranges() - the ranges of a query's words that begin at residue `first` or later, with positions less `first`; residues up
 * to last_end may be in words.
 *   out [out] query->n_ranges at most
 * Returns their number.
 */
size_t word_lookup_cut_ranges(const struct word_lookup_query *query, int first, int last_end, struct residue_range *out);

/* word_lookup_words() - numbers of the n words that begin at subject[0] .. subject[n - 1]; table->n_words stands for a broken word. */
void word_lookup_words(const struct word_lookup *table, const uint8_t *subject, int n, uint32_t *words);

/* word_lookup_expected() - hits expected for one position of a random subject whose letters have these frequencies. */
double word_lookup_expected(const struct word_lookup *table, const double frequencies[RESIDUE_CODES]);

enum { WORD_LOOKUP_READ_BEYOND = 32 }; /* entries after the last of positions16 that may be read */

/* Returns the entry of `starts` of a word that occurs. */
static inline uint32_t word_lookup_entry(const struct word_lookup *table, uint32_t word)
{
    if (table->present == NULL)
        return word;
    return table->ranks[word / 64] + (uint32_t)__builtin_popcountll(table->present[word / 64] & (((uint64_t)1 << word % 64) - 1));
}

/* Returns the entry of the first position of a word; *n is the number of its positions. */
static inline uint32_t word_lookup_find(const struct word_lookup *table, uint32_t word, uint32_t *n)
{
    uint32_t i;

    if (table->present != NULL && (table->present[word / 64] >> word % 64 & 1) == 0) {
        *n = 0;
        return 0;
    }
    i = word_lookup_entry(table, word);
    *n = table->starts[i + 1] - table->starts[i];
    return table->starts[i];
}

/* Returns entry i of the positions; word_lookup_find() gives a word's entries. */
static inline int word_lookup_position(const struct word_lookup *table, uint32_t i)
{
    return table->positions16 != NULL ? table->positions16[i] : table->positions32[i];
}

#endif
