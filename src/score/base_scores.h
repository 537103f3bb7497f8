/*
 * base_scores.h - scores of bases: a reward for equal bases, a penalty for others, and the gap costs that each pair of them supports.
 *
 * Gap costs have Karlin-Altschul parameters from tables that NCBI has estimated for rewards and penalties without a common divisor. A
 * multiple g of such a pair has the gap costs of the table times g, and its lambda and alpha divided by g.
 */
#ifndef TMS_SCORE_BASE_SCORES_H
#define TMS_SCORE_BASE_SCORES_H

#include <stdbool.h>
#include <stddef.h>

#include "alphabet/residues.h"

enum { BASE_SCORES_RANGE = 500 }; /* the greatest difference between reward and penalty */

/* Scores of BLASTNA codes, in the shape that gapped extension takes. */
struct base_scores {
    int reward, penalty;                       /* reward is above 0, penalty below 0 */
    int scores[RESIDUE_CODES * RESIDUE_CODES]; /* [RESIDUE_CODES * query's code + subject's code]; SCORE_NONE against a gap code */
};

/*
 * base_scores_init() - fills the table. Two codes that have a base in common score the mean over the bases of the greater code, of which
 * one is equal, rounded to the nearest integer; others score the penalty.
 *   reward - penalty [in] at most BASE_SCORES_RANGE
 */
void base_scores_init(int reward, int penalty, struct base_scores *out);

/* Gap costs of a reward and a penalty. Costs of 0 and 0 stand for greedy extension whose gaps cost (reward - 2 penalty) / 2 a base. */
struct base_gap_costs {
    int open, extend;
    double lambda, K, H;
    double alpha, beta; /* length of an alignment of score S: alpha S + beta */
    bool is_ungapped;   /* no entry of the table, but dear enough: lambda, K and H of the query without gaps count; they are 0 here */
    bool rounds_odd_scores_down; /* E-values are those of the even score below */
};

enum base_costs_found {
    BASE_COSTS_FOUND,
    BASE_COSTS_NO_SCORES, /* there is no table for this reward and penalty */
    BASE_COSTS_NO_COSTS   /* there is a table, but the gap costs are not in it, and are too low to do without */
};

/* base_gap_costs_find() - finds the parameters of gap costs. out [out] set if they are found. */
enum base_costs_found base_gap_costs_find(int reward, int penalty, int open, int extend, struct base_gap_costs *out);

/*
 * base_gap_costs_supported() - the gap costs that a message lists.
 *   i [in] from 0; the last ones are those from which on all higher costs are supported, too
 * Returns false if there are not so many.
 */
bool base_gap_costs_supported(int reward, int penalty, size_t i, int *open, int *extend);

#endif
