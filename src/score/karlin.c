/*
 * karlin.c - lambda, K and H of ungapped alignments [Karlin & Altschul 1990], step by step as BLAST computes them.
 */
#include "score/karlin.h"

#include <math.h>
#include <string.h>

#include "score/blast_math.h"
#include "score/karlin_core.h"

enum { MOST_STEPS = 100, MOST_SCORES = 64 /* range of a protein matrix's scores */, ENDS_AT_ONCE = 8 };

void score_background(double frequencies[RESIDUE_CODES])
{
    /* by NCBIstdaa code: - A B C D E F G H I K L M N P Q R S T V W X Y; per thousand */
    static const double per_thousand[] = {0,     78.05, 0,     19.25, 53.64, 62.95, 38.56, 73.77, 21.99, 51.42, 57.44, 90.19,
                                          22.43, 44.87, 52.03, 42.64, 51.29, 71.20, 58.41, 64.41, 13.30, 0,     32.16};
    double sum = 0;

    memset(frequencies, 0, RESIDUE_CODES * sizeof *frequencies);
    memcpy(frequencies, per_thousand, sizeof per_thousand);
    for (int i = 0; i < RESIDUE_CODES; i++)
        sum += frequencies[i];
    for (int i = 0; i < RESIDUE_CODES; i++)
        frequencies[i] /= sum;
}

/* Sets the share of each residue; false if no residue counts. */
static bool composition(const uint8_t *query, size_t n, double share[RESIDUE_CODES])
{
    double total = 0;

    memset(share, 0, RESIDUE_CODES * sizeof *share);
    for (size_t i = 0; i < n; i++)
        share[query[i]]++;
    share[CODE_X] = 0;
    for (int i = 0; i < RESIDUE_CODES; i++)
        total += share[i];
    for (int i = 0; i < RESIDUE_CODES && total > 0; i++)
        share[i] /= total;
    return total > 0;
}

bool score_probabilities_set(const double *probabilities, int lowest, int n, struct score_probabilities *out)
{
    double sum = 0;
    int first = n, last = -1;

    for (int i = 0; i < n; i++)
        if (probabilities[i] > 0) {
            sum += probabilities[i];
            first = first < i ? first : i;
            last = i;
        }
    if (last < 0)
        return false;
    memset(out, 0, sizeof *out);
    out->lowest = lowest + first;
    out->highest = lowest + last;
    for (int i = first; i <= last; i++) {
        double probability = probabilities[i];
        if (sum > 0.0001) {
            probability /= sum;
            out->mean += (lowest + i) * probability;
        }
        out->probability[i - first] = probability;
    }
    return out->mean < 0 && out->lowest < 0 && out->highest > 0;
}

bool score_probabilities_of(const struct score_matrix *matrix, const double frequencies[RESIDUE_CODES], struct score_probabilities *out)
{
    double background[RESIDUE_CODES], all[MOST_SCORES] = {0};

    score_background(background);
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            if (matrix->scores[i][j] >= matrix->lowest)
                all[matrix->scores[i][j] - matrix->lowest] += frequencies[i] * background[j];
    return score_probabilities_set(all, matrix->lowest, matrix->highest - matrix->lowest + 1, out);
}

double karlin_lambda(const struct score_probabilities *s, double start)
{
    const int step = karlin_step(s->probability, s->lowest, s->highest);

    return -log(karlin_root(s->probability, s->lowest, s->highest, step, exp(-start))) / step;
}

double karlin_H(const struct score_probabilities *s, double lambda)
{
    const double *p = s->probability - s->lowest;
    double factor = exp(-lambda), sum = s->lowest * p[s->lowest], scale = power(factor, s->highest);

    for (int score = s->lowest + 1; score <= s->highest; score++)
        sum = score * p[score] + factor * sum;
    return scale > 0 ? lambda * sum / scale : lambda * exp(lambda * s->highest + log(sum));
}

/* Two ends of a walk, in a vector: compilers do not make vectors of a loop in which a sanitizer checks each access. */
typedef double two_ends __attribute__((vector_size(16)));

