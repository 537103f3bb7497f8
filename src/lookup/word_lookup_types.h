/*
 * word_lookup_types.h - which words of a subject are similar to which words of a protein query: the lookup table of BLAST programs whose
 * words are of residues, and what it is made from.
 *
 * A word of w letters hits a query's word if the sum of the scores of their letters reaches the threshold. A query's word whose score
 * against itself is below the threshold is also hit by equal words. The subject's letters are residue codes or groups of codes; a code
 * without a group breaks words.
 */
#ifndef TMS_WORD_LOOKUP_TYPES_H
#define TMS_WORD_LOOKUP_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"
#include "base/core.h"

enum {
    WORD_LOOKUP_MAX_WORD = 7,
    WORD_LOOKUP_LONGEST_DIRECT = 3, /* letters of the longest words that index `starts` directly */
    WORD_LOOKUP_NO_LETTER = 255,
    WORD_LOOKUP_POSITIONS16 = 1 << 16, /* 16-bit positions are less than this */
    WORD_LOOKUP_CELL = 4,              /* entries of a cell of positions16 */
    WORD_LOOKUP_BLOCK = 8,             /* entries of a block of positions16 */
    WORD_LOOKUP_EMPTY = 128            /* empty entry i of a block has position end + i x this: far from all others */
};

/* What words are made of, and which words are similar. */
struct word_lookup_rules {
    int word_size;             /* 2 .. WORD_LOOKUP_MAX_WORD */
    int threshold;             /* 0: only equal words are similar */
    int n_letters;             /* RESIDUE_CODES, or the number of groups */
    const uint8_t *letter_of;  /* the letter of each code; NULL: letters are codes */
    const int *scores;         /* [n_letters * query's code + subject's letter] */
    const double *frequencies; /* [RESIDUE_CODES] of codes in a random subject; NULL: no hits are expected */
};

/*
 * The lookup table: word_lookup_find() gives the ascending positions of a word in the queries. Words are numbers to the base `radix`, the
 * first letter being the most significant. Short words index `starts` directly. If there are many positions, the list of each short word
 * fills whole blocks of positions16, whose last entries may be empty, so that lists can be read block by block.
 *
 * Many long words have no position; a bitmap tells which have any. If these are few, only they have a cell. Cells are the first entries of
 * the array of positions, so that few positions are found where the cell is. A cell of positions16 has WORD_LOOKUP_CELL entries: a word's
 * positions and then UINT16_MAX, which is no position; or word_lookup_cell() if there are more. A cell of positions32 has the entry of a
 * word's first position and their number.
 */
struct word_lookup {
    int word_size, threshold;
    int end;                        /* all positions are less than this */
    uint32_t radix, n_words;        /* n_words is radix^word_size */
    uint8_t letter_of[RESIDUE_ROW]; /* the letter of each code */
    uint32_t tops[RESIDUE_ROW];     /* letter x radix^(word_size - 1), for each code */
    bool breaks;                    /* some codes have no letter */
    bool has_blocks;                /* of short words: lists are of whole blocks, and a start includes the number of empty entries */
    uint64_t *present;              /* bitmap of words that occur; NULL for short words, which index `starts` directly */
    uint32_t *ranks;                /* number of bits set before present[i]; NULL: all words have cells, in their order */
    uint32_t *starts;               /* of short words: start of each word's positions, and the end; word n_words has no position */
    uint16_t *positions16;      /* positions if all have 16 bits, with WORD_LOOKUP_READ_BEYOND more entries that may be read; else NULL */
    int32_t *positions32;       /* positions if positions16 is NULL */
    size_t n_positions;         /* of all words */
    double expected_hits;       /* for one position of a random subject */
    size_t n_starts, n_entries; /* n_entries: of positions16 or positions32 */
    uint8_t *has_word;          /* for each position: 1 if a word of the table begins there */
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

enum { WORD_LOOKUP_READ_BEYOND = 32 }; /* entries after the last of positions16 that may be read */

/* Returns the cell, among all cells, of a word that occurs. */
static inline uint32_t word_lookup_rank_of(const struct word_lookup *table, uint32_t word)
{
    if (table->ranks == NULL)
        return word;
    return table->ranks[word / 64] + (uint32_t)__builtin_popcountll(table->present[word / 64] & (((uint64_t)1 << word % 64) - 1));
}

/* The cell of a word with more positions than a cell has, as one number: their number, at most UINT16_MAX, and the entry of the first. */
static inline uint64_t word_lookup_cell(uint32_t first, uint32_t n) { return (uint64_t)first << 32 | n << 16 | UINT16_MAX; }

/* Returns the entry of the first position of the word of cell `rank` of positions16; *n is the number of its positions. */
static inline uint32_t word_lookup_open(const struct word_lookup *table, uint32_t rank, uint32_t *n)
{
    const uint64_t cell = core_read64((const uint8_t *)(table->positions16 + WORD_LOOKUP_CELL * (size_t)rank));
    const bool is_listed = (cell & UINT16_MAX) == UINT16_MAX;

    *n = is_listed ? (uint32_t)cell >> 16 : WORD_LOOKUP_CELL - (uint32_t)__builtin_clzll(~cell | 1) / 16;
    return is_listed ? (uint32_t)(cell >> 32) : WORD_LOOKUP_CELL * rank;
}

/* The entry of the first position of a short word. */
static inline uint32_t word_lookup_start(const struct word_lookup *table, uint32_t word)
{
    return table->has_blocks ? table->starts[word] / WORD_LOOKUP_BLOCK * WORD_LOOKUP_BLOCK : table->starts[word];
}

/* Returns the entry of the first position of a word; *n is the number of its positions. */
static inline uint32_t word_lookup_find(const struct word_lookup *table, uint32_t word, uint32_t *n)
{
    uint32_t rank;

    *n = 0;
    if (table->present == NULL) {
        *n = word_lookup_start(table, word + 1) - table->starts[word];
        return word_lookup_start(table, word);
    }
    if ((table->present[word / 64] >> word % 64 & 1) == 0)
        return 0;
    rank = word_lookup_rank_of(table, word);
    if (table->positions16 != NULL)
        return word_lookup_open(table, rank, n);
    *n = (uint32_t)table->positions32[2 * (size_t)rank + 1];
    return (uint32_t)table->positions32[2 * (size_t)rank];
}

/* Returns entry i of the positions; word_lookup_find() gives a word's entries. */
static inline int word_lookup_position(const struct word_lookup *table, uint32_t i)
{
    return table->positions16 != NULL ? table->positions16[i] : table->positions32[i];
}

#endif
