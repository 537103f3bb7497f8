/* gpu_round.c - see gpu_round.h. */
#include "search/gpu_round.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "search/gapped_stage.h"
#include "search/search_program.h"
#include "search/search_scan.h"
#include "search/subject_residues.h"

enum { HSPS_A_TASK = 512 }; /* HSPs of the GPU that one task finishes */

static const struct search_query *query_of(const struct gpu_round *round, const struct gapped_gpu_hsp *h)
{
    return &round->s->queries[round->group->placed[h->query].query];
}

static struct hit_list empty_list(const struct search_state *s)
{
    return (struct hit_list){.max_hits = search_found_limit(s->setup), .is_mixed = search_is_mixed(s->setup)};
}

/* Copies the ungapped HSPs of a pair that the GPU has left to w->found, in the order in which they are extended. */
static tms_status take_left(const struct gpu_round *round, const struct gapped_gpu_hsp *pair, uint32_t part, struct search_scratch *w)
{
    const struct two_hit_gpu_hsp *hsps = round->ungapped.hsps + pair->first_left;

    w->found.n = 0;
    w->counts.n_left++;
    if (!array_reserve(&w->found.hsps, &w->found.capacity, pair->n_left, sizeof *w->found.hsps))
        return TMS_E_MEMORY;
    for (size_t k = 0; k < pair->n_left; k++)
        w->found.hsps[w->found.n++] = (struct two_hit_hsp){hsps[k].hsp.hsp, 0, part}; /* in context 0 */
    gapped_stage_sort(w->found.hsps, w->found.n);
    return TMS_OK;
}

/* Extends a pair that the GPU has left. */
static tms_status extend_left(const struct gpu_round *round, const struct gapped_gpu_hsp *pair, struct search_scratch *w,
                              struct hit_list *hits)
{
    struct search_state *s = round->s;
    uint64_t i = round->first_subject + pair->subject;
    tms_status status = take_left(round, pair, 0, w);
    int n;
    const uint8_t *subject = subject_residues(s, i, w, &n);
    const struct subject_frames frames = subject_frames_protein(subject, n);

    if (subject == NULL || status != TMS_OK)
        return status; /* a failure to read is recorded */
    return gapped_stage(s->setup, query_of(round, pair), &(struct ungapped_hsps){w->found.hsps, w->found.n, NULL}, i, &frames, w, hits);
}

/* Sets w->hsps to the n HSPs of a pair that the GPU has accepted. */
static tms_status take_accepted(const struct gapped_gpu_hsp *accepted, size_t n, struct search_scratch *w)
{
    tms_status status = TMS_OK;

    hsp_list_clear(&w->hsps);
    for (size_t k = 0; k < n && status == TMS_OK; k++) {
        const struct gapped_gpu_hsp *h = &accepted[k];
        const struct hsp hsp = {.query = h->query_begin,
                                .query_end = h->query_end,
                                .subject = h->subject_begin,
                                .subject_end = h->subject_end,
                                .score = h->score,
                                .start_query = h->start_query,
                                .start_subject = h->start_subject};
        status = hsp_list_add(&w->hsps, &hsp);
    }
    hsp_purge(&w->hsps);
    return status;
}

/* Finishes the n HSPs of a pair. */
static tms_status finish_pair(const struct gpu_round *round, const struct gapped_gpu_hsp *hsps, size_t n, struct search_scratch *w,
                              struct hit_list *hits)
{
    const struct search_state *s = round->s;
    const uint64_t i = round->first_subject + hsps->subject;
    const struct subject_frames subject = subject_frames_protein(NULL, (int)tms_seqdb_length(s->subjects->db, i));
    tms_status status;

    if (hsps->n_left > 0)
        return extend_left(round, hsps, w, hits);
    status = take_accepted(hsps, n, w);
    return status == TMS_OK ? gapped_stage_keep(s->setup, query_of(round, hsps), i, &subject, w, hits) : status;
}

/* --- pairs of translated subjects: each piece is one --- */

/* A subject with the lengths of its frames alone, and what reads their residues. */
struct translated {
    struct subject_frames frames;
    struct subject_exact exact;
};

