/* io_stream_bytes.c - see io_stream_bytes.h. */
#include "io/io_stream_bytes.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Waits until fd has bytes or the caller cancels. Regular files never wait. */
static int wait_readable(io_stream *s)
{
    struct pollfd fds[2] = {{s->fd, POLLIN, 0}, {s->cancel_fd, POLLIN, 0}};

    if (s->is_regular || s->cancel_fd < 0)
        return 1;
    for (;;) {
        int n = poll(fds, 2, -1);
        if (n < 0 && errno == EINTR)
            continue;
        return n < 0 || fds[1].revents == 0; /* if poll() fails, read() reports the fault */
    }
}

io_status io_stream_read_some(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    *n = 0;
    for (;;) {
        ssize_t got;
        if (!wait_readable(s)) {
            s->is_cancelled = 1;
            s->at_eof = 1;
            return IO_OK;
        }
        got = read(s->fd, dst, size);
        if (got < 0 && (errno == EINTR || (errno == EAGAIN && s->cancel_fd >= 0)))
            continue;
        if (got < 0) {
            int code = errno;
            return io_fail(err, IO_E_INPUT, code, "%s: read error at byte %llu: %s", s->name, (unsigned long long)s->n_read,
                           strerror(code));
        }
        s->at_eof = got == 0;
        s->n_read += (uint64_t)got;
        *n = (size_t)got;
        return IO_OK;
    }
}

io_status io_stream_fill(io_stream *s, size_t want, io_error *err)
{
    if (s->in_end - s->in_pos >= want)
        return IO_OK;
    if (s->in_size < want) { /* more than the file had when it was opened */
        uint8_t *in = realloc(s->in, want);
        if (in == NULL)
            return io_fail_memory(err, "reading");
        s->in = in;
        s->in_size = want;
    }
    memmove(s->in, s->in + s->in_pos, s->in_end - s->in_pos);
    s->in_end -= s->in_pos;
    s->in_pos = 0;
    while (s->in_end < want && !s->at_eof) {
        size_t n;
        io_status status = io_stream_read_some(s, s->in + s->in_end, s->in_size - s->in_end, &n, err);
        if (status != IO_OK)
            return status;
        s->in_end += n;
    }
    return IO_OK;
}

io_status io_stream_fail_at(io_stream *s, uint64_t offset, const char *what, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: %s at byte %llu", s->name, what, (unsigned long long)offset);
}

io_status io_stream_fail_truncated(io_stream *s, const char *format, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: %s stream is truncated: it ends at byte %llu, inside the part that starts at byte %llu",
                   s->name, format, (unsigned long long)s->n_read, (unsigned long long)s->unit_start);
}

io_status io_stream_skip_zeros(io_stream *s, uint64_t *n_zeros, int *at_end, io_error *err)
{
    for (*n_zeros = 0;; (*n_zeros)++) {
        io_status status = io_stream_fill(s, 1, err);
        *at_end = s->in_end == s->in_pos;
        if (status != IO_OK || *at_end || s->in[s->in_pos] != 0)
            return status;
        s->in_pos++;
    }
}
