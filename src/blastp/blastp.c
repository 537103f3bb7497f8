/* blastp.c - the public calls: parameters, GPUs, and the search. */
#include "tamis/blastp.h"

#include <stdlib.h>
#include <string.h>

#include "base/extensible.h"
#include "blastp/blastp_setup.h"
#include "hits/hit_filter.h"
#include "run/context.h"
#include "search/gpu_blocks.h"
#include "search/search_results.h"

STRUCT_ENDS_WITH(tms_blastp_params, n_shards);
STRUCT_ENDS_WITH(tms_blastp_info, n_sequences);

enum { USUAL_CUTOFF_LENGTH = 10 };

struct tms_blastp {
    tms_context *ctx;
    uint64_t batch_residues;
    struct blastp_setup setup;
    struct search_subjects subjects;
    struct search_counts counts;
    tms_blastp_params awaiting;      /* with await_gpu: the caller's GPU parameters, until the GPUs are open */
    int32_t more_gpus[TMS_MAX_GPUS]; /* the array that awaiting.more_gpus points to */
    bool has_message;                /* open_awaited() has failed in this call, and set the context's message */
    uint64_t n_queries, query_residues, n_hsps;
};

/* --- the search --- */

/* Reads the length of the shortest subject of a file or of a part of a database; for a file, also whether a subject has an O. */
static void look_at_subjects(tms_blastp *search, const tms_seqdb_info *info, struct search_database *database)
{
    const bool is_selection = info->is_selection != 0;
    uint64_t shortest = UINT64_MAX;

    for (uint64_t i = 0; i < info->n_sequences; i++) {
        uint64_t n;
        const uint8_t *codes = tms_seqdb_protein(search->subjects.db, i, &n);
        shortest = n < shortest ? n : shortest;
        search->subjects.replaces_o |= !is_selection && memchr(codes, CODE_O, n) != NULL;
    }
    if (shortest != UINT64_MAX && (is_selection || shortest > USUAL_CUTOFF_LENGTH))
        database->cutoff_length = (int)shortest;
}

static tms_status set_up(tms_blastp *search, const tms_blastp_params *params)
{
    struct search_database database;
    tms_seqdb_info info;
    tms_status status = blastp_params_resolve(search->ctx, params, &search->setup);

    if (status != TMS_OK)
        return status;
    tms_seqdb_get_info(search->subjects.db, &info);
    if (info.molecule != TMS_PROTEIN)
        return context_fail(search->ctx, TMS_E_ARG, "the database is of nucleotides: blastp searches in one of proteins");
    database.n_residues = params->database_residues > 0 ? params->database_residues : (int64_t)info.stats_n_residues;
    database.n_sequences = (int64_t)info.stats_n_sequences;
    database.cutoff_length = USUAL_CUTOFF_LENGTH;
    if (params->as_subject_file || info.is_selection)
        look_at_subjects(search, &info, &database);
    return blastp_setup_init(search->ctx, &database, &search->setup);
}

/*
 * Whether GPUs can scan for this search. The CPU scans if subjects have masks, if alignments have no gaps, and with a hit filter, which
 * depends on the order of subjects; and, with the paper's strategy, if words have another size than the paper's.
 */
static bool is_for_gpu(const tms_blastp *search)
{
    const struct search_setup *setup = &search->setup.search;

    return search->subjects.masks == NULL && !setup->ungapped && !hit_filter_is_wanted(&setup->limits.filter) &&
           (!search->setup.is_cublastp || setup->word_size == CUBLASTP_WORD_SIZE);
}

static struct search_gpu_limits wish_of(const tms_blastp *search, const tms_blastp_params *p)
{
    return (struct search_gpu_limits){p->more_gpus, (size_t)p->n_more_gpus, p->gpu_memory, search->setup.search.word_size};
}

