/* search_results.c - see search_results.h. */
#include "search/search_results.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/extensible.h"
#include "run/context.h"
#include "search/search_program.h"

STRUCT_ENDS_WITH(tms_search_result, frames);
STRUCT_ENDS_WITH(tms_search_stats, seconds_sieve);

/* Queries whose lists become results. */
struct conversion {
    const struct search_setup *setup;
    const struct search_subjects *subjects;
    struct search_hits hits;
    tms_search_results *results;
    atomic_size_t n_lacking; /* bytes that there was no memory for; 0: none */
    atomic_size_t n_hsps;    /* of all queries so far */
};

static tms_interval interval(int first, int end) { return (tms_interval){(uint64_t)first, (uint64_t)end}; }

/* Sets the bases of an HSP of a frame. */
static void set_frame(const struct search_query *query, const struct hsp *h, tms_search_hsp *to)
{
    const int first = 3 * h->query + frame_start(h->context), end = 3 * h->query_end + frame_start(h->context);

    to->query_frame = frame_name(h->context);
    to->query = to->query_frame > 0 ? interval(first, end) : interval(query->length - end, query->length - first);
}

/* The same of a frame of a subject of n bases. */
static void set_subject_frame(uint64_t n, const struct hsp *h, tms_search_hsp *to)
{
    const int64_t first = 3 * (int64_t)h->subject + frame_start(h->subject_frame), end = first + 3 * (int64_t)(h->subject_end - h->subject);

    to->subject_frame = frame_name(h->subject_frame);
    to->subject = to->subject_frame > 0 ? (tms_interval){(uint64_t)first, (uint64_t)end}
                                        : (tms_interval){n - (uint64_t)end, n - (uint64_t)first};
}

/*
 * Copies an HSP to *to, and its runs to *runs. Returns the end of these runs. The engine aligns the minus strand of a query with the plus
 * strand of a subject, and results have them the other way round.
 *   n_bases [in] of a translated subject; 0: it is not translated
 */
static tms_aligned_run *copy_hsp(const struct search_query *query, uint64_t n_bases, const struct hsp *h, tms_search_hsp *to,
                                 tms_aligned_run *runs)
{
    const struct search_query *strand = search_query_strand(query, h->context);
    const bool is_reversed = query->frames == NULL && h->context != 0;
    const size_t n = h->script.n;

    *to = (tms_search_hsp){.query = interval(h->query, h->query_end),
                           .subject = interval(h->subject, h->subject_end),
                           .score = h->score,
                           .method = (uint32_t)h->method,
                           .evalue = h->evalue,
                           .bits = bit_score(&strand->statistics, h->score),
                           .runs = runs,
                           .n_runs = h->script.n,
                           .n_linked = (uint64_t)h->n_linked};
    if (query->frames != NULL)
        set_frame(query, h, to);
    if (n_bases > 0)
        set_subject_frame(n_bases, h, to);
    if (query->minus != NULL)
        to->query_frame = to->subject_frame = 1;
    if (is_reversed) {
        to->query = interval(query->length - h->query_end, query->length - h->query);
        to->subject_frame = -1;
    }
    for (size_t i = 0; i < n; i++) {
        const struct gapped_run *run = &h->script.runs[is_reversed ? n - 1 - i : i];
        *runs++ = (tms_aligned_run){(uint32_t)run->operation, (uint32_t)run->n};
    }
    return runs;
}

/* out [in,out] batch_is_valid is set */
static void describe_query(const struct search_setup *setup, const struct search_query *query, const struct intervals *masked,
                           tms_search_result *out)
{
    const struct search_database *db = &setup->database;

    *out = (tms_search_result){.batch_is_valid = out->batch_is_valid,
                               .codes = query->original,
                               .query_length = (uint64_t)query->length,
                               .masked = masked->items,
                               .n_masked = masked->n,
                               .is_valid = query->is_valid,
                               .lambda = -1,
                               .K = -1,
                               .H = -1};
    if (!query->is_valid)
        return;
    if (query->is_left_out)
        query = query->minus;
    for (int i = 0; i < FRAMES && query->frames != NULL; i++)
        if (query->frames[i].is_valid) {
            query = &query->frames[i];
            break;
        }
    out->lambda = query->karlin.lambda;
    out->K = query->karlin.K;
    out->H = query->karlin.H;
    out->length_adjustment = length_adjustment(&query->statistics, query->length, db->n_residues, db->n_sequences);
    out->search_space = setup->search_space > 0 ? setup->search_space
                        : db->n_residues == 0 && db->n_letters == 0
                            ? 0
                            : effective_search_space(query->length, db->n_residues, db->n_sequences, out->length_adjustment);
}

