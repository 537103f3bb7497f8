/*
 * gpu_align.c - who does which stage of an alignment task, and when the GPU begins a batch: once it is full, or holds the last tasks.
 * Batches of a few hundred tasks each would take the GPU three times as long, while the scan waits for it.
 */
#include "search/gpu_align.h"

#include <stdlib.h>
#include <string.h>

#include "search/search_align.h"
#include "search/search_program.h"

enum {
    MOST_TASKS = 512,     /* of a batch */
    TASK_BYTES = 1 << 16, /* of device memory, in the mean at most */
    FEW_TASKS = 2         /* for each thread: a first batch of fewer is not worth the start of the GPU's part */
};

void gpu_align_init(tms_context *ctx, struct search_state *s, struct search_gpu *gpu, pthread_mutex_t *lock, pthread_cond_t *changed,
                    struct gpu_align *out)
{
    const struct search_program *program = s->setup->program;

    memset(out, 0, sizeof *out);
    out->ctx = ctx;
    out->s = s;
    out->lock = lock;
    out->changed = changed;
    if (s->hits != NULL && gpu->devices[0].align_bytes > 0 && program->aligns_on_gpu != NULL && program->aligns_on_gpu(s))
        out->device = &gpu->devices[0];
    out->n_taken = out->n_prepared = out->n_made = s->n_aligned;
}

void gpu_align_free(struct gpu_align *align) { free(align->batch); }

static size_t most_tasks(const struct gpu_align *align)
{
    const size_t fits = align->device->align_bytes / 8 / TASK_BYTES;

    return fits > MOST_TASKS ? MOST_TASKS : fits;
}

/* Aligns n tasks, as far as the GPU has memory; without the lock. A few tasks are left to the threads, which are done before it begins. */
static tms_status align_batch(struct gpu_align *align, size_t n)
{
    struct gpu_device *device = align->device;
    struct search_state *s = align->s;
    const bool are_few = n < (size_t)tms_context_threads(align->ctx) * FEW_TASKS && align->ctx->batch_keys == 0;
    tms_status status = TMS_OK;

    if (device->aligner == NULL && are_few)
        return TMS_OK;
    if (device->aligner == NULL && !align->is_off) /* the GPU once more, for a stream and memory of its own */
        status = search_gpu_open_private(align->ctx, tms_context_device(device->ctx), &device->aligner);
    align->is_off |= status == TMS_E_MEMORY;
    if (status == TMS_OK && !align->is_off)
        status = s->setup->program->align_batch(s, device->aligner, device->align_bytes, align->batch, n);
    return status == TMS_E_MEMORY ? TMS_OK : status;
}

/* Aligns the prepared tasks on the GPU. */
static tms_status run_batch(struct gpu_align *align, int thread)
{
    struct search_state *s = align->s;
    const double begun = clock_seconds();
    size_t n = align->n_prepared - align->n_made;
    tms_status status;

    n = n < most_tasks(align) ? n : most_tasks(align);
    align->batch = malloc(n * sizeof *align->batch); /* a copy, because other threads may add tasks */
    if (align->batch == NULL)
        return TMS_E_MEMORY;
    memcpy(align->batch, s->tasks + align->n_made, n * sizeof *align->batch);
    pthread_mutex_unlock(align->lock);
    status = align_batch(align, n);
    pthread_mutex_lock(align->lock);
    free(align->batch);
    align->batch = NULL;
    align->n_made += n;
    pthread_cond_broadcast(align->changed);
    s->scratch[thread].counts.seconds_align += clock_seconds() - begun;
    return status;
}

static void prepare(struct gpu_align *align, int thread)
{
    struct search_state *s = align->s;
    const double begun = clock_seconds();
    const size_t task = align->n_taken++;
    struct alignment_task mine = s->tasks[task];

    pthread_mutex_unlock(align->lock);
    s->setup->program->prepare_task(s, &mine, thread);
    pthread_mutex_lock(align->lock);
    s->tasks[task].prepared = mine.prepared;
    if (++align->n_prepared == align->n_taken)
        pthread_cond_broadcast(align->changed);
    s->scratch[thread].counts.seconds_align += clock_seconds() - begun;
}

static void complete(struct gpu_align *align, int thread)
{
    struct search_state *s = align->s;
    const size_t task = s->n_aligned++;
    struct alignment_task mine = s->tasks[task]; /* a copy, because other threads may add tasks */

    s->tasks[task].prepared = NULL;
    pthread_mutex_unlock(align->lock);
    search_align(s, &mine, thread);
    pthread_mutex_lock(align->lock);
    s->tasks[task] = mine;
}

/* Whether a thread may prepare a task: of the next batch, or of the one after it, if the GPU has the next one. */
static bool may_prepare(const struct gpu_align *align)
{
    const size_t most = (align->batch != NULL ? 2 : 1) * most_tasks(align);

    return align->n_taken < align->s->n_tasks && align->n_taken - align->n_made < most;
}

static bool may_begin(const struct gpu_align *align, bool is_scanned)
{
    const size_t n = align->n_prepared - align->n_made;

    return align->batch == NULL && n > 0 && align->n_prepared == align->n_taken &&
           (n >= most_tasks(align) || (is_scanned && align->n_taken == align->s->n_tasks));
}

bool gpu_align_work(struct gpu_align *align, int thread, bool is_scanned, tms_status *status)
{
    const struct search_state *s = align->s;
    const bool is_on_gpu = align->device != NULL;

    *status = TMS_OK;
    if (is_on_gpu && may_begin(align, is_scanned))
        *status = run_batch(align, thread);
    else if (s->n_aligned < (is_on_gpu ? align->n_made : s->n_tasks))
        complete(align, thread);
    else if (is_on_gpu && may_prepare(align))
        prepare(align, thread);
    else
        return false;
    return true;
}
