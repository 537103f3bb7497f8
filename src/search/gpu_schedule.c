/*
 * gpu_schedule.c - hits and extensions are made on the GPUs, block by block and pack by pack; threads load the blocks, finish the
 * pairs that are left, and align.
 */
#include "search/gpu_schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/atomic_min.h"
#include "blastp/blastp_gapped_cuda.h"
#include "search/gpu_load.h"
#include "search/search_align.h"
#include "search/search_scan.h"
#include "search/subject_residues.h"

enum { HSPS_A_TASK = 512 }; /* of those that the GPU found */

/* What a pack and a block of subjects, or a part of it, led to. */
struct gpu_round {
    struct search_state *s;
    const struct query_group *pack;
    const struct two_hit_gpu_subjects *block;
    struct two_hit_gpu_part part;
    uint32_t wish;          /* where the part was to end */
    uint64_t first_subject; /* of the block */
    uint32_t n_subjects;    /* likewise */
    struct two_hit_gpu_found ungapped;
    struct gapped_gpu_found gapped;
};

/* Whether the round is the last of its pack and block. */
static bool round_ends_block(const struct gpu_round *round) { return round->part.end == round->n_subjects; }

/* A pair that was left: n of its ungapped HSPs. */
static tms_status extend_left(const struct gpu_round *round, const struct gapped_gpu_hsp *pair, struct search_scratch *w,
                              struct hit_list *hits)
{
    struct search_state *s = round->s;
    const struct two_hit_gpu_hsp *hsps = round->ungapped.hsps + pair->first_left;
    uint64_t i = round->first_subject + pair->subject;
    int n;
    const uint8_t *subject = subject_residues(s, i, w, &n);

    w->found.n = 0;
    w->counts.n_left++;
    if (subject == NULL)
        return TMS_OK; /* it is noted why */
    if (!array_reserve(&w->found.hsps, &w->found.capacity, pair->n_left, sizeof *w->found.hsps))
        return TMS_E_MEMORY;
    for (size_t k = 0; k < pair->n_left; k++)
        w->found.hsps[w->found.n++] = hsps[k].hsp;
    gapped_stage_sort(w->found.hsps, w->found.n);
    return gapped_stage(s->setup, &s->queries[round->pack->numbers[pair->query]], w->found.hsps, w->found.n, i, subject, n, NULL, w, hits);
}

/* A pair with n HSPs that were accepted on the GPU. */
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
    return gapped_stage_keep(s->setup, &s->queries[round->pack->numbers[accepted->query]], i, (int)n_residues, w, hits);
}

/* The pairs that begin in a part of what was accepted or left; it is sorted by query, then by subject. */
static void finish_pairs(void *arg, size_t task, int thread)
{
    const struct gpu_round *round = arg;
    struct search_state *s = round->s;
    struct search_scratch *w = &s->workers[thread];
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
            status = search_add_hits(s, round->pack->numbers[hsps[first].query], &hits, status);
            hits.max_hits = s->setup->n_preliminary;
        }
    }
    hit_list_free(&hits);
    w->counts.seconds_gapped += clock_seconds() - begun;
    search_record(s, status);
}

static struct gapped_gpu_params gapped_params(const struct search_state *s)
{
    const struct gap_costs *costs = s->setup->params.costs;

    return (struct gapped_gpu_params){s->setup->scores, costs->open, costs->extend, s->setup->x_gapped, gapped_is_restricted(s->setup)};
}

/* All pairs are left: of the ungapped HSPs, which lie by pairs. */
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

