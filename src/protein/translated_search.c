/* translated_search.c - the public calls of translated searches. */
#include "protein/translated_search.h"

#include <stdlib.h>

#include "base/extensible.h"
#include "protein/protein_gpu.h"
#include "run/context.h"

STRUCT_ENDS_WITH(tms_translated_params, longest_intron);

struct tms_translated {
    struct protein_search protein;
    struct protein_setup setup;
};

static tms_status check(tms_context *ctx, const struct translated_program *program, const tms_blastp_params *protein,
                        const tms_translated_params *own)
{
    const char *name = program->engine->name;

    if (own->task >= program->n_tasks)
        return context_fail(ctx, TMS_E_ARG, "there is no task %u", (unsigned)own->task);
    if (program->is_ungapped && protein->ungapped == 0)
        return context_fail(ctx, TMS_E_ARG, "%s makes no alignments with gaps: ungapped has to be set", name);
    return TMS_OK;
}

static tms_status set_up(tms_translated *search, const struct translated_program *program, const tms_blastp_params *protein,
                         const tms_translated_params *own)
{
    struct protein_setup *setup = &search->setup;
    tms_context *ctx = search->protein.ctx;
    struct search_database database;
    tms_status status = check(ctx, program, protein, own);

    if (status == TMS_OK)
        status = protein_params_resolve(ctx, &program->tasks[own->task], protein, setup);
    setup->search.program = program->engine;
    setup->search.translates_subjects = program->subjects == TMS_NUCLEOTIDE;
    if (status == TMS_OK)
        status = protein_translation_resolve(ctx, own, protein->as_subject_file != 0, setup);
    if (status == TMS_OK)
        status = protein_search_database(&search->protein, protein, program->engine->name, program->subjects, &database);
    if (status == TMS_OK)
        status = protein_setup_init(ctx, &database, setup);
    setup->search.group_residues = program->group_residues;
    setup->search.gpu_group_residues = program->gpu_group_residues;
    return status;
}

tms_status translated_search_create(tms_context *ctx, const struct translated_program *program, const tms_seqdb *db,
                                    const struct translated_given *given, tms_translated **out)
{
    tms_blastp_params protein = program->defaults();
    tms_translated_params own = tms_translated_defaults();
    tms_translated *search;
    tms_status status;

    *out = NULL;
    if (given->protein != NULL && (!struct_in(&protein, sizeof protein, given->protein, given->protein_size) || protein.reserved != 0))
        return context_fail_newer(ctx, "tms_blastp_params");
    if (given->own != NULL && !struct_in(&own, sizeof own, given->own, given->own_size))
        return context_fail_newer(ctx, "tms_translated_params");
    search = calloc(1, sizeof *search);
    if (search == NULL)
        return context_fail_memory(ctx, "a search", sizeof *search);
    status = protein_search_begin(ctx, db, &protein, &search->setup, &search->protein);
    if (status == TMS_OK)
        status = set_up(search, program, &protein, &own);
    if (status == TMS_OK)
        status = protein_gpu_open(&search->protein, &protein, true);
    if (status != TMS_OK) {
        free(search);
        return status;
    }
    *out = search;
    return TMS_OK;
}

void tms_translated_destroy(tms_translated *search)
{
    if (search == NULL)
        return;
    protein_gpu_close(&search->protein);
    free(search);
}

void tms_translated_get_info_sized(const tms_translated *search, tms_blastp_info *out, size_t out_size)
{
    const tms_blastp_info info = protein_search_info(&search->protein);

    struct_out(out, out_size, &info, sizeof info);
}

int tms_translated_score(const tms_translated *search, uint8_t query, uint8_t subject)
{
    return protein_search_score(&search->protein, query, subject);
}

void tms_translated_get_stats_sized(const tms_translated *search, tms_search_stats *out, size_t out_size)
{
    const tms_search_stats stats = protein_search_stats(&search->protein);

    struct_out(out, out_size, &stats, sizeof stats);
}

tms_status tms_translated_scan(tms_translated *search, const tms_seqs *queries, tms_search_found **out)
{
    return protein_search_scan(&search->protein, queries, out);
}

tms_status tms_translated_search(tms_translated *search, const tms_seqs *queries, tms_search_results **out)
{
    return protein_search_run(&search->protein, queries, out);
}

tms_status tms_translated_align(tms_translated *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    return protein_search_align(&search->protein, queries, found, out);
}
