/* matrix.c - finding a matrix and gap costs in the tables. */
#include "score/matrix.h"

#include <strings.h>

const struct score_matrix *score_matrix_find(const char *name)
{
    for (size_t i = 0; i < SCORE_MATRICES; i++)
        if (strcasecmp(score_matrices[i].name, name) == 0)
            return &score_matrices[i];
    return NULL;
}

const struct gap_costs *score_costs_find(const struct score_matrix *matrix, int open, int extend)
{
    for (size_t i = 0; i < matrix->n_costs; i++)
        if (matrix->costs[i].open == open && matrix->costs[i].extend == extend)
            return &matrix->costs[i];
    return NULL;
}
