/*
 * gpu_schedule.c - GPUs find and extend word hits, block by block and group by group. Threads of the CPU load the blocks, finish the pairs
 * that GPUs leave, and align.
 */
#include "search/gpu_schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/atomic_min.h"
#include "search/gapped_cuda.h"
#include "search/gpu_align.h"
#include "search/gpu_load.h"
#include "search/search_align.h"
#include "search/search_program.h"
#include "search/search_scan.h"
#include "search/subject_residues.h"

enum { HSPS_A_TASK = 512 }; /* HSPs of the GPU that one task finishes */

/* A round: what a GPU finds for one group of queries in one block of subjects, or in a part of the block. */
struct gpu_round {
    struct search_state *s;
    const struct query_group *group;
    const struct two_hit_gpu_subjects *block;
    struct two_hit_gpu_part part;
    uint32_t wanted_end;    /* end of the part that the scan was asked for; memory may have ended it earlier */
    uint64_t first_subject; /* first subject of the block */
    uint32_t n_subjects;    /* subjects of the block */
    struct two_hit_gpu_found ungapped;
    struct gapped_gpu_found gapped;
};

/* Whether the round is the last of its group and block. */
static bool round_ends_block(const struct gpu_round *round) { return round->part.end == round->n_subjects; }

/* Extends a pair that the GPU has left: n ungapped HSPs. */
static tms_status extend_left(const struct gpu_round *round, const struct gapped_gpu_hsp *pair, struct search_scratch *w,
                              struct hit_list *hits)
{
    struct search_state *s = round->s;
    const struct two_hit_gpu_hsp *hsps = round->ungapped.hsps + pair->first_left;
    uint64_t i = round->first_subject + pair->subject;
    int n;
    const uint8_t *subject = subject_residues(s, i, w, &n);
    const struct subject_frames frames = subject_frames_protein(subject, n);

    w->found.n = 0;
    w->counts.n_left++;
    if (subject == NULL)
        return TMS_OK; /* the failure is recorded */
    if (!array_reserve(&w->found.hsps, &w->found.capacity, pair->n_left, sizeof *w->found.hsps))
        return TMS_E_MEMORY;
    for (size_t k = 0; k < pair->n_left; k++)
        w->found.hsps[w->found.n++] = (struct two_hit_hsp){hsps[k].hsp.hsp, 0, 0}; /* in context 0 */
    gapped_stage_sort(w->found.hsps, w->found.n);
    return gapped_stage(s->setup, &s->queries[round->group->placed[pair->query].query], w->found.hsps, w->found.n, i, &frames, w, hits);
}

/* Keeps a pair with n HSPs that the GPU has accepted. */
static tms_status keep_accepted(const struct gpu_round *round, const struct gapped_gpu_hsp *accepted, size_t n, struct search_scratch *w,
                                struct hit_list *hits)
{
    struct search_state *s = round->s;
    uint64_t i = round->first_subject + accepted->subject, n_residues;
    tms_status status = TMS_OK;

    (void)tms_seqdb_protein(s->subjects->db, i, &n_residues);
    hsp_list_clear(&w->hsps);
    for (size_t k = 0; k < n && status == TMS_OK; k++) {
        const struct gapped_gpu_hsp *h = &accepted[k];
        const struct hsp hsp = {.query = h->query_begin,
                                .query_end = h->query_end,
                                .subject = h->subject_begin,
                                .subject_end = h->subject_end,
                                .score = h->score,
                                .start_query = h->start_query,
                                .start_subject = h->start_subject};
        status = hsp_list_add(&w->hsps, &hsp);
    }
    if (status != TMS_OK)
        return status;
    hsp_purge(&w->hsps);
    return gapped_stage_keep(s->setup, &s->queries[round->group->placed[accepted->query].query], i, (int)n_residues, w, hits);
}

