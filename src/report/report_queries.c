/*
 * report_queries.c - several queries at once. Each thread has a desk, which is a report of its own, and writes a query to a text of its
 * own; whoever has written the one that comes next hands on all that are ready, while the others go on writing.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/array.h"
#include "report/report.h"
#include "report/report_struct.h"

enum {
    TEXTS_A_THREAD = 4,        /* that wait for their turn, or are under way */
    MOST_WAITING = 64 << 20,   /* bytes of such texts, above which only the next query in order is begun */
    MOST_KEPT_TEXT = 256 << 10 /* bytes of memory that a text leaves for the next one */
};

/* A query's, from its begin until it was handed on. */
struct text_slot {
    struct byte_array text;
    io_status status;
    bool is_ready;
    io_error err;
};

struct report_workers {
    struct report **desks; /* of threads */
    size_t n_desks;
    struct text_slot *slots;
    size_t n_slots;
    uint64_t *n_unnamed; /* before each query */
    size_t capacity;
};

void report_workers_free(struct report_workers *crew)
{
    if (crew == NULL)
        return;
    for (size_t i = 0; i < crew->n_desks; i++)
        report_free(crew->desks[i]);
    for (size_t i = 0; i < crew->n_slots; i++)
        free(crew->slots[i].text.bytes);
    free(crew->desks);
    free(crew->slots);
    free(crew->n_unnamed);
    free(crew);
}

static io_status create_crew(tms_context *ctx, const struct report *report, struct report_workers **out, io_error *err)
{
    const size_t n_threads = (size_t)tms_context_threads(ctx);
    struct report_workers *crew = calloc(1, sizeof *crew);
    io_status status = IO_OK;

    *out = NULL;
    if (crew == NULL)
        return report_fail_memory(err);
    crew->desks = calloc(n_threads, sizeof *crew->desks);
    crew->slots = calloc(n_threads * TEXTS_A_THREAD, sizeof *crew->slots);
    if (crew->desks == NULL || crew->slots == NULL)
        status = report_fail_memory(err);
    crew->n_slots = status == IO_OK ? n_threads * TEXTS_A_THREAD : 0;
    while (status == IO_OK && crew->n_desks < n_threads) {
        status = report_worker_create(ctx, report, &crew->desks[crew->n_desks], err);
        crew->n_desks += status == IO_OK;
    }
    if (status == IO_OK)
        *out = crew;
    else
        report_workers_free(crew);
    return status;
}

/* With as many desks as the context has threads now. */
static io_status prepare_crew(tms_context *ctx, struct report *report, size_t n, io_error *err)
{
    io_status status = IO_OK;

    if (report->crew != NULL && report->crew->n_desks < (size_t)tms_context_threads(ctx)) {
        report_workers_free(report->crew);
        report->crew = NULL;
    }
    if (report->crew == NULL)
        status = create_crew(ctx, report, &report->crew, err);
    if (status == IO_OK && !array_reserve(&report->crew->n_unnamed, &report->crew->capacity, n, sizeof *report->crew->n_unnamed))
        status = report_fail_memory(err);
    return status;
}

/* Queries under way. With the lock: all that changes, but for the texts that are being written and the one that is being handed on. */
struct report_flow {
    struct report *report;
    const struct report_query *queries;
    size_t n;
    uint64_t n_before; /* queries of the report before these */
    report_take *take;
    void *arg;
    io_error *err; /* with status */
    pthread_mutex_t lock;
    pthread_cond_t moved; /* next has, or status */
    size_t next;          /* query that is handed on next */
    size_t n_waiting;     /* bytes of texts that are ready */
    bool is_handing;      /* a thread is at it */
    io_status status;
};

static struct text_slot *slot_of(const struct report_flow *flow, size_t i)
{
    return &flow->report->crew->slots[i % flow->report->crew->n_slots];
}

