/*
 * gpu_schedule.c - GPUs find and extend word hits, block by block and group by group. Threads of the CPU load the blocks, finish the pairs
 * that GPUs leave, and align. One or two threads more for each GPU wait for it.
 */
#include "search/gpu_schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic_min.h"
#include "device/gpu.h"
#include "run/pool.h"
#include "search/gpu_align.h"
#include "search/gpu_load.h"
#include "search/gpu_round.h"
#include "search/search_align.h"
#include "search/search_program.h"

/*
 * For each GPU one thread drives it, as long as there are groups, the next block is in the GPU's memory and a round is free; another one
 * hands it batches of alignments, if it aligns. Both mostly wait for the GPU, so they are not among the threads of the context; if they
 * cannot be made, those do their work, too. The threads of the context take any other work that there is: they load the GPU's next block,
 * finish the pairs of its oldest round, and align the queries that are complete.
 *
 * A pass takes a few groups through all blocks of a GPU. The next pass takes the blocks in the opposite order, since the last blocks are
 * still in memory. So the queries of a pass are complete, and threads align them, during the GPU's next pass. A round is one group and one
 * block, or a part of the block where memory does not hold all results. Rounds of several GPUs end in any order, and with more GPUs or less
 * memory subjects come in another order. The results do not depend on the order: a pair of a query and a subject belongs to one round, so
 * search_add_hits() receives it once; and a list keeps the best subjects under a total order (hit_list.h), and is marked as cut if it
 * received more.
 */
enum {
    ROUNDS = 6,            /* more than two, since a pair that a GPU leaves may take a thread as long as the GPU takes for some rounds */
    GPU_THREADS = 2,       /* for each GPU, that wait for it; one if no GPU aligns */
    FEW_THREADS = 8,       /* for each GPU; with more the GPU, not the processors, is what the search waits for */
    PASS_RESIDUES = 40000, /* residues of the queries of a pass; more if blocks load slowly */
    PASS_LOADS = 2         /* a pass is long enough that searching a block takes this many times as long as loading the next one */
};

/*
 * The schedule of one GPU. The schedule's lock guards all members, except that
 *  - round n_begun - 1 belongs to the thread that drives the GPU while n_begun > n_made, and so do device->ctx and counts;
 *  - rounds n_finished .. n_made - 1 do not change: tasks of gpu_round_finish() read round n_finished without the lock;
 *  - blocks of steps n_over .. n_ready - 1 are in their slots and do not change. The block of step n_ready is the one being loaded, into
 *  another slot: n_ready - n_over < n_slots.
 * A step is a block, counted in the order of the current pass.
 */
struct gpu_queue {
    struct gpu_device *device;
    struct search_counts counts; /* counts of the driving thread */
    double load_seconds;         /* summed over all threads that load blocks */
    struct gpu_round rounds[ROUNDS];
    size_t n_begun, n_made, n_finished; /* numbers of rounds that have begun, that the GPU has made, and that are finished */
    size_t n_claimed, n_done;           /* tasks of the round that threads are finishing: claimed, and done */
    size_t n_ready, n_over;             /* steps whose block has been loaded; steps that no later round needs */
    size_t group;                       /* group of the next round */
    size_t first_group, end_group;      /* groups of the pass */
    double searched;                    /* residues of queries x blocks that the GPU has searched in the seconds of `counts` */
    double load_begun, seconds_a_load;  /* when the last load began; seconds that the last load took */
    uint32_t subject;                   /* subject of the block with which the next round begins */
    uint32_t length;                    /* most subjects of the block that the next round takes; 0: all of them */
    struct gpu_load load;
};

/* A thread that waits for a GPU: it drives the GPU, or hands it batches of alignments. */
struct gpu_thread {
    struct gpu_schedule *schedule;
    bool (*work)(struct gpu_schedule *schedule, struct gpu_queue *queue);
    struct gpu_queue *queue;
    pthread_t id;
    bool runs; /* false: it could not be made */
};

struct gpu_schedule {
    tms_context *ctx;
    struct search_state *s;
    struct search_gpu *gpu;
    pthread_mutex_t lock;     /* guards what follows, and the search's list of alignment tasks */
    pthread_cond_t changed;   /* a thread has finished some work: there may be more work, or none left */
    struct gpu_queue *queues; /* one for each GPU */
    struct gpu_align align;
    struct gpu_thread threads[GPU_THREADS * TMS_MAX_GPUS]; /* GPU_THREADS for each GPU; those that drive come first */
    size_t *n_left;           /* for each group: blocks that it has not been searched against; 0 for a group of the CPU */
    size_t n_whole;           /* groups 0 .. n_whole - 1 are finished, and their lists are gathered */
    size_t turn;              /* rotates, so that no GPU always has precedence */
    const tms_context *fault; /* the context that failed first, which has the message; NULL: none */
    size_t fault_queue;
    tms_status fault_status;
};

