/*
 * gpu_align.c - who does which stage of an alignment task, and when the GPU begins a batch: once it is full, or holds the last tasks.
 * Batches of a few hundred tasks each would take the GPU three times as long, while the scan waits for it.
 */
#include "search/gpu_align.h"

#include <stdlib.h>
#include <string.h>

#include "device/gpu.h"
#include "search/search_align.h"
#include "search/search_program.h"

enum {
    MOST_TASKS = 512,     /* of a batch */
    TASK_BYTES = 1 << 16, /* of device memory, in the mean at most */
    FEW_TASKS = 2,        /* for each thread: a first batch of fewer is not worth the start of the GPU's part */
    TASKS_AT_ONCE = 4     /* most tasks that a thread takes each time that it has the lock */
};

tms_status gpu_align_init(tms_context *ctx, struct search_state *s, struct search_gpu *gpu, pthread_mutex_t *lock, pthread_cond_t *changed,
                          struct gpu_align *out)
{
    const struct search_program *program = s->setup->program;

    memset(out, 0, sizeof *out);
    out->ctx = ctx;
    out->s = s;
    out->lock = lock;
    out->changed = changed;
    out->n_taken = out->n_prepared = out->n_begun = out->n_made = s->n_aligned;
    if (s->hits == NULL || program->aligns_on_gpu == NULL || !program->aligns_on_gpu(s))
        return TMS_OK;
    out->queues = calloc(gpu->n_devices, sizeof *out->queues);
    if (out->queues == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < gpu->n_devices; i++)
        if (gpu->devices[i].align_bytes > 0)
            out->queues[out->n_queues++].device = &gpu->devices[i];
    return TMS_OK;
}

void gpu_align_free(struct gpu_align *align) { free(align->queues); }

static size_t most_tasks(const struct gpu_align *align)
{
    size_t most = MOST_TASKS;

    for (size_t i = 0; i < align->n_queues; i++) {
        const size_t fits = align->queues[i].device->align_bytes / 8 / TASK_BYTES;
        most = fits < most ? fits : most;
    }
    return most;
}

/* --- a batch --- */

/* Returns the GPU that takes the next batch: of those without one, the one that was given the fewest tasks; NULL: all have one. */
static struct gpu_align_queue *next_queue(const struct gpu_align *align)
{
    struct gpu_align_queue *next = NULL;

    for (size_t i = 0; i < align->n_queues; i++) {
        struct gpu_align_queue *queue = &align->queues[i];
        if (queue->batch == NULL &&
            (next == NULL || (next->is_off && !queue->is_off) || (next->is_off == queue->is_off && queue->n < next->n)))
            next = queue;
    }
    return next;
}

/*
 * With the lock, since the search's context takes the message of a failure: opens the GPU once more, for a stream and memory of its own. A
 * few tasks are left to the threads, which are done before it begins.
 */
static tms_status open_aligner(const struct gpu_align *align, struct gpu_align_queue *queue, size_t n)
{
    struct gpu_device *device = queue->device;
    const bool are_few = n < (size_t)tms_context_threads(align->ctx) * FEW_TASKS && align->ctx->batch_keys == 0;
    tms_status status;

    if (device->aligner != NULL || queue->is_off || are_few)
        return TMS_OK;
    status = search_gpu_open_private(align->ctx, tms_context_device(device->ctx), &device->aligner);
    queue->is_off = status == TMS_E_MEMORY;
    return queue->is_off ? TMS_OK : status;
}

/* Aligns n tasks, as far as the GPU has memory; without the lock. */
static tms_status align_batch(const struct gpu_align *align, const struct gpu_align_queue *queue, size_t n)
{
    struct search_state *s = align->s;
    tms_status status;

    if (queue->device->aligner == NULL)
        return TMS_OK;
    status = gpu_let_sleep(queue->device->aligner->gpu, align->sleeps);
    if (status == TMS_OK)
        status = s->setup->program->align_batch(s, queue->device, queue->batch, n);
    return status == TMS_E_MEMORY ? TMS_OK : status;
}

/* Sets n_made after a batch. */
static void count_made(struct gpu_align *align)
{
    align->n_made = align->n_begun;
    for (size_t i = 0; i < align->n_queues; i++) {
        const struct gpu_align_queue *queue = &align->queues[i];
        if (queue->batch != NULL && queue->first < align->n_made)
            align->n_made = queue->first;
    }
}

