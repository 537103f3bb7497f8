/* protein_setup.c - converts parameters in bits to scores. */
#include "protein/protein_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMPOSITION_FACTOR 5 /* factor of preliminary E-values, where compositions may still change them */

enum {
    GROUP_RESIDUES = 27000,      /* residues of a group: its 27 KB of diagonals and most of its words lie in a processor's own caches */
    LONG_GROUP_RESIDUES = 65000, /* the same for long words, nearly all that positions of 16 bits allow: fewer groups look up fewer words */
    GPU_GROUP_RESIDUES = 8000,   /* residues of a group: the diagonals of several ranges lie in a multiprocessor's shared memory */
};

static size_t preliminary_subjects(const struct protein_setup *setup)
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

static tms_status set_statistics(tms_context *ctx, struct protein_setup *out)
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

tms_status protein_setup_init(tms_context *ctx, const struct search_database *database, struct protein_setup *out)
{
    struct search_setup *search = &out->search;
    double x_final;
    tms_status status = set_statistics(ctx, out);

    if (status != TMS_OK)
        return status;
    search->own = out;
    search->database = *database;
    search->x_gapped = search_whole_score(out->x_drop_gapped * SCORE_LN_2 / search->statistics.lambda);
    search->x_gapped = search->x_gapped > 0 ? search->x_gapped : 0; /* an X-drop below the cost of a gap counts as that cost */
    x_final = out->x_drop_final * SCORE_LN_2 / search->statistics.lambda;
    search->x_final = search_whole_score(x_final > search->x_gapped ? x_final : search->x_gapped);
    search->preliminary_evalue = search->evalue;
    if (out->composition >= COMPOSITION_CONDITIONAL && !search->has_search_space)
        search->preliminary_evalue *= COMPOSITION_FACTOR;
    search->n_preliminary = search->limits.max_aligned = preliminary_subjects(out);
    search->group_residues = search->word_size > WORD_LOOKUP_LONGEST_DIRECT ? LONG_GROUP_RESIDUES : GROUP_RESIDUES;
    search->gpu_group_residues = GPU_GROUP_RESIDUES;
    return TMS_OK;
}