/* Finishes the pairs that begin in one task's part of the list of accepted and left HSPs, which is sorted by query, then by subject. */
static void finish_pairs(void *arg, size_t task, int thread)
{
    const struct gpu_round *round = arg;
    struct search_state *s = round->s;
    struct search_scratch *w = &s->scratch[thread];
    const struct gapped_gpu_hsp *hsps = round->gapped.hsps;
    size_t n = round->gapped.n, first = task * HSPS_A_TASK, stop = n - first > HSPS_A_TASK ? first + HSPS_A_TASK : n;
    struct hit_list hits = {.max_hits = s->setup->n_preliminary};
    double begun = clock_seconds();
    tms_status status = TMS_OK;

    while (first > 0 && first < stop && hsps[first - 1].pair == hsps[first].pair)
        first++;
    for (size_t end; first < stop && status == TMS_OK; first = end) {
        for (end = first + 1; end < n && hsps[first].pair == hsps[end].pair; end++)
            continue;
        status = hsps[first].n_left > 0 ? extend_left(round, &hsps[first], w, &hits)
                                        : keep_accepted(round, &hsps[first], end - first, w, &hits);
        if (end >= stop || hsps[end].query != hsps[first].query) {
            status = search_add_hits(s, round->group->placed[hsps[first].query].query, &hits, status);
            hits.max_hits = s->setup->n_preliminary;
        }
    }
    hit_list_free(&hits);
    w->counts.seconds_gapped += clock_seconds() - begun;
    search_record(s, status);
}

static struct gapped_gpu_params gapped_params(const struct search_state *s)
{
    const struct search_setup *setup = s->setup;

    return (struct gapped_gpu_params){setup->scores, setup->gap_open, setup->gap_extend, setup->x_gapped, gapped_is_restricted(setup)};
}

/* Leaves all pairs to the CPU. The ungapped HSPs lie pair by pair. */
static tms_status leave_pairs(tms_context *ctx, struct gpu_round *round)
{
    struct gapped_gpu_found *gapped = &round->gapped;
    const struct two_hit_gpu_hsp *hsps;
    tms_status status = two_hit_gpu_fetch(ctx, &round->ungapped, 0, round->ungapped.n);

    gapped->n = 0;
    hsps = round->ungapped.hsps;
    for (size_t i = 0; i < round->ungapped.n && status == TMS_OK; i++) {
        bool is_head = i == 0 || hsps[i].subject != hsps[i - 1].subject || hsps[i].hsp.query != hsps[i - 1].hsp.query;
        if (!is_head) {
            gapped->hsps[gapped->n - 1].n_left++;
            continue;
        }
        if (!array_reserve(&gapped->hsps, &gapped->capacity, gapped->n + 1, sizeof *gapped->hsps))
            return context_fail_memory(ctx, "pairs", (gapped->n + 1) * sizeof *gapped->hsps);
        gapped->hsps[gapped->n] = (struct gapped_gpu_hsp){
            .pair = (uint32_t)gapped->n, .subject = hsps[i].subject, .query = hsps[i].hsp.query, .first_left = (uint32_t)i, .n_left = 1};
        gapped->n++;
    }
    return status;
}

/* Copies the ungapped HSPs of the pairs that the GPU has left; usually there are none, or a few. */
static tms_status fetch_left(tms_context *ctx, struct gpu_round *round)
{
    enum { FEW = 32 }; /* above this number of copies, one copy of all HSPs is as fast */
    const struct gapped_gpu_found *gapped = &round->gapped;
    tms_status status = TMS_OK;
    size_t n = 0;

    for (size_t i = 0; i < gapped->n; i++)
        n += gapped->hsps[i].n_left > 0;
    if (n > FEW)
        return two_hit_gpu_fetch(ctx, &round->ungapped, 0, round->ungapped.n);
    for (size_t i = 0; i < gapped->n && n > 0 && status == TMS_OK; i++)
        status = two_hit_gpu_fetch(ctx, &round->ungapped, gapped->hsps[i].first_left, gapped->hsps[i].n_left);
    return status;
}

