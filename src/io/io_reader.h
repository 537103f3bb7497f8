/*
 * io_reader.h - a thread that reads, and slots that go round between it and the caller: one being filled, one or more waiting, one in use.
 * io_lines.c and seqio_dna.c decide what a slot holds.
 *
 * io_reader_next() reads small files itself, without a thread, because starting one takes longer than reading them. Two slots then take
 * turns.
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
 * Fills the current slot. Returns IO_OK when the slot is full, and is called again for the next one; or how reading ended: IO_END or a
 * failure, with nothing in the slot.
 */
typedef io_status io_reader_fill(void *arg, io_error *err);

/* A bounded queue of slot numbers. A slot is in at most one queue, so a queue cannot overflow. */
typedef struct io_slot_queue {
    int items[IO_READER_MAX_SLOTS];
    int head, n;
} io_slot_queue;

typedef struct io_reader {
    int current;      /* the slot that the reader fills; used by the reader only */
    int in_use;       /* the slot that the caller holds, or -1; used by the caller only */
    int cancel_fd;    /* for io_stream_open(): becomes readable when the caller stops the reader */
    int by_caller;    /* 1: the files are small, and io_reader_next() reads them without a thread */
    uint64_t n_bytes; /* by_caller: total size of the files */
    io_reader_fill *fill;
    void *arg;
    pthread_t thread;
    int thread_runs;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    io_slot_queue idle, full; /* idle: the slot given back last is taken first, so that few slots are used */
    int n_ahead;              /* slots that may wait for the caller */
    atomic_int stop;          /* 1: the caller has stopped the reader */
    int done;                 /* 1: the reader has put its last slot */
    io_status result;         /* valid if done: IO_END or the failure */
    io_error failure;
} io_reader;

/*
 * io_reader_check_paths() - check that every file exists, that standard input ("-") is open and occurs once at most, and that none of the
 * files is standard output. Returns IO_OK; IO_E_INPUT; IO_E_REFUSED.
 */
io_status io_reader_check_paths(const char *const *paths, size_t n_paths, io_error *err);

/*
 * io_reader_init() - prepare a reader, without a thread yet; io_reader_close() ends it, also after a failure. The sizes of the paths'
 * files decide whether there will be a thread.
 *   n_slots [in] IO_READER_SLOTS .. IO_READER_MAX_SLOTS
 * Returns IO_OK or IO_E_INPUT.
 */
io_status io_reader_init(io_reader *r, const char *const *paths, size_t n_paths, int n_slots, io_error *err);

/* io_reader_set_ahead() - set how many slots may wait: 1 .. n_slots - 1; n_slots - 1 until it is called. */
void io_reader_set_ahead(io_reader *r, int n_ahead);

/* io_reader_start() - start calling `fill`, in the thread or in io_reader_next(). Returns IO_OK or IO_E_MEMORY. */
io_status io_reader_start(io_reader *r, io_reader_fill *fill, void *arg, io_error *err);

/* io_reader_close() - stop the thread, even if it waits for a pipe, and join it. The caller frees what the slots hold. */
void io_reader_close(io_reader *r);

/* io_reader_stop() - tell the thread to stop, even if it waits for a pipe. Async-signal-safe. */
void io_reader_stop(io_reader *r);

/* io_reader_is_stopped() - 1 if the caller has stopped the reader. For `fill`, which may find input cut short by this to be damaged. */
int io_reader_is_stopped(io_reader *r);

/*
 * io_reader_next() - for the caller: give the slot in use back and wait for the next one. Returns IO_OK, with in_use set; or how reading
 * ended.
 */
io_status io_reader_next(io_reader *r, io_error *err);
int io_reader_is_ready(io_reader *r); /* 1: io_reader_next() would wait neither for a pipe nor for the thread */

#endif
