/*
 * io_input.h - a buffer over the bytes of a file that is being read.
 */
#ifndef TAMIS_IO_INPUT_H
#define TAMIS_IO_INPUT_H

#include "io/io_error.h"
#include "io/io_stream.h"

/* The bytes from pos to end are read and not yet used. */
typedef struct io_input {
    io_stream *stream;
    const char *name; /* for messages */
    uint8_t *bytes;
    size_t pos, end, size;
    size_t fresh;         /* position of the first byte that the parser has not scanned yet */
    size_t last;          /* position of the first byte that the last read appended */
    uint64_t n_read_then; /* bytes of the stored file that had been read before the last read */
} io_input;

/*
 * io_input_init() - allocate the buffer, without a file. Call io_input_free() at the end even after a failure. Returns IO_OK or
 * IO_E_MEMORY.
 */
io_status io_input_init(io_input *in, size_t size, io_error *err);
void io_input_free(io_input *in); /* also closes the file */

/* io_input_open() - open a file, after closing the previous one. Parameters and status as of io_stream_open(). */
io_status io_input_open(io_input *in, const char *path, int cancel_fd, io_error *err);
void io_input_close(io_input *in);

/* io_input_offset() - about how many bytes of the stored (compressed) file have been used. It never decreases. */
uint64_t io_input_offset(const io_input *in);

/*
 * io_input_more() - read more bytes after the unused ones; the buffer grows if the unused bytes fill it. Pointers into the buffer become
 * invalid. Returns as io_stream_read().
 */
io_status io_input_more(io_input *in, io_error *err);

#endif