/* Runs the gapped stage on the GPU, or leaves all pairs to the CPU if the setup or the costs require that. */
static tms_status extend_pairs(tms_context *ctx, struct gpu_round *round, struct search_counts *counts)
{
    const struct gapped_gpu_params params = gapped_params(round->s);
    const struct query_group *group = round->group;
    struct gapped_gpu_query *queries;
    tms_status status;

    if (round->s->setup->gapped_on_cpu || !gapped_gpu_takes(&params))
        return leave_pairs(ctx, round);
    queries = malloc(group->n_placed * sizeof *queries);
    for (size_t i = 0; i < group->n_placed && queries != NULL; i++) {
        const struct search_query *q = &round->s->queries[group->placed[i].query];
        queries[i] = (struct gapped_gpu_query){group->placed[i].first_position, q->length, q->cutoff, gapped_restart_cutoff(q)};
    }
    status = queries != NULL ? gapped_gpu_extend(ctx, &params, queries, group->n_placed, &round->ungapped, &round->gapped)
                             : context_fail_memory(ctx, "queries", group->n_placed * sizeof *queries);
    free(queries);
    counts->n_gapped += round->gapped.n_gapped;
    return status == TMS_OK ? fetch_left(ctx, round) : status;
}

/* Counts the ungapped HSPs of pairs that the GPU has left. n_ungapped has them already, and the CPU counts them again. */
static uint64_t n_left(const struct gpu_round *round)
{
    uint64_t n = 0;

    for (size_t i = 0; i < round->gapped.n; i++)
        n += round->gapped.hsps[i].n_left;
    return n;
}

/*
 * Every thread takes any work that there is. For each GPU one thread at a time drives it, as long as there are groups, the next block is in
 * the GPU's memory and a round is free. Other threads load the GPU's next block, finish the pairs of its oldest round, and align the
 * queries that are complete.
 *
 * A pass takes a few groups through all blocks of a GPU. The next pass takes the blocks in the opposite order, since the last blocks are
 * still in memory. So the queries of a pass are complete, and threads align them, during the GPU's next pass. A round is one group and one
 * block, or a part of the block where memory does not hold all results. Rounds of several GPUs end in any order, and with more GPUs or less
 * memory subjects come in another order. The results do not depend on the order: a pair of a query and a subject belongs to one round, so
 * search_add_hits() receives it once; and a list keeps the best subjects under a total order (hit_list.h), and is marked as cut if it
 * received more.
 */
enum {
    ROUNDS = 3,
    PASS_RESIDUES = 40000, /* residues of the queries of a pass; more if blocks load slowly */
    PASS_LOADS = 2         /* a pass is long enough that searching a block takes this many times as long as loading the next one */
};

/*
 * The schedule of one GPU. The schedule's lock guards all members, except that
 *  - round n_begun - 1 belongs to the thread that drives the GPU while n_begun > n_made, and so do device->ctx and counts;
 *  - rounds n_finished .. n_made - 1 do not change: tasks of finish_pairs() read round n_finished without the lock;
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

struct gpu_schedule {
    tms_context *ctx;
    struct search_state *s;
    struct search_gpu *gpu;
    pthread_mutex_t lock;     /* guards what follows, and the search's list of alignment tasks */
    pthread_cond_t changed;   /* a thread has finished some work: there may be more work, or none left */
    struct gpu_queue *queues; /* one for each GPU */
    struct gpu_align align;
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
        status = extend_pairs(device->ctx, round, counts);
    counts->seconds_scan += scanned - begun;
    counts->seconds_gapped += clock_seconds() - scanned;
    if (status != TMS_OK)
        return status;
    note_table(round);
    counts->n_hits += round->ungapped.n_hits;
    counts->n_extensions += round->ungapped.n_candidates;
    counts->n_ungapped += round->ungapped.n - n_left(round);
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
    round->block = device->slots[j % device->n_slots];
    round->first_subject = schedule->gpu->firsts[k];
    round->n_subjects = n;
    round->part = (struct two_hit_gpu_part){queue->subject, n, device->work_bytes, GAPPED_GPU_HSP_BYTES};
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
    if (!round_ends_block(round))
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

static size_t n_finish_tasks(const struct gpu_round *round) { return (round->gapped.n + HSPS_A_TASK - 1) / HSPS_A_TASK; }

/*
 * With the lock: ends the rounds whose pairs are all finished. A GPU's rounds are finished in order, so the last round of a group and a
 * block ends last.
 */
