/* write_behind.h - a thread that writes the results of calls, one call after the other, while these or later queries are searched. */
#ifndef TAMIS_CLI_WRITE_BEHIND_H
#define TAMIS_CLI_WRITE_BEHIND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "io/io_error.h"

typedef io_status write_work(void *arg, io_error *err);

enum { WRITE_BEHIND_WORKS = 2 }; /* that have begun and not ended, at most */

struct write_turn {
    write_work *work;
    void *arg;
};

/* Opened with write_behind_open(). One thread calls the functions. */
typedef struct write_behind {
    struct write_turn turns[WRITE_BEHIND_WORKS]; /* work i is in turn i mod WRITE_BEHIND_WORKS */
    pthread_t thread;
    bool thread_runs;       /* false: there was no work yet, or the thread could not be made */
    pthread_mutex_t lock;   /* guards what follows */
    pthread_cond_t changed; /* one of the following has */
    uint64_t n_begun, n_ended;
    bool is_closed;
    io_status status; /* of all work so far */
    io_error err;
} write_behind;

void write_behind_open(write_behind *w);

/* write_behind_close() - ends what has begun, and the thread. */
void write_behind_close(write_behind *w);

/*
 * write_behind_begin() - begins work(arg), after the work before, if none has failed. Only after write_behind_make_room() or
 * write_behind_wait() has returned IO_OK. If the system's limit of threads is reached, the next call of one of these does the work.
 */
void write_behind_begin(write_behind *w, write_work *work, void *arg);

/*
 * write_behind_make_room() - waits until all work but the last has ended; write_behind_wait() - until all has. Both return the status of
 * what has ended, with its message; after a failure, always that.
 */
io_status write_behind_make_room(write_behind *w, io_error *err);
io_status write_behind_wait(write_behind *w, io_error *err);

#endif
