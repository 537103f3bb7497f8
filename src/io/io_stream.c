/*
 * io_stream.c - plain, gzip, zstd, xz and bzip2 input behind one read call.
 *
 * One input buffer holds bytes of the file: 256 KiB, or as few as the file has. Decoders write straight into the caller's memory; plain
 * files are read straight into it after the bytes that sniff() has read. ISA-L decodes gzip, two to three times as fast as zlib. Our own
 * code parses the gzip header first: a header cut by a short read of a pipe, or one with extra fields (bgzip), then takes the same path as
 * any other.
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

#include <bzlib.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <zstd.h>

enum { IN_MIN = 4 << 10, IN_SIZE = 256 << 10, GZIP_FIXED_HEADER = 10, BGZF_END_BYTES = 28, PAUSE_MS = 1 };
enum { GZIP_FHCRC = 2, GZIP_FEXTRA = 4, GZIP_FNAME = 8, GZIP_FCOMMENT = 16, GZIP_RESERVED = 0xe0 };

/* The largest dictionary that xz writes has 1.5 GiB. */
#define XZ_MAX_MEMORY ((uint64_t)2 << 30)

typedef enum stream_kind { KIND_UNKNOWN, KIND_PLAIN, KIND_GZIP, KIND_ZSTD, KIND_XZ, KIND_BZIP2 } stream_kind;

struct io_stream {
    const char *name;
    int fd;
    int cancel_fd;
    int is_regular;
    stream_kind kind;
    int at_eof;       /* 1: read() has returned 0 */
    int is_cancelled; /* 1: cancel_fd became readable, which ends the stream */
    uint64_t n_read;  /* bytes of the file that read() has returned */
    size_t in_pos, in_end;
    int in_unit;
    uint64_t unit_start; /* offset of the current or last unit in the file */
    struct inflate_state *gzip;
    uint64_t member_bytes; /* decompressed bytes of the current gzip member */
    int is_bgzf;           /* 1: the current member is a BGZF block */
    int bgzf_is_open;      /* 1: there were BGZF blocks, and not yet the empty one that ends them */
    ZSTD_DStream *zstd;
    lzma_stream xz;
    bz_stream bzip2;
    io_status failed;
    io_error failure;
    uint8_t *in;
    size_t in_size;
};

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

uint64_t io_stream_offset(const io_stream *s) { return s->n_read - (s->in_end - s->in_pos); }

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

int io_stream_pauses(const io_stream *s)
{
    struct pollfd fds[2] = {{s->fd, POLLIN, 0}, {s->cancel_fd, POLLIN, 0}};

    return !s->is_regular && !s->at_eof && s->in_pos == s->in_end && poll(fds, 2, PAUSE_MS) == 0;
}

/* One call of read(); *n is 0 at the end of the file. */
static io_status read_some(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
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

/* Makes the input buffer hold at least `want` bytes (up to IN_SIZE), or the rest of the file. */
static io_status fill(io_stream *s, size_t want, io_error *err)
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
        io_status status = read_some(s, s->in + s->in_end, s->in_size - s->in_end, &n, err);
        if (status != IO_OK)
            return status;
        s->in_end += n;
    }
    return IO_OK;
}

static io_status fail_at(io_stream *s, uint64_t offset, const char *what, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: %s at byte %llu", s->name, what, (unsigned long long)offset);
}

static io_status fail_truncated(io_stream *s, const char *format, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: %s stream is truncated: it ends at byte %llu, inside the part that starts at byte %llu",
                   s->name, format, (unsigned long long)s->n_read, (unsigned long long)s->unit_start);
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
        io_status status = fill(s, n + 1, err);
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
    return s->at_eof ? IO_OK : read_some(s, dst, size, n, err);
}

/* Consumes bytes up to and including a NUL. *found is 0 at the end of the file. */
static io_status skip_string(io_stream *s, int *found, io_error *err)
{
    for (;;) {
        io_status status = fill(s, 1, err);
        size_t held = s->in_end - s->in_pos;
        const uint8_t *nul;

        if (status != IO_OK)
            return status;
        *found = 0;
        if (held == 0)
            return IO_OK;
        nul = memchr(s->in + s->in_pos, 0, held);
        s->in_pos = nul != NULL ? (size_t)(nul - s->in) + 1 : s->in_end;
        *found = nul != NULL;
        if (*found)
            return IO_OK;
    }
}