/* Describes the frames of a query. */
static void describe_frames(const struct search_query *query, tms_search_frame *frames)
{
    for (int i = 0; i < FRAMES; i++) {
        const struct search_query *frame = &query->frames[i];
        frames[i] = (tms_search_frame){frame->original, (uint64_t)frame->length, frame->frame_masked.items, frame->frame_masked.n};
    }
}

static void mark_batches(const struct search_queries *queries, tms_search_result *items)
{
    for (size_t b = 0; b < queries->n_batches; b++) {
        size_t first = queries->batch_starts[b], end = queries->batch_starts[b + 1];
        uint64_t any = 0;
        for (size_t q = first; q < end; q++)
            any |= queries->whole[q].is_valid;
        for (size_t q = first; q < end; q++)
            items[q].batch_is_valid = any;
    }
}

/* Returns the size of a query's subjects, their HSPs and the runs of these, in bytes. */
static size_t size_of(const struct hit_list *hits, size_t *n_hsps)
{
    size_t n_runs = 0;

    *n_hsps = 0;
    for (size_t i = 0; i < hits->n; i++) {
        const struct hsp_list *list = &hits->items[i].hsps;
        *n_hsps += list->n;
        for (size_t k = 0; k < list->n; k++)
            n_runs += list->items[k].script.n;
    }
    return hits->n * sizeof(tms_search_subject) + *n_hsps * sizeof(tms_search_hsp) + n_runs * sizeof(tms_aligned_run);
}

/* Moves the alignments of a list to the result of query q. Each subject is freed as soon as it is copied. */
static void move_alignments(struct conversion *c, size_t q, struct hit_list *hits)
{
    tms_search_results *r = c->results;
    const struct search_query *query = &r->queries.whole[q];
    size_t n_hsps;
    const size_t size = size_of(hits, &n_hsps);
    tms_search_subject *subject = r->alignments[q] = malloc(size);
    tms_search_hsp *hsp;
    tms_aligned_run *run;

    if (subject == NULL) {
        atomic_store(&c->n_lacking, size);
        return;
    }
    atomic_fetch_add(&c->n_hsps, n_hsps);
    r->items[q].subjects = subject;
    r->items[q].n_subjects = hits->n;
    hsp = (tms_search_hsp *)(void *)(subject + hits->n);
    run = (tms_aligned_run *)(void *)(hsp + n_hsps);
    for (size_t i = 0; i < hits->n; i++, subject++) {
        struct subject_hits *from = &hits->items[i];
        const uint64_t n_bases = c->setup->translates_subjects ? tms_seqdb_length(c->subjects->db, from->oid) : 0;
        *subject = (tms_search_subject){from->oid, hsp, from->hsps.n};
        for (size_t k = 0; k < from->hsps.n; k++)
            run = copy_hsp(query, n_bases, &from->hsps.items[k], hsp++, run);
        hsp_list_free(&from->hsps);
    }
}

/* A search_hits.take(): fills the result of a query from its list, which it frees, and tells the caller. */
static void fill_query(void *arg, size_t q)
{
    struct conversion *c = arg;
    tms_search_results *r = c->results;
    const struct search_query *query = &r->queries.whole[q];
    struct hit_list *hits = &c->hits.lists[q];

    describe_query(c->setup, query, &r->queries.masked[q], &r->items[q]);
    if (r->frames != NULL) {
        describe_frames(query, &r->frames[FRAMES * q]);
        r->items[q].frames = &r->frames[FRAMES * q];
    }
    r->items[q].is_cut = hits->is_cut;
    if (hits->n > 0)
        move_alignments(c, q, hits);
    hit_list_free(hits);
    if (r->take != NULL && atomic_load(&c->n_lacking) == 0)
        r->take(r->take_arg, r, q);
}

/* Allocates what does not depend on what is found. */
static tms_status begin_results(tms_context *ctx, const struct search_setup *setup, tms_search_results *r)
{
    const bool translates = setup->program->translates;

    r->n = r->queries.n;
    r->items = calloc(r->n + 1, sizeof *r->items);
    r->alignments = calloc(r->n + 1, sizeof *r->alignments);
    if (translates)
        r->frames = calloc(FRAMES * r->n + 1, sizeof *r->frames);
    if (r->items == NULL || r->alignments == NULL || (translates && r->frames == NULL))
        return context_fail_memory(ctx, "results", r->n * (sizeof *r->items + sizeof *r->alignments));
    mark_batches(&r->queries, r->items);
    return TMS_OK;
}

