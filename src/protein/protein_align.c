/*
 * protein_align.c - final HSPs of the subjects that a scan has kept. With composition-based statistics or Smith-Waterman each subject has
 * its own matrix; otherwise the standard matrix serves all.
 *
 * A subject without a single unmasked amino acid is aligned with the matrix of the subject before it, which may belong to another query of
 * the same batch. Such a subject waits for protein_align_last().
 *
 * A GPU can make the matrices, and the alignments with these or with the standard matrix. Then a task is prepared first, and aligned with
 * many others; the task itself decides which alignments are kept, and makes those that the GPU has left.
 */
#include <stdlib.h>
#include <string.h>

#include "protein/composition_batch.h"
#include "protein/protein_align.h"
#include "protein/protein_setup.h"
#include "protein/sw_early_stop.h"
#include "protein/translated_subject.h"
#include "search/gpu_blocks.h"
#include "search/search_program.h"
#include "search/search_state.h"
#include "search/subject_residues.h"
#include "search/traceback.h"

enum {
    PAIRS_AT_ONCE = 16, /* that are prepared together: enough for the lanes */
    CACHE_LINE = 64,
    AHEAD = 1024 /* residues of the next subject that are fetched while one is prepared: all of most */
};

/* search_state.alignment, for subjects with their own matrices, or for GPUs. */
struct alignment {
    struct composition_aligner *aligners;           /* one for each thread; NULL: the standard matrix serves all */
    struct composition_subjects *subjects;          /* the same */
    struct subject_masks *masks;                    /* of all threads; the same */
    struct composition_query *queries;              /* one for each whole query, or for each frame of one */
    struct composition_batch batches[TMS_MAX_GPUS]; /* of the GPUs, by their numbers in the search */
    struct composition_pool pool;                   /* of tasks that are prepared for GPUs */
};

/* How many of alignment.queries a query has. */
static size_t contexts_of(const struct search_state *s) { return s->setup->program->translates ? FRAMES : 1; }

/* alignment_task.left, for subjects with their own matrices. */
struct aligned_task {
    struct composition_source source;      /* residues that the task's last matrix was made from */
    struct composition_outcome outcomes[]; /* one for each subject of the task */
};

static bool has_own_matrices(const struct protein_setup *setup) { return setup->composition != COMPOSITION_OFF || setup->smith_waterman; }

/* Whether a GPU may align with the standard matrix. */
static bool may_be_standard_on_gpu(const struct search_state *s)
{
    return search_is_on_gpu(s->subjects) && !has_own_matrices(protein_setup_of(s->setup)) && !s->setup->program->translates &&
           !s->setup->translates_subjects;
}

static tms_status make_aligners(const struct search_state *s, size_t n_threads, struct alignment *a)
{
    tms_status status = TMS_OK;

    a->aligners = calloc(n_threads, sizeof *a->aligners);
    a->subjects = calloc(n_threads, sizeof *a->subjects);
    a->masks = subject_masks_create();
    if (a->aligners == NULL || a->subjects == NULL || a->masks == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_threads && status == TMS_OK; i++)
        status = composition_aligner_init(protein_setup_of(s->setup), s->simd, a->masks, &a->aligners[i]);
    return status;
}

tms_status protein_begin_alignment(struct search_state *s, size_t n_threads)
{
    const bool is_adjusted = has_own_matrices(protein_setup_of(s->setup));
    const size_t n_contexts = contexts_of(s);
    struct alignment *a;
    tms_status status = TMS_OK;

    if (!is_adjusted && !may_be_standard_on_gpu(s))
        return TMS_OK;
    a = s->alignment = calloc(1, sizeof *a);
    if (a == NULL)
        return TMS_E_MEMORY;
    composition_pool_init(&a->pool);
    a->queries = calloc((s->all->n + 1) * n_contexts, sizeof *a->queries);
    if (a->queries == NULL)
        return TMS_E_MEMORY;
    if (is_adjusted)
        status = make_aligners(s, n_threads, a);
    for (size_t i = 0; i < s->all->n * n_contexts && status == TMS_OK; i++) {
        const struct search_query *query = search_query_strand(&s->all->whole[i / n_contexts], (int)(i % n_contexts));
        if (query->is_valid)
            status = composition_query_init(query, is_adjusted, &a->queries[i]);
    }
    return status;
}

