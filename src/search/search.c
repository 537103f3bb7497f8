/*
 * search.c - a task of the scan is some queries and a range of the database; a task of the alignment is some subjects of a query.
 *
 * The engine chooses what it keeps under total orders, so the results do not depend on ranges or threads. There are two exceptions. The
 * results of a hit filter depend on the order of subjects, so tasks of the scan take turns to offer theirs. And a program may have subjects
 * whose alignment depends on another subject's; these wait for align_last().
 */
#include "search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hits/hit_limits.h"
#include "search/gpu_schedule.h"
#include "search/gpu_start.h"
#include "search/search_align.h"
#include "search/search_groups.h"
#include "search/search_program.h"
#include "search/search_scan.h"
#include "seqdb/seqdb_masks.h"

enum { RANGES_A_THREAD = 8, RESIDUES_A_RANGE = 1 << 18 };

/* --- begin and end --- */

static tms_status begin(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                        const struct search_queries *queries, struct search_state *s)
{
    size_t n_threads = (size_t)tms_context_threads(ctx);

    memset(s, 0, sizeof *s);
    s->setup = setup;
    s->subjects = subjects;
    s->all = queries;
    s->queries = queries->searched;
    s->n_queries = queries->n_chunks;
    s->simd = tms_context_simd(ctx);
    atomic_init(&s->status, TMS_OK);
    atomic_init(&s->damaged, UINT64_MAX);
    atomic_init(&s->badly_masked, UINT64_MAX);
    pthread_mutex_init(&s->lock, NULL);
    shared_tasks_init(&s->shared);
    s->scratch = calloc(n_threads, sizeof *s->scratch);
    for (size_t i = 0; i < n_threads && s->scratch != NULL; i++)
        s->scratch[i].gapped.simd = s->simd;
    return s->scratch != NULL ? TMS_OK : TMS_E_MEMORY;
}

static void add_counts(struct search_counts *to, const struct search_scratch *w)
{
    const struct search_counts *c = &w->counts;

    to->n_subjects += c->n_subjects;
    to->subject_residues += c->subject_residues;
    to->n_looked_up += c->n_looked_up;
    to->n_present += c->n_present;
    to->seconds_sieved += c->seconds_sieved;
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
    clock_sample_add(&c->taking, &to->taking);
    clock_sample_add(&c->extending, &to->extending);
}

/*
 * Adds the numbers expected for random subjects with the background's composition. A second hit within the window is as probable as a first
 * one anywhere. An ungapped extension that is kept is an HSP of [Karlin & Altschul 1990], although the two-hit rule does not find all such
 * HSPs.
 */
static void add_expected(const struct search_state *s, const struct search_extent *extent, const struct query_group *group,
                         struct search_counts *counts)
{
    const struct search_setup *setup = s->setup;
    const double hits = group->expected_hits;
    double positions, near;

    positions = (double)extent->n_residues - (double)extent->n_sequences * (setup->word_size - 1);
    near = group->n_positions > 0 ? hits / group->n_positions * (setup->window - setup->word_size) : 0; /* same diagonal */
    counts->expected_hits += hits * positions;
    counts->expected_extensions += hits * positions * (setup->window > 0 ? -expm1(-near) : 1);
    for (size_t i = 0; i < group->n_placed; i++) {
        const struct search_query *q = placed_query_of(s, &group->placed[i]);
        counts->expected_ungapped += q->karlin.K * q->length * (double)extent->n_residues * exp(-q->karlin.lambda * q->cutoff_ungapped);
    }
}

