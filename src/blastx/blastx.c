/* blastx.c - the public calls. */
#include "tamis/blastx.h"

#include <stdlib.h>

#include "base/extensible.h"
#include "blastx/blastx_setup.h"
#include "protein/protein_search.h"
#include "run/context.h"

STRUCT_ENDS_WITH(tms_blastx_params, longest_intron);

struct tms_blastx {
    struct protein_search protein;
    struct blastx_setup setup;
};

static tms_status set_up(tms_blastx *search, const tms_blastp_params *protein, const tms_blastx_params *own)
{
    struct search_database database;
    tms_status status = blastx_params_resolve(search->protein.ctx, protein, own, &search->setup);

    if (status == TMS_OK)
        status = protein_search_database(&search->protein, protein, "blastx", TMS_PROTEIN, &database);
    return status == TMS_OK ? blastx_setup_init(search->protein.ctx, &database, &search->setup) : status;
}

tms_status tms_blastx_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein, size_t protein_size,
                                   const tms_blastx_params *params, size_t params_size, tms_blastx **out)
{
    tms_blastp_params p = tms_blastx_protein_defaults();
    tms_blastx_params own = tms_blastx_defaults();
    tms_blastx *search;
    tms_status status;

    *out = NULL;
    if (protein != NULL && (!struct_in(&p, sizeof p, protein, protein_size) || p.reserved != 0))
        return context_fail_newer(ctx, "tms_blastp_params");
    if (params != NULL && !struct_in(&own, sizeof own, params, params_size))
        return context_fail_newer(ctx, "tms_blastx_params");
    if (tms_context_device(ctx) != TMS_DEVICE_CPU)
        return context_fail(ctx, TMS_E_ARG, "blastx does not search on a GPU yet: give the CPU");
    search = calloc(1, sizeof *search);
    if (search == NULL)
        return context_fail_memory(ctx, "a search", sizeof *search);
    status = protein_search_begin(ctx, db, &p, &search->setup.protein, &search->protein);
    if (status == TMS_OK)
        status = set_up(search, &p, &own);
    if (status != TMS_OK) {
        free(search);
        return status;
    }
    *out = search;
    return TMS_OK;
}

void tms_blastx_destroy(tms_blastx *search) { free(search); }

void tms_blastx_get_info_sized(const tms_blastx *search, tms_blastp_info *out, size_t out_size)
{
    const tms_blastp_info info = protein_search_info(&search->protein);

    struct_out(out, out_size, &info, sizeof info);
}

int tms_blastx_score(const tms_blastx *search, uint8_t query, uint8_t subject)
{
    return protein_search_score(&search->protein, query, subject);
}

void tms_blastx_get_stats_sized(const tms_blastx *search, tms_search_stats *out, size_t out_size)
{
    const tms_search_stats stats = protein_search_stats(&search->protein);

    struct_out(out, out_size, &stats, sizeof stats);
}

tms_status tms_blastx_scan(tms_blastx *search, const tms_seqs *queries, tms_search_found **out)
{
    return protein_search_scan(&search->protein, queries, out);
}

tms_status tms_blastx_search(tms_blastx *search, const tms_seqs *queries, tms_search_results **out)
{
    return protein_search_run(&search->protein, queries, out);
}

tms_status tms_blastx_align(tms_blastx *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    return protein_search_align(&search->protein, queries, found, out);
}