void protein_end_alignment(struct search_state *s, size_t n_threads)
{
    struct alignment *a = s->alignment;

    if (a == NULL)
        return;
    for (size_t i = 0; i < n_threads && a->aligners != NULL; i++)
        composition_aligner_free(&a->aligners[i]);
    for (size_t i = 0; i < n_threads && a->subjects != NULL; i++)
        composition_subjects_free(&a->subjects[i]);
    for (size_t i = 0; i < s->all->n * contexts_of(s) && a->queries != NULL; i++)
        composition_query_free(&a->queries[i]);
    for (size_t i = 0; i < TMS_MAX_GPUS; i++)
        composition_batch_free(&a->batches[i]);
    composition_pool_destroy(&a->pool);
    subject_masks_destroy(a->masks);
    free(a->aligners);
    free(a->subjects);
    free(a->queries);
    free(a);
    s->alignment = NULL;
}

/* Whether subjects are aligned by windows around their preliminary HSPs: the query or the subject is translated. */
static bool has_windows(const struct search_state *s) { return s->setup->program->translates || s->setup->translates_subjects; }

/* Aligns a translated subject. */
static tms_status align_translated(struct search_state *s, const struct alignment_task *task, size_t i, int thread)
{
    struct alignment *a = s->alignment;
    struct search_scratch *w = &s->scratch[thread];
    struct subject_hits *hits = &s->hits[task->query].items[i];
    const struct composition_translated translated = {s, hits->oid};
    struct aligned_task *left = task->left;
    struct subject_frames subject;

    if (a != NULL) /* it has own matrices */
        return composition_aligner_translated(&a->aligners[thread], &a->queries[task->query], &translated, w, hits,
                                              &left->outcomes[i - task->first]);
    if (!translated_subject_aligned(s, hits->oid, &hits->hsps, w, &subject))
        return TMS_OK;
    return traceback(s->setup, &s->all->whole[task->query], &subject, (struct traceback_made){NULL, 0, NULL}, w, hits);
}

static struct composition_frames frames_of(const struct search_state *s, size_t query)
{
    const struct alignment *a = s->alignment;

    return (struct composition_frames){&s->all->whole[query], &a->queries[query * FRAMES]};
}

/* Aligns a subject with a matrix of its own. */
static tms_status align_adjusted(struct search_state *s, const struct alignment_task *task, size_t i, size_t prepared, int thread)
{
    struct alignment *a = s->alignment;
    struct composition_aligner *aligner = &a->aligners[thread];
    struct aligned_task *left = task->left;
    struct search_scratch *w = &s->scratch[thread];
    struct subject_hits *hits = &s->hits[task->query].items[i];
    const uint8_t *subject = NULL;
    int n;

    if (composition_reads_again(&aligner->subjects->items[prepared])) {
        subject = subject_residues_aligned(s, hits->oid, w, &n);
        if (subject == NULL)
            return TMS_OK;
    }
    return composition_aligner_subject(aligner, &a->queries[task->query], prepared, subject, w, hits, &left->outcomes[i - task->first]);
}

/* What a GPU has made of the subject that was prepared as number `i`, for the standard matrix. */
static struct traceback_made made_of(const struct alignment_task *task, size_t i)
{
    const struct composition_task *prepared = task->prepared;
    const struct composition_made *made;

    if (prepared == NULL || !prepared->is_made || !prepared->made.has_matrix[i])
        return (struct traceback_made){NULL, 0, NULL};
    made = &prepared->made;
    return (struct traceback_made){made->alignments + made->first[i], made->first[i + 1] - made->first[i], made->runs};
}

