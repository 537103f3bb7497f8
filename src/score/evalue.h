/*
 * evalue.h - converts raw scores to E-values and bits, and an E-value to the score that it requires.
 *
 * E-values have the finite-size correction of Spouge [Park, Sheetlin, Ma, Madden & Spouge 2012] or, with -searchsp, the older form over an
 * effective search space. A single code path on the host computes them: equal lengths and scores have bit-equal E-values, on which the
 * order of hits relies.
 */
#ifndef TMS_SCORE_EVALUE_H
#define TMS_SCORE_EVALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "score/karlin.h"
#include "score/matrix.h"

#define SCORE_LN_2 0.69314718055994530941723212145818

/* Statistics of a matrix with its gap costs. */
struct gapped_statistics {
    double lambda, K, log_K, H;
    double alpha;                 /* length of an alignment per unit of score */
    double effective_alpha, beta; /* length of an alignment of score S: effective_alpha S + beta; both 0 where NCBI has no values */
    double alpha_v, sigma;        /* variance of the length, and covariance of both lengths, per unit of score */
    double length_constant;       /* b of [Spouge], as are the next two; all follow from the parameters without gaps */
    double variance_constant, covariance_constant;
    bool rounds_odd_scores_down; /* E-values over an effective search space are those of the even score below; for some scores of bases */
};

void gapped_statistics_init(const struct score_matrix *matrix, const struct gap_costs *costs, struct gapped_statistics *out);

/* ungapped_statistics_init() - statistics of a query's alignments without gaps; only for the form over an effective search space. */
void ungapped_statistics_init(const struct score_matrix *matrix, const struct karlin *karlin, struct gapped_statistics *out);

/*
 * evalue_of() - expected number of chance alignments with this score or more.
 *   query_length, subject_length [in] residues, including masked ones, at least 1
 *   database_length [in] residues of the whole database; 0: the subject alone
 */
double evalue_of(const struct gapped_statistics *s, int score, int64_t query_length, int64_t subject_length, double database_length);

/* evalue_cutoff() - the greatest score (at least 1) whose E-value is above `evalue`, for these lengths of query and subject. */
int evalue_cutoff(const struct gapped_statistics *s, double evalue, int64_t query_length, int64_t subject_length, double database_length);

/*
 * The older form: K m' n' exp(-lambda S) over one effective search space.
 * length_adjustment() - residues of each sequence that an alignment is expected to take.
 */
int64_t length_adjustment(const struct gapped_statistics *s, int64_t query_length, int64_t database_length, int64_t n_sequences);
int64_t effective_search_space(int64_t query_length, int64_t database_length, int64_t n_sequences, int64_t adjustment);
double evalue_of_search_space(const struct gapped_statistics *s, int score, int64_t search_space);
int evalue_cutoff_of_search_space(const struct gapped_statistics *s, double evalue, int64_t search_space);

double bit_score(const struct gapped_statistics *s, int score);

#endif
