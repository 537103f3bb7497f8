/* tblastn.c - the public calls. */
#include "tamis/tblastn.h"

#include <stdlib.h>

#include "base/extensible.h"
#include "protein/protein_search.h"
#include "run/context.h"
#include "tblastn/tblastn_setup.h"

STRUCT_ENDS_WITH(tms_tblastn_params, longest_intron);

struct tms_tblastn {
    struct protein_search protein;
    struct protein_setup setup;
};

static tms_status set_up(tms_tblastn *search, const tms_blastp_params *protein, const tms_tblastn_params *own)
{
    struct search_database database;
    tms_status status = tblastn_params_resolve(search->protein.ctx, protein, own, &search->setup);

    if (status == TMS_OK)
        status = protein_search_database(&search->protein, protein, "tblastn", TMS_NUCLEOTIDE, &database);
    if (status == TMS_OK)
        status = protein_setup_init(search->protein.ctx, &database, &search->setup);
    search->setup.search.program = &tblastn_program;
    return status;
}

tms_status tms_tblastn_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein, size_t protein_size,
                                    const tms_tblastn_params *params, size_t params_size, tms_tblastn **out)
{
    tms_blastp_params p = tms_tblastn_protein_defaults();
    tms_tblastn_params own = tms_tblastn_defaults();
    tms_tblastn *search;
    tms_status status;

    *out = NULL;
    if (protein != NULL && (!struct_in(&p, sizeof p, protein, protein_size) || p.reserved != 0))
        return context_fail_newer(ctx, "tms_blastp_params");
    if (params != NULL && !struct_in(&own, sizeof own, params, params_size))
        return context_fail_newer(ctx, "tms_tblastn_params");
    if (tms_context_device(ctx) != TMS_DEVICE_CPU)
        return context_fail(ctx, TMS_E_ARG, "tblastn does not search on a GPU yet: give the CPU");
    search = calloc(1, sizeof *search);
    if (search == NULL)
        return context_fail_memory(ctx, "a search", sizeof *search);
    status = protein_search_begin(ctx, db, &p, &search->setup, &search->protein);
    if (status == TMS_OK)
        status = set_up(search, &p, &own);
    if (status != TMS_OK) {
        free(search);
        return status;
    }
    *out = search;
    return TMS_OK;
}

void tms_tblastn_destroy(tms_tblastn *search) { free(search); }

void tms_tblastn_get_info_sized(const tms_tblastn *search, tms_blastp_info *out, size_t out_size)
{
    const tms_blastp_info info = protein_search_info(&search->protein);

    struct_out(out, out_size, &info, sizeof info);
}

int tms_tblastn_score(const tms_tblastn *search, uint8_t query, uint8_t subject)
{
    return protein_search_score(&search->protein, query, subject);
}

void tms_tblastn_get_stats_sized(const tms_tblastn *search, tms_search_stats *out, size_t out_size)
{
    const tms_search_stats stats = protein_search_stats(&search->protein);

    struct_out(out, out_size, &stats, sizeof stats);
}

tms_status tms_tblastn_scan(tms_tblastn *search, const tms_seqs *queries, tms_search_found **out)
{
    return protein_search_scan(&search->protein, queries, out);
}

tms_status tms_tblastn_search(tms_tblastn *search, const tms_seqs *queries, tms_search_results **out)
{
    return protein_search_run(&search->protein, queries, out);
}

tms_status tms_tblastn_align(tms_tblastn *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    return protein_search_align(&search->protein, queries, found, out);
}
