/* blastx_setup.c - blastx's tasks, and how far apart linked HSPs may be. */
#include "blastx/blastx_setup.h"

#include <string.h>

#include "score/karlin.h"

enum { GROUP_BASES = 20000 /* of a group: words are rarer than blastp's, so that more queries share a walk over the subjects */ };

static const struct protein_task tasks[] = {
    [TMS_TASK_BLASTX] = {"BLOSUM62", 3, 0, 1},
    [TMS_TASK_BLASTX_FAST] = {"BLOSUM62", 6, 21, 0},
};

tms_status blastx_params_resolve(tms_context *ctx, const tms_blastp_params *protein, const tms_blastx_params *own, struct blastx_setup *out)
{
    const struct protein_translation translation = {own->genetic_code, own->links, own->longest_intron, false};
    tms_status status = protein_unmade(ctx, "blastx", protein);

    memset(out, 0, sizeof *out);
    if (own->task >= sizeof tasks / sizeof *tasks)
        return context_fail(ctx, TMS_E_ARG, "there is no task %u", (unsigned)own->task);
    if (own->skips_plus && own->skips_minus)
        return context_fail(ctx, TMS_E_ARG, "neither strand is to be searched with: give one at least");
    if (status == TMS_OK)
        status = protein_params_resolve(ctx, &tasks[own->task], protein, &out->protein);
    if (status == TMS_OK)
        status = protein_translation_resolve(ctx, &translation, &out->protein);
    out->has_strand[0] = !own->skips_plus;
    out->has_strand[1] = !own->skips_minus;
    return status;
}

tms_status blastx_setup_init(tms_context *ctx, const struct search_database *database, struct blastx_setup *setup)
{
    struct protein_setup *protein = &setup->protein;
    struct search_setup *search = &protein->search;
    tms_status status = protein_setup_init(ctx, database, protein);
    double background[RESIDUE_CODES];
    struct score_probabilities scores;

    score_background(background);
    protein->has_ideal = score_probabilities_of(protein->matrix, background, &scores) && karlin_of_scores(&scores, &protein->ideal);
    search->program = &blastx_program;
    search->group_residues = GROUP_BASES;
    return status;
}
