/*
 * karlin.h - Karlin-Altschul parameters: of a query without gaps, computed from its composition; and of gapped alignments, from tables.
 *
 * The results are those of NCBI BLAST+ 2.12 to the last bit: expressions are evaluated in the order written, without fused multiply-add
 * (the room is compiled with -ffp-contract=off), and lambda comes from the same iteration, which stops early.
 */
#ifndef TMS_SCORE_KARLIN_H
#define TMS_SCORE_KARLIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "score/matrix.h"

struct karlin {
    double lambda, K, H, log_K;
};

/* The frequencies of the 20 amino acids [Robinson & Robinson 1991], by NCBIstdaa code; they sum to 1. */
void score_background(double frequencies[RESIDUE_CODES]);

/* Probabilities of scores: probability[i] is that of score lowest + i. */
enum {
    KARLIN_SCORES = 2048,
    KARLIN_RANGE = 512 /* the greatest number of scores with which there is a K */
};
struct score_probabilities {
    int lowest, highest; /* least and greatest score with a probability above 0 */
    double mean;
    double probability[KARLIN_SCORES];
};

/*
 * score_probabilities_set() - n scores from `lowest` on with these probabilities, which are scaled to a sum of 1.
 * Returns false if alignments have no parameters: the mean score is not negative, or no score is positive.
 */
bool score_probabilities_set(const double *probabilities, int lowest, int n, struct score_probabilities *out);

/*
 * score_probabilities_of() - scores of residues with these frequencies against the background.
 * Returns as score_probabilities_set().
 */
bool score_probabilities_of(const struct score_matrix *matrix, const double frequencies[RESIDUE_CODES], struct score_probabilities *out);

/*
 * karlin_lambda(), karlin_H(), karlin_K() - return a negative number if there is no such parameter.
 *   start [in] where the iteration for lambda begins, on which the result depends in the sixth digit; KARLIN_START for a query
 */
#define KARLIN_START 0.5
double karlin_lambda(const struct score_probabilities *scores, double start);
double karlin_H(const struct score_probabilities *scores, double lambda);
double karlin_K(const struct score_probabilities *scores, double lambda, double H);

/* karlin_of_scores() - parameters of ungapped alignments. Returns false if there are none. */
bool karlin_of_scores(const struct score_probabilities *scores, struct karlin *out);

/*
 * karlin_of_query() - parameters of ungapped alignments of a query.
 *   query [in] n NCBIstdaa codes after masking; X does not count
 *   ideal [in] NULL, or the parameters of a query whose own lambda is not less
 * Returns false if there are none: the query cannot be searched with.
 */
bool karlin_of_query(const struct score_matrix *matrix, const uint8_t *query, size_t n, const struct karlin *ideal, struct karlin *out);

#endif
