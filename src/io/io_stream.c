/*
 * io_stream.c - plain, gzip, zstd, xz and bzip2 input behind one read call.
 *
 * One input buffer holds bytes of the file: 256 KiB, or as few as the file has. Decoders write straight into the caller's memory; plain
 * files are read straight into it after the bytes that sniff() has read.
 *
 * Every format is a sequence of units: gzip members, zstd frames, xz or bzip2 streams. Each is decoded on its own, so that a message can
 * give the offset of a damaged unit.
 */
#include "io/io_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io_gzip.h"
#include "io/io_stream_bytes.h"

enum { IN_MIN = 4 << 10, IN_SIZE = 256 << 10, PAUSE_MS = 1 };

/* The largest dictionary that xz writes has 1.5 GiB. */
#define XZ_MAX_MEMORY ((uint64_t)2 << 30)

const char *io_stream_name(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

int io_stream_path_size(const char *path, uint64_t *size_bytes)
{
    struct stat info;
    int rc = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &info) : stat(path, &info);

    *size_bytes = 0;
    if (rc != 0 || !S_ISREG(info.st_mode))
        return 0;
    *size_bytes = (uint64_t)info.st_size;
    return 1;
}

io_compression io_stream_compression(const io_stream *s)
{
    static const io_compression of[] = {[KIND_UNKNOWN] = IO_PLAIN, [KIND_PLAIN] = IO_PLAIN, [KIND_GZIP] = IO_GZIP,
                                        [KIND_ZSTD] = IO_ZSTD,     [KIND_XZ] = IO_XZ,       [KIND_BZIP2] = IO_BZIP2};

    return of[s->kind];
}

uint64_t io_stream_offset(const io_stream *s) { return io_stream_consumed(s); }

io_status io_stream_open(const char *path, int cancel_fd, io_stream **out, io_error *err)
{
    int is_stdin = strcmp(path, "-") == 0;
    const char *name = io_stream_name(path);
    int may_wait = cancel_fd >= 0 ? O_NONBLOCK : 0; /* also lets poll() wait for a pipe's writer */
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | may_wait);
    struct stat info;
    io_stream *s;

    *out = NULL;
    if (fd < 0 || fstat(fd, &info) != 0) {
        int code = errno;
        if (!is_stdin && fd >= 0)
            close(fd);
        return io_fail(err, IO_E_INPUT, code, "%s: %s", name, strerror(code));
    }
    if (S_ISDIR(info.st_mode)) {
        if (!is_stdin)
            close(fd);
        return io_fail(err, IO_E_INPUT, EISDIR, "%s: is a directory", name);
    }
    s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->in_size = !S_ISREG(info.st_mode) || info.st_size > IN_SIZE ? IN_SIZE : info.st_size < IN_MIN ? IN_MIN : (size_t)info.st_size;
        s->in = malloc(s->in_size);
    }
    if (s == NULL || s->in == NULL) {
        if (!is_stdin)
            close(fd);
        free(s);
        return io_fail_memory(err, "reading");
    }
    s->name = name;
    s->fd = fd;
    s->cancel_fd = cancel_fd;
    s->is_regular = S_ISREG(info.st_mode);
    if (s->is_regular)
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    *out = s;
    return IO_OK;
}

void io_stream_close(io_stream *s)
{
    if (s == NULL)
        return;
    if (s->fd != STDIN_FILENO)
        close(s->fd);
    free(s->gzip);
    ZSTD_freeDStream(s->zstd);
    lzma_end(&s->xz);
    (void)BZ2_bzDecompressEnd(&s->bzip2); /* harmless if there is no decoder */
    free(s->in);
    free(s);
}

int io_stream_pauses(const io_stream *s)
{
    struct pollfd fds[2] = {{s->fd, POLLIN, 0}, {s->cancel_fd, POLLIN, 0}};

    return !s->is_regular && !s->at_eof && s->in_pos == s->in_end && poll(fds, 2, PAUSE_MS) == 0;
}

typedef struct stream_magic {
    stream_kind kind;
    size_t size;
    size_t loose; /* in the byte at this index only the upper four bits count */
    char bytes[11];
} stream_magic;

/* "BZh9" alone might be a line of text, so bzip2 also needs the mark of the first block or of the end. */
static const stream_magic magics[] = {{KIND_GZIP, 2, 2, "\x1f\x8b"},
                                      {KIND_ZSTD, 4, 4, "\x28\xb5\x2f\xfd"},
                                      {KIND_ZSTD, 4, 0, "\x50\x2a\x4d\x18"}, /* a skippable frame */
                                      {KIND_XZ, 6, 6,
                                       "\xfd"
                                       "7zXZ"},
                                      {KIND_BZIP2, 10, 3, "BZh01AY&SY"},
                                      {KIND_BZIP2, 10, 3, "BZh0\x17\x72\x45\x38\x50\x90"}};