/* The ungapped HSPs of the pairs that the GPU has left: mostly there are none, or a few. */
static tms_status fetch_left(tms_context *ctx, struct gpu_round *round)
{
    enum { FEW = 32 }; /* copies; above that all of them in one is as fast */
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

/* The gapped stage on the GPU; or, with costs that are not for it, or as cuBLASTP has it, all pairs are left. */
static tms_status extend_pairs(tms_context *ctx, struct gpu_round *round, struct search_counts *counts)
{
    const struct gapped_gpu_params params = gapped_params(round->s);
    const struct query_group *pack = round->pack;
    struct gapped_gpu_query *queries;
    tms_status status;

    if (round->s->setup->params.is_cublastp || !gapped_gpu_takes(&params))
        return leave_pairs(ctx, round);
    queries = malloc(pack->queries.n * sizeof *queries);
    for (size_t i = 0; i < pack->queries.n && queries != NULL; i++) {
        const struct search_query *q = &round->s->queries[pack->numbers[i]];
        queries[i] = (struct gapped_gpu_query){pack->items[i].first_position, q->length, q->cutoff, gapped_restart_cutoff(q)};
    }
    status = queries != NULL ? gapped_gpu_extend(ctx, &params, queries, pack->queries.n, &round->ungapped, &round->gapped)
                             : context_fail_memory(ctx, "queries", pack->queries.n * sizeof *queries);
    free(queries);
    counts->n_gapped += round->gapped.n_gapped;
    return status == TMS_OK ? fetch_left(ctx, round) : status;
}

/* Where n_ungapped is counted on the GPU, pairs that are left count theirs again. */
static uint64_t n_left(const struct gpu_round *round)
{
    uint64_t n = 0;

    for (size_t i = 0; i < round->gapped.n; i++)
        n += round->gapped.hsps[i].n_left;
    return n;
}

/*
 * Who does what is decided as work comes up: any thread does whatever there is to do. For each GPU one thread at a time drives it, as long
 * as there are packs, its block is there and a round is free. Others load its next block, finish the pairs of the round that came first,
 * and align what is known to be left.
 *
 * A GPU takes a few packs, a group, and goes through its blocks with them; then the next group, the other way round, since the last blocks
 * are still there. So a group's queries are complete, and aligned, while the GPU is at the next. A round is a pack and a block; or a part
 * of the block, where what is found has no space at once. Rounds of several GPUs end in any order, and with more GPUs or less memory
 * subjects come in another order. What is kept does not depend on it: a pair of a query and a subject belongs to one round, so
 * search_add_hits() offers it once; and a list keeps the best of all that were offered under a total order of subjects (hit_list.h), and
 * says it is cut if they were more.
 */
enum {
    ROUNDS = 3,
    GROUP_RESIDUES = 40000, /* of queries in a group; more if blocks come slowly */
    GROUP_LOADS = 2         /* searching a block takes at least so many times as long as loading the next one */
};

/*
 * A GPU's part. With the lock of the flow, all of it; but
 *  - the round n_begun - 1 belongs to the thread that drives the GPU, as long as n_begun > n_made; and so do device->ctx and counts;
 *  - rounds n_finished .. n_made - 1 do not change: the tasks of finish_pairs() read them without the lock, those of n_finished alone;
 *  - blocks of steps n_over .. n_ready - 1 are in their slots and do not change. The one that is loaded is of step n_ready, and its slot is
 *    another one: n_ready - n_over < n_slots.
 * A step is a block, counted in the order of this group.
 */
struct gpu_queue {
    struct gpu_device *device;
    struct search_counts counts; /* of who drives it; */
    double load_seconds;         /* and of all who load its blocks */
    struct gpu_round rounds[ROUNDS];
    size_t n_begun, n_made, n_finished; /* rounds */
    size_t n_claimed, n_done;           /* tasks of the round that is being finished */
    size_t n_ready, n_over;             /* steps: that are there or were; that no round to come needs */
    size_t pack;                        /* of the next round; it is for the GPU */
    size_t first_pack, end_pack;        /* the group */
    double searched;                    /* residues of queries x blocks, in the seconds of counts */
    double load_begun, seconds_a_load;  /* of the block that came last */
    uint32_t subject;                   /* where it begins in the block */
    uint32_t length;                    /* how many subjects a part of a block takes; 0: all of them */
    struct gpu_load load;
};

struct gpu_schedule {
    tms_context *ctx;
    struct search_state *s;
    struct search_gpu *gpu;
    pthread_mutex_t lock;     /* of what follows, and of the work's lists of tasks */
    pthread_cond_t changed;   /* somebody has ended some work: there may be more of it, or none */
    struct gpu_queue *lines;  /* of GPUs */
    size_t *n_left;           /* of packs: blocks against which they are not finished. 0: it is the CPU's */
    size_t n_whole;           /* packs that are finished, and so are all before them: gathered */
    size_t turn;              /* so that no GPU comes first always */
    const tms_context *fault; /* what failed first, and has said it; NULL: none */
    size_t fault_line;
    tms_status fault_status;
};

static size_t next_gpu_pack(const struct search_state *s, size_t from)
{
    while (from < s->n_packs && !s->packs[from].is_for_gpu)
        from++;
    return from;
}

static size_t block_of_step(const struct gpu_device *device, size_t step)
{
    return device->is_descending ? device->n_blocks - 1 - step : step;
}

/* With the lock: a failure of a GPU's part. */
static tms_status note_fault(struct gpu_schedule *flow, const struct gpu_queue *line, const tms_context *from, tms_status status)
{
    if (status == TMS_OK || flow->fault != NULL)
        return status;
    flow->fault = from;
    flow->fault_line = line->device->number;
    flow->fault_status = status;
    return status;
}

/* --- rounds --- */

static tms_status scan(const struct gpu_device *device, const struct search_params *params, struct gpu_round *round)
{
    const struct query_group *pack = round->pack;

    if (params->is_cublastp)
        return cublastp_scan(device->ctx, round->block, pack->tables, &params->cublastp, NULL, &round->part, &round->ungapped);
    return two_hit_gpu_scan(device->ctx, round->block, pack->tables, &round->part, &round->ungapped);
}

/* Of a table that is made on the GPU for each round: what it is, once a pack. Nobody else is at this part of the pack. */
static void note_table(const struct gpu_round *round)
{
    struct query_group *pack = &round->s->packs[round->pack - round->s->packs];

    if (pack->words.n_words > 0 || round->first_subject > 0 || round->part.first > 0)
        return;
    pack->n_words = round->ungapped.n_words;
    pack->expected_hits = round->ungapped.expected_hits;
}

/* By the thread that drives the GPU. */
static tms_status make_round(const struct gpu_queue *line, struct gpu_round *round, struct search_counts *counts)
{
    const struct gpu_device *device = line->device;
    double begun = clock_seconds(), scanned;
    tms_status status = scan(device, &round->s->setup->params, round);

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

/* The next round of a GPU, if there is one, its block is there, a round is free, and nobody is at it. */
static struct gpu_round *begin_round(struct gpu_schedule *flow, struct gpu_queue *line)
{
    const struct gpu_device *device = line->device;
    struct gpu_round *round = &line->rounds[line->n_begun % ROUNDS];
    uint32_t n;
    size_t j, k;

    if (line->n_over == line->n_ready || line->n_begun > line->n_made || line->n_begun - line->n_finished == ROUNDS)
        return NULL;
    j = block_of_step(device, line->n_over);
    k = search_gpu_block(flow->gpu, device, j);
    n = (uint32_t)(flow->gpu->firsts[k + 1] - flow->gpu->firsts[k]);
    round->pack = &flow->s->packs[line->pack];
    round->block = device->slots[j % device->n_slots];
    round->first_subject = flow->gpu->firsts[k];
    round->n_subjects = n;
    round->part = (struct two_hit_gpu_part){line->subject, n, device->work_bytes, GAPPED_GPU_HSP_BYTES};
    if (line->length > 0 && line->length < n - line->subject)
        round->part.end = line->subject + line->length;
    round->wish = round->part.end;
    line->n_begun++;
    return round;
}

/* With the lock: the group that begins with the next pack for the GPU. There is one. With the small batches of tests it is a pack. */
static void begin_group(const struct gpu_schedule *flow, struct gpu_queue *line, size_t from)
{
    const struct gpu_device *device = line->device;
    const double seconds = line->counts.seconds_scan + line->counts.seconds_gapped;
    const double of_loads = seconds > 0 ? GROUP_LOADS * line->seconds_a_load * line->searched / seconds : 0;
    double wish = GROUP_RESIDUES, residues = 0;

    if (flow->ctx->batch_keys > 0)
        wish = 1;
    else if (!flow->gpu->keeps_all && of_loads > wish)
        wish = of_loads;
    line->pack = line->first_pack = line->end_pack = next_gpu_pack(flow->s, from);
    while (line->end_pack < flow->s->n_packs && residues < wish) {
        const struct query_group *pack = &flow->s->packs[line->end_pack++];
        residues += pack->is_for_gpu ? pack->n_positions : 0;
    }
    line->n_over = line->n_ready = 0;
    while (line->n_ready < device->n_slots && gpu_load_is_held(device, block_of_step(device, line->n_ready)))
        line->n_ready++;
}

/* With the lock: where the next round of the GPU begins. */
static void go_on(const struct gpu_schedule *flow, struct gpu_queue *line, const struct gpu_round *round)
{
    line->n_made++;
    line->subject = round->part.end;
    if (round->part.end < round->wish) /* as many as there was space for */
        line->length = round->part.end - round->part.first;
    if (!round_ends_block(round))
        return;
    line->searched += round->pack->n_positions;
    line->subject = 0;
    line->length = line->length < round->n_subjects / 2 ? 2 * line->length : 0;
    line->pack = next_gpu_pack(flow->s, line->pack + 1);
    if (line->pack < line->end_pack)
        return;
    line->pack = line->first_pack;
    line->n_over++;
    if (line->n_over == line->device->n_blocks && next_gpu_pack(flow->s, line->end_pack) < flow->s->n_packs) {
        line->device->is_descending = !line->device->is_descending;
        begin_group(flow, line, line->end_pack);
    }
}

/* With the lock: packs that are finished, up to the first that is not. */
static tms_status gather_whole(struct gpu_schedule *flow)
{
    struct search_state *s = flow->s;

    while (flow->n_whole < s->n_packs && flow->n_left[flow->n_whole] == 0)
        flow->n_whole++;
    return search_gather(s, flow->n_whole < s->n_packs ? s->packs[flow->n_whole].first : s->n_queries);
}

static size_t n_finish_tasks(const struct gpu_round *round) { return (round->gapped.n + HSPS_A_TASK - 1) / HSPS_A_TASK; }

/* With the lock: rounds all of whose pairs are finished are over. A GPU's rounds are finished in order, so the last of a pack and a block
 * comes last. */
static tms_status end_rounds(struct gpu_schedule *flow, struct gpu_queue *line)
{
    tms_status status = TMS_OK;

    while (line->n_finished < line->n_made && status == TMS_OK) {
        const struct gpu_round *round = &line->rounds[line->n_finished % ROUNDS];
        if (line->n_done < n_finish_tasks(round))
            break;
        if (round_ends_block(round) && --flow->n_left[round->pack - flow->s->packs] == 0)
            status = gather_whole(flow);
        line->n_finished++;
        line->n_claimed = line->n_done = 0;
    }
    return status;
}

/* --- one piece of work each; the lock is held before and after. They return false where there is nothing of the kind --- */

static bool drive(struct gpu_schedule *flow, struct gpu_queue *line)
{
    struct gpu_round *round = begin_round(flow, line);
    tms_status status;

    if (round == NULL)
        return false;
    pthread_mutex_unlock(&flow->lock);
    status = make_round(line, round, &line->counts);
    pthread_mutex_lock(&flow->lock);
    status = note_fault(flow, line, line->device->ctx, status);
    if (status == TMS_OK) {
        go_on(flow, line, round);
        status = end_rounds(flow, line);
    }
    search_record(flow->s, status);
    return true;
}

/* What loading came to; the work's own list has the subject that is damaged. */
static void end_load(struct gpu_schedule *flow, struct gpu_queue *line, double begun, tms_status status)
{
    line->load_seconds += clock_seconds() - begun;
    atomic_min(&flow->s->damaged, atomic_load(&line->load.damaged));
    if (status != TMS_E_FORMAT)
        (void)note_fault(flow, line, line->device->loader, status);
    search_record(flow->s, status);
}

static void complete_block(struct gpu_schedule *flow, struct gpu_queue *line)
{
    double begun = clock_seconds();
    tms_status status;

    line->load.state = LOAD_ENDS;
    pthread_mutex_unlock(&flow->lock);
    status = gpu_load_end(&line->load);
    pthread_mutex_lock(&flow->lock);
    if (status == TMS_OK) {
        gpu_load_hold(&line->load);
        line->n_ready++;
        line->seconds_a_load = clock_seconds() - line->load_begun;
    }
    end_load(flow, line, begun, status);
}

static void begin_block(struct gpu_schedule *flow, struct gpu_queue *line)
{
    double begun = clock_seconds();
    tms_status status;

    line->load_begun = begun;
    gpu_load_start(&line->load, block_of_step(line->device, line->n_ready));
    pthread_mutex_unlock(&flow->lock);
    status = gpu_load_begin(&line->load);
    pthread_mutex_lock(&flow->lock);
    line->load.state = LOAD_COPIES;
    end_load(flow, line, begun, status);
    if (status == TMS_OK && gpu_load_is_copied(&line->load)) /* without a subject */
        complete_block(flow, line);
}

static bool load(struct gpu_schedule *flow, struct gpu_queue *line)
{
    const struct gpu_device *device = line->device;
    struct gpu_copy piece;
    double begun = clock_seconds();
    tms_status status;

    if (line->load.state == LOAD_IDLE && line->n_ready < device->n_blocks && line->n_ready - line->n_over < device->n_slots) {
        begin_block(flow, line);
        return true;
    }
    if (line->load.state != LOAD_COPIES || !gpu_load_claim(&line->load, &piece))
        return false;
    pthread_mutex_unlock(&flow->lock);
    status = gpu_load_copy(&line->load, &piece);
    pthread_mutex_lock(&flow->lock);
    gpu_load_end_piece(&line->load, &piece);
    end_load(flow, line, begun, status);
    if (atomic_load(&flow->s->status) == TMS_OK && gpu_load_is_copied(&line->load))
        complete_block(flow, line);
    return true;
}

static bool finish(struct gpu_schedule *flow, struct gpu_queue *line, int thread)
{
    struct gpu_round *round = &line->rounds[line->n_finished % ROUNDS];
    size_t task;

    if (line->n_finished == line->n_made || line->n_claimed == n_finish_tasks(round))
        return false;
    task = line->n_claimed++;
    pthread_mutex_unlock(&flow->lock);
    finish_pairs(round, task, thread);
    pthread_mutex_lock(&flow->lock);
    line->n_done++;
    search_record(flow->s, end_rounds(flow, line));
    return true;
}

static bool align(struct gpu_schedule *flow, int thread)
{
    struct search_state *s = flow->s;
    struct alignment_task mine;
    size_t task;

    if (s->n_aligned == s->n_tasks)
        return false;
    task = s->n_aligned++;
    mine = s->tasks[task]; /* others may add to them */
    pthread_mutex_unlock(&flow->lock);
    search_align_task(s, &mine, thread);
    pthread_mutex_lock(&flow->lock);
    s->tasks[task] = mine;
    return true;
}

/*
 * What keeps a GPU at work comes first. While packs are unfinished and nobody works, there is something to do: the GPU of an unfinished
 * block has a round that is made and not finished, which any thread finishes; or else a round is free, and then its block is there, which
 * any thread drives it with, or it is not: then a slot is free for it, and any thread loads it. So however few threads there are, it ends.
 */
static bool do_work(struct gpu_schedule *flow, int thread)
{
    const size_t n = flow->gpu->n_devices, turn = flow->turn++;
    bool has_worked = false;

    for (size_t i = 0; i < n && !has_worked; i++)
        has_worked = drive(flow, &flow->lines[(turn + i) % n]);
    for (size_t i = 0; i < n && !has_worked; i++)
        has_worked = load(flow, &flow->lines[(turn + i) % n]);
    for (size_t i = 0; i < n && !has_worked; i++)
        has_worked = finish(flow, &flow->lines[(turn + i) % n], thread);
    if (has_worked)
        pthread_cond_broadcast(&flow->changed);
    return has_worked || align(flow, thread);
}

static void work_along(void *arg, size_t task, int thread)
{
    struct gpu_schedule *flow = arg;

    (void)task;
    pthread_mutex_lock(&flow->lock);
    while (atomic_load(&flow->s->status) == TMS_OK && !__atomic_load_n(&flow->ctx->cancelled, __ATOMIC_RELAXED)) {
        if (do_work(flow, thread))
            continue;
        if (flow->n_whole == flow->s->n_packs)
            break; /* what others are still at is theirs */
        pthread_cond_wait(&flow->changed, &flow->lock);
    }
    pthread_cond_broadcast(&flow->changed);
    pthread_mutex_unlock(&flow->lock);
}

/* --- a batch --- */

static void init_line(struct gpu_schedule *flow, struct gpu_queue *line, struct gpu_device *device)
{
    memset(line, 0, sizeof *line);
    line->device = device;
    for (int i = 0; i < ROUNDS; i++)
        line->rounds[i].s = flow->s;
    gpu_load_init(&line->load, flow->s->subjects, flow->gpu, device);
    begin_group(flow, line, 0);
}

static void end_line(struct gpu_queue *line, struct search_counts *counts)
{
    const struct search_counts *c = &line->counts;

    counts->n_hits += c->n_hits;
    counts->n_extensions += c->n_extensions;
    counts->n_ungapped += c->n_ungapped;
    counts->n_gapped += c->n_gapped;
    counts->seconds_setup += line->load_seconds;
    counts->seconds_scan += c->seconds_scan;
    counts->seconds_gapped += c->seconds_gapped;
    line->device->is_descending = !line->device->is_descending;
    gpu_load_free(&line->load);
    for (int i = 0; i < ROUNDS; i++) {
        two_hit_gpu_found_free(&line->rounds[i].ungapped);
        gapped_gpu_found_free(&line->rounds[i].gapped);
    }
}

/* The message of a GPU's own context comes into the search's; of several GPUs it says which one. */
static tms_status report_fault(const struct gpu_schedule *flow)
{
    char text[sizeof flow->fault->fault.message];
    const int index = tms_context_device(flow->gpu->devices[flow->fault_line].ctx);

    memcpy(text, flow->fault->fault.message, sizeof text);
    flow->s->message_is_set = true;
    if (flow->gpu->n_devices > 1)
        return context_fail(flow->ctx, flow->fault_status, "cuda:%d: %s", index, text);
    return context_fail(flow->ctx, flow->fault_status, "%s", text);
}

static tms_status run_flow(struct gpu_schedule *flow, struct search_counts *counts)
{
    tms_status status;

    for (size_t i = 0; i < flow->gpu->n_devices; i++)
        init_line(flow, &flow->lines[i], &flow->gpu->devices[i]);
    for (size_t p = 0; p < flow->s->n_packs; p++)
        flow->n_left[p] = flow->s->packs[p].is_for_gpu ? flow->gpu->n_blocks : 0;
    pthread_mutex_init(&flow->lock, NULL);
    pthread_cond_init(&flow->changed, NULL);
    status = tms_context_run(flow->ctx, (size_t)tms_context_threads(flow->ctx), work_along, flow);
    if (status == TMS_OK)
        status = context_check_cancelled(flow->ctx);
    pthread_cond_destroy(&flow->changed);
    pthread_mutex_destroy(&flow->lock);
    for (size_t i = 0; i < flow->gpu->n_devices; i++)
        end_line(&flow->lines[i], counts);
    return flow->fault != NULL ? report_fault(flow) : status;
}

tms_status gpu_schedule_run(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    struct gpu_schedule flow = {.ctx = ctx, .s = s, .gpu = s->subjects->gpu};
    tms_seqdb_info info;
    tms_status status = TMS_E_MEMORY;

    tms_seqdb_get_info(s->subjects->db, &info);
    counts->n_subjects += (s->n_packs - s->n_cpu_packs) * info.n_sequences;
    counts->subject_residues += (s->n_packs - s->n_cpu_packs) * info.n_residues;
    flow.lines = calloc(flow.gpu->n_devices, sizeof *flow.lines);
    flow.n_left = calloc(s->n_packs, sizeof *flow.n_left);
    if (flow.lines != NULL && flow.n_left != NULL)
        status = run_flow(&flow, counts);
    free(flow.lines);
    free(flow.n_left);
    return status;
}

tms_status search_share_groups(struct search_state *s)
{
    s->cpu_packs = calloc(s->n_packs + 1, sizeof(void *));
    for (size_t p = 0; p < s->n_packs && s->cpu_packs != NULL; p++) {
        struct query_group *pack = &s->packs[p];
        pack->is_for_gpu = s->subjects->gpu != NULL && pack->tables != NULL && search_gpu_takes(s->subjects->gpu, pack->tables);
        if (!pack->is_for_gpu)
            s->cpu_packs[s->n_cpu_packs++] = pack;
    }
    return s->cpu_packs != NULL ? TMS_OK : TMS_E_MEMORY;
}
