#include "io/io_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/io_safe_file.h"

/* $TMPDIR or /var/tmp: /tmp may be in memory. */
static const char *directory(void)
{
    const char *dir = getenv("TMPDIR");

    return dir != NULL && *dir != '\0' ? dir : "/var/tmp";
}

static io_status fail(io_error *err, const char *what, int code)
{
    return io_fail(err, IO_E_OUTPUT, code, "%s: a temporary file %s: %s; TMPDIR may name another directory", directory(), what,
                   strerror(code));
}

/* Some file systems have no files without a name: create one and unlink it at once. */
static int create_and_unlink(const char *dir)
{
    sigset_t before;
    char *path;
    int fd, code;

    if (asprintf(&path, "%s/tamis.XXXXXX", dir) < 0) {
        errno = ENOMEM;
        return -1;
    }
    io_hold_signals(&before);
    fd = mkostemp(path, O_CLOEXEC);
    code = errno;
    if (fd >= 0)
        unlink(path);
    io_release_signals(&before);
    free(path);
    errno = code;
    return fd;
}

static io_status create(io_spool *s, io_error *err)
{
    const char *dir = directory();

    s->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (s->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        s->fd = create_and_unlink(dir);
    if (s->fd < 0)
        return fail(err, "for a long record cannot be created", errno);
    s->has_file = 1;
    return IO_OK;
}

io_status io_spool_add(io_spool *s, const uint8_t *bytes, size_t n, io_error *err)
{
    size_t room = s->memory_bytes - s->memory.n, n_kept = n < room ? n : room;

    if (!byte_array_add(&s->memory, bytes, n_kept))
        return io_fail_memory(err, "a long record");
    s->n += n_kept;
    bytes += n_kept;
    n -= n_kept;
    if (n > 0 && !s->has_file) {
        io_status status = create(s, err);
        if (status != IO_OK)
            return status;
    }
    while (n > 0) {
        ssize_t done = pwrite(s->fd, bytes, n, (off_t)(s->n - s->memory.n));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return fail(err, "for a long record cannot be written", errno);
        s->n += (uint64_t)done;
        bytes += done;
        n -= (size_t)done;
    }
    return IO_OK;
}

io_status io_spool_read(const io_spool *s, uint64_t at, uint8_t *to, size_t n, io_error *err)
{
    if (at < s->memory.n && n > 0) {
        size_t some = s->memory.n - (size_t)at < n ? s->memory.n - (size_t)at : n;
        memcpy(to, s->memory.bytes + at, some);
        at += some;
        to += some;
        n -= some;
    }
    while (n > 0) {
        ssize_t done = pread(s->fd, to, n, (off_t)(at - s->memory.n));
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return fail(err, "for a long record cannot be read", done < 0 ? errno : EIO);
        at += (uint64_t)done;
        to += done;
        n -= (size_t)done;
    }
    return IO_OK;
}

io_status io_spool_clear(io_spool *s, io_error *err)
{
    s->memory.n = 0;
    s->n = 0;
    if (s->has_file && ftruncate(s->fd, 0) != 0)
        return fail(err, "for a long record cannot be emptied", errno);
    return IO_OK;
}

void io_spool_free(io_spool *s)
{
    if (s->has_file)
        close(s->fd);
    free(s->memory.bytes);
    *s = (io_spool){.memory_bytes = s->memory_bytes};
}
