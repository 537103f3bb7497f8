/*
 * two_hit_tables.h - the tables of a group of queries for GPU kernels, in one allocation. Any thread of the host makes them once; each
 * scan copies them to the GPU.
 *
 * Words of 2 and 3 residues have their own numbers here. Words of the twenty amino acids come first; their entries of the table lie in
 * shared memory. The next number stands for all words with a gap, which match nothing; then come all words of 28 codes. The GPU itself
 * makes the table of longer words from the queries' residues (long_words_core.h).
 */
#ifndef TMS_TWO_HIT_TABLES_H
#define TMS_TWO_HIT_TABLES_H

#include "alphabet/residues.h"
#include "base/core.h"
#include "lookup/long_words.h"
#include "lookup/two_hit_gpu.h"

enum {
    TWO_HIT_MIN_WORD_RESIDUES = 2,
    TWO_HIT_WORD_RESIDUES = 3, /* the usual word size */
    TWO_HIT_AMINO_ACIDS = 20,
    TWO_HIT_WORDS_IN_SHARED = TWO_HIT_AMINO_ACIDS * TWO_HIT_AMINO_ACIDS * TWO_HIT_AMINO_ACIDS,
    TWO_HIT_WORD_NONE = TWO_HIT_WORDS_IN_SHARED,
    TWO_HIT_WORDS_OF_CODES = RESIDUE_CODES * RESIDUE_CODES * RESIDUE_CODES,
    TWO_HIT_WORDS_ALL = TWO_HIT_WORD_NONE + 1 + TWO_HIT_WORDS_OF_CODES,
    TWO_HIT_STARTS_IN_SHARED = TWO_HIT_WORDS_IN_SHARED + 2,
    TWO_HIT_PAIR_NONE = TWO_HIT_AMINO_ACIDS * TWO_HIT_AMINO_ACIDS, /* the number of words with a gap, for words of 2 residues */
    TWO_HIT_PAIRS_OF_CODES = RESIDUE_CODES * RESIDUE_CODES,
    TWO_HIT_SEPARATOR = INT8_MIN /* the score of a gap, which ends every extension */
};

/* A query of the group. */
struct gpu_query {
    int first_position, length, x_drop, cutoff;
};

/* Maps the NCBIstdaa code of each amino acid to its number in alphabetic order, and other codes to 255. */
struct amino_numbers {
    uint8_t of[RESIDUE_ROW];
};

/* word_none() - the number that stands for words with a gap; words_all() - how many numbers there are. word_size is 2 or 3. */
TMS_HD static inline uint32_t word_none(int word_size)
{
    return word_size == TWO_HIT_WORD_RESIDUES ? TWO_HIT_WORD_NONE : TWO_HIT_PAIR_NONE;
}
TMS_HD static inline uint32_t words_all(int word_size)
{
    return word_none(word_size) + 1 + (word_size == TWO_HIT_WORD_RESIDUES ? TWO_HIT_WORDS_OF_CODES : TWO_HIT_PAIRS_OF_CODES);
}

TMS_HD static inline uint32_t word_number(const struct amino_numbers *numbers, const uint8_t *codes, int word_size)
{
    uint32_t amino = 0, all = 0, most = 0, has_gap = 0;

    for (int i = 0; i < word_size; i++) {
        const uint32_t number = numbers->of[codes[i]];
        most |= number;
        amino = amino * TWO_HIT_AMINO_ACIDS + number;
        all = all * RESIDUE_CODES + codes[i];
        has_gap |= codes[i] == 0;
    }
    if (most < RESIDUE_ROW)
        return amino;
    return has_gap ? word_none(word_size) : word_none(word_size) + 1 + all;
}

/* Offsets of the arrays in the memory; multiples of 256, except query_codes. */
struct two_hit_layout {
    size_t queries;     /* struct gpu_query [queries] */
    size_t scores;      /* int [RESIDUE_CODES * query's code + subject's code] */
    size_t word_starts; /* words of 2 and 3 residues: uint32_t [words_all() + 1], the start in `positions` of each word's positions */
    size_t query_of;    /* uint16_t [positions]: the query at each position */
    size_t positions;   /* words of 2 and 3 residues: uint16_t, the query positions that each word matches */
    size_t long_words;  /* longer words: struct long_words_rules */
    size_t word_scores; /* longer words: int [RESIDUE_CODES * query's code + subject's code], the scores of residues in words */
    size_t query_codes; /* uint8_t: codes of the queries by position; one zero between two queries, TWO_HIT_MARGIN zeros before and after */
    size_t has_word;    /* uint8_t [positions]: 1 if a word begins at the position */
    size_t rows;        /* int8_t [RESIDUE_ROW * query's code + subject's code]; TWO_HIT_SEPARATOR for a gap */
    size_t size_bytes;
};

/* A query that is too long for one table has one for each stretch of it. Extensions leave the stretch. */
struct two_hit_stretch {
    const uint8_t *codes;    /* the whole query; borrowed. NULL: the tables are of whole queries */
    const uint8_t *has_word; /* for each of its residues: 1 if a word begins there; borrowed */
    int length;              /* of the query */
    int first;               /* where in the query the stretch begins: position 0 */
    int core;                /* extensions whose second word begins before this residue of the query are found in an earlier stretch */
};

struct two_hit_gpu_tables {
    uint8_t *memory;
    struct two_hit_layout layout;
    int n_positions, window, threshold, word_size;
    /* Of one of several tables; two_hit_stretches.c. */
    struct two_hit_stretch stretch;
    uint8_t *owned;                  /* memory of stretch.has_word, which later tables borrow; or NULL */
    struct two_hit_gpu_tables *next; /* owned; NULL: the last one */
    uint32_t first_query;            /* number of its first query among those of all tables */
    uint64_t n_words;
    double expected_hits;
};

#ifdef __cplusplus
extern "C" {
#endif

struct amino_numbers two_hit_amino_numbers(void);
/* two_hit_gpu_n_long_words() - the number of possible long words; 0 if the words are not long. */
uint32_t two_hit_gpu_n_long_words(const struct two_hit_gpu_tables *tables);

#ifdef __cplusplus
}
#endif
#endif