static tms_status check_gpus(const tms_blastp *search, const tms_blastp_params *p)
{
    const struct search_gpu_limits wish = wish_of(search, p);

    return search_gpu_limits_check(search->ctx, &wish, p->await_gpu != NULL);
}

/* Opens the GPUs that the caller asks for; without a search on GPUs they must exist nevertheless. */
static tms_status open_gpus_now(tms_blastp *search, const tms_blastp_params *p)
{
    const struct search_gpu_limits wish = wish_of(search, p);
    tms_status status;

    if (search->ctx->gpu == NULL || (wish.n_more == 0 && !is_for_gpu(search)))
        return TMS_OK;
    status = search_gpu_create(search->ctx, &search->subjects, &wish, &search->subjects.gpu);
    if (status == TMS_OK && !is_for_gpu(search)) {
        search_gpu_destroy(search->subjects.gpu);
        search->subjects.gpu = NULL;
    }
    return status;
}

/* Called when the context's GPU is open or could not be opened: proceeds as if the search was created now. */
static tms_status open_awaited(void *arg)
{
    tms_blastp *search = arg;
    tms_blastp_params p = search->awaiting;
    tms_status status = p.await_gpu(p.await_arg, search->ctx);

    p.await_gpu = NULL;
    p.n_more_gpus = search->ctx->gpu != NULL ? p.n_more_gpus : 0;
    if (status == TMS_OK)
        status = check_gpus(search, &p);
    if (status == TMS_OK)
        status = open_gpus_now(search, &p);
    if (status == TMS_OK) {
        search->subjects.awaits_gpu = false;
        search->subjects.open_gpu = NULL;
    }
    search->has_message = status != TMS_OK;
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
    search->subjects.awaits_gpu = is_for_gpu(search);
    search->subjects.open_gpu = open_awaited;
    search->subjects.open_arg = search;
    return is_for_gpu(search) || wish.n_more > 0 ? search_gpu_check(search->ctx, &search->subjects, &wish) : TMS_OK;
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
    search->ctx = ctx;
    search->subjects.db = db;
    search->subjects.part = p.n_shards > 0 ? (struct search_part){p.shard, p.n_shards} : (struct search_part){0, 1};
    search->subjects.masks = p.subject_masks;
    search->subjects.keeps_last = p.as_subject_file != 0;
    search->subjects.hides_masked = p.subject_masking == TMS_SUBJECT_MASKING_HARD;
    search->batch_residues = p.batch_residues;
    status = check_gpus(search, &p);
    if (status == TMS_OK && p.shard >= p.n_shards && p.n_shards + p.shard > 0)
        status = context_fail(ctx, TMS_E_ARG, "part %llu of %llu of the database: they are counted from 0", (unsigned long long)p.shard,
                              (unsigned long long)p.n_shards);
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
    search_gpu_destroy(search->subjects.gpu);
    free(search);
}

void tms_blastp_get_info_sized(const tms_blastp *search, tms_blastp_info *out, size_t out_size)
{
    const struct search_setup *s = &search->setup.search;
    const struct gapped_statistics *g = &s->statistics;
    const struct gap_costs *ungapped = &search->setup.matrix->costs[0];
    tms_blastp_info info = {.matrix = search->setup.matrix->name,
                            .gap_open = s->gap_open,
                            .gap_extend = s->gap_extend,
                            .word_size = (uint32_t)s->word_size,
                            .window = (uint32_t)s->window,
                            .threshold = search->setup.threshold,
                            .lambda = g->lambda,
                            .K = g->K,
                            .H = g->H,
                            .a = g->alpha,
                            .alpha = g->alpha_v,
                            .sigma = g->sigma,
                            .ungapped_a = ungapped->alpha,
                            .ungapped_alpha = ungapped->alpha_v,
                            .n_residues = s->database.n_residues,
                            .n_sequences = s->database.n_sequences};

    struct_out(out, out_size, &info, sizeof info);
}

