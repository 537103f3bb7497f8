/*
 * io_gzip.c - ISA-L decodes gzip, two to three times as fast as zlib. Our own code parses the header of a member first: a header cut by a
 * short read of a pipe, or one with extra fields (bgzip), then takes the same path as any other.
 */
#include "io/io_gzip.h"

#include <string.h>

#include "io/io_stream_bytes.h"

enum { GZIP_FIXED_HEADER = 10, BGZF_END_BYTES = 28 };
enum { GZIP_FHCRC = 2, GZIP_FEXTRA = 4, GZIP_FNAME = 8, GZIP_FCOMMENT = 16, GZIP_RESERVED = 0xe0 };

/* Consumes bytes up to and including a NUL. *found is 0 at the end of the file. */
static io_status skip_string(io_stream *s, int *found, io_error *err)
{
    for (;;) {
        io_status status = io_stream_fill(s, 1, err);
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
    io_status status = io_stream_fill(s, n, err);

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
    io_status status = io_stream_fill(s, GZIP_FIXED_HEADER + 2, err);

    if (status != IO_OK)
        return status;
    s->unit_start = io_stream_consumed(s);
    h = s->in + s->in_pos;
    if (s->in_end - s->in_pos < GZIP_FIXED_HEADER)
        return io_stream_fail_truncated(s, "gzip", err);
    if (h[0] != 0x1f || h[1] != 0x8b)
        return io_stream_fail_at(s, s->unit_start, "bytes that are not gzip follow the gzip stream", err);
    flags = h[3];
    if (h[2] != 8 || (flags & GZIP_RESERVED) != 0)
        return io_stream_fail_at(s, s->unit_start, "unreadable gzip header", err);
    s->in_pos += GZIP_FIXED_HEADER;
    s->is_bgzf = 0;
    if (flags & GZIP_FEXTRA) {
        status = io_stream_fill(s, 2, err);
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
        return io_stream_fail_truncated(s, "gzip", err);
    isal_inflate_init(s->gzip);
    s->gzip->crc_flag = ISAL_GZIP_NO_HDR_VER; /* ISA-L decodes the body and verifies CRC-32 and length */
    s->in_unit = 1;
    s->member_bytes = 0;
    return s->is_bgzf ? IO_OK : check_bgzf_end(s, s->unit_start, err);
}

/* Between members: expects the end of the file, the next member, or zeros (tape padding) up to the end of the file. */
static io_status gzip_next_member(io_stream *s, int *at_end, io_error *err)
{
    uint64_t n_zeros;
    io_status status = io_stream_skip_zeros(s, &n_zeros, at_end, err);

    if (status != IO_OK)
        return status;
    if (*at_end)
        return check_bgzf_end(s, io_stream_consumed(s), err);
    if (n_zeros > 0)
        return io_stream_fail_at(s, io_stream_consumed(s), "bytes after the zeros that end the gzip stream", err);
    return gzip_header(s, err);
}

io_status io_gzip_read(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err)
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
        status = io_stream_fill(s, 1, err);
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
            return io_stream_fail_at(s, s->unit_start, "gzip stream is corrupt: wrong checksum in the member that starts", err);
        if (rc < 0)
            return io_stream_fail_at(s, io_stream_consumed(s), "gzip stream is corrupt", err);
        if (z->block_state == ISAL_BLOCK_FINISH) {
            s->in_unit = 0;
            s->bgzf_is_open = s->is_bgzf && !(s->member_bytes == 0 && io_stream_consumed(s) - s->unit_start == BGZF_END_BYTES);
        } else if (held == 0 && *n == 0) {
            return io_stream_fail_truncated(s, "gzip", err);
        }
    }
    return IO_OK;
}
