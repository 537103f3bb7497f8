/*
 * score_hash.h - bounds of scores of two residues that sixteen bytes of a register can hold, so that scores of many pairs of residues are
 * looked up at once.
 *
 * Each of SCORE_HASH_TABLES tables has 32 entries. Query and subject have a hash for each of their residues and each table; a pair's entry
 * is the exclusive or of its two hashes, and has the greatest score of the pairs that share it. So the least of a pair's entries is its
 * score or more.
 */
#ifndef TMS_SCORE_HASH_H
#define TMS_SCORE_HASH_H

#include <stdint.h>

#include "alphabet/residues.h"

enum {
    SCORE_HASH_TABLES = 4,
    SCORE_HASH_HALF = 16,    /* entries of half a table */
    SCORE_HASH_UPPER = 0x80, /* in a hash: the entry is one of the upper half of the table; the lowest four bits say which */
    SCORE_HASH_GAP = 0x40,   /* in a hash of table 0 of the query, or of table 1 of the subject: it is a gap */
    SCORE_HASH_LOWEST = -32  /* lower scores are raised to this */
};

struct score_hash {
    uint8_t of_query[SCORE_HASH_TABLES][RESIDUE_ROW], of_subject[SCORE_HASH_TABLES][RESIDUE_ROW];
    int8_t scores[SCORE_HASH_TABLES][2 * SCORE_HASH_HALF];
};

/* score_hash_init() - makes the tables for scores [RESIDUE_CODES * query's code + subject's code] of at most 127. */
void score_hash_init(const int *scores, struct score_hash *out);

/* score_hash_bound() - the bound of the score of two codes that are no gaps. */
static inline int score_hash_bound(const struct score_hash *hash, unsigned query, unsigned subject)
{
    int least = INT8_MAX;

    for (int t = 0; t < SCORE_HASH_TABLES; t++) {
        const unsigned both = hash->of_query[t][query] ^ hash->of_subject[t][subject];
        const int score = hash->scores[t][both % SCORE_HASH_HALF + (both & SCORE_HASH_UPPER ? SCORE_HASH_HALF : 0)];
        least = score < least ? score : least;
    }
    return least;
}

#endif
