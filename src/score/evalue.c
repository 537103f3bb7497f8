/* evalue.c - the formulas of evalue.h, in the order in which BLAST evaluates them. */
#include "score/evalue.h"

#include <math.h>

#include "score/blast_erfc.h"

#define ROOT_OF_2_PI_IN 0.39894228040143267793994605993438 /* 1 / sqrt(2 pi) */
#define LEAST_EVALUE    1e-297

void gapped_statistics_init(const struct score_matrix *matrix, const struct gap_costs *costs, struct gapped_statistics *out)
{
    const struct gap_costs *ungapped = &matrix->costs[0];
    double gap = costs->open + costs->extend;

    out->lambda = costs->lambda;
    out->K = costs->K;
    out->log_K = log(costs->K);
    out->H = costs->H;
    out->alpha = costs->alpha;
    out->effective_alpha = costs->open == SCORE_UNGAPPED ? 0 : costs->alpha;
    out->beta = costs->open == SCORE_UNGAPPED ? 0 : costs->beta;
    out->alpha_v = costs->alpha_v;
    out->sigma = costs->sigma;
    out->length_constant = 2.0 * gap * (ungapped->alpha - costs->alpha);
    out->variance_constant = 2.0 * gap * (ungapped->alpha_v - costs->alpha_v);
    out->covariance_constant = 2.0 * gap * (ungapped->alpha_v - costs->sigma);
    out->rounds_odd_scores_down = false;
}

void ungapped_statistics_init(const struct score_matrix *matrix, const struct karlin *karlin, struct gapped_statistics *out)
{
    const struct gap_costs *ungapped = &matrix->costs[0];

    *out = (struct gapped_statistics){.lambda = karlin->lambda,
                                      .K = karlin->K,
                                      .log_K = karlin->log_K,
                                      .H = karlin->H,
                                      .alpha = ungapped->alpha,
                                      .effective_alpha = ungapped->alpha,
                                      .beta = ungapped->beta,
                                      .alpha_v = ungapped->alpha_v,
                                      .sigma = ungapped->sigma};
}

/* The mean length of a sequence in which an alignment can begin; *free_part: the probability that the alignment fits at all. */
static double room_for(const struct gapped_statistics *s, int score, double length, double *free_part)
{
    double left = length - (s->alpha * score + s->length_constant);
    double variance = fmax(2.0 * s->alpha_v / s->lambda, s->alpha_v * score + s->variance_constant);
    double deviation = sqrt(variance), ratio = left / deviation;

    *free_part = blast_erfc(-ratio / sqrt(2.0)) / 2.0;
    return left * *free_part + deviation * ROOT_OF_2_PI_IN * exp(-0.5 * ratio * ratio);
}

double evalue_of(const struct gapped_statistics *s, int score, int64_t query_length, int64_t subject_length, double database_length)
{
    double query_part, subject_part;
    double query_room = room_for(s, score, (double)query_length, &query_part);
    double subject_room = room_for(s, score, (double)subject_length, &subject_part);
    double covariance = fmax(2.0 * s->sigma / s->lambda, s->sigma * score + s->covariance_constant);
    double area = query_room * subject_room + covariance * query_part * subject_part;
    double evalue = area * s->K * exp(-s->lambda * score);

    return database_length > 0 ? evalue * (database_length / (double)subject_length) : evalue;
}

int evalue_cutoff(const struct gapped_statistics *s, double evalue, int64_t query_length, int64_t subject_length, double database_length)
{
    int low = 0, high = (int)(log((database_length > 0 ? database_length : 1) / evalue) / s->lambda);
    double at_high;

    if (high < 2)
        high = 2;
    at_high = evalue_of(s, high, query_length, subject_length, database_length);
    while (at_high > evalue) {
        low = high;
        high = 2 * high;
        at_high = evalue_of(s, high, query_length, subject_length, database_length);
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (evalue_of(s, middle, query_length, subject_length, database_length) > evalue)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t length_adjustment(const struct gapped_statistics *s, int64_t query_length, int64_t database_length, int64_t n_sequences)
{
    enum { MOST_ROUNDS = 20 };
    double m = (double)query_length, n = (double)database_length, N = (double)n_sequences, per_bit = s->effective_alpha / s->lambda;
    double c = n * m - fmax(m, n) / s->K, mb = m * N + n, least = 0, most, next = 0, length;
    bool converged = false;
    int64_t adjustment;

    if (c < 0)
        return 0;
    most = 2 * c / (mb + sqrt(mb * mb - 4 * N * c));
    for (int round = 1; round <= MOST_ROUNDS; round++) {
        double space, bound;
        length = next;
        space = (m - length) * (n - N * length);
        bound = per_bit * (s->log_K + log(space)) + s->beta;
        if (bound >= length) {
            least = length;
            if (bound - least <= 1.0) {
                converged = true;
                break;
            }
            if (least == most)
                break;
        } else {
            most = length;
        }
        if (least <= bound && bound <= most)
            next = bound;
        else
            next = round == 1 ? most : (least + most) / 2;
    }
    adjustment = (int64_t)least;
    if (converged) {
        length = ceil(least);
        if (length <= most && per_bit * (s->log_K + log((m - length) * (n - N * length))) + s->beta >= length)
            adjustment = (int64_t)length;
    }
    return adjustment;
}

int64_t effective_search_space(int64_t query_length, int64_t database_length, int64_t n_sequences, int64_t adjustment)
{
    int64_t database = database_length - n_sequences * adjustment;

    return (database > 0 ? database : 1) * (query_length - adjustment);
}

double evalue_of_search_space(const struct gapped_statistics *s, int score, int64_t search_space)
{
    int even = s->rounds_odd_scores_down ? score & ~1 : score;

    return (double)search_space * exp(-s->lambda * even + s->log_K);
}

int evalue_cutoff_of_search_space(const struct gapped_statistics *s, double evalue, int64_t search_space)
{
    int cutoff = (int)ceil(log(s->K * (double)search_space / fmax(evalue, LEAST_EVALUE)) / s->lambda);

    return cutoff > 1 ? cutoff : 1;
}

double bit_score(const struct gapped_statistics *s, int score) { return (score * s->lambda - s->log_K) / SCORE_LN_2; }
