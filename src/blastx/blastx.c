/* blastx.c - what blastx is, and the public call that makes a search. */
#include "tamis/blastx.h"

#include "blastx/blastx_program.h"
#include "protein/translated_search.h"

static const struct protein_task tasks[] = {
    [TMS_TASK_BLASTX] = {"BLOSUM62", 3, 0, 1},
    [TMS_TASK_BLASTX_FAST] = {"BLOSUM62", 6, 21, 0},
};

static const struct translated_program blastx = {
    .engine = &blastx_program,
    .defaults = tms_blastx_protein_defaults,
    .tasks = tasks,
    .n_tasks = sizeof tasks / sizeof *tasks,
    .subjects = TMS_PROTEIN,
    .group_residues = 20000, /* bases: words are rarer than blastp's, so that more queries share a walk over the subjects */
    .gpu_group_residues = 4000,
};

tms_status tms_blastx_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein, size_t protein_size,
                                   const tms_translated_params *params, size_t params_size, tms_translated **out)
{
    return translated_search_create(ctx, &blastx, db, &(struct translated_given){protein, protein_size, params, params_size}, out);
}