static tms_status end_rounds(struct gpu_schedule *schedule, struct gpu_queue *queue)
{
    tms_status status = TMS_OK;

    while (queue->n_finished < queue->n_made && status == TMS_OK) {
        const struct gpu_round *round = &queue->rounds[queue->n_finished % ROUNDS];
        if (queue->n_done < n_finish_tasks(round))
            break;
        if (round_ends_block(round) && --schedule->n_left[round->group - schedule->s->groups] == 0)
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

    if (queue->n_finished == queue->n_made || queue->n_claimed == n_finish_tasks(round))
        return false;
    task = queue->n_claimed++;
    pthread_mutex_unlock(&schedule->lock);
    finish_pairs(round, task, thread);
    pthread_mutex_lock(&schedule->lock);
    queue->n_done++;
    search_record(schedule->s, end_rounds(schedule, queue));
    return true;
}

static bool align(struct gpu_schedule *schedule, int thread)
{
    const bool is_scanned = schedule->n_whole == schedule->s->n_groups;
    tms_status status;
    const bool has_worked = gpu_align_work(&schedule->align, thread, is_scanned, &status);

    if (status == TMS_E_DEVICE)
        status = note_fault(schedule, &schedule->queues[0], gpu_align_fault(&schedule->align), status);
    search_record(schedule->s, status);
    return has_worked;
}

/*
 * Work that keeps a GPU busy has precedence. While groups are unfinished and no thread works, there is always work. The GPU of an
 * unfinished block may have a round that is made and not finished; any thread can finish it. Otherwise a round is free. If the block is
 * loaded, any thread can drive the GPU with it; if not, a slot is free, and any thread can load the block. So the search ends with any
 * number of threads.
 */
static bool do_work(struct gpu_schedule *schedule, int thread)
{
    const size_t n = schedule->gpu->n_devices, turn = schedule->turn++;
    bool has_worked = false;

    for (size_t i = 0; i < n && !has_worked; i++)
        has_worked = drive(schedule, &schedule->queues[(turn + i) % n]);
    for (size_t i = 0; i < n && !has_worked; i++)
        has_worked = load(schedule, &schedule->queues[(turn + i) % n]);
    for (size_t i = 0; i < n && !has_worked; i++)
        has_worked = finish(schedule, &schedule->queues[(turn + i) % n], thread);
    if (has_worked)
        pthread_cond_broadcast(&schedule->changed);
    return has_worked || align(schedule, thread);
}

static void work_along(void *arg, size_t task, int thread)
{
    struct gpu_schedule *schedule = arg;

    (void)task;
    pthread_mutex_lock(&schedule->lock);
    while (atomic_load(&schedule->s->status) == TMS_OK && !__atomic_load_n(&schedule->ctx->cancelled, __ATOMIC_RELAXED)) {
        if (do_work(schedule, thread))
            continue;
        if (schedule->n_whole == schedule->s->n_groups && gpu_align_is_over(&schedule->align))
            break; /* the other threads finish the work that they have begun */
        pthread_cond_wait(&schedule->changed, &schedule->lock);
    }
    pthread_cond_broadcast(&schedule->changed);
    pthread_mutex_unlock(&schedule->lock);
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
    gpu_align_init(schedule->ctx, schedule->s, schedule->gpu, &schedule->lock, &schedule->changed, &schedule->align);
    pthread_mutex_init(&schedule->lock, NULL);
    pthread_cond_init(&schedule->changed, NULL);
    status = tms_context_run(schedule->ctx, (size_t)tms_context_threads(schedule->ctx), work_along, schedule);
    if (status == TMS_OK)
        status = context_check_cancelled(schedule->ctx);
    pthread_cond_destroy(&schedule->changed);
    pthread_mutex_destroy(&schedule->lock);
    for (size_t i = 0; i < schedule->gpu->n_devices; i++)
        end_queue(&schedule->queues[i], counts);
    gpu_align_free(&schedule->align);
    return schedule->fault != NULL ? report_fault(schedule) : status;
}

tms_status gpu_schedule_run(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    struct gpu_schedule schedule = {.ctx = ctx, .s = s, .gpu = s->subjects->gpu};
    const struct search_extent extent = search_subjects_extent(s->subjects);
    tms_status status = TMS_E_MEMORY;

    counts->n_subjects += (s->n_groups - s->n_cpu_groups) * extent.n_sequences;
    counts->subject_residues += (s->n_groups - s->n_cpu_groups) * extent.n_residues;
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
