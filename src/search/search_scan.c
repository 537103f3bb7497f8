/* search_scan.c - each task scans the subjects of a range with the words of a group. */
#include "search/search_scan.h"

#include <stdlib.h>

#include "base/array.h"
#include "search/search_program.h"

/* The first place of a query in a group, whose list has the hits of all its contexts: a filter takes subjects in their order. */
static uint32_t first_place(const struct query_group *group, uint32_t place)
{
    while (place > 0 && group->placed[place - 1].query == group->placed[place].query)
        place--;
    return place;
}

tms_status search_take_subject(const struct query_group *group, uint64_t i, const struct subject_frames *subject, struct search_scratch *w)
{
    const size_t begin = w->n_pairs > 0 ? w->pairs[w->n_pairs - 1].end : 0, n = w->found.n;
    struct two_hit_hsp *hsps = w->found.hsps;

    gapped_stage_sort(hsps + begin, n - begin);
    for (size_t first = begin, end; first < n; first = end) {
        const uint32_t place = hsps[first].query;
        const size_t query = group->placed[place].query;
        bool has_frames = false;
        for (end = first; end < n && group->placed[hsps[end].query].query == query; end++) {
            has_frames |= hsps[end].query != place;
            hsps[end].query = (uint32_t)group->placed[hsps[end].query].context;
        }
        if (has_frames)
            gapped_stage_sort_frames(hsps + first, end - first);
        if (!array_reserve(&w->pairs, &w->pairs_capacity, w->n_pairs + 1, sizeof *w->pairs))
            return TMS_E_MEMORY;
        w->pairs[w->n_pairs++] = (struct gapped_pair){query, first_place(group, place), i, *subject, first, end};
    }
    return TMS_OK;
}

#if TMS_HAVE_X86_SIMD
/* Extends the HSPs of all pairs by lanes. */
static tms_status extend_by_lanes(const struct search_state *s, struct search_scratch *w)
{
    const struct gapped_costs costs = search_gapped_costs(s->setup, s->setup->x_gapped);

    if (!array_reserve(&w->made, &w->made_capacity, w->found.n, sizeof *w->made))
        return TMS_E_MEMORY;
    for (size_t k = 0; k < w->n_pairs; k++) {
        const struct gapped_pair *p = &w->pairs[k];
        const struct ungapped_hsps hsps = {w->found.hsps + p->first, p->end - p->first, NULL};
        gapped_stage_begin(s->setup, &s->queries[p->query], &hsps, &p->subject, w->made + p->first);
    }
    gapped_score_lanes_avx2(&costs, w->made, w->found.n);
    return TMS_OK;
}
#endif

tms_status search_extend_pairs(struct search_state *s, struct search_scratch *w, struct hit_list *hits)
{
    const double begun = clock_seconds();
    const bool by_lanes = w->n_pairs > 0 && gapped_stage_by_lanes(s->setup, s->simd);
    tms_status status = TMS_OK;

#if TMS_HAVE_X86_SIMD
    if (by_lanes)
        status = extend_by_lanes(s, w);
#endif
    for (size_t k = 0; k < w->n_pairs && status == TMS_OK; k++) {
        const struct gapped_pair *p = &w->pairs[k];
        const struct ungapped_hsps hsps = {w->found.hsps + p->first, p->end - p->first, by_lanes ? w->made + p->first : NULL};
        status = gapped_stage(s->setup, &s->queries[p->query], &hsps, p->oid, &p->subject, w, &hits[p->place]);
    }
    w->n_pairs = w->found.n = 0;
    w->counts.seconds_gapped += clock_seconds() - begun;
    return status;
}

/* With a hit filter, the caller has this range's turn. */
tms_status search_add_hits(struct search_state *s, size_t query, struct hit_list *mine, tms_status status)
{
    if (status == TMS_OK && mine->n > 0 && s->filters != NULL) {
        status = hit_filter_offer(&s->filters[query], mine);
    } else if (status == TMS_OK && mine->n > 0) {
        pthread_mutex_lock(&s->lock);
        status = hit_list_merge(&s->found[query], mine);
        pthread_mutex_unlock(&s->lock);
    }
    hit_list_free(mine);
    return status;
}

/* The tasks of a range have consecutive numbers, so its residues stay in the cache. */
void search_scan_task(void *arg, size_t task, int thread)
{
    struct search_state *s = arg;
    struct search_scratch *w = &s->scratch[thread];
    struct query_group *group = s->cpu_groups[task % s->n_cpu_groups];
    struct hit_list *mine = calloc(group->n_placed + 1, sizeof *mine);
    tms_status status = mine != NULL ? TMS_OK : TMS_E_MEMORY;
    size_t range = task / s->n_cpu_groups;
    double begun = clock_seconds(), gapped_before = w->counts.seconds_gapped;

    for (size_t i = 0; i < group->n_placed && mine != NULL; i++)
        mine[i] = (struct hit_list){.max_hits = search_found_limit(s->setup), .is_mixed = search_is_mixed(s->setup)};
    if (status == TMS_OK && atomic_load(&s->status) == TMS_OK && group->n_placed > 0)
        status = s->setup->program->scan_range(s, group, range, w, mine);
    if (s->filters != NULL)
        ordered_section_wait(&group->order, range);
    for (size_t i = 0; i < group->n_placed && mine != NULL; i++)
        status = search_add_hits(s, group->placed[i].query, &mine[i], status);
    if (s->filters != NULL)
        ordered_section_end(&group->order, range);
    free(mine);
    w->counts.seconds_scan += clock_seconds() - begun - (w->counts.seconds_gapped - gapped_before);
    search_record(s, status);
}
