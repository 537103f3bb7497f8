/* blastp.c - the public calls: parameters, queries, and results in arrays of their own. */
#include "tamis/blastp.h"

#include <stdlib.h>
#include <string.h>

#include "base/extensible.h"
#include "blastp/blastp_params.h"
#include "hits/hit_filter.h"
#include "run/context.h"
#include "search/gpu_blocks.h"
#include "search/search.h"

STRUCT_ENDS_WITH(tms_blastp_params, await_arg);
STRUCT_ENDS_WITH(tms_blastp_info, n_sequences);
STRUCT_ENDS_WITH(tms_search_result, batch_is_valid);
STRUCT_ENDS_WITH(tms_search_stats, n_left);

enum { USUAL_CUTOFF_LENGTH = 10 };

struct tms_blastp {
    tms_context *ctx;
    struct blastp_masking masking;
    uint64_t batch_residues;
    struct search_setup setup;
    struct search_subjects subjects;
    struct search_counts counts;
    tms_blastp_params awaiting;      /* with await_gpu: what is said of GPUs, until they are there */
    int32_t more_gpus[TMS_MAX_GPUS]; /* of it */
    uint64_t n_queries, query_residues, n_hsps;
};

/* Results of a call: the lists' items, one after the other. */
struct tms_search_results {
    struct search_queries queries;
    size_t n;
    tms_search_result *items;
    tms_search_subject *subjects;
    tms_search_hsp *hsps;
    tms_aligned_run *runs;
};

/* --- the search --- */

/* Those of a file, or of a part of a database: how long is the shortest? Of a file: is there an O? */
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
    struct search_params resolved;
    struct search_database database;
    tms_seqdb_info info;
    tms_status status = blastp_params_resolve(search->ctx, params, &resolved);

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
    return blastp_setup_init(search->ctx, &resolved, &database, &search->setup);
}

/*
 * Subjects with masks are the CPU's, and alignments without gaps; and a filter of hits, which depends on the order in which subjects come;
 * and with the paper's steps words of another size than the paper's.
 */
static bool is_for_gpu(const tms_blastp *search)
{
    const struct search_params *p = &search->setup.params;

    return search->subjects.masks == NULL && !p->ungapped && !hit_filter_is_wanted(&p->limits.filter) &&
           (!p->is_cublastp || p->word_size == CUBLASTP_WORD_SIZE);
}

static struct search_gpu_limits wish_of(const tms_blastp *search, const tms_blastp_params *p)
{
    return (struct search_gpu_limits){p->more_gpus, (size_t)p->n_more_gpus, p->gpu_memory, search->setup.params.word_size};
}

/* In tests two GPUs may be the same one. */
static bool may_be_twins(void)
{
#if TMS_TEST_HOOKS
    return getenv("TAMIS_TEST_TWIN_GPUS") != NULL;
#else
    return false;
#endif
}

static tms_status check_gpus(tms_context *ctx, const tms_blastp_params *p)
{
    if (p->gpu_memory > 0 && p->gpu_memory < TMS_BLASTP_LEAST_GPU_MEMORY)
        return context_fail(ctx, TMS_E_ARG, "%llu bytes of GPU memory: give %llu or more, or 0 for what is free",
                            (unsigned long long)p->gpu_memory, (unsigned long long)TMS_BLASTP_LEAST_GPU_MEMORY);
    if (p->n_more_gpus > 0 && ctx->gpu == NULL && p->await_gpu == NULL)
        return context_fail(ctx, TMS_E_ARG, "more GPUs with a context on the CPU: set the context's device to one of them");
    if (p->n_more_gpus >= TMS_MAX_GPUS)
        return context_fail(ctx, TMS_E_ARG, "%llu GPUs more: give %d at most", (unsigned long long)p->n_more_gpus, TMS_MAX_GPUS - 1);
    for (uint64_t i = 0; i < p->n_more_gpus; i++) {
        bool is_twin = p->more_gpus[i] == tms_context_device(ctx);
        for (uint64_t k = 0; k < i; k++)
            is_twin |= p->more_gpus[i] == p->more_gpus[k];
        if (p->more_gpus[i] < 0)
            return context_fail(ctx, TMS_E_ARG, "there is no GPU %d: they are counted from 0", (int)p->more_gpus[i]);
        if (is_twin && !may_be_twins())
            return context_fail(ctx, TMS_E_ARG, "cuda:%d twice: give each GPU once", (int)p->more_gpus[i]);
    }
    return TMS_OK;
}

