/*
 * reduced_alphabet.h - groups of similar amino acids that stand for one letter: long words are compared in them.
 */
#ifndef TMS_SCORE_REDUCED_ALPHABET_H
#define TMS_SCORE_REDUCED_ALPHABET_H

#include <stdbool.h>
#include <stdint.h>

#include "score/matrix.h"

enum {
    REDUCED_SHORTEST = 6, /* words */
    REDUCED_LONGEST = 7,
    REDUCED_MOST_GROUPS = 15,
    REDUCED_NONE = 255, /* letters without a group: X, U, O, stop, gap */
    REDUCED_SCALE = 100 /* scores are multiples of 1/100 of an ordinary one */
};

struct reduced_alphabet {
    int n_groups;
    uint8_t group_of[RESIDUE_CODES];
    int scores[RESIDUE_CODES * REDUCED_MOST_GROUPS]; /* [n_groups * code + group] */
};

/*
 * reduced_alphabet_init() - the groups for words of REDUCED_SHORTEST or REDUCED_LONGEST letters; the shorter ones tell more letters apart.
 * Returns false if the matrix has no frequency ratios.
 */
bool reduced_alphabet_init(const struct score_matrix *matrix, int word_size, struct reduced_alphabet *out);

#endif
