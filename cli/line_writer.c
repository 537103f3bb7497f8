#include "cli/line_writer.h"

#include <unistd.h>

#include "io/io_safe_file.h"

io_status line_writer_flush(line_writer *w, io_error *err)
{
    size_t n = w->n;

    w->n = 0; /* so that nothing is written twice after a failure */
    return io_write_all(STDOUT_FILENO, "-", w->buffer, n, err);
}

io_status line_writer_put_slow(line_writer *w, const void *bytes, size_t size, io_error *err)
{
    io_status status = line_writer_flush(w, err);

    if (status != IO_OK)
        return status;
    if (size >= LINE_WRITER_SIZE)
        return io_write_all(STDOUT_FILENO, "-", bytes, size, err);
    memcpy(w->buffer + w->n, bytes, size);
    w->n += size;
    return IO_OK;
}