static tms_status fail(tms_context *ctx, const struct search_state *s, tms_status status)
{
    const bool is_of_bases = s->setup->program->has_strands || s->setup->translates_subjects;
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
    path = tms_seqdb_path_at(s->subjects->db,
                             is_of_bases ? tms_seqdb_packed(s->subjects->db, i, &n) : tms_seqdb_protein(s->subjects->db, i, &n));
    return context_fail(ctx, status, "%s%s: sequence %llu has %s, or too many of them: the file is damaged",
                        path != NULL ? path : "the database",
                        path == NULL  ? ""
                        : is_of_bases ? ".nsq"
                                      : ".psq",
                        (unsigned long long)tms_seqdb_oid(s->subjects->db, i),
                        is_of_bases ? "ambiguous bases at impossible positions" : "a byte that is no residue");
}

/* Frees what only the scan needs, so that the alignment finds the memory, and counts its words. Later calls do nothing. */
static void end_scan(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    const struct search_extent extent = search_subjects_extent(s->subjects);
    const int n_threads = tms_context_threads(ctx);

    for (size_t i = 0; i < s->n_groups; i++) {
        counts->n_words += s->groups[i].n_words;
        add_expected(s, &extent, &s->groups[i], counts);
        query_group_free(s->setup, &s->groups[i]);
    }
    s->n_groups = 0;
    for (int i = 0; i < n_threads && s->scratch != NULL && s->setup->program->free_scratch != NULL; i++) {
        s->setup->program->free_scratch(s->scratch[i].own);
        s->scratch[i].own = NULL;
    }
}

/* Frees the state, adds its counts to `counts`, and returns the status with a message. */
static tms_status end(tms_context *ctx, struct search_state *s, struct search_counts *counts, tms_status status)
{
    const int n_threads = tms_context_threads(ctx);

    end_scan(ctx, s, counts);
    for (int i = 0; i < n_threads && s->scratch != NULL; i++) {
        add_counts(counts, &s->scratch[i]);
        search_scratch_free(&s->scratch[i]);
    }
    for (size_t i = 0; i < s->n_queries && s->filters != NULL; i++)
        hit_filter_free(&s->filters[i]);
    for (size_t i = 0; i < s->n_tasks; i++) {
        free(s->tasks[i].left);
        if (s->tasks[i].prepared != NULL)
            s->setup->program->free_prepared(s->tasks[i].prepared);
    }
    free(s->scratch);
    free(s->filters);
    free(s->groups);
    free(s->cpu_groups);
    free(s->tasks);
    free(s->n_unaligned);
    free(s->is_ended);
    pthread_mutex_destroy(&s->lock);
    shared_tasks_destroy(&s->shared);
    return status == TMS_OK ? TMS_OK : fail(ctx, s, status);
}

/* Returns a stage's own status, or that of one of its tasks. */
static tms_status status_of(const struct search_state *s, tms_status status)
{
    return status == TMS_OK ? (tms_status)atomic_load(&s->status) : status;
}

/* Tasks of a stage; those after the first n only help with these. */
struct stage {
    struct search_state *s;
    size_t n;
    void (*work)(void *state, size_t task, int thread);
    size_t seconds_at; /* offset in search_counts of the stage's seconds; 0: they are counted as a whole */
    bool is_shared;    /* tasks may offer tables of a group, parts of one, or frames of a subject */
};

static void run_task(void *arg, size_t task, int thread)
{
    const struct stage *stage = arg;
    struct search_state *s = stage->s;
    double seconds;

    if (task < stage->n) {
        stage->work(s, task, thread);
        shared_tasks_end_one(&s->shared);
        return;
    }
    seconds = shared_tasks_help(&s->shared, thread);
    if (stage->seconds_at > 0)
        *(double *)(void *)((char *)&s->scratch[thread].counts + stage->seconds_at) += seconds;
}

/* Runs the tasks of a stage, with helpers if there are tasks to help with: as many as other threads. */
static tms_status run_stage(tms_context *ctx, struct stage stage)
{
    struct search_state *s = stage.s;
    const bool is_helped = s->setup->program->has_strands || stage.is_shared;
    const size_t n_helpers = stage.n > 0 && is_helped ? (size_t)tms_context_threads(ctx) - 1 : 0;

    if (n_helpers == 0)
        return status_of(s, tms_context_run(ctx, stage.n, stage.work, s));
    shared_tasks_begin(&s->shared, stage.n);
    return status_of(s, tms_context_run(ctx, stage.n + n_helpers, run_task, &stage));
}

