/*
 * io_reader.h - a thread that reads, and slots that go round between it and the caller: one being filled, one or more waiting, one in
 * use. What a slot holds is the business of io_lines.c and io_dna.c.
 */
#ifndef TAMIS_IO_READER_H
#define TAMIS_IO_READER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "io_error.h"

enum { IO_READER_SLOTS = 3, IO_READER_MAX_SLOTS = 256 };

/* A bounded queue of slot numbers; a slot is in at most one queue, so it cannot overflow. */
typedef struct io_slot_queue {
    int items[IO_READER_MAX_SLOTS];
    int head, n;
} io_slot_queue;

typedef struct io_reader {
    int current;   /* the slot that the reader fills; its own */
    int in_use;    /* the slot that the caller holds, or -1; its own */
    int cancel_fd; /* becomes readable when the caller wants no more: for io_stream_open() */
    pthread_t thread;
    int thread_runs;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    io_slot_queue idle, full; /* idle: the one given back last goes first, so that no more are used than are needed */
    int n_ahead;              /* slots that may wait */
    atomic_int stop;  /* the caller wants no more */
    int done;         /* the reader has put its last slot */
    io_status result; /* valid when done: IO_END or the failure */
    io_error failure;
} io_reader;

/*
 * io_reader_check_paths() - every file has to be there, standard input ("-") once at most and open, and standard output none of
 * them. Returns IO_OK; IO_E_INPUT; IO_E_REFUSED.
 */
io_status io_reader_check_paths(const char *const *paths, size_t n_paths, io_error *err);

/*
 * io_reader_init() - no thread yet; ended by io_reader_close(), also after a failure. Returns IO_OK or IO_E_INPUT.
 *   n_slots [in] IO_READER_SLOTS .. IO_READER_MAX_SLOTS
 */
io_status io_reader_init(io_reader *r, int n_slots, io_error *err);

/* io_reader_set_ahead() - how many slots may wait: 1 .. n_slots - 1, of which the latter is the beginning. */
void io_reader_set_ahead(io_reader *r, int n_ahead);

/* io_reader_start() - the thread, in which `run` ends with io_reader_finish(). Returns IO_OK or IO_E_MEMORY. */
io_status io_reader_start(io_reader *r, void *(*run)(void *), void *arg, io_error *err);

/* io_reader_close() - stop the thread, even one that waits for a pipe, and wait for it. What slots hold is the caller's to free. */
void io_reader_close(io_reader *r);

/* io_reader_stop() - tell the thread to stop, even one that waits for a pipe. Async-signal-safe. */
void io_reader_stop(io_reader *r);

/* The reader's side: put the current slot and take an idle one. Returns 0 when told to stop. */
int io_reader_exchange(io_reader *r);
int io_reader_is_stopped(io_reader *r);
void io_reader_finish(io_reader *r, io_status status, const io_error *err); /* IO_OK: to the end */

/* The caller's side: give the slot in use back, wait for the next. Returns IO_OK, in_use set; or how reading ended. */
io_status io_reader_next(io_reader *r, io_error *err);
int io_reader_is_ready(io_reader *r); /* without waiting? */

#endif
