/* blastx_setup.c - blastx's tasks, and how far apart linked HSPs may be. */
#include "blastx/blastx_setup.h"

#include <string.h>

#include "score/karlin.h"

enum {
    USUAL_INTRON = 122, /* bases */
    OTHER_GAP = 40,     /* residues of the subject */
    GROUP_BASES = 20000 /* of a group: words are rarer than blastp's, so that more queries share a walk over the subjects */
};

static const struct protein_task tasks[] = {
    [TMS_TASK_BLASTX] = {"BLOSUM62", 3, 0, 1},
    [TMS_TASK_BLASTX_FAST] = {"BLOSUM62", 6, 21, 0},
};

/* What is not made yet. */
static tms_status check(tms_context *ctx, const tms_blastp_params *p)
{
    if (p->ungapped != 0)
        return context_fail(ctx, TMS_E_ARG, "blastx does not make alignments without gaps yet");
    if (p->smith_waterman != 0)
        return context_fail(ctx, TMS_E_ARG, "blastx does not make alignments by Smith-Waterman yet");
    if (p->subject_besthit != 0)
        return context_fail(ctx, TMS_E_ARG, "blastx does not drop HSPs that others of their subject cover yet");
    if (p->culling_limit > 0 || p->best_hit_overhang > 0 || p->best_hit_score_edge > 0)
        return context_fail(ctx, TMS_E_ARG, "blastx neither culls nor selects best hits yet");
    return TMS_OK;
}

tms_status blastx_params_resolve(tms_context *ctx, const tms_blastp_params *protein, const tms_blastx_params *own, struct blastx_setup *out)
{
    struct search_setup *search = &out->protein.search;
    const int intron = own->longest_intron > 0 ? (int)own->longest_intron : USUAL_INTRON, gap = (intron - 2) / 3;
    tms_status status = check(ctx, protein);

    memset(out, 0, sizeof *out);
    if (own->task >= sizeof tasks / sizeof *tasks)
        return context_fail(ctx, TMS_E_ARG, "there is no task %u", (unsigned)own->task);
    if (own->genetic_code > INT32_MAX || !codon_table_init((int)own->genetic_code, &out->codons))
        return context_fail(ctx, TMS_E_ARG, "there is no genetic code %u: give 1 to 6, 9 to 16, 21 to 31, or 33",
                            (unsigned)own->genetic_code);
    if (own->skips_plus && own->skips_minus)
        return context_fail(ctx, TMS_E_ARG, "neither strand is to be searched with: give one at least");
    if (own->longest_intron > INT32_MAX)
        return context_fail(ctx, TMS_E_ARG, "an intron of %u bases: give less than 2^31", (unsigned)own->longest_intron);
    if (status == TMS_OK)
        status = protein_params_resolve(ctx, &tasks[own->task], protein, &out->protein);
    out->has_strand[0] = !own->skips_plus;
    out->has_strand[1] = !own->skips_minus;
    search->links = own->links && gap > 0;
    search->link_rules = (struct link_rules){.translated_gap = gap, .other_gap = OTHER_GAP};
    search->never_restricts = true;
    search->frames_share_axis = true;
    search->limits.by_evalue = false;
    search->limits.shows_by_evalue = true;
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
