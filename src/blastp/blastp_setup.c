/* blastp_setup.c - blastp's tasks, and the strategy on a GPU. */
#include "blastp/blastp_setup.h"

#include <string.h>

static const struct protein_task tasks[] = {
    [TMS_TASK_BLASTP] = {"BLOSUM62", 3, 0, 0},
    [TMS_TASK_BLASTP_SHORT] = {"PAM30", 2, 0, 0},
    [TMS_TASK_BLASTP_FAST] = {"BLOSUM62", 6, 21, 0},
};

static tms_status set_strategy(tms_context *ctx, const tms_blastp_params *given, struct blastp_setup *out)
{
    static const enum cublastp_extension extensions[] = {CUBLASTP_WINDOW, CUBLASTP_DIAGONAL, CUBLASTP_HIT};
    static const enum cublastp_scoring scorings[] = {CUBLASTP_SCORING_AUTO, CUBLASTP_PSSM, CUBLASTP_MATRIX};
    const uint32_t bins = given->gpu_bins;

    if (given->gpu_strategy > TMS_GPU_STRATEGY_CUBLASTP || given->gpu_extension > TMS_GPU_EXTENSION_HIT ||
        given->gpu_scoring > TMS_GPU_SCORING_MATRIX)
        return context_fail(ctx, TMS_E_ARG, "there is no strategy %u, extension %u or scoring %u on a GPU", (unsigned)given->gpu_strategy,
                            (unsigned)given->gpu_extension, (unsigned)given->gpu_scoring);
    if (bins > CUBLASTP_MOST_BINS || (bins & (bins - 1)) != 0)
        return context_fail(ctx, TMS_E_ARG, "%u bins: give a power of two, up to %d", (unsigned)bins, CUBLASTP_MOST_BINS);
    out->is_cublastp = given->gpu_strategy == TMS_GPU_STRATEGY_CUBLASTP;
    out->cublastp = (struct cublastp_options){.extension = extensions[given->gpu_extension],
                                              .scoring = scorings[given->gpu_scoring],
                                              .n_bins = bins > 0 ? (int)bins : CUBLASTP_USUAL_BINS,
                                              .lanes = CUBLASTP_USUAL_LANES};
    return TMS_OK;
}

tms_status blastp_params_resolve(tms_context *ctx, const tms_blastp_params *given, struct blastp_setup *out)
{
    tms_status status;

    memset(out, 0, sizeof *out);
    if (given->task >= sizeof tasks / sizeof *tasks)
        return context_fail(ctx, TMS_E_ARG, "there is no task %u", (unsigned)given->task);
    status = protein_params_resolve(ctx, &tasks[given->task], given, &out->protein);
    return status == TMS_OK ? set_strategy(ctx, given, out) : status;
}

tms_status blastp_setup_init(tms_context *ctx, const struct search_database *database, struct blastp_setup *setup)
{
    struct search_setup *search = &setup->protein.search;
    tms_status status = protein_setup_init(ctx, database, &setup->protein);

    search->program = &blastp_program;
    if (setup->is_cublastp) {
        search->gpu_group_residues = 0;
        search->gapped_on_cpu = true;
    }
    return status;
}