/* Consumes n bytes, n at most 64 Ki. *found is 0 if the file ends before. */
static io_status skip_bytes(io_stream *s, size_t n, int *found, io_error *err)
{
    io_status status = fill(s, n, err);

    *found = s->in_end - s->in_pos >= n;
    if (*found)
        s->in_pos += n;
    return status;
}

/* Returns 1 if the extra field of a gzip header has the subfield of a BGZF block: two bytes under the name "BC" (SAM specification, 4.1).
 */
static int has_bgzf_field(const uint8_t *extra, size_t n)
{
    while (n >= 4) {
        size_t size = 4 + (extra[2] | (size_t)extra[3] << 8);
        if (extra[0] == 'B' && extra[1] == 'C' && size == 6 && n >= 6)
            return 1;
        if (size > n)
            break;
        extra += size;
        n -= size;
    }
    return 0;
}

/* Checks that the last BGZF block is the empty one: a writer that was killed also leaves whole blocks. */
static io_status check_bgzf_end(io_stream *s, uint64_t offset, io_error *err)
{
    if (!s->bgzf_is_open)
        return IO_OK;
    return io_fail(err, IO_E_INPUT, 0,
                   "%s: bgzip stream is truncated: it ends at byte %llu, after a whole block but without the empty block that "
                   "ends every bgzip file; 'gzip -dc' reads what there is",
                   s->name, (unsigned long long)offset);
}

/* Parses a gzip member's header [RFC 1952] and prepares the inflater for its body. */
static io_status gzip_header(io_stream *s, io_error *err)
{
    const uint8_t *h;
    int flags, found = 1;
    io_status status = fill(s, GZIP_FIXED_HEADER + 2, err);

    if (status != IO_OK)
        return status;
    s->unit_start = io_stream_offset(s);
    h = s->in + s->in_pos;
    if (s->in_end - s->in_pos < GZIP_FIXED_HEADER)
        return fail_truncated(s, "gzip", err);
    if (h[0] != 0x1f || h[1] != 0x8b)
        return fail_at(s, s->unit_start, "bytes that are not gzip follow the gzip stream", err);
    flags = h[3];
    if (h[2] != 8 || (flags & GZIP_RESERVED) != 0)
        return fail_at(s, s->unit_start, "unreadable gzip header", err);
    s->in_pos += GZIP_FIXED_HEADER;
    s->is_bgzf = 0;
    if (flags & GZIP_FEXTRA) {
        status = fill(s, 2, err);
        if (status == IO_OK && s->in_end - s->in_pos >= 2) {
            size_t n_extra = s->in[s->in_pos] | (size_t)s->in[s->in_pos + 1] << 8;
            status = skip_bytes(s, 2 + n_extra, &found, err);
            s->is_bgzf = status == IO_OK && found && has_bgzf_field(s->in + s->in_pos - n_extra, n_extra);
        } else {
            found = 0;
        }
    }
    if (status == IO_OK && found && (flags & GZIP_FNAME))
        status = skip_string(s, &found, err);
    if (status == IO_OK && found && (flags & GZIP_FCOMMENT))
        status = skip_string(s, &found, err);
    if (status == IO_OK && found && (flags & GZIP_FHCRC))
        status = skip_bytes(s, 2, &found, err);
    if (status != IO_OK)
        return status;
    if (!found)
        return fail_truncated(s, "gzip", err);
    isal_inflate_init(s->gzip);
    s->gzip->crc_flag = ISAL_GZIP_NO_HDR_VER; /* ISA-L decodes the body and verifies CRC-32 and length */
    s->in_unit = 1;
    s->member_bytes = 0;
    return s->is_bgzf ? IO_OK : check_bgzf_end(s, s->unit_start, err);
}

/* Consumes zeros between units. *at_end is 1 if they reach the end of the file. */
static io_status skip_zeros(io_stream *s, uint64_t *n_zeros, int *at_end, io_error *err)
{
    for (*n_zeros = 0;; (*n_zeros)++) {
        io_status status = fill(s, 1, err);
        *at_end = s->in_end == s->in_pos;
        if (status != IO_OK || *at_end || s->in[s->in_pos] != 0)
            return status;
        s->in_pos++;
    }
}