/* Without the lock, by one thread: query i is handed on. Returns what ends the call, if it is not IO_OK. */
static io_status hand_on(struct report_flow *flow, size_t i, struct text_slot *slot)
{
    const io_status status = flow->take(flow->arg, i, slot->status == IO_OK ? &slot->text : NULL, flow->err);

    report_count_query(flow->report, &flow->queries[i]);
    if (status == IO_OK && slot->status != IO_OK)
        *flow->err = slot->err;
    if (slot->text.capacity > MOST_KEPT_TEXT) {
        free(slot->text.bytes);
        slot->text = (struct byte_array){0};
    }
    return status == IO_OK ? slot->status : status;
}

/* With the lock: all that are ready, up to the first that is not. */
static void hand_on_ready(struct report_flow *flow)
{
    if (flow->is_handing)
        return; /* that thread sees this one's too */
    flow->is_handing = true;
    while (flow->status == IO_OK && flow->next < flow->n && slot_of(flow, flow->next)->is_ready) {
        const size_t i = flow->next;
        struct text_slot *slot = slot_of(flow, i);
        const size_t size = slot->text.n;
        io_status status;
        pthread_mutex_unlock(&flow->lock);
        status = hand_on(flow, i, slot);
        pthread_mutex_lock(&flow->lock);
        flow->status = status;
        flow->n_waiting -= size;
        slot->is_ready = false;
        flow->next++;
        pthread_cond_broadcast(&flow->moved);
    }
    flow->is_handing = false;
}

/* With the lock: whether query i has to wait. The next in order never does, so there is always one that goes on. */
static bool has_to_wait(const struct report_flow *flow, size_t i)
{
    return flow->status == IO_OK && i != flow->next && (i - flow->next >= flow->report->crew->n_slots || flow->n_waiting > MOST_WAITING);
}

/* By many threads at once; they begin queries in ascending order. */
static void write_query(void *arg, size_t i, int thread)
{
    struct report_flow *flow = arg;
    struct report *desk = flow->report->crew->desks[thread];
    struct text_slot *slot = slot_of(flow, i);

    pthread_mutex_lock(&flow->lock);
    while (has_to_wait(flow, i))
        pthread_cond_wait(&flow->moved, &flow->lock);
    if (flow->status == IO_OK) {
        pthread_mutex_unlock(&flow->lock);
        desk->n_queries = flow->n_before + i;
        desk->n_unnamed = flow->report->crew->n_unnamed[i];
        slot->text.n = 0;
        slot->status = report_query_put(desk, &flow->queries[i], &slot->text, &slot->err);
        pthread_mutex_lock(&flow->lock);
        flow->n_waiting += slot->text.n;
        slot->is_ready = true;
        hand_on_ready(flow);
    }
    pthread_mutex_unlock(&flow->lock);
}

/* How many without an id there were before each. */
static void count_unnamed(const struct report *report, const struct report_query *queries, size_t n)
{
    struct report counting = {.options = report->options, .n_unnamed = report->n_unnamed};

    for (size_t i = 0; i < n; i++) {
        report->crew->n_unnamed[i] = counting.n_unnamed;
        report_count_query(&counting, &queries[i]);
    }
}

io_status report_queries_put(struct report *report, tms_context *ctx, const struct report_query *queries, size_t n, report_take *take,
                             void *arg, io_error *err)
{
    struct report_flow flow = {
        .report = report, .queries = queries, .n = n, .n_before = report->n_queries, .take = take, .arg = arg, .err = err, .status = IO_OK};
    io_status status = prepare_crew(ctx, report, n, err);

    if (status != IO_OK)
        return status;
    for (size_t i = 0; i < report->crew->n_slots; i++)
        report->crew->slots[i].is_ready = false; /* after a failure some may be */
    count_unnamed(report, queries, n);
    pthread_mutex_init(&flow.lock, NULL);
    pthread_cond_init(&flow.moved, NULL);
    if (tms_context_run(ctx, n, write_query, &flow) != TMS_OK && flow.status == IO_OK)
        flow.status = io_fail(err, IO_E_INPUT, 0, "%s", tms_context_message(ctx));
    pthread_cond_destroy(&flow.moved);
    pthread_mutex_destroy(&flow.lock);
    return flow.status;
}