int tms_blastp_score(const tms_blastp *search, uint8_t query, uint8_t subject)
{
    return query < RESIDUE_CODES && subject < RESIDUE_CODES ? search->setup.search.scores[RESIDUE_CODES * query + subject] : SCORE_NONE;
}

void tms_blastp_get_stats_sized(const tms_blastp *search, tms_search_stats *out, size_t out_size)
{
    tms_search_stats stats = search_stats_of(&search->counts);

    stats.n_queries = search->n_queries;
    stats.query_residues = search->query_residues;
    stats.n_hsps = search->n_hsps;
    stats.expected_hsps = search->setup.search.evalue * (double)search->n_queries;
    struct_out(out, out_size, &stats, sizeof stats);
}

/* Sets the message of a failure that composition_align.c found: the only TMS_E_ARG that comes without one. */
static tms_status fail_smith_waterman(tms_blastp *search)
{
    if (search->setup.matrix->ratios == NULL)
        return context_fail(search->ctx, TMS_E_ARG, "alignments by Smith-Waterman need a matrix with frequencies: %s has none",
                            search->setup.matrix->name);
    return context_fail(
        search->ctx, TMS_E_ARG,
        "by Smith-Waterman there is no end of alignments, as even a score of 0 is significant: the E-value has to be lower, or "
        "the search space larger");
}

/* Counts the queries of a call that has succeeded. */
static void count_queries(tms_blastp *search, const struct search_queries *queries)
{
    search->n_queries += queries->n;
    for (size_t i = 0; i < queries->n; i++)
        search->query_residues += (uint64_t)queries->whole[i].length;
}

tms_status tms_blastp_scan(tms_blastp *search, const tms_seqs *queries, tms_search_found **out)
{
    const struct search_setup *setup = &search->setup.search;
    const struct search_counts before = search->counts;
    struct search_queries prepared;
    tms_status status;

    search->has_message = false;
    status = search_queries_init(search->ctx, setup, queries, search->batch_residues, &prepared);

    *out = NULL;
    if (status == TMS_OK)
        status = search_found_scan(search->ctx, setup, &search->subjects, &prepared, &search->counts, out);
    if (status == TMS_OK)
        count_queries(search, &prepared);
    else
        search->counts = before; /* so that the caller can repeat the call */
    search_queries_free(&prepared);
    return status;
}

/* found [in,out] what scans have found; NULL: searches the whole database */
static tms_status search_or_align(tms_blastp *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    const struct search_setup *setup = &search->setup.search;
    const struct search_counts before = search->counts;
    tms_search_results *r = calloc(1, sizeof *r);
    tms_status status;

    *out = NULL;
    if (r == NULL)
        return context_fail_memory(search->ctx, "results", sizeof *r);
    search->has_message = false;
    status = search_queries_init(search->ctx, setup, queries, search->batch_residues, &r->queries);
    if (status == TMS_OK) {
        if (found != NULL)
            status = search_results_align(search->ctx, setup, &search->subjects, found, r, &search->counts);
        else
            status = search_results_run(search->ctx, setup, &search->subjects, r, &search->counts);
        if (status == TMS_E_ARG && !search->has_message)
            status = fail_smith_waterman(search);
    }
    if (status != TMS_OK) {
        search->counts = before; /* so that the caller can repeat the call */
        tms_search_results_destroy(r);
        return status;
    }
    count_queries(search, &r->queries);
    search->n_hsps += r->n_hsps;
    *out = r;
    return TMS_OK;
}

tms_status tms_blastp_search(tms_blastp *search, const tms_seqs *queries, tms_search_results **out)
{
    *out = NULL;
    if (search->subjects.part.n_parts > 1)
        return context_fail(search->ctx, TMS_E_ARG, "a search with a part of the database has no results of its own: tms_blastp_scan()");
    return search_or_align(search, queries, NULL, out);
}

tms_status tms_blastp_align(tms_blastp *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    return search_or_align(search, queries, found, out);
}