/* Aligns subject i of the task's query, the one that was prepared as number `prepared`. */
static tms_status align_subject(struct search_state *s, const struct alignment_task *task, size_t i, size_t prepared, int thread)
{
    struct alignment *a = s->alignment;
    struct aligned_task *left = task->left;
    struct search_scratch *w = &s->scratch[thread];
    struct subject_hits *hits = &s->hits[task->query].items[i];
    const bool is_adjusted = has_own_matrices(protein_setup_of(s->setup));
    struct composition_frames query;
    struct subject_frames frames;
    int n;
    const uint8_t *subject;

    if (s->setup->ungapped)
        return traceback_ungapped(&hits->hsps);
    if (s->setup->translates_subjects)
        return align_translated(s, task, i, thread);
    if (is_adjusted && !s->setup->program->translates)
        return align_adjusted(s, task, i, prepared, thread);
    subject = subject_residues_aligned(s, hits->oid, w, &n);
    if (subject == NULL)
        return TMS_OK;
    frames = subject_frames_protein(subject, n);
    if (!is_adjusted)
        return traceback(s->setup, &s->all->whole[task->query], &frames, made_of(task, prepared), w, hits);
    query = frames_of(s, task->query);
    return composition_aligner_frames(&a->aligners[thread], &query, prepared, (struct gapped_side){subject, n}, w, hits,
                                      &left->outcomes[i - task->first]);
}

/* Copies a subject for alignments with the standard matrix. Returns TMS_OK or TMS_E_MEMORY. */
static tms_status prepare_standard(const struct composition_query *query, const uint8_t *subject, int n, const struct subject_hits *hits,
                                   struct composition_subjects *subjects)
{
    uint8_t *copy = composition_subjects_reserve(subjects, n);

    if (copy == NULL)
        return TMS_E_MEMORY;
    memcpy(copy, subject, (size_t)n);
    (void)composition_subjects_add(subjects, n, hits->hsps.n, query->query->length);
    return TMS_OK;
}

/* Asks for a subject's HSPs and residues, which are in no cache. */
static void fetch_ahead(const struct search_state *s, const struct subject_hits *hits)
{
    uint64_t n;
    const uint8_t *codes = tms_seqdb_protein(s->subjects->db, hits->oid, &n);

    __builtin_prefetch(hits->hsps.items);
    for (uint64_t i = 0; i < n && i < AHEAD; i += CACHE_LINE)
        __builtin_prefetch(codes + i);
}

/* Prepares subjects from `first` on, until there are n_pairs. Returns the end of the prepared subjects. */
static size_t prepare_subjects(struct search_state *s, size_t query, size_t first, size_t end, size_t n_pairs, int thread,
                               struct composition_subjects *subjects)
{
    struct alignment *a = s->alignment;
    tms_status status = TMS_OK;

    for (; first < end && !composition_subjects_suffice(subjects, n_pairs) && status == TMS_OK; first++) {
        const struct subject_hits *hits = &s->hits[query].items[first];
        int n;
        const uint8_t *subject = subject_residues_aligned(s, hits->oid, &s->scratch[thread], &n);
        if (subject == NULL)
            break;
        if (first + 1 < end)
            fetch_ahead(s, hits + 1);
        if (a->aligners == NULL) {
            status = prepare_standard(&a->queries[query], subject, n, hits, subjects);
        } else if (s->setup->program->translates) {
            const struct composition_frames frames = frames_of(s, query);
            status = composition_aligner_prepare_frames(&a->aligners[thread], &frames, subject, n, hits, subjects);
        } else {
            status = composition_aligner_prepare(&a->aligners[thread], &a->queries[query], subject, n, hits, subjects);
        }
    }
    search_record(s, status);
    return first;
}

/* Prepares and solves subjects. Returns their end. */
static size_t begin_subjects(struct search_state *s, size_t query, size_t first, size_t end, int thread)
{
    struct alignment *a = s->alignment;
    struct composition_subjects *subjects = &a->subjects[thread];

    composition_subjects_clear(subjects);
    end = prepare_subjects(s, query, first, end, PAIRS_AT_ONCE, thread, subjects);
    composition_aligner_begin_subjects(&a->aligners[thread], subjects, NULL);
    return end;
}

