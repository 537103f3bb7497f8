/*
 * matrix.h - scoring matrices for proteins, and the gap costs that each allows.
 */
#ifndef TMS_SCORE_MATRIX_H
#define TMS_SCORE_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"

enum {
    SCORE_NONE = -32768,    /* against a gap, which also stands before and after each sequence */
    SCORE_UNGAPPED = 32767, /* as gap costs: no gaps */
    SCORE_MATRICES = 9
};

/* Gap costs, and the Karlin-Altschul parameters that were estimated for them. A gap of n residues costs open + n extend. */
struct gap_costs {
    int open, extend;
    double lambda, K, H;
    double alpha, beta; /* a and b of the length of an alignment by its score */
    double alpha_v;     /* of the variance of this length in one sequence */
    double sigma;       /* of the covariance of both lengths */
};

struct score_matrix {
    const char *name;
    const int16_t (*scores)[RESIDUE_CODES];
    const double (*ratios)[RESIDUE_CODES]; /* target over background frequencies; NULL: IDENTITY has none */
    int lowest, highest;                   /* scores, SCORE_NONE not counted */
    const struct gap_costs *costs;         /* the first is for ungapped alignments */
    size_t n_costs, usual;                 /* usual: the costs if none are asked for */
};

extern const struct score_matrix score_matrices[SCORE_MATRICES];

/* score_matrix_find() - by name, in upper or lower case; NULL: there is none. */
const struct score_matrix *score_matrix_find(const char *name);

/* score_costs_find() - NULL: the matrix has no parameters for these costs. */
const struct gap_costs *score_costs_find(const struct score_matrix *matrix, int open, int extend);

#endif
