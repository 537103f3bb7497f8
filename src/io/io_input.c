#include "io/io_input.h"

#include <stdlib.h>
#include <string.h>

io_status io_input_init(io_input *in, size_t size, io_error *err)
{
    memset(in, 0, sizeof *in);
    in->size = size;
    in->bytes = malloc(size);
    return in->bytes != NULL ? IO_OK : io_fail_memory(err, "reading sequences");
}

void io_input_free(io_input *in)
{
    io_input_close(in);
    free(in->bytes);
}

io_status io_input_open(io_input *in, const char *path, int cancel_fd, io_error *err)
{
    io_input_close(in);
    in->name = io_stream_name(path);
    in->pos = in->end = in->fresh = in->last = 0;
    in->n_read_then = 0;
    return io_stream_open(path, cancel_fd, &in->stream, err);
}

void io_input_close(io_input *in)
{
    io_stream_close(in->stream);
    in->stream = NULL;
}

io_status io_input_more(io_input *in, io_error *err)
{
    size_t held = in->end - in->pos, n = 0;
    io_status status;

    if (held <= in->pos || in->end == in->size) { /* moves bytes rarely: at the latest possible moment */
        memmove(in->bytes, in->bytes + in->pos, held);
        in->pos = 0;
        in->end = held;
    }
    if (in->end == in->size) {
        uint8_t *grown = in->size <= SIZE_MAX / 2 ? realloc(in->bytes, 2 * in->size) : NULL;
        if (grown == NULL)
            return io_fail_memory(err, "a long line");
        in->bytes = grown;
        in->size *= 2;
    }
    in->fresh = in->last = in->end;
    in->n_read_then = io_stream_offset(in->stream);
    status = io_stream_read(in->stream, in->bytes + in->end, in->size - in->end, &n, err);
    in->end += n;
    return status;
}

uint64_t io_input_offset(const io_input *in)
{
    const uint64_t now = in->stream != NULL ? io_stream_offset(in->stream) : 0;

    if (in->pos == in->end)
        return now;
    return in->pos <= in->last ? in->n_read_then
                               : in->n_read_then + (uint64_t)((double)(now - in->n_read_then) * (double)(in->pos - in->last) /
                                                              (double)(in->end - in->last));
}
