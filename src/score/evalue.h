/*
 * evalue.h - from raw scores to E-values and bits, and back to the score that an E-value needs.
 *
 * E-values have the finite-size correction of Spouge [Park, Sheetlin, Ma, Madden & Spouge 2012], or, with -searchsp, the older form over
 * an effective search space. One code path computes them, on the host: equal lengths and scores have bit-equal E-values, which the order
 * of hits relies on.
 */
#ifndef TMS_SCORE_EVALUE_H
#define TMS_SCORE_EVALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "score/karlin.h"
#include "score/matrix.h"

#define SCORE_LN_2 0.69314718055994530941723212145818

/* Gapped statistics of a matrix and its gap costs. */
struct gapped_statistics {
    double lambda, K, log_K, H;
    double alpha; /* per unit of score: of an alignment's length. For effective lengths, where NCBI has none without gaps: */
    double effective_alpha, beta;
    double alpha_v, sigma;  /* of its variance, of the covariance */
    double length_constant; /* b of [Spouge], which follows from the ungapped parameters; likewise: */
    double variance_constant, covariance_constant;
};

void gapped_statistics_init(const struct score_matrix *matrix, const struct gap_costs *costs, struct gapped_statistics *out);

/* ungapped_statistics_init() - the same of a query's alignments without gaps, which only the older form below is for. */
void ungapped_statistics_init(const struct score_matrix *matrix, const struct karlin *karlin, struct gapped_statistics *out);

/*
 * evalue_of() - the number of alignments of this score or more that chance gives.
 *   query_length, subject_length [in] residues, masked ones included, at least 1
 *   database_length [in] residues of the whole database; 0: the subject alone
 */
double evalue_of(const struct gapped_statistics *s, int score, int64_t query_length, int64_t subject_length, double database_length);

/* evalue_cutoff() - the greatest score with an E-value above `evalue`, at this query's and subject's length (at least 1 score). */
int evalue_cutoff(const struct gapped_statistics *s, double evalue, int64_t query_length, int64_t subject_length, double database_length);

/*
 * The older form: K m' n' exp(-lambda S) with one effective search space.
 * length_adjustment() returns how many residues an alignment is expected to take of each sequence.
 */
int64_t length_adjustment(const struct gapped_statistics *s, int64_t query_length, int64_t database_length, int64_t n_sequences);
int64_t effective_search_space(int64_t query_length, int64_t database_length, int64_t n_sequences, int64_t adjustment);
double evalue_of_search_space(const struct gapped_statistics *s, int score, int64_t search_space);
int evalue_cutoff_of_search_space(const struct gapped_statistics *s, double evalue, int64_t search_space);

double bit_score(const struct gapped_statistics *s, int score);

#endif