static size_t next_gpu_group(const struct search_state *s, size_t from)
{
    while (from < s->n_groups && !s->groups[from].is_for_gpu)
        from++;
    return from;
}

static size_t block_of_step(const struct gpu_device *device, size_t step)
{
    return device->is_descending ? device->n_blocks - 1 - step : step;
}

/* With the lock: records the failure of a GPU's work. */
static tms_status note_fault(struct gpu_schedule *schedule, const struct gpu_queue *queue, const tms_context *from, tms_status status)
{
    if (status == TMS_OK || schedule->fault != NULL)
        return status;
    schedule->fault = from;
    schedule->fault_queue = queue->device->number;
    schedule->fault_status = status;
    return status;
}

/* --- rounds --- */

/*
 * Records, once for each group, the size of a lookup table that the GPU makes for each round. Only the driving thread uses these members of
 * a group.
 */
static void note_table(const struct gpu_round *round)
{
    struct query_group *group = &round->s->groups[round->group - round->s->groups];

    if (!group->is_looked_up_on_gpu || round->first_subject > 0 || round->part.first > 0)
        return;
    group->n_words = round->ungapped.n_words;
    group->expected_hits = round->ungapped.expected_hits;
}

/* Called by the driving thread, without the lock. */
static tms_status make_round(const struct gpu_queue *queue, struct gpu_round *round, struct search_counts *counts)
{
    const struct gpu_device *device = queue->device;
    double begun = clock_seconds(), scanned;
    const struct search_setup *setup = round->s->setup;
    tms_status status = setup->program->scan_block(device->ctx, setup, round->block, round->group, &round->part, &round->ungapped);

    scanned = clock_seconds();
    if (status == TMS_OK)
        status = gpu_round_extend(device->ctx, round, counts);
    counts->seconds_scan += scanned - begun;
    counts->seconds_gapped += clock_seconds() - scanned;
    if (status != TMS_OK)
        return status;
    note_table(round);
    counts->n_hits += round->ungapped.n_hits;
    counts->n_extensions += round->ungapped.n_candidates;
    counts->n_ungapped += round->ungapped.n - gpu_round_n_left(round);
    return TMS_OK;
}

/* Returns the next round of a GPU; NULL unless there is one, its block is loaded, a round is free, and no thread drives the GPU. */
static struct gpu_round *begin_round(struct gpu_schedule *schedule, struct gpu_queue *queue)
{
    const struct gpu_device *device = queue->device;
    struct gpu_round *round = &queue->rounds[queue->n_begun % ROUNDS];
    uint32_t n;
    size_t j, k;

    if (queue->n_over == queue->n_ready || queue->n_begun > queue->n_made || queue->n_begun - queue->n_finished == ROUNDS)
        return NULL;
    j = block_of_step(device, queue->n_over);
    k = search_gpu_block(schedule->gpu, device, j);
    n = (uint32_t)(schedule->gpu->firsts[k + 1] - schedule->gpu->firsts[k]);
    round->group = &schedule->s->groups[queue->group];
    round->block = device->slots[j % device->n_slots].subjects;
    round->pieces = search_gpu_pieces(schedule->gpu, k);
    round->first_subject = schedule->gpu->firsts[k];
    round->n_subjects = n;
    round->part = (struct two_hit_gpu_part){queue->subject, n, device->work_bytes, GAPPED_GPU_HSP_BYTES, round->pieces};
    if (queue->length > 0 && queue->length < n - queue->subject)
        round->part.end = queue->subject + queue->length;
    round->wanted_end = round->part.end;
    queue->n_begun++;
    return round;
}

