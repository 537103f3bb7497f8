/* blastp.c - the public calls: parameters, GPUs, and the search. */
#include "tamis/blastp.h"

#include <stdlib.h>

#include "base/extensible.h"
#include "blastp/blastp_setup.h"
#include "hits/hit_filter.h"
#include "protein/protein_search.h"
#include "run/context.h"
#include "search/gpu_blocks.h"

STRUCT_ENDS_WITH(tms_blastp_params, n_shards);
STRUCT_ENDS_WITH(tms_blastp_info, n_sequences);

struct tms_blastp {
    struct protein_search protein;
    struct blastp_setup setup;
    tms_blastp_params awaiting;      /* with await_gpu: the caller's GPU parameters, until the GPUs are open */
    int32_t more_gpus[TMS_MAX_GPUS]; /* the array that awaiting.more_gpus points to */
};

static tms_status set_up(tms_blastp *search, const tms_blastp_params *params)
{
    struct search_database database;
    tms_status status = blastp_params_resolve(search->protein.ctx, params, &search->setup);

    if (status == TMS_OK)
        status = protein_search_database(&search->protein, params, "blastp", TMS_PROTEIN, &database);
    return status == TMS_OK ? blastp_setup_init(search->protein.ctx, &database, &search->setup) : status;
}

/*
 * Whether GPUs can scan for this search. The CPU scans if subjects have masks, if alignments have no gaps, and with a hit filter, which
 * depends on the order of subjects; and, with the paper's strategy, if words have another size than the paper's.
 */
static bool is_for_gpu(const tms_blastp *search)
{
    const struct search_setup *setup = &search->setup.protein.search;

    return search->protein.subjects.masks == NULL && !setup->ungapped && !hit_filter_is_wanted(&setup->limits.filter) &&
           (!search->setup.is_cublastp || setup->word_size == CUBLASTP_WORD_SIZE);
}

static struct search_gpu_limits wish_of(const tms_blastp *search, const tms_blastp_params *p)
{
    return (struct search_gpu_limits){p->more_gpus, (size_t)p->n_more_gpus, p->gpu_memory, search->setup.protein.search.word_size};
}

static tms_status check_gpus(const tms_blastp *search, const tms_blastp_params *p)
{
    const struct search_gpu_limits wish = wish_of(search, p);

    return search_gpu_limits_check(search->protein.ctx, &wish, p->await_gpu != NULL);
}

/* Opens the GPUs that the caller asks for; without a search on GPUs they must exist nevertheless. */
static tms_status open_gpus_now(tms_blastp *search, const tms_blastp_params *p)
{
    const struct search_gpu_limits wish = wish_of(search, p);
    tms_status status;

    if (search->protein.ctx->gpu == NULL || (wish.n_more == 0 && !is_for_gpu(search)))
        return TMS_OK;
    status = search_gpu_create(search->protein.ctx, &search->protein.subjects, &wish, &search->protein.subjects.gpu);
    if (status == TMS_OK && !is_for_gpu(search)) {
        search_gpu_destroy(search->protein.subjects.gpu);
        search->protein.subjects.gpu = NULL;
    }
    return status;
}

/* Called when the context's GPU is open or could not be opened: proceeds as if the search was created now. */
static tms_status open_awaited(void *arg)
{
    tms_blastp *search = arg;
    tms_blastp_params p = search->awaiting;
    tms_status status = p.await_gpu(p.await_arg, search->protein.ctx);

    p.await_gpu = NULL;
    p.n_more_gpus = search->protein.ctx->gpu != NULL ? p.n_more_gpus : 0;
    if (status == TMS_OK)
        status = check_gpus(search, &p);
    if (status == TMS_OK)
        status = open_gpus_now(search, &p);
    if (status == TMS_OK) {
        search->protein.subjects.awaits_gpu = false;
        search->protein.subjects.open_gpu = NULL;
    }
    search->protein.has_message = status != TMS_OK;
    return status;
}

static tms_status open_gpus(tms_blastp *search, const tms_blastp_params *p)
{
    const struct search_gpu_limits wish = wish_of(search, p);

    if (p->await_gpu == NULL)
        return open_gpus_now(search, p);
    search->awaiting = *p;
    search->awaiting.more_gpus = search->more_gpus;
    for (uint64_t i = 0; i < p->n_more_gpus; i++)
        search->more_gpus[i] = p->more_gpus[i];
    search->protein.subjects.awaits_gpu = is_for_gpu(search);
    search->protein.subjects.open_gpu = open_awaited;
    search->protein.subjects.open_arg = search;
    return is_for_gpu(search) || wish.n_more > 0 ? search_gpu_check(search->protein.ctx, &search->protein.subjects, &wish) : TMS_OK;
}

tms_status tms_blastp_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *params, size_t params_size,
                                   tms_blastp **out)
{
    tms_blastp_params p = tms_blastp_defaults();
    tms_blastp *search;
    tms_status status;

    *out = NULL;
    if (params != NULL && (!struct_in(&p, sizeof p, params, params_size) || p.reserved != 0))
        return context_fail_newer(ctx, "tms_blastp_params");
    search = calloc(1, sizeof *search);
    if (search == NULL)
        return context_fail_memory(ctx, "a search", sizeof *search);
    status = protein_search_begin(ctx, db, &p, &search->setup.protein, &search->protein);
    if (status == TMS_OK)
        status = check_gpus(search, &p);
    if (status == TMS_OK)
        status = set_up(search, &p);
    if (status == TMS_OK)
        status = open_gpus(search, &p);
    if (status != TMS_OK) {
        free(search);
        return status;
    }
    *out = search;
    return TMS_OK;
}

void tms_blastp_destroy(tms_blastp *search)
{
    if (search == NULL)
        return;
    search_gpu_destroy(search->protein.subjects.gpu);
    free(search);
}

void tms_blastp_get_info_sized(const tms_blastp *search, tms_blastp_info *out, size_t out_size)
{
    const tms_blastp_info info = protein_search_info(&search->protein);

    struct_out(out, out_size, &info, sizeof info);
}

int tms_blastp_score(const tms_blastp *search, uint8_t query, uint8_t subject)
{
    return protein_search_score(&search->protein, query, subject);
}

void tms_blastp_get_stats_sized(const tms_blastp *search, tms_search_stats *out, size_t out_size)
{
    const tms_search_stats stats = protein_search_stats(&search->protein);

    struct_out(out, out_size, &stats, sizeof stats);
}

tms_status tms_blastp_scan(tms_blastp *search, const tms_seqs *queries, tms_search_found **out)
{
    return protein_search_scan(&search->protein, queries, out);
}

tms_status tms_blastp_search(tms_blastp *search, const tms_seqs *queries, tms_search_results **out)
{
    return protein_search_run(&search->protein, queries, out);
}

tms_status tms_blastp_align(tms_blastp *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    return protein_search_align(&search->protein, queries, found, out);
}
