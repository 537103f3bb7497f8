#include "cli/text_file.h"

#include <stdlib.h>

#include "base/array.h"
#include "cli/cli.h"
#include "io/io_stream.h"

enum { CHUNK = 1 << 16 };

static int read_stream(const char *command, io_stream *stream, char **out, size_t *n)
{
    size_t capacity = 0, got;
    io_error err;
    io_status status;

    do {
        got = 0;
        if (!array_reserve(out, &capacity, *n + CHUNK + 1, 1))
            return cli_fail(command, CLI_NO_MEMORY, "out of memory for a list");
        status = io_stream_read(stream, (uint8_t *)*out + *n, capacity - *n - 1, &got, &err);
        *n += status == IO_OK ? got : 0;
    } while (status == IO_OK && got > 0);
    (*out)[*n] = '\0';
    return status == IO_OK || status == IO_END ? CLI_OK : cli_fail_io(command, status, &err);
}

int text_file_read(const char *command, const char *path, char **out, size_t *n)
{
    io_stream *stream;
    io_error err;
    io_status status = io_stream_open(path, -1, &stream, &err);
    int code;

    *out = NULL;
    *n = 0;
    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    code = read_stream(command, stream, out, n);
    io_stream_close(stream);
    return code;
}