/* With the lock: begins the pass whose first group is `from`, the GPU's next one. With the small batches of tests a pass is one group. */
static void begin_pass(const struct gpu_schedule *schedule, struct gpu_queue *queue, size_t from)
{
    const struct gpu_device *device = queue->device;
    const double seconds = queue->counts.seconds_scan + queue->counts.seconds_gapped;
    const double of_loads = seconds > 0 ? PASS_LOADS * queue->seconds_a_load * queue->searched / seconds : 0;
    double wanted = PASS_RESIDUES, residues = 0;

    if (schedule->ctx->batch_keys > 0)
        wanted = 1;
    else if (!schedule->gpu->keeps_all && of_loads > wanted)
        wanted = of_loads;
    queue->group = queue->first_group = queue->end_group = next_gpu_group(schedule->s, from);
    while (queue->end_group < schedule->s->n_groups && residues < wanted) {
        const struct query_group *group = &schedule->s->groups[queue->end_group++];
        residues += group->is_for_gpu ? group->n_positions : 0;
    }
    queue->n_over = queue->n_ready = 0;
    while (queue->n_ready < device->n_slots && gpu_load_is_held(device, block_of_step(device, queue->n_ready)))
        queue->n_ready++;
}

/* With the lock: sets where the GPU's next round begins. */
static void go_on(const struct gpu_schedule *schedule, struct gpu_queue *queue, const struct gpu_round *round)
{
    queue->n_made++;
    queue->subject = round->part.end;
    if (round->part.end < round->wanted_end) /* memory limited this round, so the next one takes as many subjects */
        queue->length = round->part.end - round->part.first;
    if (!gpu_round_ends_block(round))
        return;
    queue->searched += round->group->n_positions;
    queue->subject = 0;
    queue->length = queue->length < round->n_subjects / 2 ? 2 * queue->length : 0;
    queue->group = next_gpu_group(schedule->s, queue->group + 1);
    if (queue->group < queue->end_group)
        return;
    queue->group = queue->first_group;
    queue->n_over++;
    if (queue->n_over == queue->device->n_blocks && next_gpu_group(schedule->s, queue->end_group) < schedule->s->n_groups) {
        queue->device->is_descending = !queue->device->is_descending;
        begin_pass(schedule, queue, queue->end_group);
    }
}

/* With the lock: gathers the finished groups, up to the first that is unfinished. */
static tms_status gather_whole(struct gpu_schedule *schedule)
{
    struct search_state *s = schedule->s;

    while (schedule->n_whole < s->n_groups && schedule->n_left[schedule->n_whole] == 0)
        schedule->n_whole++;
    if (s->hits == NULL)
        return TMS_OK;
    return search_gather(s, schedule->n_whole < s->n_groups ? s->groups[schedule->n_whole].first : s->n_queries);
}

/*
 * With the lock: ends the rounds whose pairs are all finished. A GPU's rounds are finished in order, so the last round of a group and a
 * block ends last.
 */
static tms_status end_rounds(struct gpu_schedule *schedule, struct gpu_queue *queue)
{
    tms_status status = TMS_OK;

    while (queue->n_finished < queue->n_made && status == TMS_OK) {
        const struct gpu_round *round = &queue->rounds[queue->n_finished % ROUNDS];
        if (queue->n_done < gpu_round_n_tasks(round))
            break;
        if (gpu_round_ends_block(round) && --schedule->n_left[round->group - schedule->s->groups] == 0)
            status = gather_whole(schedule);
        queue->n_finished++;
        queue->n_claimed = queue->n_done = 0;
    }
    return status;
}

/* --- functions that do one piece of work; the caller holds the lock before and after; they return false if they find no such work --- */

static bool drive(struct gpu_schedule *schedule, struct gpu_queue *queue)
{
    struct gpu_round *round = begin_round(schedule, queue);
    tms_status status;

    if (round == NULL)
        return false;
    pthread_mutex_unlock(&schedule->lock);
    status = make_round(queue, round, &queue->counts);
    pthread_mutex_lock(&schedule->lock);
    status = note_fault(schedule, queue, queue->device->ctx, status);
    if (status == TMS_OK) {
        go_on(schedule, queue, round);
        status = end_rounds(schedule, queue);
    }
    search_record(schedule->s, status);
    return true;
}

/* Records the result of loading; search_state has the number of a damaged subject. */
static void end_load(struct gpu_schedule *schedule, struct gpu_queue *queue, double begun, tms_status status)
{
    queue->load_seconds += clock_seconds() - begun;
    atomic_min(&schedule->s->damaged, atomic_load(&queue->load.damaged));
    if (status != TMS_E_FORMAT)
        (void)note_fault(schedule, queue, queue->device->loader, status);
    search_record(schedule->s, status);
}

