/* base_statistics.c - the formulas of base_statistics.h, in the order in which BLAST evaluates them. */
#include "score/base_statistics.h"

#include <math.h>

#include "alphabet/bases.h"
#include "score/sum_statistics.h"

#define GAP_TRIGGER_BITS       27.0
#define UNGAPPED_CUTOFF_EVALUE 0.05
#define EXACT_PART             0.8 /* of the ungapped cutoff that an approximate extension must reach */

/* Sets the share of each code that counts; false if there is none. */
static bool composition(const uint8_t *codes, size_t n, double share[BASE_N])
{
    size_t counts[BASE_CODES] = {0}, total = 0;

    for (size_t i = 0; i < n; i++)
        counts[codes[i]]++;
    for (int i = 0; i < BASE_N; i++)
        total += counts[i];
    for (int i = 0; i < BASE_N && total > 0; i++)
        share[i] = (double)counts[i] / (double)total;
    return total > 0;
}

bool karlin_of_bases(const struct base_scores *scores, const uint8_t *codes, size_t n, struct karlin *out)
{
    double share[BASE_N], all[BASE_SCORES_RANGE + 1] = {0};
    struct score_probabilities probabilities;

    if (!composition(codes, n, share))
        return false;
    for (int i = 0; i < BASE_N; i++)
        for (int j = 0; j < BASE_AMBIGUOUS; j++)
            all[scores->scores[RESIDUE_CODES * i + j] - scores->penalty] += share[i] * 0.25;
    return score_probabilities_set(all, scores->penalty, scores->reward - scores->penalty + 1, &probabilities) &&
           karlin_of_scores(&probabilities, out);
}

/* Statistics of alignments without gaps. Where there is no table of gap costs, BLAST takes no length for alignments. */
static void without_gaps(const struct base_scores *scores, const struct karlin *ungapped, struct gapped_statistics *out)
{
    const bool has_offset = (scores->reward == 1 && scores->penalty == -1) || (scores->reward == 2 && scores->penalty == -3);
    int open, extend;

    *out = (struct gapped_statistics){.lambda = ungapped->lambda, .K = ungapped->K, .log_K = ungapped->log_K, .H = ungapped->H};
    if (base_gap_costs_supported(scores->reward, scores->penalty, 0, &open, &extend)) {
        out->alpha = ungapped->lambda / ungapped->H;
        out->beta = has_offset ? -2 : 0;
    }
}

void base_gapped_statistics(const struct base_scores *scores, const struct base_gap_costs *costs, const struct karlin *ungapped,
                            struct gapped_statistics *out)
{
    if (costs != NULL && !costs->is_ungapped)
        *out = (struct gapped_statistics){
            .lambda = costs->lambda, .K = costs->K, .log_K = log(costs->K), .H = costs->H, .alpha = costs->alpha, .beta = costs->beta};
    else
        without_gaps(scores, ungapped, out);
    out->effective_alpha = out->alpha;
    out->rounds_odd_scores_down = costs != NULL && costs->rounds_odd_scores_down;
}

/* The least score of an ungapped extension that is kept. */
static int ungapped_cutoff_of(const struct base_statistics *s, bool has_gaps, const struct base_search_space *space, int64_t query_length)
{
    const struct gapped_statistics ungapped = {.lambda = s->ungapped.lambda, .K = s->ungapped.K};
    const double evalue = UNGAPPED_CUTOFF_EVALUE * (space->decay > 0 ? gap_decay_divisor(space->decay, 1) : 1);
    int64_t length = space->mean_length < 2 * query_length ? space->mean_length : 2 * query_length;
    int cutoff = has_gaps && !space->raw_limits ? (int)((GAP_TRIGGER_BITS * SCORE_LN_2 + s->ungapped.log_K) / s->ungapped.lambda)
                                                : evalue_cutoff_of_search_space(&ungapped, evalue, length * space->mean_length);

    return cutoff < s->cutoff ? cutoff : s->cutoff;
}

bool base_statistics_of(const struct base_scores *scores, const struct base_gap_costs *costs, const struct base_search_space *space,
                        const uint8_t *codes, size_t n, struct base_statistics *out)
{
    int64_t length = (int64_t)n;

    if (!karlin_of_bases(scores, codes, n, &out->ungapped))
        return false;
    base_gapped_statistics(scores, costs, &out->ungapped, &out->gapped);
    out->adjustment = length_adjustment(&out->gapped, length, space->database_length, space->n_sequences);
    out->search_space = space->given > 0 ? space->given
                                         : effective_search_space(length, space->database_length, space->n_sequences, out->adjustment);
    out->cutoff = space->given_score > 0 ? space->given_score
                                         : evalue_cutoff_of_search_space(&out->gapped, space->evalue, out->search_space);
    out->ungapped_cutoff = ungapped_cutoff_of(out, costs != NULL, space, length);
    out->exact_cutoff = (int)(EXACT_PART * out->ungapped_cutoff);
    if (space->raw_limits)
        out->x_ungapped = (int)space->x_bits;
    else
        out->x_ungapped = space->x_bits > 0 ? (int)ceil(space->x_bits * SCORE_LN_2 / out->ungapped.lambda) : out->ungapped_cutoff;
    return true;
}

int base_x_gapped(double bits, double lambda) { return (int)(bits * SCORE_LN_2 / lambda); }
