/* protein_params.c - defaults and ranges. */
#include "protein/protein_setup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The usual word threshold and two-hit window of a matrix. */
static const struct usual {
    const char *matrix;
    int threshold, window;
} usual_of[] = {
    {"BLOSUM45", 14, 60}, {"BLOSUM80", 12, 25}, {"PAM30", 16, 15}, {"PAM70", 14, 20}, {"IDENTITY", 27, 40},
};
static const struct usual usual_of_others = {NULL, 11, 40};

enum { MOST_WORD_SIZE = 7, MOST_DENSE_WORD_SIZE = 5 };

static const struct usual *find_usual(const char *matrix)
{
    for (size_t i = 0; i < sizeof usual_of / sizeof *usual_of; i++)
        if (strcmp(usual_of[i].matrix, matrix) == 0)
            return &usual_of[i];
    return &usual_of_others;
}

static tms_status fail_matrix(tms_context *ctx, const char *name)
{
    char names[256];
    size_t n = 0;

    for (size_t i = 0; i < SCORE_MATRICES; i++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i > 0 ? ", " : "", score_matrices[i].name);
    return context_fail(ctx, TMS_E_ARG, "there is no matrix '%.40s': give one of %s", name, names);
}

static tms_status fail_costs(tms_context *ctx, const struct score_matrix *matrix, int open, int extend)
{
    char pairs[400];
    size_t n = 0;

    for (size_t i = 0; i < matrix->n_costs && n < sizeof pairs - 24; i++)
        n += (size_t)snprintf(pairs + n, sizeof pairs - n, "%s%d/%d", n > 0 ? ", " : "", matrix->costs[i].open, matrix->costs[i].extend);
    return context_fail(ctx, TMS_E_ARG, "there are no statistics for %s with gaps of %d and %d: give open/extend as one of %s",
                        matrix->name, open, extend, pairs);
}

static tms_status set_scores(tms_context *ctx, const struct protein_task *task, const tms_blastp_params *given, struct protein_setup *out)
{
    const char *name = given->matrix != NULL ? given->matrix : task->matrix;
    const struct gap_costs *usual, *costs;
    int open, extend;

    out->matrix = score_matrix_find(name);
    if (out->matrix == NULL)
        return fail_matrix(ctx, name);
    usual = &out->matrix->costs[out->matrix->usual];
    open = given->gap_open >= 0 ? given->gap_open : usual->open;
    extend = given->gap_extend >= 0 ? given->gap_extend : usual->extend;
    out->search.gap_open = open;
    out->search.gap_extend = extend;
    costs = out->search.ungapped ? usual : score_costs_find(out->matrix, open, extend);
    if (costs == NULL)
        return fail_costs(ctx, out->matrix, open, extend);
    gapped_statistics_init(out->matrix, costs, &out->search.statistics);
    return TMS_OK;
}

static tms_status set_words(tms_context *ctx, const struct protein_task *task, const tms_blastp_params *given, struct protein_setup *out)
{
    const struct usual *usual = find_usual(out->matrix->name);

    out->search.word_size = given->word_size > 0 ? (int)given->word_size : task->word_size;
    if (given->word_size > MOST_WORD_SIZE || out->search.word_size < 2)
        return context_fail(ctx, TMS_E_ARG, "words of %u letters: give 2 to %d", (unsigned)given->word_size, MOST_WORD_SIZE);
    if (out->search.word_size > MOST_DENSE_WORD_SIZE && out->matrix->ratios == NULL)
        return context_fail(ctx, TMS_E_ARG, "words of %d letters with the matrix %s: give %d at most", out->search.word_size,
                            out->matrix->name, MOST_DENSE_WORD_SIZE);
    out->search.window = given->window >= 0 ? given->window : usual->window;
    out->threshold = task->threshold > 0 ? task->threshold : usual->threshold + task->more_than_usual;
    if (given->threshold > 0)
        out->threshold = given->threshold;
    if (given->threshold < 0 || out->threshold > 1e6)
        return context_fail(ctx, TMS_E_ARG, "a threshold of %g for words: give a score above 0", given->threshold);
    return TMS_OK;
}

