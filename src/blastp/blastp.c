/* blastp.c - the public calls: parameters, GPUs, and the search. */
#include "tamis/blastp.h"

#include <stdlib.h>

#include "base/extensible.h"
#include "blastp/blastp_setup.h"
#include "protein/protein_gpu.h"
#include "run/context.h"

STRUCT_ENDS_WITH(tms_blastp_params, take_arg);
STRUCT_ENDS_WITH(tms_blastp_info, n_sequences);

struct tms_blastp {
    struct protein_search protein;
    struct blastp_setup setup;
};

static tms_status set_up(tms_blastp *search, const tms_blastp_params *params)
{
    struct search_database database;
    tms_status status = blastp_params_resolve(search->protein.ctx, params, &search->setup);

    if (status == TMS_OK)
        status = protein_search_database(&search->protein, params, "blastp", TMS_PROTEIN, &database);
    return status == TMS_OK ? blastp_setup_init(search->protein.ctx, &database, &search->setup) : status;
}

/* Not if words have another size than the paper's, with the paper's strategy. */
static bool takes_gpu(const tms_blastp *search)
{
    return !search->setup.is_cublastp || search->setup.protein.search.word_size == CUBLASTP_WORD_SIZE;
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
        status = set_up(search, &p);
    if (status == TMS_OK)
        status = protein_gpu_open(&search->protein, &p, takes_gpu(search));
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
    protein_gpu_close(&search->protein);
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