static void complete_block(struct gpu_schedule *schedule, struct gpu_queue *queue)
{
    double begun = clock_seconds();
    tms_status status;

    queue->load.state = LOAD_ENDS;
    pthread_mutex_unlock(&schedule->lock);
    status = gpu_load_end(&queue->load);
    pthread_mutex_lock(&schedule->lock);
    if (status == TMS_OK) {
        gpu_load_hold(&queue->load);
        queue->n_ready++;
        queue->seconds_a_load = clock_seconds() - queue->load_begun;
    }
    end_load(schedule, queue, begun, status);
}

static void begin_block(struct gpu_schedule *schedule, struct gpu_queue *queue)
{
    double begun = clock_seconds();
    tms_status status;

    queue->load_begun = begun;
    gpu_load_start(&queue->load, block_of_step(queue->device, queue->n_ready));
    pthread_mutex_unlock(&schedule->lock);
    status = gpu_load_begin(&queue->load);
    pthread_mutex_lock(&schedule->lock);
    queue->load.state = LOAD_COPIES;
    end_load(schedule, queue, begun, status);
    if (status == TMS_OK && gpu_load_is_copied(&queue->load)) /* a block without subjects has no copy that ends the load */
        complete_block(schedule, queue);
}

static bool load(struct gpu_schedule *schedule, struct gpu_queue *queue)
{
    const struct gpu_device *device = queue->device;
    struct gpu_copy copy;
    double begun = clock_seconds();
    tms_status status;

    if (queue->load.state == LOAD_IDLE && queue->n_ready < device->n_blocks && queue->n_ready - queue->n_over < device->n_slots) {
        begin_block(schedule, queue);
        return true;
    }
    if (queue->load.state != LOAD_COPIES || !gpu_load_claim(&queue->load, &copy))
        return false;
    pthread_mutex_unlock(&schedule->lock);
    status = gpu_load_copy(&queue->load, &copy);
    pthread_mutex_lock(&schedule->lock);
    gpu_load_end_copy(&queue->load, &copy);
    end_load(schedule, queue, begun, status);
    if (atomic_load(&schedule->s->status) == TMS_OK && gpu_load_is_copied(&queue->load))
        complete_block(schedule, queue);
    return true;
}

static bool finish(struct gpu_schedule *schedule, struct gpu_queue *queue, int thread)
{
    struct gpu_round *round = &queue->rounds[queue->n_finished % ROUNDS];
    size_t task;

    if (queue->n_finished == queue->n_made || queue->n_claimed == gpu_round_n_tasks(round))
        return false;
    task = queue->n_claimed++;
    pthread_mutex_unlock(&schedule->lock);
    gpu_round_finish(round, task, thread);
    pthread_mutex_lock(&schedule->lock);
    queue->n_done++;
    search_record(schedule->s, end_rounds(schedule, queue));
    return true;
}

/* Hands a batch of alignments to any GPU. */
static bool align_batch(struct gpu_schedule *schedule, struct gpu_queue *queue)
{
    const bool is_scanned = schedule->n_whole == schedule->s->n_groups;
    tms_status status;
    const bool has_worked = gpu_align_batch(&schedule->align, is_scanned, &status);

    (void)queue;
    if (status == TMS_E_DEVICE)
        status = note_fault(schedule, &schedule->queues[schedule->align.failed->number], gpu_align_fault(&schedule->align), status);
    search_record(schedule->s, status);
    return has_worked;
}

/* --- threads --- */

/* Those that hand over batches are of use only where GPUs align. */
static size_t n_gpu_threads(const struct gpu_schedule *schedule)
{
    return (schedule->align.n_queues > 0 ? GPU_THREADS : 1) * schedule->gpu->n_devices;
}

static bool goes_on(const struct gpu_schedule *schedule)
{
    return atomic_load(&schedule->s->status) == TMS_OK && !__atomic_load_n(&schedule->ctx->cancelled, __ATOMIC_RELAXED);
}

/* Whether the other threads only finish the work that they have begun. */
static bool is_over(const struct gpu_schedule *schedule)
{
    return schedule->n_whole == schedule->s->n_groups && gpu_align_is_over(&schedule->align);
}

/* What GPUs wait for. */
static bool serve_gpus(struct gpu_schedule *schedule, int thread)
{
    const size_t n = schedule->gpu->n_devices, turn = schedule->turn++;
    bool has_worked = false;

    for (size_t i = 0; i < n_gpu_threads(schedule) && !has_worked; i++) {
        struct gpu_thread *missing = &schedule->threads[(turn + i) % n_gpu_threads(schedule)];
        has_worked = !missing->runs && missing->work(schedule, missing->queue);
    }
    for (size_t i = 0; i < n && !has_worked; i++)
        has_worked = load(schedule, &schedule->queues[(turn + i) % n]);
    for (size_t i = 0; i < n && !has_worked; i++)
        has_worked = finish(schedule, &schedule->queues[(turn + i) % n], thread);
    return has_worked;
}

