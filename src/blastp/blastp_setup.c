/* blastp_setup.c - parameters in bits become scores; and what a query has of its own: statistics, cutoffs, codes. */
#include "blastp/blastp_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAP_TRIGGER        22.0 /* bits of an ungapped HSP that is worth a gapped extension */
#define COMPOSITION_FACTOR 5    /* of preliminary E-values, where compositions may still change them */

enum {
    GROUP_RESIDUES = 12000,    /* of queries: their 24 KB of diagonals and most of their words lie in a processor's own caches */
    GPU_GROUP_RESIDUES = 8000, /* of queries: for several parts of the database, diagonals lie in a multiprocessor's shared memory */
};

_Static_assert((int)REDUCED_NONE == (int)WORD_LOOKUP_NO_LETTER && (int)REDUCED_LONGEST == (int)WORD_LOOKUP_MAX_WORD,
               "the words of a reduced alphabet go into a table");

static size_t preliminary_subjects(const struct blastp_setup *setup)
{
    const size_t n = setup->search.limits.max_subjects;

    if (setup->search.ungapped)
        return n;
    if (setup->composition != COMPOSITION_OFF)
        return n <= 500 ? 1050 : 2 * n + 50;
    if (2 * n > n + 50)
        return n + 50;
    return 2 * n > 10 ? 2 * n : 10;
}

struct word_lookup_rules blastp_word_rules(const struct blastp_setup *setup)
{
    const struct reduced_alphabet *g = &setup->groups;
    const int word_size = setup->search.word_size;

    if (word_size < REDUCED_SHORTEST)
        return (struct word_lookup_rules){word_size, (int)setup->threshold, RESIDUE_CODES, NULL, setup->search.scores};
    return (struct word_lookup_rules){word_size, (int)(REDUCED_SCALE * setup->threshold), g->n_groups, g->group_of, g->scores};
}

static tms_status set_statistics(tms_context *ctx, struct blastp_setup *out)
{
    const struct score_matrix *matrix = out->matrix;
    const int word_size = out->search.word_size;

    if (out->composition != COMPOSITION_OFF && !composition_basis_init(matrix, &out->basis))
        return context_fail(ctx, TMS_E_ARG, "there are no composition-based statistics for %s: give -comp_based_stats 0", matrix->name);
    if (word_size >= REDUCED_SHORTEST && !reduced_alphabet_init(matrix, word_size, &out->groups))
        return context_fail(ctx, TMS_E_ARG,
                            "%s has no frequency ratios, which words of more than 5 letters need: give -word_size 5 or less", matrix->name);
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            out->search.scores[i * RESIDUE_CODES + j] = matrix->scores[i][j];
    return TMS_OK;
}

tms_status blastp_setup_init(tms_context *ctx, const struct search_database *database, struct blastp_setup *out)
{
    struct search_setup *search = &out->search;
    double x_final;
    tms_status status = set_statistics(ctx, out);

    if (status != TMS_OK)
        return status;
    search->program = &blastp_program;
    search->own = out;
    search->database = *database;
    search->x_gapped = search_whole_score(out->x_drop_gapped * SCORE_LN_2 / search->statistics.lambda);
    search->x_gapped = search->x_gapped > 0 ? search->x_gapped : 0; /* less than a gap costs counts as that */
    x_final = out->x_drop_final * SCORE_LN_2 / search->statistics.lambda;
    search->x_final = search_whole_score(x_final > search->x_gapped ? x_final : search->x_gapped);
    search->preliminary_evalue = search->evalue;
    if (out->composition >= COMPOSITION_CONDITIONAL && !search->has_search_space)
        search->preliminary_evalue *= COMPOSITION_FACTOR;
    search->n_preliminary = preliminary_subjects(out);
    search->group_residues = GROUP_RESIDUES;
    search->gpu_group_residues = out->is_cublastp ? 0 : GPU_GROUP_RESIDUES;
    search->gapped_on_cpu = out->is_cublastp;
    return TMS_OK;
}

/* --- queries --- */

static void set_cutoffs(const struct blastp_setup *setup, int statistics_length, struct search_query *query)
{
    const struct search_setup *search = &setup->search;
    const struct gapped_statistics *s = &query->statistics;
    const struct search_database *db = &search->database;
    int trigger = (int)((GAP_TRIGGER * SCORE_LN_2 + query->karlin.log_K) / query->karlin.lambda);

    query->statistics = search->statistics;
    if (search->ungapped)
        ungapped_statistics_init(setup->matrix, &query->karlin, &query->statistics);
    if (search->has_search_space || search->ungapped || setup->smith_waterman) {
        int64_t adjustment = length_adjustment(s, statistics_length, db->n_residues, db->n_sequences);
        query->search_space = search->search_space > 0
                                  ? search->search_space
                                  : effective_search_space(statistics_length, db->n_residues, db->n_sequences, adjustment);
    }
    query->cutoff = search_cutoff(search, query, search->preliminary_evalue);
    query->cutoff_ungapped = trigger < query->cutoff ? trigger : query->cutoff;
    query->x_ungapped = search_whole_score(ceil(setup->x_drop_ungapped * SCORE_LN_2 / query->karlin.lambda));
    if (query->x_ungapped == 0)
        query->x_ungapped = query->cutoff_ungapped;
}

/* O is searched with as X, and so are masked residues unless masking is soft. */
tms_status blastp_prepare_query(const struct search_setup *search, const uint8_t *codes, int length, int statistics_length,
                                const struct residue_range *masked, size_t n_masked, struct search_query *out)
{
    const struct blastp_setup *setup = blastp_setup_of(search);
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
    for (size_t i = 0; i < n_masked && !setup->soft_masking; i++)
        memset(out->codes + masked[i].first, CODE_X, (size_t)(masked[i].end - masked[i].first));
    out->is_valid = karlin_of_query(setup->matrix, out->codes, (size_t)length, &out->karlin);
    if (!out->is_valid)
        return TMS_OK;
    set_cutoffs(setup, statistics_length, out);
    status = search_query_set_ranges(masked, n_masked, out);
    if (status != TMS_OK)
        search_query_free(out);
    return status;
}
