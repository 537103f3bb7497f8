/*
 * two_hit_tables.h - queries as the kernels of a GPU take them: their tables in one piece of memory, which are made once, by any thread of
 * the host, and copied for each scan.
 *
 * Words of 2 and 3 residues have numbers of their own here: those of the twenty amino acids come first, whose entries of the table lie in
 * shared memory. Then there is one for words with a gap, which hit nothing, and then all words of 28 residues. The table of longer words is
 * made on the GPU, of the queries' residues: long_words_core.h.
 */
#ifndef TMS_TWO_HIT_TABLES_H
#define TMS_TWO_HIT_TABLES_H

#include "alphabet/residues.h"
#include "base/core.h"
#include "lookup/long_words.h"
#include "lookup/two_hit_gpu.h"

enum {
    LEAST_WORD_RESIDUES = 2,
    WORD_RESIDUES = 3, /* usually */
    AMINO_ACIDS = 20,
    WORDS_IN_SHARED = AMINO_ACIDS * AMINO_ACIDS * AMINO_ACIDS,
    WORD_NONE = WORDS_IN_SHARED,
    WORDS_OF_CODES = RESIDUE_CODES * RESIDUE_CODES * RESIDUE_CODES,
    WORDS_ALL = WORD_NONE + 1 + WORDS_OF_CODES,
    STARTS_IN_SHARED = WORDS_IN_SHARED + 2,
    PAIR_NONE = AMINO_ACIDS * AMINO_ACIDS, /* likewise, of 2 residues */
    PAIRS_OF_CODES = RESIDUE_CODES * RESIDUE_CODES,
    SEPARATOR = INT8_MIN, /* its score: no extension goes on after it */
    MARGIN = 64           /* bytes, or positions, that may be read before and after codes */
};

/* Of a query of the pack. */
struct gpu_query {
    int first_position, length, x_drop, cutoff;
};

/* NCBIstdaa code of each amino acid, in alphabetic order, to its number; others 255. */
struct amino_numbers {
    uint8_t of[RESIDUE_ROW];
};

/* The number of words with a gap, and how many numbers there are. word_size: 2 or 3 */
TMS_HD static inline uint32_t word_none(int word_size) { return word_size == WORD_RESIDUES ? WORD_NONE : PAIR_NONE; }
TMS_HD static inline uint32_t words_all(int word_size)
{
    return word_none(word_size) + 1 + (word_size == WORD_RESIDUES ? WORDS_OF_CODES : PAIRS_OF_CODES);
}

TMS_HD static inline uint32_t word_number(const struct amino_numbers *numbers, const uint8_t *codes, int word_size)
{
    uint32_t amino = 0, all = 0, most = 0, has_gap = 0;

    for (int i = 0; i < word_size; i++) {
        const uint32_t number = numbers->of[codes[i]];
        most |= number;
        amino = amino * AMINO_ACIDS + number;
        all = all * RESIDUE_CODES + codes[i];
        has_gap |= codes[i] == 0;
    }
    if (most < RESIDUE_ROW)
        return amino;
    return has_gap ? word_none(word_size) : word_none(word_size) + 1 + all;
}

/* Where the arrays begin in the memory; multiples of 256, but for the strip. */
struct two_hit_layout {
    size_t queries;     /* struct gpu_query */
    size_t scores;      /* int [RESIDUE_CODES * query's code + subject's code] */
    size_t word_starts; /* uint32_t [words_all() + 1], of positions; of words of 2 and 3 residues */
    size_t query_of;    /* uint16_t of each place */
    size_t positions;   /* uint16_t, where words are near the query's; likewise */
    size_t long_words;  /* struct long_words_rules, of longer ones */
    size_t word_scores; /* int [RESIDUE_CODES * query's code + subject's code] of residues of words; likewise */
    size_t strip;       /* codes of queries, by place; MARGIN zeros before and after, one between */
    size_t has_word;    /* uint8_t of each place */
    size_t rows;        /* int8_t [RESIDUE_ROW * query's code + subject's code]; SEPARATOR for a gap */
    size_t size_bytes;
};

struct two_hit_gpu_tables {
    uint8_t *memory;
    struct two_hit_layout layout;
    int n_positions, window, threshold, word_size;
};

#ifdef __cplusplus
extern "C" {
#endif

struct amino_numbers two_hit_amino_numbers(void);
/* How many numbers long words have; 0: the words are not long. */
uint32_t two_hit_gpu_n_long_words(const struct two_hit_gpu_tables *tables);

#ifdef __cplusplus
}
#endif
#endif