/*
 * Work that keeps a GPU busy has precedence. While groups are unfinished and no thread works, there is always work. The GPU of an
 * unfinished block may have a round that is made and not finished; any thread can finish it. Otherwise a round is free. If the block is
 * loaded, the GPU's thread can drive it; if not, a slot is free, and any thread can load the block. So the search ends with any number of
 * threads.
 */
static bool do_work(struct gpu_schedule *schedule, int thread)
{
    const bool has_worked = serve_gpus(schedule, thread);

    if (has_worked)
        pthread_cond_broadcast(&schedule->changed);
    return has_worked || gpu_align_work(&schedule->align, thread);
}

static void work_along(void *arg, size_t task, int thread)
{
    struct gpu_schedule *schedule = arg;

    (void)task;
    pthread_mutex_lock(&schedule->lock);
    while (goes_on(schedule)) {
        if (do_work(schedule, thread))
            continue;
        if (is_over(schedule))
            break;
        pthread_cond_wait(&schedule->changed, &schedule->lock);
    }
    pthread_cond_broadcast(&schedule->changed);
    pthread_mutex_unlock(&schedule->lock);
}

static void *wait_for_gpu(void *arg)
{
    struct gpu_thread *me = arg;
    struct gpu_schedule *schedule = me->schedule;

    pthread_mutex_lock(&schedule->lock);
    while (goes_on(schedule) && !is_over(schedule)) {
        if (me->work(schedule, me->queue))
            pthread_cond_broadcast(&schedule->changed);
        else
            pthread_cond_wait(&schedule->changed, &schedule->lock);
    }
    pthread_cond_broadcast(&schedule->changed);
    pthread_mutex_unlock(&schedule->lock);
    return NULL;
}

/* Lets threads sleep while a GPU scans for them, or ends that. */
static tms_status let_sleep(const struct gpu_schedule *schedule, bool sleeps)
{
    tms_status status = TMS_OK;

    for (size_t i = 0; i < schedule->gpu->n_devices && status == TMS_OK; i++)
        status = gpu_let_sleep(schedule->gpu->devices[i].ctx->gpu, sleeps);
    return status;
}

/*
 * Starts the threads that wait for GPUs. Without processors left for them, those that hand over alignments sleep meanwhile; those that
 * drive a GPU, whose next kernels wait for them, only if there are few threads.
 */
static tms_status start_gpu_threads(struct gpu_schedule *schedule)
{
    const size_t n = schedule->gpu->n_devices, n_threads = (size_t)tms_context_threads(schedule->ctx);
    tms_status status;

    schedule->align.sleeps = n_threads + n_gpu_threads(schedule) > (size_t)context_processors();
    status = let_sleep(schedule, schedule->align.sleeps && n_threads < FEW_THREADS * n);
    for (size_t i = 0; i < n_gpu_threads(schedule) && status == TMS_OK; i++) {
        struct gpu_thread *thread = &schedule->threads[i];
        *thread = (struct gpu_thread){.schedule = schedule, .work = i < n ? drive : align_batch, .queue = &schedule->queues[i % n]};
        thread->runs = pool_make_thread(&thread->id, wait_for_gpu, thread);
    }
    return status;
}

static void join_gpu_threads(struct gpu_schedule *schedule)
{
    pthread_mutex_lock(&schedule->lock);
    pthread_cond_broadcast(&schedule->changed); /* if the search was cancelled, no other thread may have done it */
    pthread_mutex_unlock(&schedule->lock);
    for (size_t i = 0; i < n_gpu_threads(schedule); i++)
        if (schedule->threads[i].runs)
            pthread_join(schedule->threads[i].id, NULL);
    (void)let_sleep(schedule, false); /* the search's own context lives on */
}

/* --- a batch --- */

static void init_queue(struct gpu_schedule *schedule, struct gpu_queue *queue, struct gpu_device *device)
{
    memset(queue, 0, sizeof *queue);
    queue->device = device;
    for (int i = 0; i < ROUNDS; i++)
        queue->rounds[i].s = schedule->s;
    gpu_load_init(&queue->load, schedule->s->subjects, schedule->gpu, device);
    begin_pass(schedule, queue, 0);
}

