/*
 * io_reader.h - a thread that reads, and slots that go round between it and the caller: one being filled, one or more waiting, one in
 * use. What a slot holds is the business of io_lines.c and seqio_dna.c.
 *
 * Small files are read by the caller when it asks for the next slot, without a thread: starting one takes longer than reading
 * them. Two slots then take turns.
 */
#ifndef TAMIS_IO_READER_H
#define TAMIS_IO_READER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

enum { IO_READER_SLOTS = 3, IO_READER_MAX_SLOTS = 256, IO_READER_SMALL_BYTES = 64 << 10 };

/*
 * Fills the slot that is current. Returns IO_OK when that is done, to be called again for the next slot; or how reading ended:
 * IO_END or a failure, with nothing in the slot.
 */
typedef io_status io_reader_fill(void *arg, io_error *err);

/* A bounded queue of slot numbers; a slot is in at most one queue, so it cannot overflow. */
typedef struct io_slot_queue {
    int items[IO_READER_MAX_SLOTS];
    int head, n;
} io_slot_queue;

typedef struct io_reader {
    int current;      /* the slot that the reader fills; its own */
    int in_use;       /* the slot that the caller holds, or -1; its own */
    int cancel_fd;    /* becomes readable when the caller wants no more: for io_stream_open() */
    int by_caller;    /* small files: no thread, and ... */
    uint64_t n_bytes; /* ... their size, together */
    io_reader_fill *fill;
    void *arg;
    pthread_t thread;
    int thread_runs;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    io_slot_queue idle, full; /* idle: the one given back last goes first, so that no more are used than are needed */
    int n_ahead;              /* slots that may wait */
    atomic_int stop;          /* the caller wants no more */
    int done;                 /* the last slot was put */
    io_status result;         /* valid when done: IO_END or the failure */
    io_error failure;
} io_reader;

/*
 * io_reader_check_paths() - every file has to be there, standard input ("-") once at most and open, and standard output none of
 * them. Returns IO_OK; IO_E_INPUT; IO_E_REFUSED.
 */
io_status io_reader_check_paths(const char *const *paths, size_t n_paths, io_error *err);

/*
 * io_reader_init() - no thread yet; ended by io_reader_close(), also after a failure. The paths say whether there will be one.
 *   n_slots [in] IO_READER_SLOTS .. IO_READER_MAX_SLOTS
 * Returns IO_OK or IO_E_INPUT.
 */
io_status io_reader_init(io_reader *r, const char *const *paths, size_t n_paths, int n_slots, io_error *err);

/* io_reader_set_ahead() - how many slots may wait: 1 .. n_slots - 1, of which the latter is the beginning. */
void io_reader_set_ahead(io_reader *r, int n_ahead);

/* io_reader_start() - from now on `fill` is called, by the thread or by io_reader_next(). Returns IO_OK or IO_E_MEMORY. */
io_status io_reader_start(io_reader *r, io_reader_fill *fill, void *arg, io_error *err);

/* io_reader_close() - stop the thread, even one that waits for a pipe, and wait for it. What slots hold is the caller's to free. */
void io_reader_close(io_reader *r);

/* io_reader_stop() - tell the thread to stop, even one that waits for a pipe. Async-signal-safe. */
void io_reader_stop(io_reader *r);

/* Does the caller want no more? For `fill`, which may find what was cut short to be damaged. */
int io_reader_is_stopped(io_reader *r);

/* The caller's side: give the slot in use back, wait for the next. Returns IO_OK, in_use set; or how reading ended. */
io_status io_reader_next(io_reader *r, io_error *err);
int io_reader_is_ready(io_reader *r); /* without waiting for a pipe or the thread? */

#endif
