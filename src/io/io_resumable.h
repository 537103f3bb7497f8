/*
 * io_resumable.h - an output that grows part by part, with a checkpoint beside it: an interrupted run can be resumed.
 *
 * The checkpoint, OUTPUT.checkpoint, records the output's purpose, the number of its parts and their bytes, and a note of the caller.
 * io_resumable_put() replaces it after each part, and io_resumable_end() removes it. An output that is not a regular file (a pipe, a
 * device, "-" for standard output) has no checkpoint. An output with a checkpoint beside it is finished work: only `restart` replaces it.
 */
#ifndef TAMIS_IO_RESUMABLE_H
#define TAMIS_IO_RESUMABLE_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

typedef struct io_resumable io_resumable;

typedef struct io_resumable_options {
    const char *path;          /* "-": standard output */
    const char *const *inputs; /* as of io_safe_file_open(): the output must be none of these files */
    size_t n_inputs;
    const char *purpose; /* a line of text that identifies the run; a run with another purpose cannot resume the output */
    int resume;          /* 1: continue the existing output */
    int restart;         /* 1: start again, whatever exists */
} io_resumable_options;

/*
 * io_resumable_open() - create the file, or cut off the bytes after its last recorded part.
 *   n_done [out] parts that the output already has; 0 unless resume
 *   out    [out] freed by io_resumable_end() or io_resumable_leave()
 * Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY; IO_E_REFUSED if the output is an input; with resume, if there is no checkpoint, if it has
 * another purpose, or if the output is shorter than it records; without resume and restart, if there is a checkpoint and an output that is
 * not empty.
 */
io_status io_resumable_open(const io_resumable_options *options, uint64_t *n_done, io_resumable **out, io_error *err);

/*
 * io_resumable_bytes() - bytes that were put, by earlier runs too.
 * io_resumable_drop() - the output can never be finished: io_resumable_leave() removes it and its checkpoint, and no more is written.
 */
uint64_t io_resumable_bytes(const io_resumable *output);
void io_resumable_drop(io_resumable *output);

/* io_resumable_put() - append the next part, of `size` bytes; the output then has n_done parts. Returns IO_OK or IO_E_OUTPUT. */
io_status io_resumable_put(io_resumable *output, const void *bytes, size_t size, uint64_t n_done, io_error *err);

/*
 * io_resumable_set_note() - sets the note of the checkpoints that follow: what the caller has to know to resume. A line of fewer than
 * IO_RESUMABLE_NOTE characters; copied.
 * io_resumable_note() - the note that was set last, or that of the output that is resumed; "" if there is none.
 */
enum { IO_RESUMABLE_NOTE = 128 };
void io_resumable_set_note(io_resumable *output, const char *note);
const char *io_resumable_note(const io_resumable *output);

/*
 * io_resumable_interrupted() - for a signal handler that is about to end the process; async-signal-safe. Removes output and checkpoint if
 * there is nothing to resume.
 *   has_checkpoint [out] 1 if a later run can resume
 * Returns the number of parts that are safe: those that the checkpoint records, or all parts put if the output cannot have one.
 */
uint64_t io_resumable_interrupted(const io_resumable *output, int *has_checkpoint);

/* io_resumable_end() - finish the output: remove the checkpoint and free. Returns IO_OK or IO_E_OUTPUT. */
io_status io_resumable_end(io_resumable *output, io_error *err);

/* io_resumable_leave() - keep the output and its checkpoint for a later run, or remove both if it has no part or was dropped. Frees; NULL
 * is fine. */
void io_resumable_leave(io_resumable *output);

#endif
