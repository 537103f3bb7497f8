/* write_behind.c - see write_behind.h. A thread for each work: that takes far less time than a call of a search. */
#include "cli/blast/write_behind.h"

#include <signal.h>

static void *do_work(void *arg)
{
    write_behind *w = arg;

    w->status = w->work(w->arg, &w->err);
    return NULL;
}

void write_behind_begin(write_behind *w, write_work *work, void *arg)
{
    sigset_t all, before;

    w->work = work;
    w->arg = arg;
    sigfillset(&all); /* the first thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->thread_runs = pthread_create(&w->thread, NULL, do_work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!w->thread_runs)
        do_work(w);
}

io_status write_behind_wait(write_behind *w, io_error *err)
{
    if (w->thread_runs)
        pthread_join(w->thread, NULL);
    w->thread_runs = false;
    if (w->status != IO_OK)
        *err = w->err;
    return w->status;
}