/* --- the scan --- */

/* Makes the filters of preliminary HSPs, if the search has any. */
static tms_status prepare_filters(struct search_state *s)
{
    tms_status status = TMS_OK;
    int lengths[FRAMES];

    if (!hit_filter_is_wanted(&s->setup->limits.filter))
        return TMS_OK;
    s->filters = calloc(s->n_queries + 1, sizeof *s->filters);
    if (s->filters == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < s->n_queries && status == TMS_OK; i++)
        status = hit_filter_init_preliminary(&s->setup->limits.filter, search_hit_query(&s->queries[i], lengths),
                                             s->setup->limits.max_aligned, &s->filters[i]);
    return status;
}

static tms_status build_groups(tms_context *ctx, struct search_state *s)
{
    tms_status status = search_cut_groups(s, tms_context_threads(ctx));

    if (status == TMS_OK)
        status = run_stage(ctx, (struct stage){.s = s, .n = s->n_groups, .work = search_build_group, .is_shared = true});
    return status;
}

/* Scans the groups of the CPU. The ranges of a part end where the part ends. */
static tms_status scan_ranges(tms_context *ctx, struct search_state *s)
{
    const struct search_part part = s->subjects->part;
    const bool shares_frames = s->setup->translates_subjects;
    tms_seqdb_info info;

    tms_seqdb_get_info(s->subjects->db, &info);
    s->n_ranges = info.n_residues / part.n_parts / RESIDUES_A_RANGE + (uint64_t)tms_context_threads(ctx) * RANGES_A_THREAD;
    s->first_range = part.part * s->n_ranges;
    s->n_all_ranges = part.n_parts * s->n_ranges;
    return run_stage(
        ctx, (struct stage){s, (size_t)s->n_ranges * s->n_cpu_groups, search_scan_task,
                            shares_frames ? offsetof(struct search_counts, seconds_scan) : offsetof(struct search_counts, seconds_gapped),
                            shares_frames});
}

static tms_status sieve_groups(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    const double begun = clock_seconds();
    const tms_status status = s->setup->program->sieve_groups(ctx, s, counts);

    counts->seconds_scan += clock_seconds() - begun;
    s->message_is_set = status != TMS_OK;
    return status;
}

static tms_status scan(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    double begun = clock_seconds(), opened;
    tms_status status;

    for (size_t i = 0; i < s->n_queries; i++)
        s->found[i] = (struct hit_list){.max_hits = search_found_limit(s->setup), .is_mixed = search_is_mixed(s->setup)};
    status = build_groups(ctx, s);
    counts->seconds_setup += clock_seconds() - begun;
    if (status == TMS_OK)
        status = status_of(s, search_open_gpu(ctx, s));
    opened = clock_seconds();
    if (status == TMS_OK)
        status = search_share_groups(s);
    if (status == TMS_OK)
        status = status_of(s, tms_context_run(ctx, s->n_cpu_groups, search_build_cpu_group, s));
    counts->seconds_setup += clock_seconds() - opened;
    if (status == TMS_OK && s->setup->program->sieve_groups != NULL)
        status = sieve_groups(ctx, s, counts);
    if (status == TMS_OK)
        status = scan_ranges(ctx, s);
    if (status == TMS_OK && s->n_cpu_groups < s->n_groups)
        status = status_of(s, gpu_schedule_run(ctx, s, counts));
    return status;
}

tms_status search_scan(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                       const struct search_queries *queries, struct hit_list *found, struct search_counts *counts)
{
    struct search_state s;
    tms_status status = begin(ctx, setup, subjects, queries, &s);

    s.found = found;
    if (status == TMS_OK)
        status = scan(ctx, &s, counts);
    return end(ctx, &s, counts, status);
}

