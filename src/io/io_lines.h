/*
 * io_lines.h - lines of files, as batches of keys.
 *
 * A reader thread reads, decompresses and finds the line feeds while the caller works on the previous batch; io_lines_next() itself reads
 * small files. A batch is one arena and an offset table in the layout of tms_keys with gap = 1: the caller can hand it to the library, and
 * print its lines, without copying.
 */
#ifndef TAMIS_IO_LINES_H
#define TAMIS_IO_LINES_H

#include "io/io_error.h"
#include "tamis/filter.h"

/* The greatest length of a line: a key has at most 2^31 - 1 bytes. */
#define IO_LINE_MAX       ((uint64_t)INT32_MAX)
#define IO_BATCH_MAX_KEYS ((size_t)1 << 26)

typedef struct io_lines io_lines;

typedef struct io_lines_options {
    const char *const *paths; /* borrowed until io_lines_close(); "-" is standard input */
    size_t n_paths;
    size_t batch_keys;  /* a batch closes at this many keys, 1 .. IO_BATCH_MAX_KEYS */
    size_t batch_bytes; /* a batch also closes at about this many bytes, 4 KiB .. 1 GiB; a single longer line makes its batch larger */
    int crlf;           /* 1: a carriage return before a line feed is not part of the line */
    int by_file;        /* 1: a batch also closes at the end of a file */
} io_lines_options;

typedef struct io_batch {
    tms_keys keys;   /* line i includes its line feed: bytes[offsets[i]] .. bytes[offsets[i + 1] - 1] */
    uint64_t n_read; /* bytes of the input files used so far, including this batch */
    size_t file;     /* with by_file: the lines are from paths[file] */

    /* Two remarks for the user; the lines are unchanged. Each is the name of the first file concerned, once, else NULL. */
    const char *has_bom; /* the file begins with a UTF-8 byte order mark, which is part of its first line */
    const char *has_cr;  /* all its lines, or the first thousand, end in a carriage return, and options.crlf is 0 */
} io_batch;

/*
 * io_lines_open() - start reading. First checks that every file exists.
 *   ctx [in]  allocates the memory (pinned if the context has a GPU); used by the calling thread only
 *   out [out] closed with io_lines_close(), before ctx is destroyed
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status io_lines_open(tms_context *ctx, const io_lines_options *options, io_lines **out, io_error *err);

/*
 * io_lines_next() - the next batch, in input order, never empty. If a pipe or terminal pauses, the batch has the whole lines that have
 * arrived.
 *   out [out] valid until the next call; 64 bytes after its last line are readable. Without a batch only three fields are set: file
 *             (n_paths, or the number of the file at fault), has_bom and has_cr
 * A last line without a line feed gets one, so that lines of two files never merge.
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and offset or line, also for a file of another kind (io_kinds.h); IO_E_MEMORY.
 */
io_status io_lines_next(io_lines *lines, io_batch *out, io_error *err);

/* io_lines_is_ready() - 1 if io_lines_next() would return at once. */
int io_lines_is_ready(io_lines *lines);

/*
 * io_lines_stop() - read no more lines, even if the reader waits for a pipe: io_lines_next() returns the batches that are ready, then
 * IO_END. Async-signal-safe.
 */
void io_lines_stop(io_lines *lines);

/* io_lines_close() - stop the reader, even if it waits for a pipe, and free everything; NULL is fine. */
void io_lines_close(io_lines *lines);

#endif