static inline two_ends ends_at(const double *ends)
{
    two_ends two;

    memcpy(&two, ends, sizeof two);
    return two;
}

/*
 * Takes a walk's next step: the probabilities of its n ends become those of n + range. In place, from the highest end down, several ends at
 * once; there are `range` zeros before. Products with zeros change no sum.
 */
static void take_step(const double *probability, int range, double *ends, int n)
{
    memset(ends + n, 0, (size_t)(range + ENDS_AT_ONCE) * sizeof *ends);
    for (int first = (n + range - 1) / ENDS_AT_ONCE * ENDS_AT_ONCE; first >= 0; first -= ENDS_AT_ONCE) {
        two_ends a = {0}, b = {0}, c = {0}, d = {0};
        for (int k = 0; k <= range; k++) {
            const double *before = ends + first - k;
            a += ends_at(before) * probability[k];
            b += ends_at(before + 2) * probability[k];
            c += ends_at(before + 4) * probability[k];
            d += ends_at(before + 6) * probability[k];
        }
        memcpy(ends + first, (two_ends[]){a, b, c, d}, ENDS_AT_ONCE * sizeof *ends);
    }
}

/* Sums, over all numbers of steps, the probabilities and heights of the random walks that end after that many steps. */
static double walks(const struct score_probabilities *s, int step, double factor)
{
    double memory[(MOST_STEPS + 1) * KARLIN_RANGE + 1 + ENDS_AT_ONCE];
    int low = s->lowest / step, high = s->highest / step, range = high - low, from = 0, to = 0;
    double *alignments = memory + range; /* probability of each score after this many residues */
    double outer = 0, inner = 1;

    memset(memory, 0, (size_t)range * sizeof *memory);
    alignments[0] = 1;
    for (int n = 0; n < MOST_STEPS && inner > 0.0001;) {
        take_step(s->probability, range, alignments, to - from + 1);
        from += low;
        to += high;
        inner = alignments[0];
        for (int i = from + 1; i < 0; i++)
            inner = alignments[i - from] + inner * factor;
        inner *= factor;
        for (int i = 0; i <= to; i++)
            inner += alignments[i - from];
        n++;
        inner /= n;
        outer += inner;
    }
    return outer;
}

double karlin_K(const struct score_probabilities *s, double lambda, double H)
{
    const double *p = s->probability - s->lowest;
    int step = karlin_step(s->probability, s->lowest, s->highest), low = s->lowest / step, high = s->highest / step;
    double per_step = lambda * step, ratio = H / per_step, factor = exp(-per_step);

    if (low == -1 && high == 1)
        return (p[-step] - p[step]) * (p[-step] - p[step]) / p[-step];
    if (low == -1 || high == 1) {
        if (high != 1) {
            double mean = s->mean / step;
            ratio = mean * mean / ratio;
        }
        return ratio * (1 - factor);
    }
    return -exp(-2.0 * walks(s, step, factor)) / (ratio * exp_less_1(-per_step));
}

bool karlin_of_scores(const struct score_probabilities *scores, struct karlin *out)
{
    out->lambda = karlin_lambda(scores, KARLIN_START);
    if (out->lambda < 0)
        return false;
    out->H = karlin_H(scores, out->lambda);
    if (out->H < 0)
        return false;
    out->K = karlin_K(scores, out->lambda, out->H);
    if (out->K < 0)
        return false;
    out->log_K = log(out->K);
    return true;
}

bool karlin_of_query(const struct score_matrix *matrix, const uint8_t *query, size_t n, const struct karlin *ideal, struct karlin *out)
{
    struct score_probabilities scores;
    double share[RESIDUE_CODES];

    if (!composition(query, n, share) || !score_probabilities_of(matrix, share, &scores))
        return false;
    if (ideal == NULL || !(karlin_lambda(&scores, KARLIN_START) >= ideal->lambda))
        return karlin_of_scores(&scores, out);
    *out = *ideal;
    return true;
}
