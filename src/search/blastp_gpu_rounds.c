/*
 * blastp_gpu_rounds.c - hits and extensions are made on the GPU, pack by pack; threads finish the pairs that it leaves, and align.
 */
#include "search/blastp_gpu_rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/lower_to.h"
#include "search/blastp_first.h"
#include "search/blastp_gapped_cuda.h"
#include "search/blastp_gpu.h"
#include "search/blastp_letters.h"
#include "search/blastp_second.h"

enum { HSPS_A_TASK = 512 }; /* of those that the GPU found */

/* What a pack and a block of subjects led to. */
struct gpu_round {
    struct blastp_work *s;
    const struct blastp_pack *pack;
    struct two_hit_gpu_found ungapped;
    struct gapped_gpu_found gapped;
    uint64_t first_subject; /* of the block */
};

/* A pair that was left: n of its ungapped HSPs. */
static tms_status extend_left(const struct gpu_round *round, const struct gapped_gpu_hsp *pair, struct blastp_worker *w,
                              struct hit_list *hits)
{
    struct blastp_work *s = round->s;
    const struct two_hit_gpu_hsp *hsps = round->ungapped.hsps + pair->first_left;
    uint64_t i = round->first_subject + pair->subject;
    int n;
    const uint8_t *subject = blastp_subject_letters(s, i, w, &n);

    w->found.n = 0;
    if (subject == NULL)
        return TMS_OK; /* it is noted why */
    if (!array_reserve(&w->found.hsps, &w->found.capacity, pair->n_left, sizeof *w->found.hsps))
        return TMS_E_MEMORY;
    for (size_t k = 0; k < pair->n_left; k++)
        w->found.hsps[w->found.n++] = hsps[k].hsp;
    blastp_sort_initial(w->found.hsps, w->found.n);
    return blastp_preliminary(s->setup, &s->queries[round->pack->numbers[pair->query]], w->found.hsps, w->found.n, i, subject, n, NULL, w,
                              hits);
}

/* A pair with n HSPs that were accepted on the GPU. */
static tms_status keep_accepted(const struct gpu_round *round, const struct gapped_gpu_hsp *accepted, size_t n, struct blastp_worker *w,
                                struct hit_list *hits)
{
    struct blastp_work *s = round->s;
    uint64_t i = round->first_subject + accepted->subject, n_letters;
    tms_status status = TMS_OK;

    (void)tms_seqdb_protein(s->subjects->db, i, &n_letters);
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
    return blastp_preliminary_keep(s->setup, &s->queries[round->pack->numbers[accepted->query]], i, (int)n_letters, w, hits);
}

/* The pairs that begin in a part of what was accepted or left; it is sorted by query, then by subject. */
static void finish_pairs(void *arg, size_t task, int thread)
{
    const struct gpu_round *round = arg;
    struct blastp_work *s = round->s;
    struct blastp_worker *w = &s->workers[thread];
    const struct gapped_gpu_hsp *hsps = round->gapped.hsps;
    size_t n = round->gapped.n, first = task * HSPS_A_TASK, stop = n - first > HSPS_A_TASK ? first + HSPS_A_TASK : n;
    struct hit_list hits = {.max_hits = s->setup->n_preliminary};
    double begun = blastp_now();
    tms_status status = TMS_OK;

    while (first > 0 && first < stop && hsps[first - 1].pair == hsps[first].pair)
        first++;
    for (size_t end; first < stop && status == TMS_OK; first = end) {
        for (end = first + 1; end < n && hsps[first].pair == hsps[end].pair; end++)
            continue;
        status = hsps[first].n_left > 0 ? extend_left(round, &hsps[first], w, &hits)
                                        : keep_accepted(round, &hsps[first], end - first, w, &hits);
        if (end >= stop || hsps[end].query != hsps[first].query) {
            status = blastp_hand_over(s, round->pack->numbers[hsps[first].query], &hits, status);
            hits.max_hits = s->setup->n_preliminary;
        }
    }
    hit_list_free(&hits);
    w->counts.seconds_gapped += blastp_now() - begun;
    blastp_note(s, status);
}

static struct gapped_gpu_params gapped_params(const struct blastp_work *s)
{
    const struct gap_costs *costs = s->setup->params.costs;

    return (struct gapped_gpu_params){s->setup->scores, costs->open, costs->extend, s->setup->x_gapped, blastp_is_restricted(s->setup)};
}

