/* blastn_params.c - defaults and ranges of parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "blastn/blastn_setup.h"
#include "search/search_link.h"

/* The parameters that a task sets. */
static const struct task {
    int word_size, reward, penalty, gap_open, gap_extend;
    bool is_greedy, has_template;
    double x_ungapped, x_gapped, x_final; /* bits */
    int window, separation, chunk_residues;
} tasks[] = {
    [TMS_TASK_MEGABLAST] = {28, 1, -2, 0, 0, true, false, 0, 25, 100, 0, 6, 4999900},
    [TMS_TASK_BLASTN] = {11, 2, -3, 5, 2, false, false, 20, 30, 100, 0, 50, 999900},
    [TMS_TASK_BLASTN_SHORT] = {7, 1, -3, 5, 2, false, false, 20, 30, 100, 0, 50, 999900},
    [TMS_TASK_DC_MEGABLAST] = {11, 2, -3, 5, 2, false, true, 20, 30, 100, 40, 6, 4999900},
    [TMS_TASK_RMBLASTN] = {11, 0, 0, 5, 2, false, false, 20, 30, 100, 0, 50, 999900},
};

/* Templates: bases under ones are compared. */
static const struct word_template {
    int weight, length;
    const char *coding, *optimal;
} templates[] = {
    {11, 16, "1101101101101101", "1110010110110111"},           {12, 16, "1111101101101101", "1110110110110111"},
    {11, 18, "101101100101101101", "111010010110010111"},       {12, 18, "101101101101101101", "111010110010110111"},
    {11, 21, "100101100101100101101", "111010010100010010111"}, {12, 21, "100101101101100101101", "111010010110010010111"},
};

enum { LEAST_WORD_SIZE = 4, USUAL_TEMPLATE = 18 };
enum { UNSET_REWARD = 1, UNSET_PENALTY = -3 }; /* rmblastn's without others */

static tms_status fail_costs(tms_context *ctx, const struct blastn_setup *s, int open, int extend)
{
    char pairs[400];
    size_t n = 0;
    int o, e;

    pairs[0] = '\0';
    for (size_t i = 0; base_gap_costs_supported(s->scores.reward, s->scores.penalty, i, &o, &e) && n < sizeof pairs - 24; i++)
        n += (size_t)snprintf(pairs + n, sizeof pairs - n, "%s%d/%d", n > 0 ? ", " : "", o, e);
    return context_fail(ctx, TMS_E_ARG,
                        "there are no statistics for reward %d and penalty %d with gaps of %d and %d: give open/extend as one of %s, or "
                        "higher costs than the last",
                        s->scores.reward, s->scores.penalty, open, extend, pairs);
}

static tms_status set_scores(tms_context *ctx, const tms_blastn_params *given, struct blastn_setup *out)
{
    const struct task *task = &tasks[given->task];
    const bool has_none = given->task == TMS_TASK_RMBLASTN && given->reward == 0 && given->penalty == 0;
    const int reward = has_none ? UNSET_REWARD : given->reward != 0 ? given->reward : task->reward;
    const int penalty = has_none ? UNSET_PENALTY : given->penalty != 0 ? given->penalty : task->penalty;
    const int open = given->gap_open >= 0 ? given->gap_open : task->gap_open;
    const int extend = given->gap_extend >= 0 ? given->gap_extend : task->gap_extend;

    if (reward <= 0 || penalty >= 0 || reward > BASE_SCORES_RANGE || penalty < -BASE_SCORES_RANGE || reward - penalty > BASE_SCORES_RANGE)
        return context_fail(ctx, TMS_E_ARG, "a reward of %d and a penalty of %d: give one above 0 and one below 0, at most %d apart",
                            reward, penalty, BASE_SCORES_RANGE);
    out->space.raw_limits = has_none;
    out->rescore_reward = has_none ? 0 : reward; /* [sic] */
    base_scores_init(reward, penalty, &out->scores);
    memcpy(out->search.scores, out->scores.scores, sizeof out->search.scores);
    out->search.gap_open = open;
    out->search.gap_extend = extend;
    out->is_greedy = task->is_greedy && given->no_greedy == 0;
    if (!out->is_greedy && open == 0 && extend == 0)
        return context_fail(ctx, TMS_E_ARG, "gaps without costs need greedy extension: give other costs, or leave out no_greedy");
    if (out->search.ungapped)
        return TMS_OK;
    if (open > 0 && extend == 0)
        return context_fail(ctx, TMS_E_ARG, "a cost of %d to open a gap and none to extend it: give both", open);
    switch (base_gap_costs_find(reward, penalty, open, extend, &out->costs)) {
    case BASE_COSTS_FOUND:
        out->search.rounds_odd_scores_down = out->costs.rounds_odd_scores_down;
        return TMS_OK;
    case BASE_COSTS_NO_SCORES:
        return context_fail(ctx, TMS_E_ARG,
                            "there are no statistics for a reward of %d and a penalty of %d: give a multiple of 1/-5, 1/-4, 2/-7, 1/-3, "
                            "2/-5, 1/-2, 2/-3, 3/-4, 4/-5, 1/-1, 3/-2 or 5/-4",
                            reward, penalty);
    default:
        return fail_costs(ctx, out, open, extend);
    }
}

