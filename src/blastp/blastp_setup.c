/* search_setup.c - parameters in bits become scores, and E-values cutoffs. */
#include "blastp/blastp_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extend/gapped.h"
#include "extend/ungapped_core.h"

#define GAP_TRIGGER         22.0 /* bits of an ungapped extension that is worth a gapped one */
#define COMPOSITION_STRETCH 5    /* E-values of the preliminary stage, where compositions may still change them */

_Static_assert((int)REDUCED_NONE == (int)WORD_LOOKUP_NO_LETTER && (int)REDUCED_LONGEST == (int)WORD_LOOKUP_MAX_WORD,
               "the words of a reduced alphabet go into a table");

static size_t preliminary_subjects(const struct search_params *p)
{
    const size_t n = p->limits.max_subjects;

    if (p->ungapped)
        return n;
    if (p->composition != COMPOSITION_OFF)
        return n <= 500 ? 1050 : 2 * n + 50;
    if (2 * n > n + 50)
        return n + 50;
    return 2 * n > 10 ? 2 * n : 10;
}

struct word_lookup_rules blastp_word_rules(const struct search_setup *setup)
{
    const struct search_params *p = &setup->params;
    const struct reduced_alphabet *g = &setup->groups;

    if (p->word_size < REDUCED_SHORTEST)
        return (struct word_lookup_rules){p->word_size, (int)p->threshold, RESIDUE_CODES, NULL, setup->scores};
    return (struct word_lookup_rules){p->word_size, (int)(REDUCED_SCALE * p->threshold), g->n_groups, g->group_of, g->scores};
}

tms_status blastp_setup_init(tms_context *ctx, const struct search_params *params, const struct search_database *database,
                             struct search_setup *out)
{
    bool stretches = params->composition >= COMPOSITION_CONDITIONAL && !params->has_search_space;
    double x_final;

    memset(out, 0, sizeof *out);
    out->params = *params;
    out->database = *database;
    gapped_statistics_init(params->matrix, params->costs, &out->statistics);
    if (params->composition != COMPOSITION_OFF && !composition_basis_init(params->matrix, &out->basis))
        return context_fail(ctx, TMS_E_ARG, "there are no composition-based statistics for %s: give -comp_based_stats 0",
                            params->matrix->name);
    if (params->word_size >= REDUCED_SHORTEST && !reduced_alphabet_init(params->matrix, params->word_size, &out->groups))
        return context_fail(ctx, TMS_E_ARG,
                            "%s has no frequency ratios, which words of more than 5 letters need: give -word_size 5 or less",
                            params->matrix->name);
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            out->scores[i * RESIDUE_CODES + j] = params->matrix->scores[i][j];
    out->x_gapped = search_whole_score(params->x_drop_gapped * SCORE_LN_2 / out->statistics.lambda);
    out->x_gapped = out->x_gapped > 0 ? out->x_gapped : 0; /* less than a gap costs counts as that */
    x_final = params->x_drop_final * SCORE_LN_2 / out->statistics.lambda;
    out->x_final = search_whole_score(x_final > out->x_gapped ? x_final : out->x_gapped);
    out->preliminary_evalue = params->evalue * (stretches ? COMPOSITION_STRETCH : 1);
    out->n_preliminary = preliminary_subjects(params);
    return TMS_OK;
}

double search_evalue(const struct search_setup *setup, const struct search_query *query, int score, int subject_length)
{
    if (setup->params.has_search_space || setup->params.ungapped)
        return evalue_of_search_space(&query->statistics, score, query->search_space);
    return evalue_of(&setup->statistics, score, query->length, subject_length, (double)setup->database.n_residues);
}

static void set_cutoffs(const struct search_setup *setup, int statistics_length, struct search_query *query)
{
    const struct gapped_statistics *s = &query->statistics;
    const struct search_database *db = &setup->database;
    const bool is_older = setup->params.has_search_space || setup->params.ungapped;
    int trigger = (int)((GAP_TRIGGER * SCORE_LN_2 + query->karlin.log_K) / query->karlin.lambda);

    query->statistics = setup->statistics;
    if (setup->params.ungapped)
        ungapped_statistics_init(setup->params.matrix, &query->karlin, &query->statistics);
    if (is_older || setup->params.smith_waterman) {
        int64_t adjustment = length_adjustment(s, statistics_length, db->n_residues, db->n_sequences);
        query->search_space = setup->params.search_space > 0
                                  ? setup->params.search_space
                                  : effective_search_space(statistics_length, db->n_residues, db->n_sequences, adjustment);
    }
    if (is_older)
        query->cutoff = evalue_cutoff_of_search_space(s, setup->preliminary_evalue, query->search_space);
    else
        query->cutoff = evalue_cutoff(s, setup->preliminary_evalue, query->length, db->cutoff_length, (double)db->n_residues);
    query->cutoff_ungapped = trigger < query->cutoff ? trigger : query->cutoff;
    query->x_ungapped = search_whole_score(ceil(setup->params.x_drop_ungapped * SCORE_LN_2 / query->karlin.lambda));
    if (query->x_ungapped == 0)
        query->x_ungapped = query->cutoff_ungapped;
}

static tms_status set_ranges(const struct residue_range *masked, size_t n_masked, struct search_query *query)
{
    int at = 0;

    query->ranges = malloc((n_masked + 1) * sizeof *query->ranges);
    if (query->ranges == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_masked; i++) {
        query->ranges[i] = (struct residue_range){at, masked[i].first};
        at = masked[i].end;
    }
    query->ranges[n_masked] = (struct residue_range){at, query->length};
    query->n_ranges = n_masked + 1;
    return TMS_OK;
}

tms_status blastp_query_init(const struct search_setup *setup, const uint8_t *codes, int length, int statistics_length,
                             const struct residue_range *masked, size_t n_masked, struct search_query *out)
{
    uint8_t *copy = calloc((size_t)length + 2, 1);
    tms_status status;

    memset(out, 0, sizeof *out);
    if (copy == NULL)
        return TMS_E_MEMORY;
    out->original = codes;
    out->codes = copy + 1;
    out->length = length;
    for (int i = 0; i < length; i++)
        out->codes[i] = codes[i] == CODE_O ? CODE_X : codes[i];
    for (size_t i = 0; i < n_masked && !setup->params.soft_masking; i++)
        memset(out->codes + masked[i].first, CODE_X, (size_t)(masked[i].end - masked[i].first));
    out->is_valid = karlin_of_query(setup->params.matrix, out->codes, (size_t)length, &out->karlin);
    if (!out->is_valid)
        return TMS_OK;
    set_cutoffs(setup, statistics_length, out);
    status = set_ranges(masked, n_masked, out);
    if (status != TMS_OK)
        search_query_free(out);
    return status;
}

void search_query_free(struct search_query *query)
{
    if (query->codes != NULL)
        free(query->codes - 1);
    free(query->ranges);
    memset(query, 0, sizeof *query);
}