static tms_status end_results(tms_context *ctx, struct conversion *c)
{
    tms_search_results *r = c->results;

    if (atomic_load(&c->n_lacking) > 0)
        return context_fail_memory(ctx, "results", atomic_load(&c->n_lacking));
    r->n_hsps = atomic_load(&c->n_hsps);
    search_queries_end_search(&r->queries);
    return TMS_OK;
}

/* found: NULL for a search of the whole database. */
static tms_status run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects, tms_search_found *found,
                      tms_search_results *r, struct search_counts *counts)
{
    struct conversion c = {.setup = setup, .subjects = subjects, .results = r, .hits = {.take = fill_query, .arg = &c}};
    tms_status status = begin_results(ctx, setup, r);

    atomic_init(&c.n_lacking, 0);
    atomic_init(&c.n_hsps, 0);
    c.hits.lists = calloc(r->n + 1, sizeof *c.hits.lists);
    if (status == TMS_OK && c.hits.lists == NULL)
        status = context_fail_memory(ctx, "lists of hits", r->n * sizeof *c.hits.lists);
    if (status == TMS_OK && found != NULL)
        status = search_align_found(ctx, setup, subjects, &r->queries, found->lists, &c.hits, counts);
    else if (status == TMS_OK)
        status = search_run(ctx, setup, subjects, &r->queries, &c.hits, counts);
    if (status == TMS_OK)
        status = end_results(ctx, &c);
    for (size_t i = 0; i < r->n && c.hits.lists != NULL; i++)
        hit_list_free(&c.hits.lists[i]);
    free(c.hits.lists);
    return status;
}

tms_status search_results_run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                              tms_search_results *r, struct search_counts *counts)
{
    return run(ctx, setup, subjects, NULL, r, counts);
}

tms_status search_results_align(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                                tms_search_found *found, tms_search_results *r, struct search_counts *counts)
{
    tms_status status = search_found_prepare(ctx, setup, subjects, &r->queries, found);

    return status == TMS_OK ? run(ctx, setup, subjects, found, r, counts) : status;
}

void tms_search_results_destroy(tms_search_results *r)
{
    if (r == NULL)
        return;
    search_queries_free(&r->queries);
    for (size_t q = 0; q < r->n && r->alignments != NULL; q++)
        free(r->alignments[q]);
    free(r->alignments);
    free(r->items);
    free(r->frames);
    free(r);
}

void tms_search_results_drop(tms_search_results *r, size_t i)
{
    free(r->alignments[i]);
    r->alignments[i] = NULL;
    r->items[i].subjects = NULL;
    r->items[i].n_subjects = 0;
}

void tms_search_results_get_sized(const tms_search_results *r, size_t i, tms_search_result *out, size_t out_size)
{
    struct_out(out, out_size, &r->items[i], sizeof r->items[i]);
}

tms_search_stats search_stats_of(const struct search_counts *c)
{
    const double taking = fmin(clock_sample_all(&c->taking, c->n_present) + c->seconds_sieved, c->seconds_scan - c->seconds_sieve),
                 extending = fmin(clock_sample_all(&c->extending, c->n_extensions), taking);

    return (tms_search_stats){.n_subjects = c->n_subjects,
                              .subject_residues = c->subject_residues,
                              .n_words = c->n_words,
                              .n_hits = c->n_hits,
                              .n_extensions = c->n_extensions,
                              .n_ungapped = c->n_ungapped,
                              .n_gapped = c->n_gapped,
                              .n_left = c->n_left,
                              .n_looked_up = c->n_looked_up,
                              .n_present = c->n_present + c->n_present_on_gpu,
                              .n_preliminary = c->n_preliminary,
                              .n_realigned = c->n_realigned,
                              .expected_hits = c->expected_hits,
                              .expected_extensions = c->expected_extensions,
                              .expected_ungapped = c->expected_ungapped,
                              .seconds_setup = c->seconds_setup,
                              .seconds_scan = c->seconds_scan,
                              .seconds_gapped = c->seconds_gapped,
                              .seconds_align = c->seconds_align,
                              .seconds_hits = taking - extending,
                              .seconds_ungapped = extending,
                              .seconds_sieve = c->seconds_sieve};
}