static tms_status set_limits(tms_context *ctx, const tms_blastp_params *given, struct protein_setup *out)
{
    if (!(given->evalue > 0))
        return context_fail(ctx, TMS_E_ARG, "an E-value of %g: give one above 0", given->evalue);
    if (!(given->xdrop_ungapped > 0) || isnan(given->xdrop_gapped) || isnan(given->xdrop_final))
        return context_fail(ctx, TMS_E_ARG, "X-drops of %g, %g and %g bits: give numbers, and for the first one more than 0",
                            given->xdrop_ungapped, given->xdrop_gapped, given->xdrop_final);
    if (given->max_target_seqs < 1 || given->max_target_seqs > 1 << 29)
        return context_fail(ctx, TMS_E_ARG, "%u subjects at most of a query: give 1 to 2^29", (unsigned)given->max_target_seqs);
    if (!(given->min_query_coverage >= 0 && given->min_query_coverage <= 100))
        return context_fail(ctx, TMS_E_ARG, "a coverage of %g percent: give 0 to 100", given->min_query_coverage);
    if (given->batch_residues < 1)
        return context_fail(ctx, TMS_E_ARG, "batches of 0 letters: give 1 or more");
    out->search.evalue = given->evalue;
    out->x_drop_ungapped = given->xdrop_ungapped;
    out->x_drop_gapped = given->xdrop_gapped;
    out->x_drop_final = given->xdrop_final;
    out->search.limits.max_subjects = given->max_target_seqs;
    out->search.limits.max_hsps = given->max_hsps;
    out->search.limits.min_coverage = given->min_query_coverage;
    out->search.limits.subject_besthit = given->subject_besthit != 0;
    out->search.limits.by_evalue = out->composition != COMPOSITION_OFF;
    return TMS_OK;
}

tms_status protein_params_resolve(tms_context *ctx, const struct protein_task *task, const tms_blastp_params *given,
                                  struct protein_setup *out)
{
    tms_status status;

    memset(out, 0, sizeof *out);
    if (given->composition > TMS_COMPOSITION_ALL_ADJUSTED)
        return context_fail(ctx, TMS_E_ARG, "there are no composition-based statistics %u: give 0 to 3", (unsigned)given->composition);
    if (given->subject_masking > TMS_SUBJECT_MASKING_HARD)
        return context_fail(ctx, TMS_E_ARG, "there is no masking %llu of subjects: give 0 or 1",
                            (unsigned long long)given->subject_masking);
    out->composition = (enum composition_mode)given->composition;
    if (given->ungapped != 0 && given->composition != TMS_COMPOSITION_OFF)
        return context_fail(ctx, TMS_E_ARG, "there are no composition-based statistics for alignments without gaps: give 0 (off) for them");
    if (given->ungapped != 0 && given->smith_waterman != 0)
        return context_fail(ctx, TMS_E_ARG,
                            "alignments without gaps are not made by Smith-Waterman: give one of ungapped and smith_waterman");
    out->search.ungapped = given->ungapped != 0;
    out->smith_waterman = given->smith_waterman != 0;
    out->soft_masking = given->soft_masking != 0;
    out->masks_seg = given->masks_seg != 0;
    out->masks_lower_case = given->masks_lower_case != 0;
    out->seg = given->seg;
    out->search.has_search_space = given->search_space >= 0;
    out->search.search_space = given->search_space > 0 ? given->search_space : 0;
    status = set_scores(ctx, task, given, out);
    if (status == TMS_OK)
        status = set_words(ctx, task, given, out);
    if (status == TMS_OK)
        status = hit_filter_rules_set(ctx, given->culling_limit, given->best_hit_overhang, given->best_hit_score_edge,
                                      &out->search.limits.filter);
    return status == TMS_OK ? set_limits(ctx, given, out) : status;
}