/* If the search is not for GPUs, those that were asked for have to be there nevertheless. */
static tms_status open_gpus_now(tms_blastp *search, const tms_blastp_params *p)
{
    const struct search_gpu_limits wish = wish_of(search, p);
    tms_status status;

    if (search->ctx->gpu == NULL || (wish.n_more == 0 && !is_for_gpu(search)))
        return TMS_OK;
    status = search_gpu_create(search->ctx, search->subjects.db, &wish, &search->subjects.gpu);
    if (status == TMS_OK && !is_for_gpu(search)) {
        search_gpu_destroy(search->subjects.gpu);
        search->subjects.gpu = NULL;
    }
    return status;
}

/* The context's GPU was opened meanwhile, or could not be: as if the search was created now. */
static tms_status open_awaited(void *arg)
{
    tms_blastp *search = arg;
    tms_blastp_params p = search->awaiting;
    tms_status status = p.await_gpu(p.await_arg, search->ctx);

    p.await_gpu = NULL;
    p.n_more_gpus = search->ctx->gpu != NULL ? p.n_more_gpus : 0;
    if (status == TMS_OK)
        status = check_gpus(search->ctx, &p);
    if (status == TMS_OK)
        status = open_gpus_now(search, &p);
    if (status == TMS_OK) {
        search->subjects.awaits_gpu = false;
        search->subjects.open_gpu = NULL;
    }
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
    return is_for_gpu(search) || wish.n_more > 0 ? search_gpu_check(search->ctx, search->subjects.db, &wish) : TMS_OK;
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
    search->subjects.masks = p.subject_masks;
    search->subjects.keeps_last = p.as_subject_file != 0;
    search->subjects.hides_masked = p.subject_masking == TMS_SUBJECT_MASKING_HARD;
    search->masking = (struct blastp_masking){p.masks_seg != 0, p.masks_lower_case != 0, p.seg};
    search->batch_residues = p.batch_residues;
    status = check_gpus(ctx, &p);
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
    const struct search_setup *s = &search->setup;
    const struct gap_costs *ungapped = &s->params.matrix->costs[0];
    tms_blastp_info info = {.matrix = s->params.matrix->name,
                            .gap_open = s->params.gap_open,
                            .gap_extend = s->params.gap_extend,
                            .word_size = (uint32_t)s->params.word_size,
                            .window = (uint32_t)s->params.window,
                            .threshold = s->params.threshold,
                            .lambda = s->statistics.lambda,
                            .K = s->statistics.K,
                            .H = s->statistics.H,
                            .a = s->statistics.alpha,
                            .alpha = s->statistics.alpha_v,
                            .sigma = s->statistics.sigma,
                            .ungapped_a = ungapped->alpha,
                            .ungapped_alpha = ungapped->alpha_v,
                            .n_residues = s->database.n_residues,
                            .n_sequences = s->database.n_sequences};

    struct_out(out, out_size, &info, sizeof info);
}

int tms_blastp_score(const tms_blastp *search, uint8_t query, uint8_t subject)
{
    return query < RESIDUE_CODES && subject < RESIDUE_CODES ? search->setup.scores[RESIDUE_CODES * query + subject] : SCORE_NONE;
}

