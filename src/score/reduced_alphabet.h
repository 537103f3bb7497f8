/* reduced_alphabet.h - groups of similar amino acids that stand for one letter each; long words are compared in these letters. */
#ifndef TMS_SCORE_REDUCED_ALPHABET_H
#define TMS_SCORE_REDUCED_ALPHABET_H

#include <stdbool.h>
#include <stdint.h>

#include "score/matrix.h"

enum {
    REDUCED_SHORTEST = 6, /* residues of the shortest words */
    REDUCED_LONGEST = 7,
    REDUCED_MOST_GROUPS = 15,
    REDUCED_NONE = 255, /* codes without a group: X, U, O, stop, gap */
    REDUCED_SCALE = 100 /* scores are multiples of 1/100 of a usual score */
};

struct reduced_alphabet {
    int n_groups;
    uint8_t group_of[RESIDUE_CODES];
    int scores[RESIDUE_CODES * REDUCED_MOST_GROUPS]; /* [n_groups * code + group] */
};

/*
 * reduced_alphabet_init() - the groups for words of REDUCED_SHORTEST or REDUCED_LONGEST residues; the shorter words have more groups.
 * Returns false if the matrix has no frequency ratios.
 */
bool reduced_alphabet_init(const struct score_matrix *matrix, int word_size, struct reduced_alphabet *out);

#endif
