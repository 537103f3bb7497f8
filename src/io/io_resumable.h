/*
 * io_resumable.h - an output that grows part by part, and a checkpoint beside it: a run that was interrupted can be gone on with.
 *
 * The checkpoint, OUTPUT.checkpoint, says for what the output is, how many parts it has and how many bytes these take. It is put in place
 * after each part, and removed at the end. What is not a regular file (a pipe, a device, "-" for standard output) has none. An output with
 * a checkpoint beside it is work that was done: nothing but `restart` replaces it.
 */
#ifndef TAMIS_IO_RESUMABLE_H
#define TAMIS_IO_RESUMABLE_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

typedef struct io_resumable io_resumable;

typedef struct io_resumable_options {
    const char *path;          /* "-": standard output */
    const char *const *inputs; /* as of io_safe_file_open(): the output is none of them */
    size_t n_inputs;
    const char *purpose; /* a line of text: what the output is for; an output for something else is not gone on with */
    int resume;          /* 1: go on with what is there */
    int restart;         /* 1: begin anew, whatever is there */
} io_resumable_options;

/*
 * io_resumable_open() - the file is made, or what is after its last part is cut off.
 *   n_done [out] parts that are there: 0 unless resume
 *   out    [out] ended by io_resumable_end() or io_resumable_leave()
 * Returns IO_OK; IO_E_REFUSED: it is an input, or with resume: there is no checkpoint, or one of another purpose, or the output is shorter
 * than the checkpoint says; or without resume and restart: there is a checkpoint, and an output that is not empty; IO_E_OUTPUT;
 * IO_E_MEMORY.
 */
io_status io_resumable_open(const io_resumable_options *options, uint64_t *n_done, io_resumable **out, io_error *err);

/* io_resumable_put() - the next part, of `size` bytes; n_done parts are there then. Returns IO_OK or IO_E_OUTPUT. */
io_status io_resumable_put(io_resumable *output, const void *bytes, size_t size, uint64_t n_done, io_error *err);

/*
 * io_resumable_interrupted() - for a handler that is about to end the process; async-signal-safe. Where there is nothing to go on with,
 * output and checkpoint go. has_checkpoint [out] whether there is one to go on from Returns how many parts are safe: those that the
 * checkpoint tells of; where there can be none, those that were put.
 */
uint64_t io_resumable_interrupted(const io_resumable *output, int *has_checkpoint);

/* io_resumable_end() - the output is whole: the checkpoint goes. Frees. Returns IO_OK or IO_E_OUTPUT. */
io_status io_resumable_end(io_resumable *output, io_error *err);

/* io_resumable_leave() - the output stays as it is, with its checkpoint; both go if nothing was put. Frees; NULL is fine. */
void io_resumable_leave(io_resumable *output);

#endif
