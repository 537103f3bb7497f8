/* io_stream_bytes.h - the bytes of the file below a stream: its input buffer, which decoders consume, and what they have in common. */
#ifndef TAMIS_IO_STREAM_BYTES_H
#define TAMIS_IO_STREAM_BYTES_H

#include <bzlib.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <zstd.h>

#include "io/io_error.h"

typedef enum stream_kind { KIND_UNKNOWN, KIND_PLAIN, KIND_GZIP, KIND_ZSTD, KIND_XZ, KIND_BZIP2 } stream_kind;

typedef struct io_stream {
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
} io_stream;

/* io_stream_consumed() - bytes of the file that decoders have consumed. */
static inline uint64_t io_stream_consumed(const io_stream *s) { return s->n_read - (s->in_end - s->in_pos); }

/* io_stream_read_some() - one call of read(); *n is 0 at the end of the file. */
io_status io_stream_read_some(io_stream *s, uint8_t *dst, size_t size, size_t *n, io_error *err);

/* io_stream_fill() - makes the input buffer hold at least `want` bytes (up to 256 KiB), or the rest of the file. */
io_status io_stream_fill(io_stream *s, size_t want, io_error *err);

/* io_stream_skip_zeros() - consumes zeros between units. *at_end is 1 if they reach the end of the file. */
io_status io_stream_skip_zeros(io_stream *s, uint64_t *n_zeros, int *at_end, io_error *err);

/* Set the message, and return IO_E_INPUT. what [in] the fault, before "at byte ...". */
io_status io_stream_fail_at(io_stream *s, uint64_t offset, const char *what, io_error *err);
io_status io_stream_fail_truncated(io_stream *s, const char *format, io_error *err);

#endif
