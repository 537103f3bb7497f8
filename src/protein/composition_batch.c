/* composition_batch.c - packs tasks for the GPU, and hands each task its results. */
#include "protein/composition_batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "search/gapped_window.h"
#include "search/traceback.h"

enum {
    KEPT_RESIDUES = 1 << 16, /* most residues of a task whose memory is kept: four times those of most */
    MOST_STARTS = 64,        /* HSPs of a subject that are aligned although some may lie within others; there is seldom more than one */
    FIRST_RESULTS = 2048,    /* bytes: room for most tasks */
    ROOM_GROWS = 3 /* workspaces grow by half: each takes up to three halves of what it needs, and so a third of the memory is kept free */
};

void composition_batch_free(struct composition_batch *batch)
{
    free(batch->codes);
    free(batch->rows);
    free(batch->shares);
    free(batch->pairs);
    free(batch->sequences);
    free(batch->starts);
    free(batch->padded);
    free(batch->inside.items);
    align_gpu_found_free(&batch->found);
    memset(batch, 0, sizeof *batch);
}

/* --- tasks --- */

void composition_pool_init(struct composition_pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
    pool->first = NULL;
}

void composition_pool_destroy(struct composition_pool *pool)
{
    for (struct composition_task *task = pool->first, *next; task != NULL; task = next) {
        next = task->next;
        composition_task_free(task);
    }
    pthread_mutex_destroy(&pool->lock);
}

/* Returns a task of the pool; NULL: it has none. */
static struct composition_task *take(struct composition_pool *pool)
{
    struct composition_task *task;

    pthread_mutex_lock(&pool->lock);
    task = pool->first;
    if (task != NULL)
        pool->first = task->next;
    pthread_mutex_unlock(&pool->lock);
    return task;
}

static struct composition_task *make_task(void)
{
    struct composition_task *task = malloc(sizeof *task);

    if (task == NULL)
        return NULL;
    composition_subjects_init(&task->subjects);
    task->results = NULL;
    task->results_capacity = 0;
    return task;
}

struct composition_task *composition_task_create(struct composition_pool *pool, const struct composition_query *queries, bool has_frames,
                                                 const struct subject_hits *hits)
{
    struct composition_task *task = take(pool);

    if (task == NULL)
        task = make_task();
    if (task == NULL)
        return NULL;
    task->queries = queries;
    task->has_frames = has_frames;
    task->hits = hits;
    task->is_made = false;
    composition_subjects_clear(&task->subjects);
    return task;
}