/* The same of translated subjects. */
static size_t begin_translated(struct search_state *s, size_t query, size_t first, size_t end, int thread)
{
    struct alignment *a = s->alignment;
    struct composition_aligner *aligner = &a->aligners[thread];
    tms_status status = TMS_OK;

    composition_aligner_begin_translated(aligner);
    for (; first < end && composition_aligner_has_room(aligner) && status == TMS_OK; first++) {
        const struct subject_hits *hits = &s->hits[query].items[first];
        const struct composition_translated translated = {s, hits->oid};
        status = composition_aligner_prepare_translated(aligner, &a->queries[query], &translated, &s->scratch[thread], hits);
    }
    search_record(s, status);
    composition_aligner_solve_translated(aligner);
    return first;
}

/* Aligns subjects first .. end - 1 of the task's query. */
static void align_subjects(struct search_state *s, const struct alignment_task *task, size_t first, size_t end, int thread)
{
    while (first < end && atomic_load(&s->status) == TMS_OK) {
        size_t stop = end;
        if (has_own_matrices(protein_setup_of(s->setup)))
            stop = s->setup->translates_subjects ? begin_translated(s, task->query, first, end, thread)
                                                 : begin_subjects(s, task->query, first, end, thread);
        for (size_t i = first; i < stop && atomic_load(&s->status) == TMS_OK; i++)
            search_record(s, align_subject(s, task, i, i - first, thread));
        first = stop;
    }
}

/* Aligns the subjects of a task that is prepared. */
static void align_prepared(struct search_state *s, struct alignment_task *task, int thread)
{
    struct alignment *a = s->alignment;
    const struct composition_task *prepared = task->prepared;

    if (a->aligners != NULL)
        composition_aligner_begin_subjects(&a->aligners[thread], &prepared->subjects, prepared->is_made ? &prepared->made : NULL);
    for (size_t i = task->first; i < task->end && atomic_load(&s->status) == TMS_OK; i++) {
        if (i + 1 < task->end)
            __builtin_prefetch(s->hits[task->query].items[i + 1].hsps.items);
        search_record(s, align_subject(s, task, i, i - task->first, thread));
    }
}

void protein_align_task(struct search_state *s, struct alignment_task *task, int thread)
{
    struct alignment *a = s->alignment;
    const bool is_adjusted = has_own_matrices(protein_setup_of(s->setup));
    struct aligned_task *left = NULL;

    if (is_adjusted) {
        task->left = left = calloc(1, sizeof *left + (task->end - task->first) * sizeof *left->outcomes);
        if (left == NULL) {
            search_record(s, TMS_E_MEMORY);
            return;
        }
        composition_aligner_begin(&a->aligners[thread]);
    }
    if (task->prepared != NULL)
        align_prepared(s, task, thread);
    else
        align_subjects(s, task, task->first, task->end, thread);
    if (is_adjusted)
        left->source = *composition_aligner_source(&a->aligners[thread]);
    if (task->prepared != NULL)
        composition_task_end(&a->pool, task->prepared);
    task->prepared = NULL;
}

/* --- on a GPU --- */

/* The costs of final alignments on a GPU. */
static struct gapped_costs gpu_costs(const struct search_state *s)
{
    const struct alignment *a = s->alignment;

    return a->aligners != NULL ? a->aligners[0].costs : search_gapped_costs(s->setup, s->setup->x_final);
}

bool protein_aligns_on_gpu(const struct search_state *s)
{
    struct gapped_costs costs;

    if (s->alignment == NULL || protein_setup_of(s->setup)->smith_waterman || s->setup->ungapped || s->setup->gapped_on_cpu)
        return false;
    costs = gpu_costs(s);
    return align_gpu_takes(&costs);
}

