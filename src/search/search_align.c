/* search_align.c - between the rounds, the second and the third. */
#include "search/search_align.h"

#include <string.h>

#include "base/array.h"
#include "hits/chunk_merge.h"
#include "search/subject_residues.h"
#include "search/traceback.h"

enum { SUBJECTS_A_TASK = COMPOSITION_SOLUTIONS };

static tms_status add_tasks(struct search_state *s, size_t query)
{
    size_t n = s->hits[query].n;

    for (size_t first = 0; first < n; first += SUBJECTS_A_TASK) {
        size_t end = n - first > SUBJECTS_A_TASK ? first + SUBJECTS_A_TASK : n;
        if (!array_reserve(&s->tasks, &s->tasks_capacity, s->n_tasks + 1, sizeof *s->tasks))
            return TMS_E_MEMORY;
        s->tasks[s->n_tasks++] = (struct alignment_task){.query = query, .first = first, .end = end};
    }
    return TMS_OK;
}

tms_status search_gather(struct search_state *s, size_t end)
{
    const size_t n_whole = end < s->n_queries ? s->all->pieces[end].query : s->all->n;
    tms_status status = TMS_OK;

    for (; s->n_gathered < end && status == TMS_OK; s->n_gathered++) {
        const struct query_chunk *piece = &s->all->pieces[s->n_gathered];
        struct hit_list *to = &s->hits[piece->query], *from = &s->found[s->n_gathered];
        if (s->filters != NULL)
            status = hit_filter_take(&s->filters[s->n_gathered], from);
        if (status == TMS_OK && piece->is_whole) {
            *to = *from;
            memset(from, 0, sizeof *from);
        } else if (status == TMS_OK) {
            status = chunk_merge(to, piece->start, from);
        }
    }
    for (; s->n_sorted < n_whole && status == TMS_OK; s->n_sorted++) {
        struct hit_list *list = &s->hits[s->n_sorted];
        for (size_t i = 0; i < list->n; i++)
            hsp_sort(&list->items[i].hsps);
        hit_list_sort(list);
        status = add_tasks(s, s->n_sorted);
    }
    return status;
}

/* --- the second round --- */

/* i: the subject's place among those that are prepared. */
static tms_status finish_subject(struct search_state *s, size_t query, struct subject_hits *hits, size_t i, int thread)
{
    struct search_scratch *w = &s->workers[thread];
    int n;
    const uint8_t *subject;

    if (s->setup->params.ungapped)
        return traceback_ungapped(&hits->hsps);
    subject = subject_residues_aligned(s, hits->oid, w, &n);
    if (subject == NULL)
        return TMS_OK;
    if (!blastp_needs_redo(&s->setup->params))
        return traceback(s->setup, &s->all->whole[query], subject, n, w, hits);
    return composition_aligner_subject(&s->redos[thread], &s->redo_queries[query], i, subject, n, w, hits, &hits->needs_previous_matrix);
}

/* Subjects from `first` on, as many as are done together. Returns the end of them. */
static size_t prepare_subjects(struct search_state *s, size_t query, size_t first, size_t end, int thread)
{
    struct composition_aligner *redo = &s->redos[thread];
    struct search_scratch *w = &s->workers[thread];
    tms_status status = TMS_OK;

    composition_aligner_clear(redo);
    for (; first < end && !composition_aligner_is_full(redo) && status == TMS_OK; first++) {
        const struct subject_hits *hits = &s->hits[query].items[first];
        int n;
        const uint8_t *subject = subject_residues_aligned(s, hits->oid, w, &n);
        if (subject == NULL)
            break;
        status = composition_aligner_prepare(redo, &s->redo_queries[query], subject, n, hits);
    }
    search_record(s, status);
    if (s->setup->params.composition != COMPOSITION_OFF)
        composition_aligner_solve(redo, &s->redo_queries[query]);
    return first;
}

static void align_subjects(struct search_state *s, size_t query, size_t first, size_t end, int thread)
{
    while (first < end && atomic_load(&s->status) == TMS_OK) {
        size_t stop = s->redos != NULL ? prepare_subjects(s, query, first, end, thread) : end;
        for (size_t i = first; i < stop && atomic_load(&s->status) == TMS_OK; i++)
            search_record(s, finish_subject(s, query, &s->hits[query].items[i], i - first, thread));
        first = stop;
    }
}

void search_align_task(struct search_state *s, struct alignment_task *t, int thread)
{
    struct composition_aligner *redo = s->redos != NULL ? &s->redos[thread] : NULL;
    double begun = clock_seconds();

    if (redo != NULL)
        composition_aligner_begin(redo);
    align_subjects(s, t->query, t->first, t->end, thread);
    if (redo != NULL)
        t->source = redo->source;
    s->workers[thread].counts.seconds_align += clock_seconds() - begun;
}

void search_align_round(void *arg, size_t task, int thread)
{
    struct search_state *s = arg;

    search_align_task(s, &s->tasks[s->n_aligned + task], thread);
}

/* --- the third round --- */

/* Those that wait come before the first matrix of their task: what an earlier task of the batch left is theirs. */
void search_align_last(struct search_state *s)
{
    const struct composition_source none = {.is_there = false}, *last = &none;
    const struct composition_query *last_query = NULL;
    size_t batch = 0;

    for (size_t k = 0; k < s->n_tasks && s->redos != NULL; k++) {
        const struct alignment_task *t = &s->tasks[k];
        struct subject_hits *hits = s->hits[t->query].items;
        for (; batch < s->all->n_batches && t->query >= s->all->batch_starts[batch]; batch++)
            last = &none;
        for (size_t i = t->first; i < t->end && hits[i].needs_previous_matrix; i++) {
            composition_aligner_restore(&s->redos[0], last_query, last);
            align_subjects(s, t->query, i, i + 1, 0);
        }
        if (t->source.is_there) {
            last = &t->source;
            last_query = &s->redo_queries[t->query];
        }
    }
}
