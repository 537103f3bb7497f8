/* cell_writer.c - see cell_writer.h. */
#include "cli/blast/cell_writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct cell_writer {
    struct archive_writer *archive;
    tms_context *ctx; /* the context of the thread that writes */
    pthread_t thread;
    bool thread_runs;
    tms_search_found *found; /* what is being written, with its batches */
    struct cell_batches batches;
    io_status status; /* of all writing so far */
    io_error err;
};

static io_status begin_batch(cell_writer *w, uint64_t batch)
{
    const struct cell_batches *b = &w->batches;
    const uint64_t end = batch + 1 < b->n ? b->firsts[batch + 1] : b->end;

    return archive_writer_begin_batch(w->archive, b->firsts[batch], end - b->firsts[batch], &w->err);
}

static io_status write_lists(cell_writer *w)
{
    const uint64_t n = tms_search_found_n_lists(w->found);
    uint64_t batch = UINT64_MAX;
    io_status status = IO_OK;

    for (uint64_t i = 0; i < n && status == IO_OK; i++) {
        tms_found_list list;
        if (tms_search_found_get(w->ctx, w->found, i, &list) != TMS_OK)
            status = io_fail_memory(&w->err, "a list of preliminary HSPs");
        while (status == IO_OK && batch != list.batch) /* a batch may have no list */
            status = begin_batch(w, ++batch);
        if (status == IO_OK)
            status = archive_writer_put(w->archive, &list, &w->err);
    }
    while (status == IO_OK && ++batch < w->batches.n)
        status = begin_batch(w, batch);
    return status;
}

static void *write_call(void *arg)
{
    cell_writer *w = arg;

    w->status = write_lists(w);
    tms_search_found_destroy(w->found);
    w->found = NULL;
    return NULL;
}

static void wait_for(cell_writer *w)
{
    if (w->thread_runs)
        pthread_join(w->thread, NULL);
    w->thread_runs = false;
}

io_status cell_writer_open(struct archive_writer *archive, cell_writer **out, io_error *err)
{
    cell_writer *w = calloc(1, sizeof *w);

    *out = NULL;
    if (w == NULL || tms_context_create(&w->ctx) != TMS_OK) {
        free(w);
        archive_writer_abort(archive);
        return io_fail_memory(err, "the writer of a part");
    }
    w->archive = archive;
    *out = w;
    return IO_OK;
}

io_status cell_writer_put(cell_writer *w, tms_search_found *found, const struct cell_batches *batches, io_error *err)
{
    sigset_t all, before;

    wait_for(w);
    free(w->batches.firsts);
    w->batches = *batches;
    w->found = found;
    if (w->status != IO_OK) {
        *err = w->err;
        return w->status;
    }
    sigfillset(&all); /* the first thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->thread_runs = pthread_create(&w->thread, NULL, write_call, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!w->thread_runs) /* the limit of threads is reached: write here */
        write_call(w);
    return IO_OK;
}

/* Frees all but the archive. */
static void close_writer(cell_writer *w)
{
    tms_search_found_destroy(w->found);
    free(w->batches.firsts);
    tms_context_destroy(w->ctx);
    free(w);
}

io_status cell_writer_end(cell_writer *w, io_error *err)
{
    io_status status;

    wait_for(w);
    status = w->status;
    if (status == IO_OK) {
        status = archive_writer_end(w->archive, err);
    } else {
        *err = w->err;
        archive_writer_abort(w->archive);
    }
    close_writer(w);
    return status;
}

void cell_writer_abort(cell_writer *w)
{
    if (w == NULL)
        return;
    wait_for(w);
    archive_writer_abort(w->archive);
    close_writer(w);
}
