/*
 * search.c - two rounds of tasks. In the first a task is some queries and a piece of the database; in the second some subjects of a
 * query that were kept.
 *
 * What is kept is chosen under total orders, so it is the same for any pieces and threads. There is one exception: a subject without a
 * single amino acid is aligned with the matrix of the subject before it, which may be another query's of the same batch. Such a one waits
 * for a third round.
 *
 * What a filter of hits keeps depends on the order in which subjects come: in the first round tasks wait for their turn to offer theirs.
 */
#include "search/search.h"

#include <math.h>
#include <stdlib.h>

#include "blastp/sw_early_stop.h"
#include "hits/hit_limits.h"
#include "search/gpu_schedule.h"
#include "search/gpu_start.h"
#include "search/search_align.h"
#include "search/search_groups.h"
#include "search/search_scan.h"
#include "seqdb/seqdb_masks.h"

enum { PIECES_A_THREAD = 8, RESIDUES_A_PIECE = 1 << 18 };

static tms_status scan_database(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    double begun = clock_seconds();
    tms_status status = search_share_groups(s);

    if (status == TMS_OK)
        status = tms_context_run(ctx, s->n_cpu_packs, search_build_cpu_groups, s);
    counts->seconds_setup += clock_seconds() - begun;
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        status = tms_context_run(ctx, (size_t)s->n_pieces * s->n_cpu_packs, search_scan_task, s);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK && s->n_cpu_packs < s->n_packs)
        status = gpu_schedule_run(ctx, s, counts);
    return status;
}

static tms_status prepare_redos(struct search_state *s, size_t n_threads, tms_simd simd)
{
    tms_status status = TMS_OK;

    s->redos = calloc(n_threads, sizeof *s->redos);
    s->redo_queries = calloc(s->all->n + 1, sizeof *s->redo_queries);
    if (s->redos == NULL || s->redo_queries == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_threads && status == TMS_OK; i++)
        status = composition_aligner_init(s->setup, simd, &s->redos[i]);
    for (size_t i = 0; i < s->all->n && status == TMS_OK; i++)
        if (s->all->whole[i].is_valid)
            status = composition_query_init(&s->all->whole[i], &s->redo_queries[i]);
    return status;
}

static tms_status prepare_filters(struct search_state *s)
{
    tms_status status = TMS_OK;

    s->filters = calloc(s->n_queries + 1, sizeof *s->filters);
    if (s->filters == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < s->n_queries && status == TMS_OK; i++)
        status = hit_filter_init_preliminary(&s->setup->params.limits.filter, s->queries[i].length, &s->filters[i]);
    return status;
}

static tms_status prepare(tms_context *ctx, struct search_state *s)
{
    size_t n_threads = (size_t)tms_context_threads(ctx);
    tms_status status = TMS_OK;

    s->workers = calloc(n_threads, sizeof *s->workers);
    s->found = calloc(s->n_queries + 1, sizeof *s->found);
    if (s->workers == NULL || s->found == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_threads; i++)
        s->workers[i].gapped.simd = tms_context_simd(ctx);
    for (size_t i = 0; i < s->n_queries; i++)
        s->found[i].max_hits = s->setup->n_preliminary;
    for (size_t i = 0; i < s->all->n; i++)
        s->hits[i].max_hits = s->setup->n_preliminary;
    if (blastp_needs_redo(&s->setup->params))
        status = prepare_redos(s, n_threads, tms_context_simd(ctx));
    if (status == TMS_OK && hit_filter_is_wanted(&s->setup->params.limits.filter))
        status = prepare_filters(s);
    return status == TMS_OK ? search_cut_groups(s, tms_context_simd(ctx)) : status;
}

static void add_counts(struct search_counts *to, const struct search_scratch *w)
{
    const struct search_counts *c = &w->counts;

    to->n_subjects += c->n_subjects;
    to->subject_residues += c->subject_residues;
    to->n_hits += w->found.n_hits;
    to->n_extensions += w->found.n_extensions;
    to->n_ungapped += c->n_ungapped;
    to->n_gapped += c->n_gapped;
    to->n_left += c->n_left;
    to->n_preliminary += c->n_preliminary;
    to->n_realigned += c->n_realigned;
    to->seconds_scan += c->seconds_scan;
    to->seconds_gapped += c->seconds_gapped;
    to->seconds_align += c->seconds_align;
}

/*
 * What random subjects with the background's composition would give. A second hit within the window is as probable as a first one
 * anywhere; and an ungapped extension that is kept is an HSP of [Karlin & Altschul 1990], though two hits do not find all of these.
 */