static void end_queue(struct gpu_queue *queue, struct search_counts *counts)
{
    const struct search_counts *c = &queue->counts;

    counts->n_hits += c->n_hits;
    counts->n_extensions += c->n_extensions;
    counts->n_ungapped += c->n_ungapped;
    counts->n_gapped += c->n_gapped;
    counts->seconds_setup += queue->load_seconds;
    counts->seconds_scan += c->seconds_scan;
    counts->seconds_gapped += c->seconds_gapped;
    queue->device->is_descending = !queue->device->is_descending;
    gpu_load_free(&queue->load);
    for (int i = 0; i < ROUNDS; i++) {
        two_hit_gpu_found_free(&queue->rounds[i].ungapped);
        gapped_gpu_found_free(&queue->rounds[i].gapped);
    }
}

/* Copies the message of a GPU's private context to the search's context; with several GPUs the message names the GPU. */
static tms_status report_fault(const struct gpu_schedule *schedule)
{
    char text[sizeof schedule->fault->fault.message];
    const int index = tms_context_device(schedule->gpu->devices[schedule->fault_queue].ctx);

    memcpy(text, schedule->fault->fault.message, sizeof text);
    schedule->s->message_is_set = true;
    if (schedule->gpu->n_devices > 1)
        return context_fail(schedule->ctx, schedule->fault_status, "cuda:%d: %s", index, text);
    return context_fail(schedule->ctx, schedule->fault_status, "%s", text);
}

static tms_status run_schedule(struct gpu_schedule *schedule, struct search_counts *counts)
{
    tms_status status;

    for (size_t i = 0; i < schedule->gpu->n_devices; i++)
        init_queue(schedule, &schedule->queues[i], &schedule->gpu->devices[i]);
    for (size_t p = 0; p < schedule->s->n_groups; p++)
        schedule->n_left[p] = schedule->s->groups[p].is_for_gpu ? schedule->gpu->n_blocks : 0;
    status = gpu_align_init(schedule->ctx, schedule->s, schedule->gpu, &schedule->lock, &schedule->changed, &schedule->align);
    pthread_mutex_init(&schedule->lock, NULL);
    pthread_cond_init(&schedule->changed, NULL);
    if (status == TMS_OK) {
        status = start_gpu_threads(schedule);
        if (status == TMS_OK)
            status = tms_context_run(schedule->ctx, (size_t)tms_context_threads(schedule->ctx), work_along, schedule);
        join_gpu_threads(schedule);
    }
    if (status == TMS_OK)
        status = context_check_cancelled(schedule->ctx);
    pthread_cond_destroy(&schedule->changed);
    pthread_mutex_destroy(&schedule->lock);
    for (size_t i = 0; i < schedule->gpu->n_devices; i++)
        end_queue(&schedule->queues[i], counts);
    counts->seconds_align += schedule->align.seconds;
    gpu_align_free(&schedule->align);
    return schedule->fault != NULL ? report_fault(schedule) : status;
}

tms_status gpu_schedule_run(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    struct gpu_schedule schedule = {.ctx = ctx, .s = s, .gpu = s->subjects->gpu};
    const struct search_extent extent = search_subjects_extent(s->subjects);
    const uint64_t n_groups = s->n_groups - s->n_cpu_groups;
    tms_status status = TMS_E_MEMORY;

    counts->n_subjects += n_groups * extent.n_sequences;
    counts->subject_residues += n_groups * schedule.gpu->n_residues;
    schedule.queues = calloc(schedule.gpu->n_devices, sizeof *schedule.queues);
    schedule.n_left = calloc(s->n_groups, sizeof *schedule.n_left);
    if (schedule.queues != NULL && schedule.n_left != NULL)
        status = run_schedule(&schedule, counts);
    free(schedule.queues);
    free(schedule.n_left);
    return status;
}

tms_status search_share_groups(struct search_state *s)
{
    s->cpu_groups = calloc(s->n_groups + 1, sizeof(void *));
    for (size_t p = 0; p < s->n_groups && s->cpu_groups != NULL; p++) {
        struct query_group *group = &s->groups[p];
        group->is_for_gpu = s->subjects->gpu != NULL && group->tables != NULL && search_gpu_takes(s->subjects->gpu, group->tables);
        if (!group->is_for_gpu)
            s->cpu_groups[s->n_cpu_groups++] = group;
    }
    return s->cpu_groups != NULL ? TMS_OK : TMS_E_MEMORY;
}
