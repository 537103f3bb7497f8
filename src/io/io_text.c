#include "io/io_text.h"

#include <stdlib.h>

#include "base/array.h"
#include "io/io_stream.h"

enum { CHUNK = 1 << 16 };

static io_status read_stream(io_stream *stream, char **out, size_t *n, io_error *err)
{
    size_t capacity = 0, got;
    io_status status;

    do {
        got = 0;
        if (!array_reserve(out, &capacity, *n + CHUNK + 1, 1))
            return io_fail_memory(err, "a list");
        status = io_stream_read(stream, (uint8_t *)*out + *n, capacity - *n - 1, &got, err);
        *n += status == IO_OK ? got : 0;
    } while (status == IO_OK && got > 0);
    (*out)[*n] = '\0';
    return status == IO_END ? IO_OK : status;
}

io_status io_text_read(const char *path, char **out, size_t *n, io_error *err)
{
    io_stream *stream;
    io_status status = io_stream_open(path, -1, &stream, err);

    *out = NULL;
    *n = 0;
    if (status != IO_OK)
        return status;
    status = read_stream(stream, out, n, err);
    io_stream_close(stream);
    return status;
}