void composition_task_end(struct composition_pool *pool, struct composition_task *task)
{
    if (task->subjects.residues_capacity > KEPT_RESIDUES) {
        composition_task_free(task);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    task->next = pool->first;
    pool->first = task;
    pthread_mutex_unlock(&pool->lock);
}

void composition_task_free(struct composition_task *task)
{
    composition_subjects_free(&task->subjects);
    free(task->results);
    free(task);
}

void composition_task_choose(const struct protein_setup *setup, struct composition_task *task)
{
    for (size_t i = 0; i < task->subjects.n; i++) {
        const struct composition_pair *pair = &task->subjects.items[i].pair;
        if (setup->composition == COMPOSITION_OFF) {
            task->kinds[i] = task->subjects.items[i].n < GAPPED_LONG_SUBJECT ? TASK_STANDARD : TASK_LEFT;
        } else if (!composition_has_matrix(pair)) {
            task->kinds[i] = TASK_LEFT;
        } else if (composition_is_optimised(&setup->basis, setup->composition, pair)) {
            task->kinds[i] = TASK_OPTIMISED;
            composition_smooth(&setup->basis, &pair->subject, task->columns[i]);
        } else {
            task->kinds[i] = TASK_SCALED;
            composition_shares(&pair->subject, task->columns[i]);
        }
    }
}

/* --- packing --- */

static size_t n_starts_of(const struct composition_task *task, size_t i)
{
    const size_t n = task->subjects.items[i].n_hsps;

    return n < MOST_STARTS ? n : MOST_STARTS;
}

/* Codes of the queries or windows of a task's pairs, with those around them; a query that several share counts once. */
static size_t query_codes_of(const struct composition_task *task)
{
    size_t n = 0;

    for (size_t i = 0; i < (task->has_frames ? task->subjects.n : 1); i++)
        n += (size_t)(task->subjects.items[i].window.end - task->subjects.items[i].window.first) + 2;
    return n;
}

/* Device memory that a task takes. */
static size_t bytes_of(const struct composition_task *task)
{
    size_t bytes = task->subjects.n_residues + query_codes_of(task) +
                   (task->has_frames ? task->subjects.n : 1) * 2 * JOINT_LETTERS * sizeof(double);

    for (size_t i = 0; i < task->subjects.n; i++)
        if (task->kinds[i] != TASK_LEFT)
            bytes += COMPOSITION_GPU_PAIR_BYTES + ALIGN_GPU_PAIR_BYTES + n_starts_of(task, i) * ALIGN_GPU_START_BYTES;
    return bytes;
}

static bool reserve(struct composition_batch *b, const struct composition_task *task)
{
    const size_t codes = task->subjects.n_residues + query_codes_of(task), n = task->subjects.n;

    return array_reserve(&b->codes, &b->codes_capacity, b->n_codes + codes, 1) &&
           array_reserve(&b->rows, &b->rows_capacity, (b->n_queries + n + 1) * JOINT_LETTERS, sizeof *b->rows) &&
           array_reserve(&b->shares, &b->shares_capacity, (b->n_queries + n + 1) * JOINT_LETTERS, sizeof *b->shares) &&
           array_reserve(&b->pairs, &b->pairs_capacity, b->n_pairs + n, sizeof *b->pairs) &&
           array_reserve(&b->sequences, &b->sequences_capacity, b->n_pairs + n, sizeof *b->sequences) &&
           array_reserve(&b->starts, &b->starts_capacity, b->n_starts + n * MOST_STARTS, sizeof *b->starts);
}

/* Appends codes with a 0 before and after. Returns the position of the first code. */
static uint32_t add_codes(struct composition_batch *b, const uint8_t *padded, size_t n_padded)
{
    const size_t at = b->n_codes;

    memcpy(b->codes + at, padded, n_padded);
    b->n_codes += n_padded;
    return (uint32_t)at + 1;
}

/* Appends the codes and the shares of a pair's query, or of its window, unless they are those of the pair before. False: no memory. */
static bool add_query(struct composition_batch *b, const struct protein_setup *setup, const struct composition_task *task, size_t i)
{
    const struct composition_prepared *pair = &task->subjects.items[i];
    const struct composition_query *query = &task->queries[pair->context];
    const size_t n = (size_t)(pair->window.end - pair->window.first);

    if (b->query == query)
        return true;
    if (!array_reserve(&b->padded, &b->padded_capacity, n + 2, 1))
        return false;
    b->padded[0] = b->padded[n + 1] = 0;
    memcpy(b->padded + 1, query->codes + pair->window.first, n);
    b->query = task->has_frames ? NULL : query;
    b->query_at = add_codes(b, b->padded, n + 2);
    if (setup->composition != COMPOSITION_OFF) {
        composition_smooth(&setup->basis, &pair->pair.query, b->rows + b->n_queries * JOINT_LETTERS);
        composition_shares(&pair->pair.query, b->shares + b->n_queries * JOINT_LETTERS);
    }
    b->n_queries++;
    return true;
}

/* Appends the start points of pair i of a task, the next one of the batch. Returns false if there is no memory. */
static bool add_starts(struct composition_batch *b, const struct protein_setup *setup, const struct composition_task *task, size_t i)
{
    const struct composition_prepared *pair = &task->subjects.items[i];
    const struct hsp_list *hsps = &task->hits[pair->subject].hsps;

    if (task->has_frames) {
        const struct framed_side side = {.context = pair->context};
        const struct frame_window window = {0, pair->window};
        if (frame_windows_inside(hsps, &side, &window, &b->inside) != TMS_OK)
            return false;
        hsps = &b->inside;
    }
    for (size_t k = 0; k < n_starts_of(task, i); k++) {
        struct hsp h = hsps->items[k];
        if (task->kinds[i] == TASK_STANDARD && h.start_query == 0 && h.start_subject == 0)
            (void)traceback_find_start(setup->search.scores, b->padded + 1, task->subjects.residues + pair->at, &h); /* if there is none,
                                                                                                  traceback() skips the alignment */
        b->starts[b->n_starts++] = (struct align_gpu_start){(uint32_t)b->n_pairs, h.start_query - pair->window.first, h.start_subject};
    }
    return true;
}

/* Appends a task. Returns false if there is no memory. */
static bool add_task(struct composition_batch *b, const struct protein_setup *setup, const struct composition_task *task)
{
    const struct composition_subjects *subjects = &task->subjects;
    uint32_t at;

    if (!reserve(b, task))
        return false;
    at = add_codes(b, subjects->residues, subjects->n_residues) - 1;
    for (size_t i = 0; i < subjects->n; i++) {
        const struct composition_prepared *item = &subjects->items[i];
        struct composition_gpu_pair *pair = &b->pairs[b->n_pairs];
        if (task->kinds[i] == TASK_LEFT)
            continue;
        if (!add_query(b, setup, task, i) || !add_starts(b, setup, task, i))
            return false;
        if (task->kinds[i] != TASK_STANDARD)
            memcpy(pair->columns, task->columns[i], sizeof pair->columns);
        pair->query = (uint32_t)b->n_queries - 1;
        pair->is_scaled = task->kinds[i] == TASK_SCALED;
        b->sequences[b->n_pairs++] = (struct align_gpu_pair){b->query_at, at + (uint32_t)item->at, item->window.end - item->window.first,
                                                             item->n};
    }
    return true;
}

/* --- results --- */

/* The next results of a batch. */
struct position {
    size_t pair, start;
};

/* Hands a task its results, and moves behind them. Without memory the task gets none. */
static void hand_out(const struct align_gpu_found *found, struct composition_task *task, struct position *at)
{
    const struct align_gpu_alignment *from = found->alignments + at->start;
    struct composition_made *made = &task->made;
    struct align_gpu_alignment *alignments;
    size_t n = 0, n_runs = 0;
    int *runs;

    for (size_t i = 0; i < task->subjects.n; i++) {
        const bool is_left = task->kinds[i] == TASK_LEFT;
        made->first[i] = (uint32_t)n;
        made->is_scaled[i] = task->kinds[i] == TASK_SCALED;
        made->has_matrix[i] = !is_left && found->is_made[at->pair++];
        n += is_left ? 0 : n_starts_of(task, i);
    }
    made->first[task->subjects.n] = (uint32_t)n;
    at->start += n;
    for (size_t k = 0; k < n; k++)
        n_runs += from[k].n_runs > 0 ? (size_t)from[k].n_runs : 0;
    if (!array_reserve_few(&task->results, &task->results_capacity, n * sizeof *alignments + n_runs * sizeof *runs + 1, 1, FIRST_RESULTS))
        return;
    task->is_made = true;
    made->alignments = alignments = (struct align_gpu_alignment *)(void *)task->results;
    made->runs = runs = (int *)(void *)(alignments + n);
    n_runs = 0;
    for (size_t k = 0; k < n; k++) {
        alignments[k] = from[k];
        alignments[k].first_run = (uint32_t)n_runs;
        for (int r = 0; r < from[k].n_runs; r++)
            runs[n_runs++] = found->runs[from[k].first_run + (uint32_t)r];
    }
}

/* Makes matrices, unless all pairs have the standard one, and alignments. *is_made: false if the GPU cannot make them as the CPU does, or
 * lacks memory. */
static tms_status make(struct composition_batch *b, tms_context *ctx, const struct protein_setup *setup, const struct gapped_costs *costs,
                       size_t work_bytes, bool *is_made)
{
    const struct composition_gpu_batch pairs = {b->rows, b->shares, b->n_queries, b->pairs, b->n_pairs};
    struct composition_gpu_matrices matrices = {.are_equal = true};
    tms_status status = TMS_OK;

    *is_made = false;
    if (setup->composition != COMPOSITION_OFF)
        status = composition_gpu_make(ctx->gpu, &setup->basis, &pairs, &matrices);
    if (status == TMS_OK && matrices.are_equal) {
        const struct align_gpu_batch batch = {.codes = b->codes,
                                              .n_codes = b->n_codes,
                                              .pairs = b->sequences,
                                              .n_pairs = b->n_pairs,
                                              .starts = b->starts,
                                              .n_starts = b->n_starts,
                                              .d_scores = matrices.d_scores,
                                              .d_is_made = matrices.d_is_made,
                                              .work_bytes = work_bytes};
        status = align_gpu(ctx, costs, &batch, &b->found);
        *is_made = status == TMS_OK;
    }
    return status == TMS_E_MEMORY ? TMS_OK : status;
}

tms_status composition_batch_run(struct composition_batch *batch, tms_context *ctx, const struct protein_setup *setup,
                                 const struct gapped_costs *costs, size_t bytes, struct composition_task *const *tasks, size_t n)
{
    const size_t third = bytes / ROOM_GROWS, most = third > COMPOSITION_GPU_BYTES ? third - COMPOSITION_GPU_BYTES : 0;
    struct position at = {0};
    size_t taken = 0, end;
    tms_status status = TMS_OK;
    bool is_made = false;

    batch->n_codes = batch->n_queries = batch->n_pairs = batch->n_starts = 0;
    batch->query = NULL;
    for (end = 0; end < n && taken + bytes_of(tasks[end]) <= most && add_task(batch, setup, tasks[end]); end++)
        taken += bytes_of(tasks[end]);
    if (batch->n_starts > 0)
        status = make(batch, ctx, setup, costs, third, &is_made);
    for (size_t i = 0; i < end && is_made; i++)
        hand_out(&batch->found, tasks[i], &at);
    return status;
}
