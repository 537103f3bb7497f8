/* blastn.c - the public calls: parameters, the search, and the sizes of batches. */
#include "tamis/blastn.h"

#include <stdlib.h>
#include <string.h>

#include "base/extensible.h"
#include "blastn/blastn_batches.h"
#include "blastn/blastn_gpu.h"
#include "blastn/blastn_link.h"
#include "blastn/blastn_setup.h"
#include "hits/chunk_merge.h"
#include "run/context.h"
#include "search/gpu_start.h"
#include "search/search_results.h"

STRUCT_ENDS_WITH(tms_blastn_params, sum_statistics);
STRUCT_ENDS_WITH(tms_blastn_info, n_sequences);

struct tms_blastn {
    tms_context *ctx;
    struct blastn_setup setup;
    struct search_subjects subjects;
    struct search_counts counts;
    struct blastn_batches batches;
    uint64_t n_queries, query_residues, n_hsps;
    struct search_gpu_start gpus;
};

static tms_status set_up(tms_blastn *search, const tms_blastn_params *params)
{
    struct blastn_setup *setup = &search->setup;
    struct search_database *database = &setup->search.database;
    tms_seqdb_info info;
    tms_status status = blastn_params_resolve(search->ctx, params, setup);

    if (status != TMS_OK)
        return status;
    tms_seqdb_get_info(search->subjects.db, &info);
    if (info.molecule != TMS_NUCLEOTIDE)
        return context_fail(search->ctx, TMS_E_ARG, "the database is of proteins: blastn searches in one of nucleotides");
    database->n_residues = params->database_residues > 0 ? params->database_residues : (int64_t)info.stats_n_residues;
    database->n_sequences = (int64_t)info.stats_n_sequences;
    setup->space.database_length = database->n_residues;
    setup->space.n_sequences = database->n_sequences;
    setup->space.mean_length = info.stats_n_sequences > 0 ? (int64_t)(info.stats_n_residues / info.stats_n_sequences) : 0;
    blastn_batches_init(&search->batches, (int64_t)info.stats_n_residues, params->batch_residues, setup->chunk_residues);
    return TMS_OK;
}

/* --- GPUs --- */

/* A search_gpu_start.open(). */
static tms_status open_gpus(void *arg, const struct search_gpu_limits *limits)
{
    tms_blastn *search = arg;

    return search->ctx->gpu != NULL ? blastn_gpu_create(search->ctx, &search->subjects, limits, &search->setup.gpu) : TMS_OK;
}

static tms_status start_gpus(tms_blastn *search, const tms_blastn_params *p)
{
    search->gpus = (struct search_gpu_start){
        .ctx = search->ctx,
        .subjects = &search->subjects,
        .limits = {.more = p->more_gpus, .n_more = (size_t)p->n_more_gpus, .memory = p->gpu_memory},
        .await = p->await_gpu,
        .await_arg = p->await_arg,
        .open = open_gpus,
        .search = search,
    };
    return search_gpu_start(&search->gpus);
}

/* --- creation --- */

tms_status tms_blastn_create_sized(tms_context *ctx, const tms_seqdb *db, const tms_blastn_params *params, size_t params_size,
                                   tms_blastn **out)
{
    tms_blastn_params p = tms_blastn_defaults();
    tms_blastn *search;
    tms_status status = TMS_OK;

    *out = NULL;
    if (params != NULL && !struct_in(&p, sizeof p, params, params_size))
        return context_fail_newer(ctx, "tms_blastn_params");
    if (p.shard >= p.n_shards && p.n_shards + p.shard > 0)
        return context_fail(ctx, TMS_E_ARG, "part %llu of %llu of the database: they are counted from 0", (unsigned long long)p.shard,
                            (unsigned long long)p.n_shards);
    search = calloc(1, sizeof *search);
    if (search == NULL)
        return context_fail_memory(ctx, "a search", sizeof *search);
    search->ctx = ctx;
    search->subjects.db = db;
    search->subjects.part = p.n_shards > 0 ? (struct search_part){p.shard, p.n_shards} : (struct search_part){0, 1};
    search->subjects.masks = p.subject_masks;
    search->subjects.hides_masked = p.hides_masked != 0;
    search->subjects.keeps_last = p.as_subject_file != 0;
    status = set_up(search, &p);
    if (status == TMS_OK)
        status = start_gpus(search, &p);
    if (status != TMS_OK) {
        free(search);
        return status;
    }
    *out = search;
    return TMS_OK;
}

void tms_blastn_destroy(tms_blastn *search)
{
    if (search == NULL)
        return;
    blastn_gpu_destroy(search->setup.gpu);
    free(search);
}

void tms_blastn_get_info_sized(const tms_blastn *search, tms_blastn_info *out, size_t out_size)
{
    const struct blastn_setup *setup = &search->setup;
    const struct search_setup *s = &setup->search;
    const bool has_own = s->ungapped || setup->costs.is_ungapped;
    const tms_blastn_info info = {.reward = setup->scores.reward,
                                  .penalty = setup->scores.penalty,
                                  .gap_open = s->gap_open,
                                  .gap_extend = s->gap_extend,
                                  .word_size = (uint32_t)s->word_size,
                                  .window = (uint32_t)s->window,
                                  .lambda = has_own ? -1 : setup->costs.lambda,
                                  .K = has_own ? -1 : setup->costs.K,
                                  .H = has_own ? -1 : setup->costs.H,
                                  .n_residues = s->database.n_residues,
                                  .n_sequences = s->database.n_sequences};

    struct_out(out, out_size, &info, sizeof info);
}

