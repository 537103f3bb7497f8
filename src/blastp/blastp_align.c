/*
 * blastp_align.c - final HSPs of the subjects that a scan has kept. With composition-based statistics or Smith-Waterman each subject has
 * its own matrix; otherwise the standard matrix serves all.
 *
 * A subject without a single unmasked amino acid is aligned with the matrix of the subject before it, which may belong to another query of
 * the same batch. Such a subject waits for blastp_align_last().
 */
#include <stdlib.h>

#include "blastp/blastp_align.h"
#include "blastp/blastp_setup.h"
#include "blastp/composition_align.h"
#include "blastp/sw_early_stop.h"
#include "search/search_state.h"
#include "search/subject_residues.h"
#include "search/traceback.h"

/* search_state.alignment, for subjects with their own matrices. */
struct alignment {
    struct composition_aligner *aligners; /* one for each thread */
    struct composition_query *queries;    /* one for each whole query */
};

static bool has_own_matrices(const struct blastp_setup *setup) { return setup->composition != COMPOSITION_OFF || setup->smith_waterman; }

tms_status blastp_begin_alignment(struct search_state *s, size_t n_threads)
{
    const struct blastp_setup *setup = blastp_setup_of(s->setup);
    struct alignment *a;
    tms_status status = TMS_OK;

    if (!has_own_matrices(setup))
        return TMS_OK;
    a = s->alignment = calloc(1, sizeof *a);
    if (a == NULL)
        return TMS_E_MEMORY;
    a->aligners = calloc(n_threads, sizeof *a->aligners);
    a->queries = calloc(s->all->n + 1, sizeof *a->queries);
    if (a->aligners == NULL || a->queries == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_threads && status == TMS_OK; i++)
        status = composition_aligner_init(setup, s->simd, &a->aligners[i]);
    for (size_t i = 0; i < s->all->n && status == TMS_OK; i++)
        if (s->all->whole[i].is_valid)
            status = composition_query_init(&s->all->whole[i], &a->queries[i]);
    return status;
}

void blastp_end_alignment(struct search_state *s, size_t n_threads)
{
    struct alignment *a = s->alignment;

    if (a == NULL)
        return;
    for (size_t i = 0; i < n_threads && a->aligners != NULL; i++)
        composition_aligner_free(&a->aligners[i]);
    for (size_t i = 0; i < s->all->n && a->queries != NULL; i++)
        composition_query_free(&a->queries[i]);
    free(a->aligners);
    free(a->queries);
    free(a);
    s->alignment = NULL;
}

/* i [in] index of the subject among those prepared. */
static tms_status align_subject(struct search_state *s, size_t query, struct subject_hits *hits, size_t i, int thread)
{
    struct alignment *a = s->alignment;
    struct search_scratch *w = &s->scratch[thread];
    int n;
    const uint8_t *subject;

    if (s->setup->ungapped)
        return traceback_ungapped(&hits->hsps);
    subject = subject_residues_aligned(s, hits->oid, w, &n);
    if (subject == NULL)
        return TMS_OK;
    if (a == NULL)
        return traceback(s->setup, &s->all->whole[query], subject, n, w, hits);
    return composition_aligner_subject(&a->aligners[thread], &a->queries[query], i, subject, n, w, hits, &hits->needs_previous_matrix);
}

/* Prepares subjects from `first` on, as many as are aligned together. Returns the end of the prepared subjects. */
static size_t prepare_subjects(struct search_state *s, size_t query, size_t first, size_t end, int thread)
{
    struct alignment *a = s->alignment;
    struct composition_aligner *aligner = &a->aligners[thread];
    tms_status status = TMS_OK;

    composition_aligner_clear(aligner);
    for (; first < end && !composition_aligner_is_full(aligner) && status == TMS_OK; first++) {
        const struct subject_hits *hits = &s->hits[query].items[first];
        int n;
        const uint8_t *subject = subject_residues_aligned(s, hits->oid, &s->scratch[thread], &n);
        if (subject == NULL)
            break;
        status = composition_aligner_prepare(aligner, &a->queries[query], subject, n, hits);
    }
    search_record(s, status);
    if (blastp_setup_of(s->setup)->composition != COMPOSITION_OFF)
        composition_aligner_solve(aligner, &a->queries[query]);
    return first;
}

static void align_subjects(struct search_state *s, size_t query, size_t first, size_t end, int thread)
{
    while (first < end && atomic_load(&s->status) == TMS_OK) {
        size_t stop = s->alignment != NULL ? prepare_subjects(s, query, first, end, thread) : end;
        for (size_t i = first; i < stop && atomic_load(&s->status) == TMS_OK; i++)
            search_record(s, align_subject(s, query, &s->hits[query].items[i], i - first, thread));
        first = stop;
    }
}

/* Also leaves the residues that the task's last matrix was made from. */
void blastp_align_task(struct search_state *s, struct alignment_task *task, int thread)
{
    struct alignment *a = s->alignment;
    struct composition_source *left;

    if (a != NULL)
        composition_aligner_begin(&a->aligners[thread]);
    align_subjects(s, task->query, task->first, task->end, thread);
    if (a == NULL || !a->aligners[thread].source.is_there)
        return;
    task->left = left = malloc(sizeof *left);
    if (left != NULL)
        *left = a->aligners[thread].source;
    else
        search_record(s, TMS_E_MEMORY);
}

/* The waiting subjects of a task precede its first matrix: they use the matrix that an earlier task of the batch has left. */
void blastp_align_last(struct search_state *s)
{
    const struct composition_source none = {.is_there = false}, *last = &none;
    const struct composition_query *last_query = NULL;
    struct alignment *a = s->alignment;
    size_t batch = 0;

    for (size_t k = 0; k < s->n_tasks && a != NULL; k++) {
        const struct alignment_task *t = &s->tasks[k];
        struct subject_hits *hits = s->hits[t->query].items;
        for (; batch < s->all->n_batches && t->query >= s->all->batch_starts[batch]; batch++)
            last = &none;
        for (size_t i = t->first; i < t->end && hits[i].needs_previous_matrix; i++) {
            composition_aligner_restore(&a->aligners[0], last_query, last);
            align_subjects(s, t->query, i, i + 1, 0);
        }
        if (t->left != NULL) {
            last = t->left;
            last_query = &a->queries[t->query];
        }
    }
}

tms_status blastp_finish_batch(const struct search_setup *search, struct hit_list *hits, size_t n)
{
    const struct blastp_setup *setup = blastp_setup_of(search);

    if (!setup->smith_waterman)
        return TMS_OK;
    return sw_early_stop(hits, n, search->limits.max_subjects, setup->composition == COMPOSITION_OFF);
}
