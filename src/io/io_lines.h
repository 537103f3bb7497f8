/*
 * io_lines.h - lines of files, as batches of keys.
 *
 * A thread of its own reads, decompresses and finds the line feeds, so that this overlaps with what the caller does
 * with the batch before; small files are read in io_lines_next(). A batch is one arena and an offset table in the layout
 * of tms_keys with gap = 1: it is handed to the library, and its lines are printed, without copying.
 */
#ifndef TAMIS_IO_LINES_H
#define TAMIS_IO_LINES_H

#include "io/io_error.h"
#include "tamis/filter.h"

/* A line's greatest length: a key of tamis has at most 2^31 - 1 bytes. */
#define IO_LINE_MAX       ((uint64_t)INT32_MAX)
#define IO_BATCH_MAX_KEYS ((size_t)1 << 26)

typedef struct io_lines io_lines;

typedef struct io_lines_options {
    const char *const *paths; /* borrowed until io_lines_close(); "-" is standard input */
    size_t n_paths;
    size_t batch_keys;  /* a batch closes at this many keys, 1 .. IO_BATCH_MAX_KEYS ... */
    size_t batch_bytes; /* ... or at about this many bytes, 4 KiB .. 1 GiB; one longer line grows its batch */
    int crlf;           /* 1: a carriage return before a line feed is not part of the line */
    int by_file;        /* 1: a batch closes at the end of its file, too */
} io_lines_options;

typedef struct io_batch {
    tms_keys keys;   /* line i with its line feed: bytes[offsets[i]] .. bytes[offsets[i + 1] - 1] */
    uint64_t n_read; /* bytes of the input files used so far, this batch included */
    size_t file;     /* by_file: its lines are of paths[file] */

    /* What the user may not know of the input, and its lines are as they are all the same: a file by name, the first of its
       kind and that once, else NULL. */
    const char *has_bom; /* begins with a UTF-8 byte order mark, which is part of its first line */
    const char *has_cr;  /* all its lines, or the first thousand, end in a carriage return, without options.crlf */
} io_batch;

/*
 * io_lines_open() - start reading. Every file is checked to be there first.
 *   ctx [in] gives the memory (pinned when it has a GPU); used by the calling thread only
 *   out [out] closed with io_lines_close(), before ctx
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status io_lines_open(tms_context *ctx, const io_lines_options *options, io_lines **out, io_error *err);

/*
 * io_lines_next() - the next batch, in input order, never empty. Where a pipe or terminal pauses, it has the whole lines
 * that have come.
 *   out [out] valid until the next call; 64 bytes after its last line are readable. Without a batch only file, which is n_paths or
 *             that of the file at fault, has_bom and has_cr count
 * The last line of a file gets a line feed if it has none, so that lines of two files never merge.
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and offset or line, also for a file of another kind (io_kinds.h);
 * IO_E_MEMORY.
 */
io_status io_lines_next(io_lines *lines, io_batch *out, io_error *err);

/* io_lines_is_ready() - would io_lines_next() return at once? */
int io_lines_is_ready(io_lines *lines);

/*
 * io_lines_stop() - no more lines, even from a pipe that is waited for: io_lines_next() gives the batches that are ready, and
 * then IO_END. For a signal handler.
 */
void io_lines_stop(io_lines *lines);

/* io_lines_close() - stop the reader, even one that waits for a pipe, and free everything; NULL is fine. */
void io_lines_close(io_lines *lines);

#endif