static tms_status set_template(tms_context *ctx, const tms_blastn_params *given, struct blastn_setup *out)
{
    const int length = given->template_length != 0 ? (int)given->template_length : USUAL_TEMPLATE;
    const uint32_t kind = given->word_template != TMS_TEMPLATE_DEFAULT ? given->word_template : TMS_TEMPLATE_CODING;

    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        const struct word_template *t = &templates[i];
        if (t->weight != out->search.word_size || t->length != length)
            continue;
        if (kind != TMS_TEMPLATE_OPTIMAL)
            out->words[out->n_words++] = (struct base_words_rules){out->search.word_size, t->coding};
        if (kind != TMS_TEMPLATE_CODING)
            out->words[out->n_words++] = (struct base_words_rules){out->search.word_size, t->optimal};
        return TMS_OK;
    }
    return context_fail(ctx, TMS_E_ARG, "a template of %d bases for words of %d: templates have 16, 18 or 21, words 11 or 12", length,
                        out->search.word_size);
}

static tms_status set_words(tms_context *ctx, const tms_blastn_params *given, struct blastn_setup *out)
{
    const struct task *task = &tasks[given->task];
    const bool has_template = task->has_template || given->word_template != TMS_TEMPLATE_DEFAULT;

    out->search.word_size = given->word_size > 0 ? (int)given->word_size : task->word_size;
    out->search.window = given->window >= 0 ? given->window : task->window;
    out->off_diagonal = out->search.window > 0 ? (int)given->off_diagonal_range : 0;
    if (out->search.word_size < LEAST_WORD_SIZE || given->word_size > 1 << 20)
        return context_fail(ctx, TMS_E_ARG, "words of %u bases: give %d or more", (unsigned)given->word_size, LEAST_WORD_SIZE);
    if (out->search.window == 0 && given->off_diagonal_range > 0)
        return context_fail(ctx, TMS_E_ARG, "hits %u diagonals apart with one hit: give a window for two hits",
                            (unsigned)given->off_diagonal_range);
    if (has_template) {
        const tms_status status = set_template(ctx, given, out);
        if (status != TMS_OK)
            return status;
    } else {
        out->words[out->n_words++] = (struct base_words_rules){out->search.word_size, NULL};
    }
    ungapped_base_costs_init(&out->ungapped, out->search.scores, out->scores.reward, out->scores.penalty,
                             has_template ? (int)strlen(out->words[0].bits) : out->search.word_size);
    out->ungapped.is_exact = out->space.raw_limits;
    return TMS_OK;
}

static tms_status check_limits(tms_context *ctx, const tms_blastn_params *given)
{
    if (!(given->evalue > 0))
        return context_fail(ctx, TMS_E_ARG, "an E-value of %g: give one above 0", given->evalue);
    if (isnan(given->xdrop_ungapped) || isnan(given->xdrop_gapped) || isnan(given->xdrop_final))
        return context_fail(ctx, TMS_E_ARG, "X-drops of %g, %g and %g bits: give numbers", given->xdrop_ungapped, given->xdrop_gapped,
                            given->xdrop_final);
    if (given->max_target_seqs < 1 || given->max_target_seqs > 1 << 29)
        return context_fail(ctx, TMS_E_ARG, "%u subjects at most of a query: give 1 to 2^29", (unsigned)given->max_target_seqs);
    if (!(given->min_query_coverage >= 0 && given->min_query_coverage <= 100))
        return context_fail(ctx, TMS_E_ARG, "a coverage of %g percent: give 0 to 100", given->min_query_coverage);
    if (!(given->min_identity >= 0 && given->min_identity <= 100))
        return context_fail(ctx, TMS_E_ARG, "an identity of %g percent: give 0 to 100", given->min_identity);
    return TMS_OK;
}

/* Most subjects of a query that are aligned, of the n that are reported at most. */
static size_t preliminary_subjects(const struct blastn_setup *setup, size_t n)
{
    if (setup->search.ungapped)
        return n;
    if (2 * n > n + 50)
        return n + 50;
    return 2 * n > 10 ? 2 * n : 10;
}