static void add_expected(const struct search_state *s, const struct query_group *pack, struct search_counts *counts)
{
    const struct search_params *p = &s->setup->params;
    const double hits = pack->expected_hits;
    double positions, near;
    tms_seqdb_info info;

    tms_seqdb_get_info(s->subjects->db, &info);
    positions = (double)info.n_residues - (double)info.n_sequences * (p->word_size - 1);
    near = pack->n_positions > 0 ? hits / pack->n_positions * (p->window - p->word_size) : 0; /* on the same diagonal */
    counts->expected_hits += hits * positions;
    counts->expected_extensions += hits * positions * (p->window > 0 ? -expm1(-near) : 1);
    for (size_t i = 0; i < pack->queries.n; i++) {
        const struct search_query *q = &s->queries[pack->numbers[i]];
        counts->expected_ungapped += q->karlin.K * q->length * (double)info.n_residues * exp(-q->karlin.lambda * q->cutoff_ungapped);
    }
}

static void clean(struct search_state *s, int n_threads, struct search_counts *counts)
{
    for (int i = 0; i < n_threads && s->workers != NULL; i++) {
        add_counts(counts, &s->workers[i]);
        search_scratch_free(&s->workers[i]);
    }
    for (int i = 0; i < n_threads && s->redos != NULL; i++)
        composition_aligner_free(&s->redos[i]);
    for (size_t i = 0; i < s->all->n && s->redo_queries != NULL; i++)
        composition_query_free(&s->redo_queries[i]);
    for (size_t i = 0; i < s->n_queries && s->found != NULL; i++)
        hit_list_free(&s->found[i]);
    for (size_t i = 0; i < s->n_queries && s->filters != NULL; i++)
        hit_filter_free(&s->filters[i]);
    free(s->filters);
    free(s->workers);
    free(s->redos);
    free(s->redo_queries);
    free(s->found);
    free(s->tasks);
    for (size_t i = 0; i < s->n_packs; i++) {
        counts->n_words += s->packs[i].n_words;
        add_expected(s, &s->packs[i], counts);
        query_group_free(&s->packs[i]);
    }
    free(s->packs);
    free(s->cpu_packs);
}

static tms_status run_rounds(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    double begun = clock_seconds();
    tms_status status = tms_context_run(ctx, s->n_packs, search_build_groups, s);

    counts->seconds_setup += clock_seconds() - begun;
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        status = search_open_gpu(ctx, s);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        status = scan_database(ctx, s, counts);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        status = search_gather(s, s->n_queries);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        status = tms_context_run(ctx, s->n_tasks - s->n_aligned, search_align_round, s);
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK)
        search_align_last(s);
    return status == TMS_OK ? (tms_status)atomic_load(&s->status) : status;
}

static tms_status fail(tms_context *ctx, const struct search_state *s, tms_status status)
{
    uint64_t n, i = atomic_load(&s->damaged);
    const char *path;

    if (s->message_is_set)
        return status;
    if (status == TMS_E_MEMORY)
        return context_fail(ctx, status, "out of memory for a search");
    if (status != TMS_E_FORMAT)
        return status;
    if (i == UINT64_MAX) {
        i = atomic_load(&s->badly_masked);
        return context_fail(ctx, status, "%s: the masks of sequence %llu end beyond it, or beyond the file: it is damaged",
                            seqdb_masks_path(s->subjects->masks, i), (unsigned long long)tms_seqdb_oid(s->subjects->db, i));
    }
    path = tms_seqdb_path_at(s->subjects->db, tms_seqdb_protein(s->subjects->db, i, &n));
    return context_fail(ctx, status, "%s%s: sequence %llu has a byte that is no residue, or too many of them: the file is damaged",
                        path != NULL ? path : "the database", path != NULL ? ".psq" : "",
                        (unsigned long long)tms_seqdb_oid(s->subjects->db, i));
}

tms_status search_run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                      const struct search_queries *queries, struct hit_list *hits, struct search_counts *counts)
{
    struct search_state s = {
        .setup = setup, .subjects = subjects, .all = queries, .queries = queries->searched, .n_queries = queries->n_pieces, .hits = hits};
    tms_seqdb_info info;
    tms_status status;

    tms_seqdb_get_info(subjects->db, &info);
    s.n_pieces = info.n_residues / RESIDUES_A_PIECE + (uint64_t)tms_context_threads(ctx) * PIECES_A_THREAD;
    atomic_init(&s.status, TMS_OK);
    atomic_init(&s.damaged, UINT64_MAX);
    atomic_init(&s.badly_masked, UINT64_MAX);
    pthread_mutex_init(&s.lock, NULL);
    status = prepare(ctx, &s);
    if (status == TMS_OK)
        status = run_rounds(ctx, &s, counts);
    pthread_mutex_destroy(&s.lock);
    for (size_t b = 0; b < queries->n_batches && status == TMS_OK && setup->params.smith_waterman; b++)
        status = sw_early_stop(hits + queries->batch_starts[b], queries->batch_starts[b + 1] - queries->batch_starts[b],
                               setup->params.limits.max_subjects, setup->params.composition == COMPOSITION_OFF);
    for (size_t i = 0; i < queries->n && status == TMS_OK; i++)
        status = hit_limits_apply(&setup->params.limits, queries->whole[i].length, &hits[i]);
    clean(&s, tms_context_threads(ctx), counts);
    return status == TMS_OK ? TMS_OK : fail(ctx, &s, status);
}
