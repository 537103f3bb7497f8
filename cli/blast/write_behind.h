/* write_behind.h - writes the results of a call on a thread of its own, while the next queries are searched. */
#ifndef TAMIS_CLI_WRITE_BEHIND_H
#define TAMIS_CLI_WRITE_BEHIND_H

#include <pthread.h>
#include <stdbool.h>

#include "io/io_error.h"

typedef io_status write_work(void *arg, io_error *err);

/* All zero to begin with. Other fields than these the caller must not look at before write_behind_wait(). */
typedef struct write_behind {
    write_work *work;
    void *arg;
    pthread_t thread;
    bool thread_runs;
    io_status status; /* of all work so far */
    io_error err;
} write_behind;

/*
 * write_behind_begin() - begins work(arg) on the thread; or does it now, if the system's limit of threads is reached. Only after
 * write_behind_wait() has returned IO_OK.
 */
void write_behind_begin(write_behind *w, write_work *work, void *arg);

/* write_behind_wait() - waits until the work has ended. Returns its status, with its message; after a failure, always that. */
io_status write_behind_wait(write_behind *w, io_error *err);

#endif
