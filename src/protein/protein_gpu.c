/* protein_gpu.c - see protein_gpu.h. */
#include "protein/protein_gpu.h"

#include "hits/hit_filter.h"
#include "run/context.h"

/* A search_gpu_start.open(). */
static tms_status open_gpus(void *arg, const struct search_gpu_limits *limits)
{
    struct protein_search *search = arg;
    tms_status status;

    if (search->ctx->gpu == NULL || (limits->n_more == 0 && !search->is_for_gpu))
        return TMS_OK;
    status = search_gpu_create(search->ctx, &search->subjects, limits, &search->subjects.gpu);
    if (status == TMS_OK && !search->is_for_gpu)
        protein_gpu_close(search);
    return status;
}

tms_status protein_gpu_open(struct protein_search *search, const tms_blastp_params *p, bool takes)
{
    const struct search_setup *setup = &search->setup->search;
    const struct search_gpu_limits wish = {p->more_gpus, (size_t)p->n_more_gpus, p->gpu_memory, setup->word_size};
    tms_status status;

    search->subjects.codons = setup->translates_subjects ? &search->setup->packed_codons : NULL;
    search->is_for_gpu = takes && (search->ctx->gpu != NULL || p->await_gpu != NULL) && search->subjects.masks == NULL &&
                         !hit_filter_is_wanted(&setup->limits.filter) && search_gpu_holds(&search->subjects);
    search->gpus = (struct search_gpu_start){
        .ctx = search->ctx,
        .subjects = &search->subjects,
        .limits = wish,
        .await = p->await_gpu,
        .await_arg = p->await_arg,
        .open = open_gpus,
        .search = search,
    };
    status = search_gpu_start(&search->gpus);
    if (status != TMS_OK || p->await_gpu == NULL)
        return status;
    search->subjects.awaits_gpu = search->is_for_gpu;
    return search->is_for_gpu || wish.n_more > 0 ? search_gpu_check(search->ctx, &search->subjects, &wish) : TMS_OK;
}

void protein_gpu_close(struct protein_search *search)
{
    search_gpu_destroy(search->subjects.gpu);
    search->subjects.gpu = NULL;
}
