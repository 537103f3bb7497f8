/*
 * neighbours.h - which words of a subject are similar to which words of a protein query: the lookup table of BLASTP.
 *
 * A word of w letters hits a word of the query if the sum of their letters' scores reaches the threshold. A word of the query whose score
 * against itself does not reach it is hit by itself alone.
 */
#ifndef TMS_NEIGHBOURS_H
#define TMS_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/context.h"

enum { NEIGHBOURS_CODES = 28, NEIGHBOURS_BITS = 5, NEIGHBOURS_MAX_WORD = 5 };

/* Places of word x in the queries: places[starts[x]] .. places[starts[x + 1] - 1], ascending. A word has 5 bits a letter, the first on top.
 */
struct neighbours {
    int word_size;
    uint32_t *starts; /* 2^(5 w) + 1 */
    int32_t *places;
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
 *   scores [in] [NEIGHBOURS_CODES * query's code + subject's code]
 *   word_size [in] 2 .. NEIGHBOURS_MAX_WORD
 *   threshold [in] 0: exact words alone
 *   out [out] freed with neighbours_free()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status neighbours_build(const int *scores, const struct neighbours_query *queries, size_t n_queries, int word_size, int threshold,
                            struct neighbours *out);
void neighbours_free(struct neighbours *table); /* zeroed is fine */

#endif
