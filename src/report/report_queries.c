/*
 * report_queries.c - see report_queries.h. Each thread has a worker, which is a report of its own, and writes a query to a text of its own.
 * The thread that completes the next query in order hands on all texts that are ready, while the other threads write.
 */
#include "report/report_queries.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/array.h"
#include "report/report_common.h"

enum {
    TEXTS_A_THREAD = 64,      /* being written, or ready: others continue for some milliseconds while a thread has lost its processor */
    MOST_WAITING = 32 << 20,  /* bytes of texts that are ready; above it only the next query in order is begun */
    MOST_KEPT_TEXT = 16 << 10 /* bytes of memory that a text leaves for the next one */
};

/* The text of a query, until it was handed on. */
struct text_slot {
    struct byte_array text;
    io_status status;
    bool is_ready;
    io_error err;
};

struct report_queries {
    tms_context *ctx;
    struct report *report;
    struct report **workers; /* one for each thread */
    size_t n_workers;
    struct text_slot *slots;
    size_t n_slots;
    uint64_t *n_unnamed; /* for each query of a call: queries of the report before it without an id */
    size_t capacity;
};

static void free_workers(struct report_queries *all)
{
    for (size_t i = 0; i < all->n_workers; i++)
        report_free(all->workers[i]);
    for (size_t i = 0; i < all->n_slots; i++)
        free(all->slots[i].text.bytes);
    free(all->workers);
    free(all->slots);
    all->workers = NULL;
    all->slots = NULL;
    all->n_workers = all->n_slots = 0;
}

io_status report_queries_create(tms_context *ctx, struct report *report, struct report_queries **out, io_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return report_fail_memory(err);
    (*out)->ctx = ctx;
    (*out)->report = report;
    return IO_OK;
}

void report_queries_free(struct report_queries *all)
{
    if (all == NULL)
        return;
    free_workers(all);
    free(all->n_unnamed);
    free(all);
}

static io_status create_workers(struct report_queries *all, size_t n_threads, io_error *err)
{
    io_status status = IO_OK;

    all->workers = calloc(n_threads, sizeof *all->workers);
    all->slots = calloc(n_threads * TEXTS_A_THREAD, sizeof *all->slots);
    if (all->workers == NULL || all->slots == NULL)
        return report_fail_memory(err);
    all->n_slots = n_threads * TEXTS_A_THREAD;
    while (status == IO_OK && all->n_workers < n_threads) {
        status = report_worker_create(all->ctx, all->report, &all->workers[all->n_workers], err);
        all->n_workers += status == IO_OK;
    }
    return status;
}

/* As many workers as the context has threads now. */
static io_status prepare(struct report_queries *all, size_t n, io_error *err)
{
    const size_t n_threads = (size_t)tms_context_threads(all->ctx);
    io_status status = IO_OK;

    if (all->n_workers < n_threads) {
        free_workers(all);
        status = create_workers(all, n_threads, err);
    }
    if (status == IO_OK && !array_reserve(&all->n_unnamed, &all->capacity, n, sizeof *all->n_unnamed))
        status = report_fail_memory(err);
    for (size_t i = 0; i < all->n_slots; i++)
        all->slots[i].is_ready = false; /* after a failure some may be */
    return status;
}

/* A call. The lock guards all that changes, except texts that are being written and the text that is being handed on. */
struct report_flow {
    struct report_queries *all;
    const struct report_query *queries;
    size_t n;
    uint64_t n_before; /* queries of the report before these */
    report_take *take;
    void *arg;
    io_error *err; /* set with status */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* next or status */
    size_t next;            /* the query whose text is handed on next */
    size_t n_waiting;       /* bytes of texts that are ready */
    bool is_handing;        /* a thread hands texts on */
    io_status status;
};

static struct text_slot *slot_of(const struct report_flow *flow, size_t i) { return &flow->all->slots[i % flow->all->n_slots]; }

/* Hands on the text of query i; without the lock, by one thread at a time. A status that is not IO_OK ends the call. */
static io_status hand_on(struct report_flow *flow, size_t i, struct text_slot *slot)
{
    const struct report_writer *writer = flow->all->report->options.format.writer;
    io_status status;

    if (slot->status == IO_OK && writer->collect != NULL)
        slot->status = writer->collect(flow->all->report, &flow->queries[i], &slot->text, &slot->err);
    status = flow->take(flow->arg, i, slot->status == IO_OK ? &slot->text : NULL, flow->err);
    report_count_query(flow->all->report, &flow->queries[i]);
    if (status == IO_OK && slot->status != IO_OK)
        *flow->err = slot->err;
    if (slot->text.capacity > MOST_KEPT_TEXT) {
        free(slot->text.bytes);
        slot->text = (struct byte_array){0};
    }
    return status == IO_OK ? slot->status : status;
}

/* With the lock: hands on texts in order, up to the first that is not ready. */
static void hand_on_ready(struct report_flow *flow)
{
    if (flow->is_handing)
        return; /* that thread hands on this text too */
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
        pthread_cond_broadcast(&flow->changed);
    }
    flow->is_handing = false;
}

/* With the lock: whether query i has to wait. The next query in order never does, so one thread can always continue. */
static bool has_to_wait(const struct report_flow *flow, size_t i)
{
    return flow->status == IO_OK && i != flow->next && (i - flow->next >= flow->all->n_slots || flow->n_waiting > MOST_WAITING);
}

/* By many threads at once; they begin queries in ascending order. */
static void write_query(void *arg, size_t i, int thread)
{
    struct report_flow *flow = arg;
    struct report *worker = flow->all->workers[thread];
    struct text_slot *slot = slot_of(flow, i);

    pthread_mutex_lock(&flow->lock);
    while (has_to_wait(flow, i))
        pthread_cond_wait(&flow->changed, &flow->lock);
    if (flow->status == IO_OK) {
        pthread_mutex_unlock(&flow->lock);
        worker->n_queries = flow->n_before + i;
        worker->n_unnamed = flow->all->n_unnamed[i];
        slot->text.n = 0;
        slot->status = report_query_put(worker, &flow->queries[i], &slot->text, &slot->err);
        pthread_mutex_lock(&flow->lock);
        flow->n_waiting += slot->text.n;
        slot->is_ready = true;
        hand_on_ready(flow);
    }
    pthread_mutex_unlock(&flow->lock);
}

static void count_unnamed(struct report_queries *all, const struct report_query *queries, size_t n)
{
    struct report counting = {.options = all->report->options, .n_unnamed = all->report->n_unnamed};

    for (size_t i = 0; i < n; i++) {
        all->n_unnamed[i] = counting.n_unnamed;
        report_count_query(&counting, &queries[i]);
    }
}

io_status report_queries_put(struct report_queries *all, const struct report_query *queries, size_t n, report_take *take, void *arg,
                             io_error *err)
{
    struct report_flow flow = {
        .all = all, .queries = queries, .n = n, .n_before = all->report->n_queries, .take = take, .arg = arg, .err = err, .status = IO_OK};
    io_status status = prepare(all, n, err);

    if (status != IO_OK)
        return status;
    count_unnamed(all, queries, n);
    pthread_mutex_init(&flow.lock, NULL);
    pthread_cond_init(&flow.changed, NULL);
    if (tms_context_run(all->ctx, n, write_query, &flow) != TMS_OK && flow.status == IO_OK)
        flow.status = io_fail(err, IO_E_INPUT, 0, "%s", tms_context_message(all->ctx));
    pthread_cond_destroy(&flow.changed);
    pthread_mutex_destroy(&flow.lock);
    return flow.status;
}