static void set_limits(const tms_blastn_params *given, struct blastn_setup *out)
{
    const struct task *task = &tasks[given->task];
    struct search_setup *search = &out->search;

    search->evalue = search->preliminary_evalue = given->evalue;
    search->limits.max_subjects = given->max_target_seqs;
    search->limits.max_hsps = given->max_hsps;
    search->limits.min_coverage = given->min_query_coverage;
    search->limits.subject_besthit = given->subject_besthit != 0;
    search->limits.shows_by_evalue = true;
    search->n_preliminary = search->limits.max_aligned = preliminary_subjects(out, given->max_target_seqs);
    search->has_search_space = true;
    search->search_space = given->search_space > 0 ? given->search_space : 0;
    out->min_identity = given->min_identity;
    out->separation = task->separation;
    out->chunk_residues = given->chunk_residues > 0 ? (int)given->chunk_residues : task->chunk_residues;
    out->x_drop_gapped = given->xdrop_gapped >= 0 ? given->xdrop_gapped : task->x_gapped;
    out->x_drop_final = given->xdrop_final >= 0 ? given->xdrop_final : task->x_final;
    out->space.evalue = given->evalue;
    out->space.decay = given->sum_statistics != 0 ? SEARCH_LINK_DECAY : 0;
    search->links_evenly = given->sum_statistics != 0;
    out->space.given = search->search_space;
    out->space.given_score = given->min_raw_score;
    out->space.x_bits = given->xdrop_ungapped >= 0 ? given->xdrop_ungapped : task->x_ungapped;
    out->gap = base_gap_of(out->scores.reward, out->scores.penalty, search->gap_open, search->gap_extend);
}

tms_status blastn_params_resolve(tms_context *ctx, const tms_blastn_params *given, struct blastn_setup *out)
{
    tms_status status;

    memset(out, 0, sizeof *out);
    if (given->task >= sizeof tasks / sizeof *tasks)
        return context_fail(ctx, TMS_E_ARG, "there is no task %u", (unsigned)given->task);
    if (given->strands > TMS_STRAND_MINUS)
        return context_fail(ctx, TMS_E_ARG, "there are no strands %u: give 0 to 2", (unsigned)given->strands);
    if (given->word_template > TMS_TEMPLATE_CODING_AND_OPTIMAL)
        return context_fail(ctx, TMS_E_ARG, "there is no template %u: give 0 to 3", (unsigned)given->word_template);
    out->search.program = &blastn_program;
    out->search.own = out;
    out->search.ungapped = given->ungapped != 0;
    out->has_plus = given->strands != TMS_STRAND_MINUS;
    out->has_minus = given->strands != TMS_STRAND_PLUS;
    out->soft_masking = given->soft_masking != 0;
    out->masks_dust = given->masks_dust != 0;
    out->masks_lower_case = given->masks_lower_case != 0;
    out->dust = given->dust;
    status = check_limits(ctx, given);
    if (status == TMS_OK)
        status = set_scores(ctx, given, out);
    if (status == TMS_OK)
        status = set_words(ctx, given, out);
    if (status == TMS_OK)
        status = hit_filter_rules_set(ctx, given->culling_limit, given->best_hit_overhang, given->best_hit_score_edge,
                                      &out->search.limits.filter);
    if (status == TMS_OK)
        set_limits(given, out);
    return status;
}

static int x_drop_of(const struct blastn_setup *setup, double x_drop, double lambda)
{
    return setup->space.raw_limits ? (int)x_drop : base_x_gapped(x_drop, lambda);
}

void blastn_setup_batch(struct blastn_setup *setup, const struct search_query *queries, size_t n)
{
    struct search_setup *search = &setup->search;
    double lambda = INFINITY;

    for (size_t i = 0; i < n; i++) {
        const struct search_query *strands[] = {&queries[i], queries[i].minus};
        for (int k = 0; k < 2; k++)
            if (!strands[k]->is_left_out && strands[k]->statistics.lambda < lambda)
                lambda = strands[k]->statistics.lambda;
    }
    if (isinf(lambda))
        return; /* nothing is searched with */
    search->x_gapped = x_drop_of(setup, setup->x_drop_gapped, lambda);
    search->x_final = x_drop_of(setup, setup->x_drop_final, lambda);
    if (!setup->space.raw_limits && search->x_final < search->x_gapped)
        search->x_final = search->x_gapped;
    greedy_costs_init(&setup->greedy, setup->scores.reward, setup->scores.penalty, search->gap_open, search->gap_extend, search->x_gapped);
    greedy_costs_init(&setup->greedy_final, setup->scores.reward, setup->scores.penalty, search->gap_open, search->gap_extend,
                      search->x_final);
}