/* Aligns the prepared tasks on a GPU. */
static tms_status run_batch(struct gpu_align *align, struct gpu_align_queue *queue)
{
    struct search_state *s = align->s;
    const double begun = clock_seconds();
    size_t n = align->n_prepared - align->n_begun;
    tms_status status;

    n = n < most_tasks(align) ? n : most_tasks(align);
    queue->batch = malloc(n * sizeof *queue->batch); /* a copy, because other threads may add tasks */
    if (queue->batch == NULL)
        return TMS_E_MEMORY;
    memcpy(queue->batch, s->tasks + align->n_begun, n * sizeof *queue->batch);
    queue->first = align->n_begun;
    queue->n += n;
    align->n_begun += n;
    pthread_cond_broadcast(align->changed);
    status = open_aligner(align, queue, n);
    pthread_mutex_unlock(align->lock);
    if (status == TMS_OK)
        status = align_batch(align, queue, n);
    pthread_mutex_lock(align->lock);
    free(queue->batch);
    queue->batch = NULL;
    count_made(align);
    if (status == TMS_E_DEVICE && align->failed == NULL)
        align->failed = queue->device;
    pthread_cond_broadcast(align->changed);
    align->seconds += clock_seconds() - begun;
    return status;
}

/* --- the stages of a thread --- */

/* Copies the next of n tasks, because other threads may add tasks: several, unless other threads would have none. Returns their number. */
static size_t take_tasks(const struct gpu_align *align, size_t first, size_t n, struct alignment_task *mine)
{
    const size_t share = n / (size_t)tms_context_threads(align->ctx);
    const size_t n_taken = share < 1 ? 1 : share < TASKS_AT_ONCE ? share : TASKS_AT_ONCE;

    memcpy(mine, align->s->tasks + first, n_taken * sizeof *mine);
    return n_taken;
}

static void prepare(struct gpu_align *align, size_t n, int thread)
{
    struct search_state *s = align->s;
    const double begun = clock_seconds();
    const size_t first = align->n_taken;
    struct alignment_task mine[TASKS_AT_ONCE];

    n = take_tasks(align, first, n, mine);
    align->n_taken += n;
    pthread_mutex_unlock(align->lock);
    for (size_t i = 0; i < n; i++)
        s->setup->program->prepare_task(s, &mine[i], thread);
    s->scratch[thread].counts.seconds_align += clock_seconds() - begun;
    pthread_mutex_lock(align->lock);
    for (size_t i = 0; i < n; i++)
        s->tasks[first + i].prepared = mine[i].prepared;
    align->n_prepared += n;
    if (align->n_prepared == align->n_taken)
        pthread_cond_broadcast(align->changed);
}

static void complete(struct gpu_align *align, size_t n, int thread)
{
    struct search_state *s = align->s;
    const size_t first = s->n_aligned;
    struct alignment_task mine[TASKS_AT_ONCE];

    n = take_tasks(align, first, n, mine);
    s->n_aligned += n;
    for (size_t i = 0; i < n; i++)
        s->tasks[first + i].prepared = NULL;
    pthread_mutex_unlock(align->lock);
    for (size_t i = 0; i < n; i++)
        search_align(s, &mine[i], thread);
    pthread_mutex_lock(align->lock);
    memcpy(s->tasks + first, mine, n * sizeof *mine);
}

/* How many tasks threads may prepare: those of the next batch. */
static size_t n_to_prepare(const struct gpu_align *align)
{
    const size_t n = align->s->n_tasks - align->n_taken, of_batch = align->n_taken - align->n_begun, most = most_tasks(align);
    const size_t room = of_batch < most ? most - of_batch : 0;

    return n < room ? n : room;
}

static bool may_begin(const struct gpu_align *align, bool is_scanned)
{
    const size_t n = align->n_prepared - align->n_begun;

    return n > 0 && align->n_prepared == align->n_taken && (n >= most_tasks(align) || (is_scanned && align->n_taken == align->s->n_tasks));
}

bool gpu_align_batch(struct gpu_align *align, bool is_scanned, tms_status *status)
{
    struct gpu_align_queue *queue = align->n_queues > 0 && may_begin(align, is_scanned) ? next_queue(align) : NULL;

    *status = queue != NULL ? run_batch(align, queue) : TMS_OK;
    return queue != NULL;
}

bool gpu_align_work(struct gpu_align *align, int thread)
{
    const struct search_state *s = align->s;
    const bool is_on_gpu = align->n_queues > 0;
    const size_t n_made = (is_on_gpu ? align->n_made : s->n_tasks) - s->n_aligned, n_unprepared = is_on_gpu ? n_to_prepare(align) : 0;

    if (n_made > 0)
        complete(align, n_made, thread);
    else if (n_unprepared > 0)
        prepare(align, n_unprepared, thread);
    return n_made > 0 || n_unprepared > 0;
}
