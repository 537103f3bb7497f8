/* search_groups.c - see search_groups.h. */
#include "search/search_groups.h"

#include <stdlib.h>
#include <string.h>

#include "lookup/two_hit_gpu.h"
#include "search/search_program.h"

enum { LEAST_RESIDUES = 2000 };

void query_group_free(const struct search_setup *setup, struct query_group *group)
{
    setup->program->free_group(group);
    two_hit_gpu_tables_destroy(group->tables);
    free(group->placed);
    ordered_section_destroy(&group->order);
}

/* Whether query `next` belongs to the group of query `first`, which has so many residues, with a gap behind each query, without it. */
static bool is_together(const struct search_state *s, size_t first, size_t next, int residues, int most)
{
    if (s->setup->program->has_strands)
        return s->all->chunks[next].number == s->all->chunks[first].number;
    return residues + s->queries[next].length + 1 <= most;
}

/*
 * The most residues of a group. A task of the CPU is a group and some subjects. If subjects are fewer than threads, groups are smaller, so
 * that all threads have a task; but not so small that walks over subjects take longer than hits.
 */
static int most_residues(const struct search_state *s, int n_threads)
{
    const int most = search_is_on_gpu(s->subjects) ? s->setup->gpu_group_residues : s->setup->group_residues;
    const tms_seqdb_range subjects = search_subjects_range(s->subjects);
    const uint64_t n_subjects = subjects.end - subjects.first;
    uint64_t share = s->all->n_residues / (uint64_t)n_threads + 1;

    if (search_is_on_gpu(s->subjects) || n_subjects >= (uint64_t)n_threads)
        return most;
    share *= n_subjects;
    share = share > LEAST_RESIDUES ? share : LEAST_RESIDUES;
    return share < (uint64_t)most ? (int)share : most;
}

/* Takes queries from `first` on, as many as a group may have. */
static void cut_group(const struct search_state *s, size_t first, int most, struct query_group *out)
{
    int residues = 0;

    memset(out, 0, sizeof *out);
    ordered_section_init(&out->order);
    out->first = first;
    while (first + out->n < s->n_queries && (out->n == 0 || is_together(s, first, first + out->n, residues, most)))
        residues += s->queries[first + out->n++].length + 1;
}

static tms_status place_queries(const struct search_state *s, struct query_group *group)
{
    const size_t contexts = s->setup->program->translates ? FRAMES : 1;

    group->placed = calloc(group->n * contexts, sizeof *group->placed);
    if (group->placed == NULL)
        return TMS_E_MEMORY;
    for (size_t i = group->first; i < group->first + group->n; i++) {
        if (!s->queries[i].is_valid)
            continue;
        for (int context = 0; context < (int)contexts; context++) {
            const struct search_query *query = search_query_strand(&s->queries[i], context);
            if (!query->is_valid)
                continue;
            group->placed[group->n_placed++] = (struct placed_query){i, context, group->n_positions};
            group->n_positions += query->length + 1;
        }
    }
    return TMS_OK;
}

void search_build_group(void *arg, size_t task, int thread)
{
    struct search_state *s = arg;
    struct query_group *group = &s->groups[task];
    tms_status status = place_queries(s, group);

    if (status == TMS_OK)
        status = s->setup->program->build_group(s, search_is_on_gpu(s->subjects), group, thread);
    search_record(s, status);
}

void search_build_cpu_group(void *arg, size_t task, int thread)
{
    struct search_state *s = arg;
    struct query_group *group = s->cpu_groups[task];

    if (group->is_looked_up_on_gpu)
        search_record(s, s->setup->program->build_group(s, false, group, thread));
}

tms_status search_cut_groups(struct search_state *s, int n_threads)
{
    const int most = most_residues(s, n_threads);

    s->groups = calloc(s->n_queries + 1, sizeof *s->groups);
    if (s->groups == NULL)
        return TMS_E_MEMORY;
    for (size_t first = 0; first < s->n_queries; first += s->groups[s->n_groups++].n)
        cut_group(s, first, most, &s->groups[s->n_groups]);
    return TMS_OK;
}