/* out [out] must not move */
static void translated_init(struct search_state *s, uint64_t number, struct search_scratch *w, struct translated *out)
{
    *out = (struct translated){subject_frames_lengths((int)tms_seqdb_length(s->subjects->db, number)), {s, number, w}};
    out->frames.exact = &out->exact;
}

/* The number, in the block, of the subject that a piece is of. */
static uint32_t subject_of(const struct gpu_round *round, uint32_t piece)
{
    uint32_t low = 0, high = round->n_subjects;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (round->pieces[middle] <= piece)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Extends a pair that the GPU has left; replaces w->hsps. The subject is translated as a whole at its first such pair. */
static tms_status extend_left_piece(const struct gpu_round *round, const struct gapped_gpu_hsp *pair, uint32_t part,
                                    struct translated *subject)
{
    const struct search_setup *setup = round->s->setup;
    struct search_scratch *w = subject->exact.w;
    const tms_status status = take_left(round, pair, part, w);

    if (status != TMS_OK)
        return status;
    w->counts.n_ungapped += w->found.n;
    if (subject->frames.codes[0] == NULL && !setup->ungapped &&
        !setup->program->read_frames(round->s, subject->exact.number, w, &subject->frames))
        return (tms_status)atomic_load(&round->s->status);
    return gapped_stage_chunk(setup, query_of(round, pair), &(struct ungapped_hsps){w->found.hsps, w->found.n, NULL}, &subject->frames, w);
}

/* Finishes the n HSPs of a query and a subject, pair by pair. */
static tms_status finish_pieces(const struct gpu_round *round, const struct gapped_gpu_hsp *hsps, size_t n, struct search_scratch *w,
                                struct hit_list *hits)
{
    const struct search_setup *setup = round->s->setup;
    const uint32_t number = subject_of(round, hsps->subject), first_piece = round->pieces[number];
    const uint64_t i = round->first_subject + number;
    struct translated subject;
    tms_status status = TMS_OK;

    translated_init(round->s, i, w, &subject);
    gapped_stage_begin_frames(w);
    for (size_t first = 0, end; first < n && status == TMS_OK; first = end) {
        const uint32_t part = hsps[first].subject - first_piece;
        bool ends_frame;
        for (end = first + 1; end < n && hsps[end].pair == hsps[first].pair; end++)
            continue;
        ends_frame = end == n || subject_place_of(&subject.frames, hsps[end].subject - first_piece).frame !=
                                     subject_place_of(&subject.frames, part).frame;
        status = hsps[first].n_left > 0 ? extend_left_piece(round, &hsps[first], part, &subject)
                                        : take_accepted(&hsps[first], end - first, w);
        if (status == TMS_OK)
            status = gapped_stage_add_chunk(setup, query_of(round, hsps), &subject.frames, part, ends_frame, w);
    }
    return status == TMS_OK ? gapped_stage_keep_frames(setup, query_of(round, hsps), i, &subject.frames, w, hits) : status;
}

/* The end, among the n HSPs of a round, of those of the same query and subject as HSP `first`. */
static size_t end_of_subject(const struct gpu_round *round, size_t first, size_t n)
{
    const struct gapped_gpu_hsp *hsps = round->gapped.hsps;
    const uint32_t stop = round->pieces != NULL ? round->pieces[subject_of(round, hsps[first].subject) + 1] : hsps[first].subject + 1;
    size_t end = first + 1;

    while (end < n && hsps[end].query == hsps[first].query && hsps[end].subject < stop)
        end++;
    return end;
}

/* --- a task --- */

/* Finishes the pairs that begin in one task's part of the list of accepted and left HSPs, which is sorted by query, then by subject. */
static void finish_pairs(const struct gpu_round *round, size_t task, int thread)
{
    struct search_state *s = round->s;
    struct search_scratch *w = &s->scratch[thread];
    const struct gapped_gpu_hsp *hsps = round->gapped.hsps;
    size_t n = round->gapped.n, first = task * HSPS_A_TASK, stop = n - first > HSPS_A_TASK ? first + HSPS_A_TASK : n;
    struct hit_list hits = empty_list(s);
    double begun = clock_seconds();
    tms_status status = TMS_OK;

    if (first > 0) {
        const size_t end = end_of_subject(round, first - 1, n);
        first = end < stop ? end : stop;
    }
    for (size_t end; first < stop && status == TMS_OK; first = end) {
        end = end_of_subject(round, first, n);
        status = round->pieces != NULL ? finish_pieces(round, &hsps[first], end - first, w, &hits)
                                       : finish_pair(round, &hsps[first], end - first, w, &hits);
        if (end >= stop || hsps[end].query != hsps[first].query) {
            status = search_add_hits(s, round->group->placed[hsps[first].query].query, &hits, status);
            hits = empty_list(s);
        }
    }
    hit_list_free(&hits);
    w->counts.seconds_gapped += clock_seconds() - begun;
    search_record(s, status);
}

static struct gapped_gpu_params gapped_params(const struct search_state *s)
{
    const struct search_setup *setup = s->setup;

    return (struct gapped_gpu_params){setup->scores, setup->gap_open, setup->gap_extend, setup->x_gapped, gapped_is_restricted(setup)};
}

/* Leaves all pairs to the CPU. The ungapped HSPs lie pair by pair. */
static tms_status leave_pairs(tms_context *ctx, struct gpu_round *round)
{
    struct gapped_gpu_found *gapped = &round->gapped;
    const struct two_hit_gpu_hsp *hsps;
    tms_status status = two_hit_gpu_fetch(ctx, &round->ungapped, 0, round->ungapped.n);

    gapped->n = 0;
    hsps = round->ungapped.hsps;
    for (size_t i = 0; i < round->ungapped.n && status == TMS_OK; i++) {
        bool is_head = i == 0 || hsps[i].subject != hsps[i - 1].subject || hsps[i].hsp.query != hsps[i - 1].hsp.query;
        if (!is_head) {
            gapped->hsps[gapped->n - 1].n_left++;
            continue;
        }
        if (!array_reserve(&gapped->hsps, &gapped->capacity, gapped->n + 1, sizeof *gapped->hsps))
            return context_fail_memory(ctx, "pairs", (gapped->n + 1) * sizeof *gapped->hsps);
        gapped->hsps[gapped->n] = (struct gapped_gpu_hsp){
            .pair = (uint32_t)gapped->n, .subject = hsps[i].subject, .query = hsps[i].hsp.query, .first_left = (uint32_t)i, .n_left = 1};
        gapped->n++;
    }
    return status;
}

/* Copies the ungapped HSPs of the pairs that the GPU has left; usually there are none, or a few. */
static tms_status fetch_left(tms_context *ctx, struct gpu_round *round)
{
    enum { FEW = 32 }; /* above this number of copies, one copy of all HSPs is as fast */
    const struct gapped_gpu_found *gapped = &round->gapped;
    tms_status status = TMS_OK;
    size_t n = 0;

    for (size_t i = 0; i < gapped->n; i++)
        n += gapped->hsps[i].n_left > 0;
    if (n > FEW)
        return two_hit_gpu_fetch(ctx, &round->ungapped, 0, round->ungapped.n);
    for (size_t i = 0; i < gapped->n && n > 0 && status == TMS_OK; i++)
        status = two_hit_gpu_fetch(ctx, &round->ungapped, gapped->hsps[i].first_left, gapped->hsps[i].n_left);
    return status;
}

/* --- frames --- */

static bool has_frames(const struct gpu_round *round) { return round->s->setup->program->translates; }

/* Adds an entry for each slice of the block's subjects with n HSPs of a query, the first of which is in this place of the group. */
static bool add_slices(struct gpu_round *round, uint32_t place, size_t n)
{
    struct gapped_gpu_found *gapped = &round->gapped;
    const size_t n_slices = n / HSPS_A_TASK + 1, n_subjects = round->n_subjects;

    if (!array_reserve(&gapped->hsps, &gapped->capacity, gapped->n + n_slices, sizeof *gapped->hsps))
        return false;
    for (size_t i = 0; i < n_slices; i++)
        gapped->hsps[gapped->n++] = (struct gapped_gpu_hsp){
            .query = place, .subject_begin = (int)(n_subjects * i / n_slices), .subject_end = (int)(n_subjects * (i + 1) / n_slices)};
    return true;
}

/* Leaves all queries to the CPU. The frames of a query are neighbours. */
static tms_status leave_queries(tms_context *ctx, struct gpu_round *round)
{
    const struct placed_query *placed = round->group->placed;
    const size_t n = round->ungapped.n;
    tms_status status = round->ungapped.n_ends > 0 ? TMS_OK : two_hit_gpu_fetch(ctx, &round->ungapped, 0, n);
    const struct two_hit_gpu_hsp *hsps = round->ungapped.hsps;

    round->gapped.n = 0;
    for (size_t first = 0, end; first < n && status == TMS_OK; first = end) {
        for (end = first + 1; end < n && placed[hsps[end].hsp.query].query == placed[hsps[first].hsp.query].query; end++)
            continue;
        if (!add_slices(round, hsps[first].hsp.query, end - first))
            status = context_fail_memory(ctx, "queries", (round->gapped.n + 1) * sizeof *round->gapped.hsps);
    }
    return status;
}

/* Returns the first HSP among from .. end - 1 of this place of the group, or a later one, with this subject or a later one. */
static size_t lower_bound(const struct two_hit_gpu_found *found, size_t from, size_t end, uint32_t place, uint32_t subject)
{
    while (from < end) {
        const size_t middle = (from + end) / 2;
        const struct two_hit_gpu_hsp *h = &found->hsps[middle];
        if (h->hsp.query < place || (h->hsp.query == place && h->subject < subject))
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* The first piece of a subject of the block, or of the one behind the last. */
static uint32_t first_piece_of(const struct gpu_round *round, uint32_t number)
{
    return round->pieces != NULL ? round->pieces[number] : number;
}

static int compare_subjects(const void *pa, const void *pb)
{
    const struct two_hit_gpu_hsp *a = pa, *b = pb;

    return (a->subject > b->subject) - (a->subject < b->subject);
}

/* An array that grows. */
struct gathered {
    struct two_hit_gpu_hsp *hsps;
    size_t n, capacity;
};

/* Appends those of HSPs from .. end - 1 that are of a query's frames, of which place `place` of the group is the first, and of a slice. */
static bool gather_from(const struct gpu_round *round, const struct gapped_gpu_hsp *slice, size_t from, size_t end, struct gathered *out)
{
    const struct two_hit_gpu_found *found = &round->ungapped;
    const struct placed_query *placed = round->group->placed;
    const uint32_t begin = first_piece_of(round, (uint32_t)slice->subject_begin),
                   stop = first_piece_of(round, (uint32_t)slice->subject_end);

    for (uint32_t i = slice->query; i < round->group->n_placed && placed[i].query == placed[slice->query].query && from < end; i++) {
        const size_t first = lower_bound(found, from, end, i, begin), last = lower_bound(found, first, end, i, stop);
        if (!array_reserve(&out->hsps, &out->capacity, out->n + (last - first) + 1, sizeof *out->hsps))
            return false;
        memcpy(out->hsps + out->n, found->hsps + first, (last - first) * sizeof *out->hsps);
        out->n += last - first;
        from = last;
    }
    return true;
}

/* Copies the HSPs of a query's frames with a slice of subjects, sorted by subject, to *out, which is empty. */
static bool gather_slice(const struct gpu_round *round, const struct gapped_gpu_hsp *slice, struct gathered *out)
{
    const struct two_hit_gpu_found *found = &round->ungapped;
    bool has_memory = found->n_ends > 0 || gather_from(round, slice, 0, found->n, out);

    for (size_t k = 0; k < found->n_ends && has_memory; k++)
        has_memory = gather_from(round, slice, k > 0 ? found->ends[k - 1] : 0, found->ends[k], out);
    if (out->n > 1)
        qsort(out->hsps, out->n, sizeof *out->hsps, compare_subjects);
    return has_memory;
}

/* Copies a query's HSPs with one subject, of any frames, to w->found, in the order in which they are extended. */
static tms_status take_frames(const struct gpu_round *round, uint32_t number, const struct two_hit_gpu_hsp *hsps, size_t n,
                              struct search_scratch *w)
{
    const uint32_t first_piece = first_piece_of(round, number);

    w->found.n = 0;
    if (!array_reserve(&w->found.hsps, &w->found.capacity, n, sizeof *w->found.hsps))
        return TMS_E_MEMORY;
    for (size_t k = 0; k < n; k++) {
        const uint32_t context = (uint32_t)round->group->placed[hsps[k].hsp.query].context;
        w->found.hsps[w->found.n++] = (struct two_hit_hsp){hsps[k].hsp.hsp, context, hsps[k].subject - first_piece};
    }
    gapped_stage_sort_frames(w->found.hsps, w->found.n);
    return TMS_OK;
}

/* Extends them. */
static tms_status extend_frames(const struct gpu_round *round, size_t query, uint32_t number, struct search_scratch *w,
                                struct hit_list *hits)
{
    struct search_state *s = round->s;
    const uint64_t i = round->first_subject + number;
    struct translated translated;
    struct subject_frames frames;

    if (round->pieces != NULL) {
        translated_init(s, i, w, &translated);
        frames = translated.frames;
    } else {
        int n;
        const uint8_t *subject = subject_residues(s, i, w, &n);
        if (subject == NULL)
            return TMS_OK; /* the failure is recorded */
        frames = subject_frames_protein(subject, n);
    }
    return gapped_stage(s->setup, &s->queries[query], &(struct ungapped_hsps){w->found.hsps, w->found.n, NULL}, i, &frames, w, hits);
}

static void finish_slice(const struct gpu_round *round, size_t task, int thread)
{
    const struct gapped_gpu_hsp *slice = &round->gapped.hsps[task];
    const size_t query = round->group->placed[slice->query].query;
    struct search_state *s = round->s;
    struct search_scratch *w = &s->scratch[thread];
    struct hit_list hits = empty_list(s);
    const double begun = clock_seconds();
    struct gathered found = {0};
    tms_status status = gather_slice(round, slice, &found) ? TMS_OK : TMS_E_MEMORY;
    const struct two_hit_gpu_hsp *hsps = found.hsps;

    for (size_t first = 0, end; first < found.n && status == TMS_OK; first = end) {
        const uint32_t number = round->pieces != NULL ? subject_of(round, hsps[first].subject) : hsps[first].subject;
        for (end = first + 1; end < found.n && hsps[end].subject < first_piece_of(round, number + 1); end++)
            continue;
        status = take_frames(round, number, hsps + first, end - first, w);
        if (status == TMS_OK)
            status = extend_frames(round, query, number, w, &hits);
    }
    free(found.hsps);
    status = search_add_hits(s, query, &hits, status);
    w->counts.seconds_gapped += clock_seconds() - begun;
    search_record(s, status);
}

/* --- a round --- */

tms_status gpu_round_extend(tms_context *ctx, struct gpu_round *round, struct search_counts *counts)
{
    const struct gapped_gpu_params params = gapped_params(round->s);
    const struct query_group *group = round->group;
    struct gapped_gpu_query *queries;
    tms_status status;

    if (has_frames(round))
        return leave_queries(ctx, round);
    if (round->s->setup->ungapped || round->s->setup->gapped_on_cpu || !gapped_gpu_takes(&params))
        return leave_pairs(ctx, round);
    queries = malloc(group->n_placed * sizeof *queries);
    for (size_t i = 0; i < group->n_placed && queries != NULL; i++) {
        const struct search_query *q = &round->s->queries[group->placed[i].query];
        queries[i] = (struct gapped_gpu_query){group->placed[i].first_position, q->length, q->cutoff, gapped_restart_cutoff(q)};
    }
    status = queries != NULL ? gapped_gpu_extend(ctx, &params, queries, group->n_placed, &round->ungapped, &round->gapped)
                             : context_fail_memory(ctx, "queries", group->n_placed * sizeof *queries);
    free(queries);
    counts->n_gapped += round->gapped.n_gapped;
    return status == TMS_OK ? fetch_left(ctx, round) : status;
}

/* n_ungapped has them already, and the CPU counts them again. */
uint64_t gpu_round_n_left(const struct gpu_round *round)
{
    uint64_t n = 0;

    if (has_frames(round))
        return round->ungapped.n;
    for (size_t i = 0; i < round->gapped.n; i++)
        n += round->gapped.hsps[i].n_left;
    return n;
}

size_t gpu_round_n_tasks(const struct gpu_round *round)
{
    return has_frames(round) ? round->gapped.n : (round->gapped.n + HSPS_A_TASK - 1) / HSPS_A_TASK;
}

void gpu_round_finish(const struct gpu_round *round, size_t task, int thread)
{
    if (has_frames(round))
        finish_slice(round, task, thread);
    else
        finish_pairs(round, task, thread);
}