uint64_t tms_blastn_batch_residues(const tms_blastn *search) { return search->batches.size; }

double tms_blastn_batch_rate(const tms_blastn *search) { return search->batches.has_ratio ? search->batches.ratio : 0; }

void tms_blastn_set_batches(tms_blastn *search, uint64_t residues, double rate)
{
    if (!search->batches.is_fixed)
        blastn_batches_continue(&search->batches, residues, rate);
}

int tms_blastn_score(const tms_blastn *search, uint8_t query, uint8_t subject)
{
    return query < RESIDUE_CODES && subject < RESIDUE_CODES ? search->setup.search.scores[RESIDUE_CODES * query + subject] : SCORE_NONE;
}

void tms_blastn_get_stats_sized(const tms_blastn *search, tms_search_stats *out, size_t out_size)
{
    tms_search_stats stats = search_stats_of(&search->counts);

    stats.n_queries = search->n_queries;
    stats.query_residues = search->query_residues;
    stats.n_hsps = search->n_hsps;
    stats.expected_hsps = search->setup.search.evalue * (double)search->n_queries;
    struct_out(out, out_size, &stats, sizeof stats);
}

/* --- the search --- */

enum { MOST_CHUNKS = 1000 }; /* of a batch */

/* Prepares the queries of a batch. */
static tms_status prepare(tms_blastn *search, const tms_seqs *seqs, struct search_queries *out)
{
    const uint64_t n = seqs->n_records > 0 ? seqs->residue_starts[seqs->n_records] - seqs->residue_starts[0] : 0;
    tms_status status;

    memset(out, 0, sizeof *out);
    if (2 * (n + seqs->n_records) > INT32_MAX / 2)
        return context_fail(search->ctx, TMS_E_ARG, "%llu bases in a batch of queries: at most 2^29 are taken", (unsigned long long)n);
    if (!search->setup.search.ungapped && n / (uint64_t)search->setup.chunk_residues > MOST_CHUNKS)
        return context_fail(
            search->ctx, TMS_E_ARG,
            "chunks of %d bases: a batch of %llu bases would be cut into more than %d of them, each with a table of words; set a "
            "greater size of chunks (chunk_residues, CHUNK_SIZE)",
            search->setup.chunk_residues + CHUNK_OVERLAP, (unsigned long long)n, MOST_CHUNKS);
    status = search_queries_init(search->ctx, &search->setup.search, seqs, UINT64_MAX, out);
    if (status == TMS_OK)
        blastn_setup_batch(&search->setup, out->whole, out->n);
    if (status == TMS_OK)
        blastn_link_batch(&search->setup.search, out);
    return status;
}

/* Counts a batch that has been searched with. */
static void count_batch(tms_blastn *search, const struct search_queries *queries, uint64_t n_ungapped_before)
{
    search->n_queries += queries->n;
    search->query_residues += queries->n_residues;
    blastn_batches_next(&search->batches, search->counts.n_ungapped - n_ungapped_before);
}

tms_status tms_blastn_scan(tms_blastn *search, const tms_seqs *queries, tms_search_found **out)
{
    const struct search_counts before = search->counts;
    struct search_queries prepared;
    tms_status status = prepare(search, queries, &prepared);

    *out = NULL;
    if (status == TMS_OK)
        status = search_found_scan(search->ctx, &search->setup.search, &search->subjects, &prepared, &search->counts, out);
    if (status == TMS_OK)
        count_batch(search, &prepared, before.n_ungapped);
    else
        search->counts = before; /* so that the caller can repeat the call */
    search_queries_free(&prepared);
    return status;
}

/* found [in,out] what scans have found; NULL: searches the whole database */
static tms_status search_or_align(tms_blastn *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    const struct search_counts before = search->counts;
    tms_search_results *r = calloc(1, sizeof *r);
    tms_status status;

    *out = NULL;
    if (r == NULL)
        return context_fail_memory(search->ctx, "results", sizeof *r);
    status = prepare(search, queries, &r->queries);
    if (status == TMS_OK && found != NULL)
        status = search_results_align(search->ctx, &search->setup.search, &search->subjects, found, r, &search->counts);
    else if (status == TMS_OK)
        status = search_results_run(search->ctx, &search->setup.search, &search->subjects, r, &search->counts);
    if (status != TMS_OK) {
        search->counts = before; /* so that the caller can repeat the call */
        tms_search_results_destroy(r);
        return status;
    }
    count_batch(search, &r->queries, before.n_ungapped);
    search->n_hsps += r->n_hsps;
    *out = r;
    return TMS_OK;
}

tms_status tms_blastn_search(tms_blastn *search, const tms_seqs *queries, tms_search_results **out)
{
    *out = NULL;
    if (search->subjects.part.n_parts > 1)
        return context_fail(search->ctx, TMS_E_ARG, "a search with a part of the database has no results of its own: tms_blastn_scan()");
    return search_or_align(search, queries, NULL, out);
}

tms_status tms_blastn_align(tms_blastn *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    return search_or_align(search, queries, found, out);
}
