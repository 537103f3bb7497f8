/* io_reader.c - the reader's thread, or the caller in its place, and the slots that both exchange. */
#include "io/io_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "io/io_safe_file.h"
#include "io/io_stream.h"

static void queue_put(io_slot_queue *q, int item)
{
    q->items[(q->head + q->n) % IO_READER_MAX_SLOTS] = item;
    q->n++;
}

static int queue_take(io_slot_queue *q)
{
    int item = q->items[q->head];

    q->head = (q->head + 1) % IO_READER_MAX_SLOTS;
    q->n--;
    return item;
}

static int queue_take_last(io_slot_queue *q)
{
    q->n--;
    return q->items[(q->head + q->n) % IO_READER_MAX_SLOTS];
}

io_status io_reader_check_paths(const char *const *paths, size_t n_paths, io_error *err)
{
    int n_stdin = 0;

    for (size_t i = 0; i < n_paths; i++) {
        if (strcmp(paths[i], "-") == 0)
            n_stdin++;
        else if (access(paths[i], R_OK) != 0)
            return io_fail(err, IO_E_INPUT, errno, "%s: %s", paths[i], strerror(errno));
    }
    if (n_stdin > 1)
        return io_fail(err, IO_E_INPUT, 0, "standard input (-) is named twice; it can be read once");
    if (n_stdin == 1 && (fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY)
        return io_fail(err, IO_E_INPUT, EBADF, "standard input: is closed, or not open for reading");
    return io_check_stdout(paths, n_paths, err);
}

/* Returns 1 if all paths are files, of IO_READER_SMALL_BYTES together at most. */
static int are_small(const char *const *paths, size_t n_paths, uint64_t *n_bytes)
{
    *n_bytes = 0;
    for (size_t i = 0; i < n_paths; i++) {
        uint64_t size;
        if (!io_stream_path_size(paths[i], &size) || size > IO_READER_SMALL_BYTES - *n_bytes)
            return 0;
        *n_bytes += size;
    }
    return 1;
}

io_status io_reader_init(io_reader *r, const char *const *paths, size_t n_paths, int n_slots, io_error *err)
{
    memset(r, 0, sizeof *r);
    r->in_use = -1;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    r->n_ahead = n_slots - 1;
    for (int i = n_slots - 1; i > 0; i--)
        queue_put(&r->idle, i);
    r->by_caller = are_small(paths, n_paths, &r->n_bytes);
    r->cancel_fd = eventfd(0, EFD_CLOEXEC);
    if (r->cancel_fd < 0)
        return io_fail(err, IO_E_INPUT, errno, "cannot start reading: %s", strerror(errno));
    return IO_OK;
}

/*
 * Takes an idle slot: the one that the caller gave back last, except the one that the reader put last, from which io_lines.c still reads.
 * The caller gave the slots before it back earlier, so there is another one.
 */
static int take_idle(io_reader *r, int put_last)
{
    int slot = queue_take_last(&r->idle);

    if (slot != put_last)
        return slot;
    slot = queue_take(&r->idle);
    queue_put(&r->idle, put_last);
    return slot;
}

/* Puts the current slot and takes an idle one. Returns 0 if the caller has stopped the reader. */
static int exchange(io_reader *r)
{
    int go_on;

    pthread_mutex_lock(&r->lock);
    queue_put(&r->full, r->current);
    pthread_cond_broadcast(&r->changed);
    while ((r->idle.n == 0 || r->full.n > r->n_ahead) && !r->stop)
        pthread_cond_wait(&r->changed, &r->lock);
    go_on = !r->stop;
    if (go_on)
        r->current = take_idle(r, r->current);
    pthread_mutex_unlock(&r->lock);
    return go_on;
}

static void *reader_main(void *arg)
{
    io_reader *r = arg;
    io_error err = {0, ""};
    io_status status;

    while ((status = r->fill(r->arg, &err)) == IO_OK && exchange(r)) {
    }
    pthread_mutex_lock(&r->lock);
    r->done = 1;
    r->result = status == IO_OK ? IO_END : status;
    r->failure = err;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* The thread blocks signals: the caller's thread handles them, because it may be about to name a file for the handler to remove. */
io_status io_reader_start(io_reader *r, io_reader_fill *fill, void *arg, io_error *err)
{
    sigset_t all, before;
    int rc;

    r->fill = fill;
    r->arg = arg;
    if (r->by_caller)
        return IO_OK;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(&r->thread, NULL, reader_main, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0)
        return io_fail(err, IO_E_MEMORY, rc, "cannot start a thread for reading: %s", strerror(rc));
    r->thread_runs = 1;
    return IO_OK;
}

void io_reader_stop(io_reader *r)
{
    uint64_t one = 1;
    int code = errno;

    atomic_store(&r->stop, 1);
    if (write(r->cancel_fd, &one, sizeof one) < 0) {
        /* Writing 1 to an eventfd fails only at its limit, and then it is readable anyway. */
    }
    errno = code;
}

void io_reader_close(io_reader *r)
{
    if (r->thread_runs) {
        io_reader_stop(r);
        pthread_mutex_lock(&r->lock); /* a thread that waits for a slot then sees `stop` */
        pthread_cond_broadcast(&r->changed);
        pthread_mutex_unlock(&r->lock);
        pthread_join(r->thread, NULL);
    }
    if (r->cancel_fd >= 0)
        close(r->cancel_fd);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
}

void io_reader_set_ahead(io_reader *r, int n_ahead)
{
    pthread_mutex_lock(&r->lock);
    r->n_ahead = n_ahead;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

int io_reader_is_stopped(io_reader *r) { return atomic_load(&r->stop); }

static io_status fill_by_caller(io_reader *r, io_error *err)
{
    if (!r->done) {
        r->result = io_reader_is_stopped(r) ? IO_END : r->fill(r->arg, &r->failure);
        r->done = r->result != IO_OK;
    }
    if (r->done) {
        *err = r->failure;
        return r->result;
    }
    r->in_use = r->current;
    r->current = 1 - r->current;
    return IO_OK;
}

io_status io_reader_next(io_reader *r, io_error *err)
{
    io_status status = IO_OK;

    if (r->by_caller)
        return fill_by_caller(r, err);
    pthread_mutex_lock(&r->lock);
    if (r->in_use >= 0) {
        queue_put(&r->idle, r->in_use);
        r->in_use = -1;
        pthread_cond_broadcast(&r->changed);
    }
    while (r->full.n == 0 && !r->done)
        pthread_cond_wait(&r->changed, &r->lock);
    if (r->full.n > 0) {
        r->in_use = queue_take(&r->full);
        pthread_cond_broadcast(&r->changed); /* a bounded number of slots may wait: now one more fits */
    } else {
        status = r->result;
        *err = r->failure;
    }
    pthread_mutex_unlock(&r->lock);
    return status;
}

int io_reader_is_ready(io_reader *r)
{
    int is_ready;

    pthread_mutex_lock(&r->lock);
    is_ready = r->full.n > 0 || r->done || r->by_caller;
    pthread_mutex_unlock(&r->lock);
    return is_ready;
}
