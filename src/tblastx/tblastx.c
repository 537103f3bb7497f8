/* tblastx.c - what tblastx is, and the public call that makes a search. */
#include "tamis/tblastx.h"

#include "protein/translated_search.h"
#include "tblastx/tblastx_program.h"

static const struct protein_task tasks[] = {{"BLOSUM62", 3, 0, 2}};

static const struct translated_program tblastx = {
    .engine = &tblastx_program,
    .defaults = tms_tblastx_protein_defaults,
    .tasks = tasks,
    .n_tasks = sizeof tasks / sizeof *tasks,
    .subjects = TMS_NUCLEOTIDE,
    .group_residues = 20000, /* bases: words are rarer than blastp's, so that more queries share a walk over the subjects */
    .gpu_group_residues = 100000,
    .is_ungapped = true,
};

tms_status tms_tblastx_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein, size_t protein_size,
                                    const tms_translated_params *params, size_t params_size, tms_translated **out)
{
    return translated_search_create(ctx, &tblastx, db, &(struct translated_given){protein, protein_size, params, params_size}, out);
}