/* Between members: expects the end of the file, the next member, or zeros (tape padding) up to the end of the file. */
static io_status gzip_next_member(io_stream *s, int *at_end, io_error *err)
{
    uint64_t n_zeros;
    io_status status = skip_zeros(s, &n_zeros, at_end, err);

    if (status != IO_OK)
        return status;
    if (*at_end)
        return check_bgzf_end(s, io_stream_offset(s), err);
    if (n_zeros > 0)
        return fail_at(s, io_stream_offset(s), "bytes after the zeros that end the gzip stream", err);
    return gzip_header(s, err);
}

static io_status read_gzip(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    struct inflate_state *z = s->gzip;
    uint32_t capacity = size < (1u << 30) ? (uint32_t)size : 1u << 30;

    while (*n == 0) {
        int rc, at_end = 0;
        uint32_t held;
        io_status status = IO_OK;

        if (!s->in_unit) {
            status = gzip_next_member(s, &at_end, err);
            if (status != IO_OK || at_end)
                return status;
        }
        status = fill(s, 1, err);
        if (status != IO_OK)
            return status;
        held = (uint32_t)(s->in_end - s->in_pos);
        z->next_in = s->in + s->in_pos;
        z->avail_in = held;
        z->next_out = dst;
        z->avail_out = capacity;
        rc = isal_inflate(z);
        s->in_pos += held - z->avail_in;
        *n = capacity - z->avail_out;
        s->member_bytes += *n;
        if (rc == ISAL_INCORRECT_CHECKSUM)
            return fail_at(s, s->unit_start, "gzip stream is corrupt: wrong checksum in the member that starts", err);
        if (rc < 0)
            return fail_at(s, io_stream_offset(s), "gzip stream is corrupt", err);
        if (z->block_state == ISAL_BLOCK_FINISH) {
            s->in_unit = 0;
            s->bgzf_is_open = s->is_bgzf && !(s->member_bytes == 0 && io_stream_offset(s) - s->unit_start == BGZF_END_BYTES);
        } else if (held == 0 && *n == 0) {
            return fail_truncated(s, "gzip", err);
        }
    }
    return IO_OK;
}

static io_status read_zstd(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    while (*n == 0) {
        ZSTD_outBuffer out = {dst, size, 0};
        ZSTD_inBuffer in;
        size_t rc;
        io_status status = fill(s, 1, err);

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
            return fail_truncated(s, "zstd", err);
    }
    return IO_OK;
}

/* Between streams: expects the end of the file, or the next stream after padding in groups of four zeros (.xz format, 2.2). */
static io_status xz_next_stream(io_stream *s, int *at_end, io_error *err)
{
    uint64_t n_zeros;
    lzma_ret rc;
    io_status status = skip_zeros(s, &n_zeros, at_end, err);

    if (status != IO_OK)
        return status;
    if (n_zeros % 4 != 0)
        return fail_at(s, io_stream_offset(s), "xz stream is corrupt: padding that is not a multiple of four zeros ends", err);
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
        return fail_at(s, s->unit_start, "bytes that are not xz follow the xz stream", err);
    if (rc == LZMA_UNSUPPORTED_CHECK || rc == LZMA_OPTIONS_ERROR)
        return fail_at(s, s->unit_start, "xz stream with an unknown checksum or filter, which starts", err);
    return fail_at(s, io_stream_offset(s), "xz stream is corrupt", err);
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
        status = fill(s, 1, err);
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
            return fail_truncated(s, "xz", err);
        if (rc != LZMA_OK && rc != LZMA_STREAM_END)
            return fail_xz(s, rc, err);
    }
    return IO_OK;
}

/* Between streams: expects the end of the file or the next stream. */
static io_status bzip2_next_stream(io_stream *s, int *at_end, io_error *err)
{
    io_status status = fill(s, 1, err);

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
        status = fill(s, 1, err);
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
            return fail_at(s, s->unit_start, "bytes that are not bzip2 follow the bzip2 stream", err);
        if (rc != BZ_OK && rc != BZ_STREAM_END)
            return fail_at(s, io_stream_offset(s), "bzip2 stream is corrupt", err);
        if (s->in_unit && held == 0 && *n == 0)
            return fail_truncated(s, "bzip2", err);
    }
    return IO_OK;
}

static io_status read_kind(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
{
    switch (s->kind) {
    case KIND_GZIP:
        return read_gzip(s, dst, size, n, err);
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