void tms_blastp_get_stats_sized(const tms_blastp *search, tms_search_stats *out, size_t out_size)
{
    const struct search_counts *c = &search->counts;
    tms_search_stats stats = {.n_queries = search->n_queries,
                              .query_residues = search->query_residues,
                              .n_subjects = c->n_subjects,
                              .subject_residues = c->subject_residues,
                              .n_words = c->n_words,
                              .n_hits = c->n_hits,
                              .n_extensions = c->n_extensions,
                              .n_ungapped = c->n_ungapped,
                              .n_gapped = c->n_gapped,
                              .n_left = c->n_left,
                              .n_preliminary = c->n_preliminary,
                              .n_realigned = c->n_realigned,
                              .n_hsps = search->n_hsps,
                              .expected_hits = c->expected_hits,
                              .expected_extensions = c->expected_extensions,
                              .expected_ungapped = c->expected_ungapped,
                              .expected_hsps = search->setup.params.evalue * (double)search->n_queries,
                              .seconds_setup = c->seconds_setup,
                              .seconds_scan = c->seconds_scan,
                              .seconds_gapped = c->seconds_gapped,
                              .seconds_align = c->seconds_align};

    struct_out(out, out_size, &stats, sizeof stats);
}

/* --- results --- */

struct totals {
    size_t n_subjects, n_hsps, n_runs;
};

static struct totals count(const struct hit_list *hits, size_t n)
{
    struct totals t = {0};

    for (size_t q = 0; q < n; q++) {
        t.n_subjects += hits[q].n;
        for (size_t i = 0; i < hits[q].n; i++) {
            const struct hsp_list *list = &hits[q].items[i].hsps;
            t.n_hsps += list->n;
            for (size_t k = 0; k < list->n; k++)
                t.n_runs += list->items[k].script.n;
        }
    }
    return t;
}

static tms_interval interval(int first, int end) { return (tms_interval){(uint64_t)first, (uint64_t)end}; }

/* Copies an HSP to *to, and its runs to *runs. Returns where the next runs go. */
static tms_aligned_run *copy_hsp(const struct search_query *query, const struct hsp *h, tms_search_hsp *to, tms_aligned_run *runs)
{
    *to = (tms_search_hsp){.query = interval(h->query, h->query_end),
                           .subject = interval(h->subject, h->subject_end),
                           .score = h->score,
                           .method = (uint32_t)h->method,
                           .evalue = h->evalue,
                           .bits = bit_score(&query->statistics, h->score),
                           .runs = runs,
                           .n_runs = h->script.n};
    for (size_t i = 0; i < h->script.n; i++)
        *runs++ = (tms_aligned_run){(uint32_t)h->script.runs[i].operation, (uint32_t)h->script.runs[i].n};
    return runs;
}

static void describe_query(const struct search_setup *setup, const struct search_query *query, const struct intervals *masked,
                           tms_search_result *out)
{
    const struct search_database *db = &setup->database;

    *out = (tms_search_result){.codes = query->original,
                               .query_length = (uint64_t)query->length,
                               .masked = masked->items,
                               .n_masked = masked->n,
                               .is_valid = query->is_valid,
                               .lambda = -1,
                               .K = -1,
                               .H = -1};
    if (!query->is_valid)
        return;
    out->lambda = query->karlin.lambda;
    out->K = query->karlin.K;
    out->H = query->karlin.H;
    out->length_adjustment = length_adjustment(&query->statistics, query->length, db->n_residues, db->n_sequences);
    out->search_space = setup->params.search_space > 0 ? setup->params.search_space
                        : db->n_residues == 0
                            ? 0
                            : effective_search_space(query->length, db->n_residues, db->n_sequences, out->length_adjustment);
}

static void mark_batches(const struct search_queries *queries, tms_search_result *items)
{
    for (size_t b = 0; b < queries->n_batches; b++) {
        size_t first = queries->batch_starts[b], end = queries->batch_starts[b + 1];
        uint64_t any = 0;
        for (size_t q = first; q < end; q++)
            any |= items[q].is_valid;
        for (size_t q = first; q < end; q++)
            items[q].batch_is_valid = any;
    }
}

