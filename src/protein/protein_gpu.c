/* protein_gpu.c - see protein_gpu.h. */
#include "protein/protein_gpu.h"

#include "hits/hit_filter.h"
#include "run/context.h"
#include "search/gpu_blocks.h"

static struct search_gpu_limits wish_of(const struct protein_search *search, const tms_blastp_params *p)
{
    return (struct search_gpu_limits){p->more_gpus, (size_t)p->n_more_gpus, p->gpu_memory, search->setup->search.word_size};
}

tms_status protein_gpu_check(const struct protein_search *search, const tms_blastp_params *p)
{
    const struct search_gpu_limits wish = wish_of(search, p);

    return search_gpu_limits_check(search->ctx, &wish, p->await_gpu != NULL);
}

static tms_status open_now(struct protein_search *search, const tms_blastp_params *p)
{
    const struct search_gpu_limits wish = wish_of(search, p);
    tms_status status;

    if (search->ctx->gpu == NULL || (wish.n_more == 0 && !search->is_for_gpu))
        return TMS_OK;
    status = search_gpu_create(search->ctx, &search->subjects, &wish, &search->subjects.gpu);
    if (status == TMS_OK && !search->is_for_gpu)
        protein_gpu_close(search);
    return status;
}

/* Called when the context's GPU is open or could not be opened: proceeds as if the search was created now. */
static tms_status open_awaited(void *arg)
{
    struct protein_search *search = arg;
    tms_blastp_params p = search->awaiting;
    tms_status status = p.await_gpu(p.await_arg, search->ctx);

    p.await_gpu = NULL;
    p.n_more_gpus = search->ctx->gpu != NULL ? p.n_more_gpus : 0;
    if (status == TMS_OK)
        status = protein_gpu_check(search, &p);
    if (status == TMS_OK)
        status = open_now(search, &p);
    if (status == TMS_OK) {
        search->subjects.awaits_gpu = false;
        search->subjects.open_gpu = NULL;
    }
    search->has_message = status != TMS_OK;
    return status;
}

tms_status protein_gpu_open(struct protein_search *search, const tms_blastp_params *p, bool takes)
{
    const struct search_setup *setup = &search->setup->search;
    const struct search_gpu_limits wish = wish_of(search, p);

    search->subjects.codons = setup->translates_subjects ? &search->setup->packed_codons : NULL;
    search->is_for_gpu = takes && (search->ctx->gpu != NULL || p->await_gpu != NULL) && search->subjects.masks == NULL &&
                         !hit_filter_is_wanted(&setup->limits.filter) && search_gpu_holds(&search->subjects);
    if (p->await_gpu == NULL)
        return open_now(search, p);
    search->awaiting = *p;
    search->awaiting.more_gpus = search->more_gpus;
    for (uint64_t i = 0; i < p->n_more_gpus; i++)
        search->more_gpus[i] = p->more_gpus[i];
    search->subjects.awaits_gpu = search->is_for_gpu;
    search->subjects.open_gpu = open_awaited;
    search->subjects.open_arg = search;
    return search->is_for_gpu || wish.n_more > 0 ? search_gpu_check(search->ctx, &search->subjects, &wish) : TMS_OK;
}

void protein_gpu_close(struct protein_search *search)
{
    search_gpu_destroy(search->subjects.gpu);
    search->subjects.gpu = NULL;
}
