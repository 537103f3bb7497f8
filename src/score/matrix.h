/* matrix.h - scoring matrices for proteins, and the gap costs that each supports. */
#ifndef TMS_SCORE_MATRIX_H
#define TMS_SCORE_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"

enum {
    SCORE_NONE = -32768,    /* score against a gap code, which also stands before and after each sequence */
    SCORE_UNGAPPED = 32767, /* as gap costs: no gaps */
    SCORE_MATRICES = 9
};

/* Gap costs, and the Karlin-Altschul parameters estimated for them. A gap of n residues costs open + n extend. */
struct gap_costs {
    int open, extend;
    double lambda, K, H;
    double alpha, beta; /* length of an alignment of score S: alpha S + beta */
    double alpha_v;     /* variance of this length in one sequence, per unit of score */
    double sigma;       /* covariance of both lengths, per unit of score */
};

struct score_matrix {
    const char *name;
    const int16_t (*scores)[RESIDUE_CODES];
    const double (*ratios)[RESIDUE_CODES]; /* target over background frequencies; NULL: IDENTITY has none */
    int lowest, highest;                   /* range of scores, without SCORE_NONE */
    const struct gap_costs *costs;         /* the first entry is for ungapped alignments */
    size_t n_costs, usual;                 /* usual: index of the default costs */
};

extern const struct score_matrix score_matrices[SCORE_MATRICES];

/* score_matrix_find() - finds a matrix by its name, in upper or lower case; NULL: there is none. */
const struct score_matrix *score_matrix_find(const char *name);

/* score_costs_find() - finds gap costs; NULL: the matrix has no parameters for these costs. */
const struct gap_costs *score_costs_find(const struct score_matrix *matrix, int open, int extend);

#endif