static tms_status fill(tms_blastp *search, const struct hit_list *hits, tms_search_results *r)
{
    struct totals t = count(hits, r->n);
    tms_search_subject *subject;
    tms_search_hsp *hsp;
    tms_aligned_run *run;

    r->items = calloc(r->n + 1, sizeof *r->items);
    subject = r->subjects = calloc(t.n_subjects + 1, sizeof *r->subjects);
    hsp = r->hsps = calloc(t.n_hsps + 1, sizeof *r->hsps);
    run = r->runs = calloc(t.n_runs + 1, sizeof *r->runs);
    if (r->items == NULL || subject == NULL || hsp == NULL || run == NULL)
        return context_fail_memory(search->ctx, "results", t.n_hsps * sizeof *hsp + t.n_runs * sizeof *run);
    for (size_t q = 0; q < r->n; q++) {
        describe_query(&search->setup, &r->queries.whole[q], &r->queries.masked[q], &r->items[q]);
        r->items[q].subjects = subject;
        r->items[q].n_subjects = hits[q].n;
        r->items[q].is_cut = hits[q].is_cut;
        for (size_t i = 0; i < hits[q].n; i++, subject++) {
            const struct subject_hits *from = &hits[q].items[i];
            *subject = (tms_search_subject){from->oid, hsp, from->hsps.n};
            for (size_t k = 0; k < from->hsps.n; k++)
                run = copy_hsp(&r->queries.whole[q], &from->hsps.items[k], hsp++, run);
        }
    }
    mark_batches(&r->queries, r->items);
    search->n_hsps += t.n_hsps;
    return TMS_OK;
}

/* As composition_align.c found out. */
static tms_status fail_smith_waterman(tms_blastp *search)
{
    if (search->setup.params.matrix->ratios == NULL)
        return context_fail(search->ctx, TMS_E_ARG, "alignments by Smith-Waterman need a matrix with frequencies: %s has none",
                            search->setup.params.matrix->name);
    return context_fail(
        search->ctx, TMS_E_ARG,
        "by Smith-Waterman there is no end of alignments, as even a score of 0 is significant: the E-value has to be lower, or "
        "the search space larger");
}

/* What a search that failed has counted is not kept: it may be made again. */
static tms_status search_and_fill(tms_blastp *search, tms_search_results *r)
{
    const struct search_counts before = search->counts;
    struct hit_list *hits = calloc(r->n + 1, sizeof *hits);
    tms_status status;

    if (hits == NULL)
        return context_fail_memory(search->ctx, "lists of hits", r->n * sizeof *hits);
    status = search_run(search->ctx, &search->setup, &search->subjects, &r->queries, hits, &search->counts);
    if (status == TMS_E_ARG && search->setup.params.smith_waterman)
        status = fail_smith_waterman(search);
    if (status == TMS_OK)
        status = fill(search, hits, r);
    if (status != TMS_OK)
        search->counts = before;
    for (size_t i = 0; i < r->n; i++)
        hit_list_free(&hits[i]);
    free(hits);
    return status;
}

tms_status tms_blastp_search(tms_blastp *search, const tms_seqs *queries, tms_search_results **out)
{
    tms_search_results *r = calloc(1, sizeof *r);
    tms_status status;

    *out = NULL;
    if (r == NULL)
        return context_fail_memory(search->ctx, "results", sizeof *r);
    r->n = queries->n_records;
    status = search_queries_init(search->ctx, &search->setup, &search->masking, queries, search->batch_residues, &r->queries);
    if (status == TMS_OK)
        status = search_and_fill(search, r);
    if (status != TMS_OK) {
        tms_search_results_destroy(r);
        return status;
    }
    search->n_queries += r->n;
    for (size_t i = 0; i < r->n; i++)
        search->query_residues += (uint64_t)r->queries.whole[i].length;
    *out = r;
    return TMS_OK;
}

void tms_search_results_destroy(tms_search_results *r)
{
    if (r == NULL)
        return;
    search_queries_free(&r->queries);
    free(r->items);
    free(r->subjects);
    free(r->hsps);
    free(r->runs);
    free(r);
}

void tms_search_results_get_sized(const tms_search_results *r, size_t i, tms_search_result *out, size_t out_size)
{
    struct_out(out, out_size, &r->items[i], sizeof r->items[i]);
}