/* The gapped stage on the GPU; or, with costs that are not for it, or as cuBLASTP has it, all pairs are left. */
static tms_status extend_pairs(tms_context *ctx, struct gpu_round *round, struct blastp_counts *counts)
{
    const struct gapped_gpu_params params = gapped_params(round->s);
    const struct blastp_pack *pack = round->pack;
    const struct two_hit_gpu_hsp *hsps = round->ungapped.hsps;
    struct gapped_gpu_found *gapped = &round->gapped;
    tms_status status = TMS_OK;

    if (!round->s->setup->params.is_cublastp && gapped_gpu_takes(&params)) {
        struct gapped_gpu_query *queries = malloc(pack->queries.n * sizeof *queries);
        for (size_t i = 0; i < pack->queries.n && queries != NULL; i++) {
            const struct blastp_query *q = &round->s->queries[pack->numbers[i]];
            queries[i] = (struct gapped_gpu_query){pack->items[i].first_place, q->length, q->cutoff, blastp_near_cutoff(q)};
        }
        status = queries != NULL ? gapped_gpu_extend(ctx, &params, queries, pack->queries.n, &round->ungapped, gapped)
                                 : context_fail_memory(ctx, "queries", pack->queries.n * sizeof *queries);
        free(queries);
        counts->n_gapped += gapped->n_gapped;
        return status;
    }
    gapped->n = 0;
    for (size_t i = 0; i < round->ungapped.n; i++) {
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
    return TMS_OK;
}

/* Where n_initial is counted on the GPU, pairs that are left count theirs again. */
static uint64_t n_left(const struct gpu_round *round)
{
    uint64_t n = 0;

    for (size_t i = 0; i < round->gapped.n; i++)
        n += round->gapped.hsps[i].n_left;
    return n;
}

/*
 * Who does what is decided as work comes up. One thread drives the GPU, as long as there are packs and a round is free. The others finish
 * the pairs of the round that came first, and align what the rounds before it have left.
 */
enum { ROUNDS = 3 };

struct gpu_flow {
    tms_context *ctx;
    struct blastp_work *s;
    const struct two_hit_gpu_subjects *block;
    struct blastp_counts *counts; /* of the thread at the GPU */
    bool is_last;                 /* this block is: the lists of the queries are complete after it */
    pthread_mutex_t lock;         /* of the rest */
    pthread_cond_t changed;
    struct gpu_round rounds[ROUNDS];
    size_t n_begun, n_made, n_finished; /* rounds */
    size_t pack;                        /* the next one, GPU's or not */
    size_t n_claimed, n_done;           /* tasks of the round that is being finished */
};

static tms_status scan(const struct gpu_flow *flow, struct gpu_round *round)
{
    const struct blastp_params *p = &flow->s->setup->params;
    const struct blastp_pack *pack = round->pack;

    if (p->is_cublastp)
        return cublastp_scan(flow->ctx, flow->block, &pack->queries, pack->n_places, &p->cublastp, NULL, &round->ungapped);
    return two_hit_gpu_scan(flow->ctx, flow->block, &pack->queries, pack->n_places, &round->ungapped);
}

static tms_status make_round(const struct gpu_flow *flow, struct gpu_round *round)
{
    struct blastp_counts *counts = flow->counts;
    double begun = blastp_now(), scanned;
    tms_status status = scan(flow, round);

    scanned = blastp_now();
    if (status == TMS_OK)
        status = extend_pairs(flow->ctx, round, counts);
    counts->seconds_scan += scanned - begun;
    counts->seconds_gapped += blastp_now() - scanned;
    counts->n_hits += round->ungapped.n_hits;
    counts->n_extensions += round->ungapped.n_candidates;
    counts->n_initial += round->ungapped.n - n_left(round);
    flow->s->is_said |= status != TMS_OK;
    return status;
}

/* The next pack for the GPU, if there is one, a round is free, and nobody is at it. */
static struct gpu_round *begin_round(struct gpu_flow *flow)
{
    struct blastp_work *s = flow->s;
    struct gpu_round *round = &flow->rounds[flow->n_begun % ROUNDS];

    while (flow->pack < s->n_packs && !s->packs[flow->pack].is_for_gpu)
        flow->pack++;
    if (flow->pack == s->n_packs || flow->n_begun > flow->n_made || flow->n_begun - flow->n_finished == ROUNDS)
        return NULL;
    round->pack = &s->packs[flow->pack++];
    flow->n_begun++;
    return round;
}

static size_t n_finish_tasks(const struct gpu_round *round) { return (round->gapped.n + HSPS_A_TASK - 1) / HSPS_A_TASK; }

/* With the lock: rounds all of whose pairs are finished are handed on. */
static tms_status end_rounds(struct gpu_flow *flow)
{
    tms_status status = TMS_OK;

    while (flow->n_finished < flow->n_made && status == TMS_OK) {
        const struct gpu_round *round = &flow->rounds[flow->n_finished % ROUNDS];
        if (flow->n_done < n_finish_tasks(round))
            break;
        if (flow->is_last)
            status = blastp_gather(flow->s, round->pack->first + round->pack->n);
        flow->n_finished++;
        flow->n_claimed = flow->n_done = 0;
    }
    return status;
}

/* One piece of work, if there is one. The lock is held before and after. */
static bool do_work(struct gpu_flow *flow, int thread)
{
    struct blastp_work *s = flow->s;
    struct gpu_round *making = begin_round(flow), *finishing = &flow->rounds[flow->n_finished % ROUNDS];
    tms_status status = TMS_OK;

    if (making != NULL) {
        pthread_mutex_unlock(&flow->lock);
        status = make_round(flow, making);
        pthread_mutex_lock(&flow->lock);
        flow->n_made++;
    } else if (flow->n_finished < flow->n_made && flow->n_claimed < n_finish_tasks(finishing)) {
        size_t task = flow->n_claimed++;
        pthread_mutex_unlock(&flow->lock);
        finish_pairs(finishing, task, thread);
        pthread_mutex_lock(&flow->lock);
        flow->n_done++;
    } else if (s->n_aligned < s->n_tasks) {
        size_t task = s->n_aligned++;
        struct alignment_task mine = s->tasks[task]; /* others may add to them */
        pthread_mutex_unlock(&flow->lock);
        blastp_align_task(s, &mine, thread);
        pthread_mutex_lock(&flow->lock);
        s->tasks[task] = mine;
        return true;
    } else {
        return false;
    }
    if (status == TMS_OK)
        status = end_rounds(flow);
    blastp_note(s, status);
    pthread_cond_broadcast(&flow->changed);
    return true;
}

static void work_along(void *arg, size_t task, int thread)
{
    struct gpu_flow *flow = arg;

    (void)task;
    pthread_mutex_lock(&flow->lock);
    while (atomic_load(&flow->s->status) == TMS_OK && !__atomic_load_n(&flow->ctx->cancelled, __ATOMIC_RELAXED)) {
        if (do_work(flow, thread))
            continue;
        if (flow->pack == flow->s->n_packs && flow->n_finished == flow->n_begun)
            break; /* what others are still at is theirs */
        pthread_cond_wait(&flow->changed, &flow->lock);
    }
    pthread_cond_broadcast(&flow->changed);
    pthread_mutex_unlock(&flow->lock);
}

static tms_status search_block(tms_context *ctx, struct blastp_work *s, const struct two_hit_gpu_subjects *block, uint64_t first_subject,
                               bool is_last, struct blastp_counts *counts)
{
    struct gpu_flow flow = {.ctx = ctx, .s = s, .block = block, .counts = counts, .is_last = is_last};
    tms_status status;

    for (int i = 0; i < ROUNDS; i++)
        flow.rounds[i] = (struct gpu_round){.s = s, .first_subject = first_subject};
    pthread_mutex_init(&flow.lock, NULL);
    pthread_cond_init(&flow.changed, NULL);
    status = tms_context_run(ctx, (size_t)tms_context_threads(ctx), work_along, &flow);
    if (status == TMS_OK)
        status = context_check_cancelled(ctx);
    pthread_cond_destroy(&flow.changed);
    pthread_mutex_destroy(&flow.lock);
    for (int i = 0; i < ROUNDS; i++) {
        two_hit_gpu_found_free(&flow.rounds[i].ungapped);
        gapped_gpu_found_free(&flow.rounds[i].gapped);
    }
    return status;
}

tms_status blastp_search_blocks(tms_context *ctx, struct blastp_work *s, struct blastp_counts *counts)
{
    struct blastp_gpu *gpu = s->subjects->gpu;
    tms_seqdb_info info;
    tms_status status = TMS_OK;

    tms_seqdb_get_info(s->subjects->db, &info);
    counts->n_subjects += (s->n_packs - s->n_cpu_packs) * info.n_sequences;
    counts->subject_letters += (s->n_packs - s->n_cpu_packs) * info.n_residues;
    for (size_t k = 0; k < gpu->n_blocks && status == TMS_OK && atomic_load(&s->status) == TMS_OK; k++) {
        const struct two_hit_gpu_subjects *block;
        uint64_t damaged = UINT64_MAX;
        double begun = blastp_now();
        status = blastp_gpu_block(ctx, gpu, s->subjects, k, &damaged, &block);
        counts->seconds_setup += blastp_now() - begun;
        if (status == TMS_E_FORMAT)
            lower_to(&s->damaged, damaged);
        s->is_said |= status != TMS_OK && status != TMS_E_FORMAT;
        if (status == TMS_OK)
            status = search_block(ctx, s, block, gpu->firsts[k], k + 1 == gpu->n_blocks, counts);
    }
    return status;
}

tms_status blastp_share_packs(const tms_context *ctx, struct blastp_work *s)
{
    s->cpu_packs = calloc(s->n_packs + 1, sizeof(void *));
    for (size_t p = 0; p < s->n_packs && s->cpu_packs != NULL; p++) {
        struct blastp_pack *pack = &s->packs[p];
        pack->is_for_gpu = s->subjects->gpu != NULL && two_hit_gpu_takes(ctx, &pack->queries, pack->n_places);
        if (!pack->is_for_gpu)
            s->cpu_packs[s->n_cpu_packs++] = pack;
    }
    return s->cpu_packs != NULL ? TMS_OK : TMS_E_MEMORY;
}
