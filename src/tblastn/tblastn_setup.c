/* tblastn_setup.c - tblastn's tasks. In a file of subjects BLAST searches by the standard code, and only reports use another one [sic]. */
#include "tblastn/tblastn_setup.h"

enum { STANDARD_CODE = 1 };

static const struct protein_task tasks[] = {
    [TMS_TASK_TBLASTN] = {"BLOSUM62", 3, 0, 2},
    [TMS_TASK_TBLASTN_FAST] = {"BLOSUM62", 6, 21, 0},
};

tms_status tblastn_params_resolve(tms_context *ctx, const tms_blastp_params *protein, const tms_tblastn_params *own,
                                  struct protein_setup *out)
{
    const struct protein_translation translation = {own->genetic_code, own->links, own->longest_intron, true};
    struct codon_table standard;
    tms_status status = protein_unmade(ctx, "tblastn", protein);

    if (own->task >= sizeof tasks / sizeof *tasks)
        return context_fail(ctx, TMS_E_ARG, "there is no task %u", (unsigned)own->task);
    if (protein->subject_masks != NULL && protein->subject_masking == TMS_SUBJECT_MASKING_HARD)
        return context_fail(ctx, TMS_E_ARG, "tblastn does not hide masked subjects: give soft masks");
    if (protein->subject_masks != NULL && protein->composition == TMS_COMPOSITION_OFF)
        return context_fail(ctx, TMS_E_ARG, "tblastn does not mask subjects without composition-based statistics yet");
    if (status == TMS_OK)
        status = protein_params_resolve(ctx, &tasks[own->task], protein, out);
    if (status == TMS_OK)
        status = protein_translation_resolve(ctx, &translation, out);
    if (status == TMS_OK && protein->as_subject_file != 0 && codon_table_init(STANDARD_CODE, &standard))
        protein_translate_by(&standard, out);
    return status;
}