/* Leaves task->prepared NULL if the subjects have so many residues that they cannot be prepared together. */
void protein_prepare_task(struct search_state *s, struct alignment_task *task, int thread)
{
    struct alignment *a = s->alignment;
    struct composition_task *prepared = composition_task_create(&a->pool, &a->queries[task->query * contexts_of(s)],
                                                                s->setup->program->translates, s->hits[task->query].items + task->first);

    if (prepared == NULL) {
        search_record(s, TMS_E_MEMORY);
        return;
    }
    if (prepare_subjects(s, task->query, task->first, task->end, COMPOSITION_SOLUTIONS, thread, &prepared->subjects) == task->end) {
        composition_task_choose(protein_setup_of(s->setup), prepared);
        task->prepared = prepared;
    } else {
        composition_task_end(&a->pool, prepared);
    }
}

void protein_free_prepared(void *prepared) { composition_task_free(prepared); }

tms_status protein_align_batch(struct search_state *s, const struct gpu_device *device, struct alignment_task *tasks, size_t n)
{
    struct alignment *a = s->alignment;
    const struct gapped_costs costs = gpu_costs(s);
    struct composition_task **prepared = malloc((n + 1) * sizeof *prepared);
    size_t n_prepared = 0;
    tms_status status;

    if (prepared == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n; i++)
        if (tasks[i].prepared != NULL)
            prepared[n_prepared++] = tasks[i].prepared;
    status = composition_batch_run(&a->batches[device->number], device->aligner, protein_setup_of(s->setup), &costs, device->align_bytes,
                                   prepared, n_prepared);
    free(prepared);
    return status;
}

/* --- what remains --- */

/* The waiting subjects of a task precede its first matrix: they use the matrix that an earlier task of the batch has left. */
static void align_waiting(struct search_state *s)
{
    const struct composition_source none = {.is_there = false}, *last = &none;
    struct alignment *a = s->alignment;
    size_t batch = 0;

    for (size_t k = 0; k < s->n_tasks; k++) {
        const struct alignment_task *t = &s->tasks[k];
        const struct aligned_task *left = t->left;
        for (; batch < s->all->n_batches && t->query >= s->all->batch_starts[batch]; batch++)
            last = &none;
        for (size_t i = t->first; i < t->end && left->outcomes[i - t->first].waits; i++) {
            composition_aligner_restore(&a->aligners[0], last);
            align_subjects(s, t, i, i + 1, 0);
        }
        if (left->source.is_there)
            last = &left->source;
    }
}

/* Removes the HSPs of subjects that BLAST skips in Smith-Waterman mode, or in translated searches. Tasks are in the order of queries and
 * of their lists. */
static tms_status stop_early(struct search_state *s)
{
    const struct protein_setup *setup = protein_setup_of(s->setup);
    struct smith_waterman_evidence *evidence;
    size_t n = 0, at = 0;
    tms_status status = TMS_OK;

    for (size_t k = 0; k < s->n_tasks; k++)
        n += s->tasks[k].end - s->tasks[k].first;
    evidence = malloc((n + 1) * sizeof *evidence);
    if (evidence == NULL)
        return TMS_E_MEMORY;
    n = 0;
    for (size_t k = 0; k < s->n_tasks; k++) {
        const struct aligned_task *left = s->tasks[k].left;
        for (size_t i = s->tasks[k].first; i < s->tasks[k].end; i++)
            evidence[n++] = left->outcomes[i - s->tasks[k].first].evidence;
    }
    for (size_t b = 0; b < s->all->n_batches && status == TMS_OK; b++) {
        const size_t first = s->all->batch_starts[b], end = s->all->batch_starts[b + 1];
        status = sw_early_stop(s->hits + first, evidence + at, end - first, s->setup->limits.max_subjects,
                               setup->composition == COMPOSITION_OFF || has_windows(s));
        for (size_t q = first; q < end; q++)
            at += s->hits[q].n;
    }
    free(evidence);
    return status;
}

void protein_align_last(struct search_state *s)
{
    if (!has_own_matrices(protein_setup_of(s->setup)))
        return;
    align_waiting(s);
    if ((protein_setup_of(s->setup)->smith_waterman || has_windows(s)) && atomic_load(&s->status) == TMS_OK)
        search_record(s, stop_early(s));
}
