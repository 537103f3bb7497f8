/* search_align.c - see search_align.h. */
#include "search/search_align.h"

#include <string.h>

#include "base/array.h"
#include "hits/chunk_merge.h"
#include "search/search_program.h"

enum { SUBJECTS_A_TASK = 16 /* of proteins; of bases one, which may have many HSPs */ };

static tms_status add_tasks(struct search_state *s, size_t query)
{
    const size_t n = s->hits[query].n, some = s->setup->program->has_strands ? 1 : SUBJECTS_A_TASK;

    for (size_t first = 0; first < n; first += some) {
        size_t end = n - first > some ? first + some : n;
        if (!array_reserve(&s->tasks, &s->tasks_capacity, s->n_tasks + 1, sizeof *s->tasks))
            return TMS_E_MEMORY;
        s->tasks[s->n_tasks++] = (struct alignment_task){.query = query, .first = first, .end = end};
    }
    return TMS_OK;
}

static struct chunk_place place_of(const struct search_state *s, size_t i)
{
    const struct search_program *program = s->setup->program;
    const struct query_chunk *chunk = &s->all->chunks[i];
    const int n = s->all->whole[chunk->query].length, end = chunk->start + s->queries[i].length;

    if (program->translates)
        return chunk_place_of_frames(n, chunk->start, end, program->chunk_overlap / 3);
    return chunk_place_of_strands(chunk->start, program->has_strands ? n - end : 0);
}

/* With a hit filter, replaces a chunk's list by what the filter has kept. */
static tms_status gather_chunk(struct search_state *s, size_t i)
{
    const struct query_chunk *chunk = &s->all->chunks[i];
    struct hit_list *to = &s->hits[chunk->query], *from = &s->found[i];
    tms_status status = TMS_OK;

    from->max_hits = s->setup->n_preliminary;
    from->is_mixed = search_is_mixed(s->setup);
    if (s->filters != NULL)
        status = hit_filter_take(&s->filters[i], from);
    if (status != TMS_OK)
        return status;
    if (!chunk->is_whole) {
        const struct chunk_place place = place_of(s, i);
        return chunk_merge(to, &place, from);
    }
    *to = *from;
    memset(from, 0, sizeof *from);
    return TMS_OK;
}

tms_status search_gather(struct search_state *s, size_t end)
{
    const size_t n_whole = end < s->n_queries ? s->all->chunks[end].query : s->all->n;
    tms_status status = TMS_OK;

    for (; s->n_gathered < end && status == TMS_OK; s->n_gathered++)
        status = gather_chunk(s, s->n_gathered);
    for (; s->n_sorted < n_whole && status == TMS_OK; s->n_sorted++) {
        struct hit_list *list = &s->hits[s->n_sorted];
        for (size_t i = 0; i < list->n && !(list->is_mixed && list->is_cut); i++)
            if (list->items[i].hsps.n > 1) /* most have one, which is in no cache */
                hsp_sort(&list->items[i].hsps);
        hit_list_sort(list);
        status = add_tasks(s, s->n_sorted);
    }
    return status;
}

void search_align(struct search_state *s, struct alignment_task *task, int thread)
{
    double begun = clock_seconds();

    s->setup->program->align_task(s, task, thread);
    s->scratch[thread].counts.seconds_align += clock_seconds() - begun;
}

void search_align_task(void *arg, size_t task, int thread)
{
    struct search_state *s = arg;

    search_align(s, &s->tasks[s->n_aligned + task], thread);
}
