/*
 * reduced_alphabet.c - the groups of NCBI BLAST+ 2.12, and the scores of residues against groups: the logarithm of the mean frequency ratio
 * of a group's residues, weighted by their background frequencies.
 */
#include "score/reduced_alphabet.h"

#include <math.h>
#include <string.h>

#include "score/karlin.h"

#define LEAST_RATIO 1e-8 /* smaller ratios have no score */

static const char *const groups_of_6[] = {"ST", "IJV", "LM", "KR", "EQZ", "A", "G", "BD", "P", "N", "F", "Y", "H", "C", "W", NULL};
static const char *const groups_of_7[] = {"IJLMV", "AST", "BDENZ", "KQR", "G", "FY", "P", "H", "C", "W", NULL};

static int code_of(char letter)
{
    static const char letters[] = "-ABCDEFGHIKLMNPQRSTVWXYZU*OJ"; /* by NCBIstdaa code */

    return (int)(strchr(letters, letter) - letters);
}

static int score_of(const double *ratios, const char *group, const double *background, double scale)
{
    double all = 0, mean = 0;

    for (const char *c = group; *c != '\0'; c++)
        all += background[code_of(*c)];
    for (const char *c = group; *c != '\0'; c++)
        mean += ratios[code_of(*c)] * (background[code_of(*c)] / all);
    if (mean < LEAST_RATIO)
        return SCORE_NONE;
    mean = log(mean) * scale;
    return (int)(mean >= 0 ? mean + 0.5 : mean - 0.5);
}

bool reduced_alphabet_init(const struct score_matrix *matrix, int word_size, struct reduced_alphabet *out)
{
    const char *const *groups = word_size == REDUCED_SHORTEST ? groups_of_6 : groups_of_7;
    double background[RESIDUE_CODES], scale = REDUCED_SCALE / matrix->costs[0].lambda;

    if (matrix->ratios == NULL)
        return false;
    score_background(background);
    memset(out, 0, sizeof *out);
    memset(out->group_of, REDUCED_NONE, sizeof out->group_of);
    for (; groups[out->n_groups] != NULL; out->n_groups++)
        for (const char *c = groups[out->n_groups]; *c != '\0'; c++)
            out->group_of[code_of(*c)] = (uint8_t)out->n_groups;
    for (int code = 0; code < RESIDUE_CODES; code++)
        for (int g = 0; g < out->n_groups; g++)
            out->scores[out->n_groups * code + g] = score_of(matrix->ratios[code], groups[g], background, scale);
    return true;
}
