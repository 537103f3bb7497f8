/* write_behind.c - see write_behind.h. */
#include "cli/blast/write_behind.h"

#include <signal.h>
#include <string.h>

/* With the lock: does the next work, unless one before has failed. */
static void do_next(write_behind *w)
{
    const struct write_turn turn = w->turns[w->n_ended % WRITE_BEHIND_WORKS];
    io_status status = w->status;

    if (status == IO_OK) {
        pthread_mutex_unlock(&w->lock);
        status = turn.work(turn.arg, &w->err);
        pthread_mutex_lock(&w->lock);
    }
    w->status = status;
    w->n_ended++;
    pthread_cond_broadcast(&w->changed);
}

static void *do_all(void *arg)
{
    write_behind *w = arg;

    pthread_mutex_lock(&w->lock);
    while (w->n_ended < w->n_begun || !w->is_closed) {
        if (w->n_ended < w->n_begun)
            do_next(w);
        else
            pthread_cond_wait(&w->changed, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

void write_behind_open(write_behind *w)
{
    memset(w, 0, sizeof *w);
    w->status = IO_OK;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
}

static bool make_thread(write_behind *w)
{
    sigset_t all, before;
    bool is_made;

    sigfillset(&all); /* the first thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    is_made = pthread_create(&w->thread, NULL, do_all, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_made;
}

void write_behind_begin(write_behind *w, write_work *work, void *arg)
{
    pthread_mutex_lock(&w->lock);
    w->turns[w->n_begun++ % WRITE_BEHIND_WORKS] = (struct write_turn){work, arg};
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (!w->thread_runs)
        w->thread_runs = make_thread(w);
}

/* Waits until no more than n works have begun and not ended. Without a thread it does all of them. */
static io_status wait_for(write_behind *w, uint64_t n, io_error *err)
{
    io_status status;

    pthread_mutex_lock(&w->lock);
    while (w->thread_runs && w->n_begun - w->n_ended > n)
        pthread_cond_wait(&w->changed, &w->lock);
    while (!w->thread_runs && w->n_ended < w->n_begun)
        do_next(w);
    status = w->status;
    if (status != IO_OK)
        *err = w->err;
    pthread_mutex_unlock(&w->lock);
    return status;
}

io_status write_behind_make_room(write_behind *w, io_error *err) { return wait_for(w, WRITE_BEHIND_WORKS - 1, err); }
io_status write_behind_wait(write_behind *w, io_error *err) { return wait_for(w, 0, err); }

void write_behind_close(write_behind *w)
{
    io_error ignored;

    (void)write_behind_wait(w, &ignored);
    pthread_mutex_lock(&w->lock);
    w->is_closed = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (w->thread_runs)
        pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
}
