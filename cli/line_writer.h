/*
 * line_writer.h - buffers lines for standard output, and writes them in large pieces.
 */
#ifndef TAMIS_LINE_WRITER_H
#define TAMIS_LINE_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "io/io_error.h"

enum { LINE_WRITER_SIZE = 256 << 10 };

typedef struct line_writer {
    size_t n;
    uint8_t buffer[LINE_WRITER_SIZE];
} line_writer;

io_status line_writer_flush(line_writer *w, io_error *err);

/* line_writer_put() if the buffer has no room; writes bytes larger than the buffer without copying them. */
io_status line_writer_put_slow(line_writer *w, const void *bytes, size_t size, io_error *err);

/* line_writer_put() - writes size bytes. Returns IO_OK or IO_E_OUTPUT. Inline, because --tsv calls it twice per line. */
static inline io_status line_writer_put(line_writer *w, const void *bytes, size_t size, io_error *err)
{
    if (size > LINE_WRITER_SIZE - w->n)
        return line_writer_put_slow(w, bytes, size, err);
    memcpy(w->buffer + w->n, bytes, size);
    w->n += size;
    return IO_OK;
}

#endif