/* Returns the kind of a file with these first bytes; KIND_UNKNOWN if more bytes are needed. */
static stream_kind find_kind(const uint8_t *bytes, size_t n)
{
    stream_kind kind = KIND_PLAIN;

    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const stream_magic *m = &magics[i];
        size_t same = 0;
        while (same < n && same < m->size && ((bytes[same] ^ (uint8_t)m->bytes[same]) & (same == m->loose ? 0xf0 : 0xff)) == 0)
            same++;
        if (same == m->size)
            return m->kind;
        if (same == n)
            kind = KIND_UNKNOWN;
    }
    return kind;
}

/* Reads only as many bytes as it needs: a short first line of a pipe must not wait for more. */
static io_status sniff(io_stream *s, io_error *err)
{
    stream_kind kind = KIND_UNKNOWN;

    while (kind == KIND_UNKNOWN) {
        size_t n = s->in_end - s->in_pos;
        io_status status = io_stream_fill(s, n + 1, err);
        if (status != IO_OK)
            return status;
        if (s->in_end - s->in_pos == n) /* the file has ended */
            break;
        kind = find_kind(s->in + s->in_pos, s->in_end - s->in_pos);
    }
    s->kind = kind == KIND_UNKNOWN ? KIND_PLAIN : kind;
    if (s->kind == KIND_GZIP) {
        s->gzip = malloc(sizeof *s->gzip);
        if (s->gzip == NULL)
            return io_fail_memory(err, "decompression");
    } else if (s->kind == KIND_ZSTD) {
        s->zstd = ZSTD_createDStream();
        if (s->zstd == NULL)
            return io_fail_memory(err, "decompression");
        /* Accepts files of `zstd --long=31`, because the user asked for this file. */
        (void)ZSTD_DCtx_setParameter(s->zstd, ZSTD_d_windowLogMax, ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    }
    return IO_OK;
}

static io_status read_plain(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    size_t held = s->in_end - s->in_pos;

    if (held > 0) {
        *n = held < size ? held : size;
        memcpy(dst, s->in + s->in_pos, *n);
        s->in_pos += *n;
        return IO_OK;
    }
    return s->at_eof ? IO_OK : io_stream_read_some(s, dst, size, n, err);
}

static io_status read_zstd(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    while (*n == 0) {
        ZSTD_outBuffer out = {dst, size, 0};
        ZSTD_inBuffer in;
        size_t rc;
        io_status status = io_stream_fill(s, 1, err);

        if (status != IO_OK)
            return status;
        if (s->in_end == s->in_pos && !s->in_unit)
            return IO_OK;
        if (!s->in_unit)
            s->unit_start = io_stream_offset(s);
        in.src = s->in + s->in_pos;
        in.size = s->in_end - s->in_pos;
        in.pos = 0;
        rc = ZSTD_decompressStream(s->zstd, &out, &in);
        s->in_pos += in.pos;
        *n = out.pos;
        if (ZSTD_isError(rc))
            return io_fail(err, IO_E_INPUT, 0, "%s: zstd stream is corrupt at byte %llu: %s", s->name,
                           (unsigned long long)io_stream_offset(s), ZSTD_getErrorName(rc));
        s->in_unit = rc != 0;
        if (in.size == 0 && out.pos == 0 && rc != 0)
            return io_stream_fail_truncated(s, "zstd", err);
    }
    return IO_OK;
}

/* Between streams: expects the end of the file, or the next stream after padding in groups of four zeros (.xz format, 2.2). */
static io_status xz_next_stream(io_stream *s, int *at_end, io_error *err)
{
    uint64_t n_zeros;
    lzma_ret rc;
    io_status status = io_stream_skip_zeros(s, &n_zeros, at_end, err);

    if (status != IO_OK)
        return status;
    if (n_zeros % 4 != 0)
        return io_stream_fail_at(s, io_stream_offset(s), "xz stream is corrupt: padding that is not a multiple of four zeros ends", err);
    if (*at_end)
        return IO_OK;
    s->unit_start = io_stream_offset(s);
    rc = lzma_stream_decoder(&s->xz, XZ_MAX_MEMORY, LZMA_TELL_UNSUPPORTED_CHECK); /* reuses the previous decoder */
    s->in_unit = rc == LZMA_OK;
    return rc == LZMA_OK ? IO_OK : io_fail_memory(err, "decompression");
}

static io_status fail_xz(io_stream *s, lzma_ret rc, io_error *err)
{
    if (rc == LZMA_MEM_ERROR)
        return io_fail_memory(err, "decompression");
    if (rc == LZMA_MEMLIMIT_ERROR)
        return io_fail(err, IO_E_MEMORY, 0, "%s: the xz stream that starts at byte %llu needs %llu MiB to be decompressed", s->name,
                       (unsigned long long)s->unit_start, (unsigned long long)(lzma_memusage(&s->xz) >> 20));
    if (rc == LZMA_FORMAT_ERROR && s->unit_start > 0)
        return io_stream_fail_at(s, s->unit_start, "bytes that are not xz follow the xz stream", err);
    if (rc == LZMA_UNSUPPORTED_CHECK || rc == LZMA_OPTIONS_ERROR)
        return io_stream_fail_at(s, s->unit_start, "xz stream with an unknown checksum or filter, which starts", err);
    return io_stream_fail_at(s, io_stream_offset(s), "xz stream is corrupt", err);
}

static io_status read_xz(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    lzma_stream *z = &s->xz;

    while (*n == 0) {
        lzma_ret rc;
        size_t held;
        int at_end = 0;
        io_status status = s->in_unit ? IO_OK : xz_next_stream(s, &at_end, err);

        if (status != IO_OK || at_end)
            return status;
        status = io_stream_fill(s, 1, err);
        if (status != IO_OK)
            return status;
        held = s->in_end - s->in_pos;
        z->next_in = s->in + s->in_pos;
        z->avail_in = held;
        z->next_out = dst;
        z->avail_out = size;
        rc = lzma_code(z, LZMA_RUN);
        s->in_pos += held - z->avail_in;
        *n = size - z->avail_out;
        s->in_unit = rc != LZMA_STREAM_END;
        if (s->in_unit && held == 0 && *n == 0)
            return io_stream_fail_truncated(s, "xz", err);
        if (rc != LZMA_OK && rc != LZMA_STREAM_END)
            return fail_xz(s, rc, err);
    }
    return IO_OK;
}

/* Between streams: expects the end of the file or the next stream. */
static io_status bzip2_next_stream(io_stream *s, int *at_end, io_error *err)
{
    io_status status = io_stream_fill(s, 1, err);

    *at_end = s->in_end == s->in_pos;
    if (status != IO_OK || *at_end)
        return status;
    s->unit_start = io_stream_offset(s);
    (void)BZ2_bzDecompressEnd(&s->bzip2);
    s->in_unit = BZ2_bzDecompressInit(&s->bzip2, 0, 0) == BZ_OK;
    return s->in_unit ? IO_OK : io_fail_memory(err, "decompression");
}

static io_status read_bzip2(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    bz_stream *z = &s->bzip2;
    unsigned capacity = size < (1u << 30) ? (unsigned)size : 1u << 30;

    while (*n == 0) {
        unsigned held;
        int rc, at_end = 0;
        io_status status = s->in_unit ? IO_OK : bzip2_next_stream(s, &at_end, err);

        if (status != IO_OK || at_end)
            return status;
        status = io_stream_fill(s, 1, err);
        if (status != IO_OK)
            return status;
        held = (unsigned)(s->in_end - s->in_pos);
        z->next_in = (char *)(s->in + s->in_pos);
        z->avail_in = held;
        z->next_out = (char *)dst;
        z->avail_out = capacity;
        rc = BZ2_bzDecompress(z);
        s->in_pos += held - z->avail_in;
        *n = capacity - z->avail_out;
        s->in_unit = rc != BZ_STREAM_END;
        if (rc == BZ_MEM_ERROR)
            return io_fail_memory(err, "decompression");
        if (rc == BZ_DATA_ERROR_MAGIC && s->unit_start > 0)
            return io_stream_fail_at(s, s->unit_start, "bytes that are not bzip2 follow the bzip2 stream", err);
        if (rc != BZ_OK && rc != BZ_STREAM_END)
            return io_stream_fail_at(s, io_stream_offset(s), "bzip2 stream is corrupt", err);
        if (s->in_unit && held == 0 && *n == 0)
            return io_stream_fail_truncated(s, "bzip2", err);
    }
    return IO_OK;
}

static io_status read_kind(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    switch (s->kind) {
    case KIND_GZIP:
        return io_gzip_read(s, dst, size, n, err);
    case KIND_ZSTD:
        return read_zstd(s, dst, size, n, err);
    case KIND_XZ:
        return read_xz(s, dst, size, n, err);
    case KIND_BZIP2:
        return read_bzip2(s, dst, size, n, err);
    default:
        return read_plain(s, dst, size, n, err);
    }
}

io_status io_stream_read(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    io_status status = s->failed;

    *n = 0;
    if (status != IO_OK) {
        *err = s->failure;
        return status;
    }
    if (s->kind == KIND_UNKNOWN)
        status = sniff(s, err);
    if (status == IO_OK)
        status = read_kind(s, dst, size, n, err);
    if (s->is_cancelled)
        return IO_END;
    if (status != IO_OK) {
        s->failed = status;
        s->failure = *err;
        *n = 0;
        return status;
    }
    return *n > 0 ? IO_OK : IO_END;
}
