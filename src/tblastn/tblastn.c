/* tblastn.c - what tblastn is, and the public call that makes a search. */
#include "tamis/tblastn.h"

#include "protein/translated_search.h"
#include "tblastn/tblastn_program.h"

static const struct protein_task tasks[] = {
    [TMS_TASK_TBLASTN] = {"BLOSUM62", 3, 0, 2},
    [TMS_TASK_TBLASTN_FAST] = {"BLOSUM62", 6, 21, 0},
};

static const struct translated_program tblastn = {
    .engine = &tblastn_program,
    .defaults = tms_tblastn_protein_defaults,
    .tasks = tasks,
    .n_tasks = sizeof tasks / sizeof *tasks,
    .subjects = TMS_NUCLEOTIDE,
    .group_residues = 20000, /* words are rarer than blastp's, so that more queries share a walk over the subjects */
    .gpu_group_residues = 16000,
};

tms_status tms_tblastn_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein, size_t protein_size,
                                    const tms_translated_params *params, size_t params_size, tms_translated **out)
{
    return translated_search_create(ctx, &tblastn, db, &(struct translated_given){protein, protein_size, params, params_size}, out);
}