/* --- the alignment --- */

static tms_status begin_alignment(tms_context *ctx, struct search_state *s, const struct search_hits *hits)
{
    s->hits = hits->lists;
    s->taker = hits;
    s->n_unaligned = calloc(s->all->n + 1, sizeof *s->n_unaligned);
    s->is_ended = calloc(s->all->n + 1, sizeof *s->is_ended);
    if (s->n_unaligned == NULL || s->is_ended == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < s->all->n; i++)
        s->hits[i].max_hits = s->setup->n_preliminary;
    return s->setup->program->begin_alignment(s, (size_t)tms_context_threads(ctx));
}

static tms_status align(tms_context *ctx, struct search_state *s)
{
    tms_status status = search_gather(s, s->n_queries);

    if (status == TMS_OK)
        status = run_stage(
            ctx, (struct stage){s, s->n_tasks - s->n_aligned, search_align_task, offsetof(struct search_counts, seconds_align), false});
    if (status == TMS_OK && s->setup->program->align_last != NULL)
        s->setup->program->align_last(s);
    return status_of(s, status);
}

static void end_query(void *arg, size_t query, int thread)
{
    struct search_state *s = arg;

    (void)thread;
    if (!s->is_ended[query])
        search_end_query(s, query);
}

/* Ends the queries without tasks, and those with tasks that have waited for align_last(). */
static tms_status end_queries(tms_context *ctx, struct search_state *s)
{
    return status_of(s, tms_context_run(ctx, s->all->n, end_query, s));
}

/* Offers the subjects to the filters in the order of the database, as tasks of a scan do. */
static tms_status filter_found(struct search_state *s)
{
    tms_status status = prepare_filters(s);

    for (size_t i = 0; i < s->n_queries && s->filters != NULL && status == TMS_OK; i++) {
        hit_list_sort_oids(&s->found[i]);
        status = hit_filter_offer(&s->filters[i], &s->found[i]);
    }
    return status;
}

tms_status search_align_found(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                              const struct search_queries *queries, struct hit_list *found, const struct search_hits *hits,
                              struct search_counts *counts)
{
    struct search_state s;
    tms_status status = begin(ctx, setup, subjects, queries, &s);

    s.found = found;
    if (status == TMS_OK)
        status = begin_alignment(ctx, &s, hits);
    if (status == TMS_OK)
        status = filter_found(&s);
    if (status == TMS_OK)
        status = align(ctx, &s);
    setup->program->end_alignment(&s, (size_t)tms_context_threads(ctx));
    if (status == TMS_OK)
        status = end_queries(ctx, &s);
    return end(ctx, &s, counts, status);
}

/* --- scan and alignment --- */

tms_status search_run(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                      const struct search_queries *queries, const struct search_hits *hits, struct search_counts *counts)
{
    struct search_state s;
    tms_status status = begin(ctx, setup, subjects, queries, &s);

    s.found = calloc(queries->n_chunks + 1, sizeof *s.found);
    if (s.found == NULL)
        status = TMS_E_MEMORY;
    if (status == TMS_OK)
        status = begin_alignment(ctx, &s, hits);
    if (status == TMS_OK)
        status = prepare_filters(&s);
    if (status == TMS_OK)
        status = scan(ctx, &s, counts);
    if (status == TMS_OK)
        end_scan(ctx, &s, counts);
    if (status == TMS_OK)
        status = align(ctx, &s);
    setup->program->end_alignment(&s, (size_t)tms_context_threads(ctx));
    if (status == TMS_OK)
        status = end_queries(ctx, &s);
    for (size_t i = 0; i < queries->n_chunks && s.found != NULL; i++)
        hit_list_free(&s.found[i]);
    free(s.found);
    return end(ctx, &s, counts, status);
}
