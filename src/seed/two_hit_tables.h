/*
 * two_hit_tables.h - queries as the kernels of a GPU take them: their tables in one piece of memory, which are made once, by any thread of
 * the host, and copied for each scan.
 *
 * Words have numbers of their own here: those of the twenty amino acids come first, 20^3 of them, whose entries of the table lie in shared
 * memory. Then there is one for words with a gap, which hit nothing, and then all words of 28 letters.
 */
#ifndef TMS_TWO_HIT_TABLES_H
#define TMS_TWO_HIT_TABLES_H

#include "base/core.h"
#include "seed/two_hit_gpu.h"

enum {
    WORD_LETTERS = 3,
    AMINO_ACIDS = 20,
    WORDS_IN_SHARED = AMINO_ACIDS * AMINO_ACIDS * AMINO_ACIDS,
    WORD_NONE = WORDS_IN_SHARED,
    WORDS_OF_CODES = UNGAPPED_CODES * UNGAPPED_CODES * UNGAPPED_CODES,
    WORDS_ALL = WORD_NONE + 1 + WORDS_OF_CODES,
    STARTS_IN_SHARED = WORDS_IN_SHARED + 2,
    ROW_CODES = 32,       /* of the matrix in shared memory */
    SEPARATOR = INT8_MIN, /* its score: no extension goes on after it */
    MARGIN = 64           /* bytes, or places, that may be read before and after codes */
};

/* Of a query of the pack. */
struct gpu_query {
    int first_place, length, x_drop, cutoff;
};

/* NCBIstdaa code of each amino acid, in alphabetic order, to its number; others 255. */
struct amino_numbers {
    uint8_t of[ROW_CODES];
};

TMS_HD static inline uint32_t word_number(const struct amino_numbers *numbers, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t x = numbers->of[a], y = numbers->of[b], z = numbers->of[c];
    if ((x | y | z) < ROW_CODES)
        return (x * AMINO_ACIDS + y) * AMINO_ACIDS + z;
    if (a == 0 || b == 0 || c == 0)
        return WORD_NONE;
    return WORD_NONE + 1 + (a * UNGAPPED_CODES + b) * UNGAPPED_CODES + c;
}

/* Where the arrays begin in the memory; multiples of 256, but for the strip. */
struct two_hit_layout {
    size_t queries;     /* struct gpu_query */
    size_t scores;      /* int [UNGAPPED_CODES * query's code + subject's code] */
    size_t word_starts; /* uint32_t [WORDS_ALL + 1], of places */
    size_t query_of;    /* uint16_t of each place */
    size_t places;      /* uint16_t, where words are near the query's */
    size_t strip;       /* codes of queries, by place; MARGIN zeros before and after, one between */
    size_t has_word;    /* uint8_t of each place */
    size_t rows;        /* int8_t [ROW_CODES * query's code + subject's code]; SEPARATOR for a gap */
    size_t size_bytes;
};

struct two_hit_gpu_tables {
    uint8_t *memory;
    struct two_hit_layout layout;
    int n_places, window, threshold;
};

#ifdef __cplusplus
extern "C" {
#endif

struct amino_numbers two_hit_amino_numbers(void);

#ifdef __cplusplus
}
#endif
#endif
