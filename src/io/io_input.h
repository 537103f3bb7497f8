/*
 * io_input.h - the bytes of a file that is being read: a buffer, of which a part was used.
 */
#ifndef TAMIS_IO_INPUT_H
#define TAMIS_IO_INPUT_H

#include "io/io_error.h"
#include "io/io_stream.h"

/* What lies between pos and end was read and not used. */
typedef struct io_input {
    io_stream *stream;
    const char *name; /* for messages */
    uint8_t *bytes;
    size_t pos, end, size;
    size_t fresh;         /* what was not looked at yet begins here */
    size_t last;          /* what was read last begins here */
    uint64_t n_read_then; /* bytes of the file, as it is stored, before that */
} io_input;

/* io_input_init() - no file yet. Returns IO_OK or IO_E_MEMORY; io_input_free() at the end in any case. */
io_status io_input_init(io_input *in, size_t size, io_error *err);
void io_input_free(io_input *in); /* closes the file, too */

/* io_input_open() - the file before is closed. As io_stream_open(). */
io_status io_input_open(io_input *in, const char *path, int cancel_fd, io_error *err);
void io_input_close(io_input *in);

/* io_input_offset() - about how many bytes of the file, as it is stored, were used. It never falls. */
uint64_t io_input_offset(const io_input *in);

/* io_input_more() - more bytes after those not used, for which the buffer grows if they fill it. Pointers into it are no longer good.
 * Returns as io_stream_read(). */
io_status io_input_more(io_input *in, io_error *err);

#endif
